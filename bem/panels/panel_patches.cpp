#include "rankine/bem/panels/panel_patches.hpp"

#include <algorithm>

#include "rankine/bem/simd/functions.hpp"

namespace rankine::bem {

PanelPatches::PanelPatches(const PanelNeighbourhood& neighbourhood)
    : patches_(most, PanelPatch(neighbourhood)) {}

void PanelPatches::move_to(std::span<const std::int32_t> panels) {
  count_ = static_cast<int>(panels.size());
  samples_ = 0;
  for (std::size_t l = 0; l < panels.size(); ++l) {
    PanelPatch& patch = patches_[l];
    patch.move_to(panels[l]);
    samples_ = std::max(samples_, static_cast<int>(patch.around().size()));
  }
  const std::size_t size = static_cast<std::size_t>(samples_) * most;
  for (std::vector<double>* each : {&x_, &y_}) each->assign(size, 0.0);
  for (std::vector<double>& each : value_) each.assign(size, 0.0);
  for (int l = 0; l < count_; ++l) {
    std::size_t at = static_cast<std::size_t>(l);
    for (const PlaneSample& s : (*this)[l].samples()) {
      x_[at] = s.x;
      y_[at] = s.y;
      at += most;
    }
  }
}

SampleLanes PanelPatches::lanes() const {
  SampleLanes lanes{
      .samples = samples_, .x = x_.data(), .y = y_.data(), .value = {}, .count = {}, .least = {}};
  for (int v = 0; v < SampleLanes::most_values; ++v) lanes.value[v] = value_[v].data();
  for (int l = 0; l < count_; ++l) {
    lanes.count[l] = static_cast<double>((*this)[l].around().size());
    lanes.least[l] = (*this)[l].least_spread();
  }
  return lanes;
}

void PanelPatches::fit(std::size_t values, PlanePolynomial* results) {
  using Row = std::array<PlanePolynomial, most>;
  static_assert(sizeof(Row) == sizeof(PlanePolynomial[SampleLanes::most]));
  simd_functions().fit_planes[values - 1](
      lanes(), reinterpret_cast<PlanePolynomial(*)[SampleLanes::most]>(results));
}

PanelPatches::Predictions PanelPatches::predict() {
  double found[predicted][most];
  simd_functions().predict_origins(lanes(), found);
  Predictions result;
  for (int v = 0; v < predicted; ++v)
    std::copy_n(found[v], most, result[static_cast<std::size_t>(v)].begin());
  return result;
}

}  // namespace rankine::bem
