// The neighbourhoods of several panels. The fits around each panel use one SIMD lane
// (bem/simd/plane_fits.hpp).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/spatial_order.hpp"
#include "rankine/bem/simd/plane_fits.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

class PanelPatches {
 public:
  static constexpr int most = SampleLanes::most;

  explicit PanelPatches(const PanelNeighbourhood& neighbourhood);

  /// Moves to these panels, at most `most`.
  void move_to(std::span<const std::int32_t> panels);

  int count() const { return count_; }
  const PanelPatch& operator[](int lane) const { return patches_[static_cast<std::size_t>(lane)]; }

  /// The polynomials of PanelPatch::fits of `values_of(patch, panel)` for every panel:
  /// [value][lane].
  template <std::size_t Values>
  using Polynomials = std::array<std::array<PlanePolynomial, most>, Values>;
  template <std::size_t Values, class ValuesOf>
  Polynomials<Values> fits(ValuesOf values_of) {
    static_assert(Values <= most_fitted);
    const auto own = set_values<Values>(0, values_of);
    Polynomials<Values> found;
    fit(Values, found[0].data());
    for (std::size_t v = 0; v < Values; ++v) {
      for (int l = 0; l < count_; ++l) found[v][l].constant = own[v][l];
    }
    return found;
  }

  /// Values predicted from the neighbours of every panel (bem/panels/prediction.hpp), minus its own
  /// values: [value][lane].
  using Predictions = std::array<std::array<double, most>, predicted>;
  template <class ValuesOf>
  Predictions misses(ValuesOf values_of) {
    set_values<predicted>(SampleLanes::most_values - predicted, values_of);
    return predict();
  }

 private:
  /// Subtracts the panel's values from the samples and returns them.
  template <std::size_t Values, class ValuesOf>
  std::array<std::array<double, most>, Values> set_values(int first, ValuesOf& values_of) {
    std::array<std::array<double, most>, Values> own{};
    for (int l = 0; l < count_; ++l) {
      const PanelPatch& patch = (*this)[l];
      const std::array<double, Values> here = values_of(patch, patch.panel());
      for (std::size_t v = 0; v < Values; ++v) own[v][l] = here[v];
      std::size_t at = static_cast<std::size_t>(l);
      for (const std::int32_t j : patch.around()) {
        const std::array<double, Values> there = values_of(patch, j);
        for (std::size_t v = 0; v < Values; ++v)
          value_[static_cast<std::size_t>(first) + v][at] = there[v] - here[v];
        at += most;
      }
    }
    return own;
  }

  void fit(std::size_t values, PlanePolynomial* results);
  Predictions predict();
  SampleLanes lanes() const;

  std::vector<PanelPatch> patches_;
  int count_ = 0, samples_ = 0;
  std::vector<double> x_, y_, value_[SampleLanes::most_values];
};

/// Calls visit(patches) for these panels, several at a time, on all threads.
template <class Visit>
void for_each_patches_of(const PanelNeighbourhood& neighbourhood,
                         std::span<const std::int32_t> panels, Visit&& visit) {
  constexpr std::size_t most = PanelPatches::most, chunk = 32;
  parallel_chunks(
      (panels.size() + most - 1) / most, chunk, [&] { return PanelPatches(neighbourhood); },
      [&](std::size_t k, PanelPatches& patches) {
        patches.move_to(panels.subspan(most * k, std::min(most, panels.size() - most * k)));
        visit(patches);
      });
}

/// The same for the panels of `rows`.
template <class Visit>
void for_each_patches(const PanelNeighbourhood& neighbourhood, const RowRange& rows,
                      Visit&& visit) {
  const std::span<const Vec3d> centroids = neighbourhood.panels().centroid;
  const std::size_t end = std::min(rows.end, centroids.size());
  AlignedVector<std::int32_t> order =
      spatial_order(centroids.subspan(rows.begin, end - rows.begin));
  for (std::int32_t& each : order) each += static_cast<std::int32_t>(rows.begin);
  for_each_patches_of(neighbourhood, std::span<const std::int32_t>(order),
                      std::forward<Visit>(visit));
}

}  // namespace rankine::bem
