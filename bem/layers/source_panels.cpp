#include "rankine/bem/layers/source_panels.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/linear_corrections.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The boundary's part of `of_panels`, then `of_sheets`.
std::vector<Vec3d> joined(std::span<const Vec3d> of_panels, std::span<const Vec3d> of_sheets) {
  std::vector<Vec3d> all(of_panels.begin(), of_panels.end());
  all.insert(all.end(), of_sheets.begin(), of_sheets.end());
  return all;
}

}  // namespace

SourcePanels::SourcePanels(const SourceSet& sources, const QuadratureOptions& options,
                           Backend& backend)
    : PanelDiscretization(sources.panels, backend.place_nodes(sources.panels, options),
                          sources.of_sheet),
      sources_(sources),
      points_(joined(std::span(sources.panels.centroid).first(sources.boundary), sources.point)),
      normals_(joined(std::span(sources.panels.normal).first(sources.boundary), sources.normal)),
      gradients_(strength_gradients(sources.panels, slope_fits(), sources.strip)) {
  set_targets(points_, normals_);
}

// Slopes on triangles follow from all panels around. If only the panels across their edges were
// used, slopes of long triangles would be differences between two panels of different shape;
// extrapolated to the opposite wall they amplify rough potentials. On the longest triangles slopes
// from all panels around also amplify them, so strengths are constant there.
SlopeFits SourcePanels::slope_fits() const {
  return [&panels = sources_.panels](std::size_t j) {
    if (panels.shape[j].corners != 3) return SlopeFit::beside;
    const bool is_long =
        panels.radius[j] * panels.radius[j] > fitted::long_triangle * panels.area[j];
    return is_long ? SlopeFit::none : SlopeFit::around;
  };
}

const SparsityPattern& SourcePanels::panel_pairs() const {
  std::call_once(found_pairs_, [&] {
    const SparsityPattern all = find_near_pairs(targets(), nodes_.balls);
    panel_pairs_ = pattern_of(all.rows(), [&](std::size_t i, std::vector<std::int32_t>& columns) {
      if (i % points_.size() >= boundary()) return;
      const std::span<const std::int32_t> row = row_of(all, i);
      columns.insert(columns.end(), row.begin(), row.end());
    });
  });
  return panel_pairs_;
}

SparsityPattern SourcePanels::by_unknowns(const SparsityPattern& by_panels) const {
  return pattern_of(by_panels.rows(), [&](std::size_t i, std::vector<std::int32_t>& columns) {
    const auto first = static_cast<std::ptrdiff_t>(columns.size());
    for (const std::int32_t panel : row_of(by_panels, i)) columns.push_back(unknown_of(panel));
    std::sort(columns.begin() + first, columns.end());
    columns.erase(std::unique(columns.begin() + first, columns.end()), columns.end());
  });
}

void SourcePanels::add_up(const SparsityPattern& by_panels, const double* values,
                          const SparsityPattern& by_unknowns, double* sums) const {
  parallel_for(by_unknowns.rows(), [&](std::size_t i) {
    const std::span<const std::int32_t> unknowns = row_of(by_unknowns, i);
    if (unknowns.empty()) return;
    double* const row = sums + by_unknowns.offsets[i];
    std::fill_n(row, unknowns.size(), 0.0);
    const double* value = values + by_panels.offsets[i];
    for (const std::int32_t panel : row_of(by_panels, i)) {
      const auto at = std::lower_bound(unknowns.begin(), unknowns.end(), unknown_of(panel));
      row[at - unknowns.begin()] += *value++;
    }
  });
}

SparseRows SourcePanels::by_unknowns(const SparseRows& by_panels) const {
  auto pattern = std::make_shared<const SparsityPattern>(by_unknowns(*by_panels.pattern));
  AlignedVector<double> sums(pattern->entries());
  add_up(*by_panels.pattern, by_panels.values.data(), *pattern, sums.data());
  return {sources_.unknowns(), std::move(pattern), std::move(sums)};
}

StrengthRows SourcePanels::strengths(const RowRange& nodes) const {
  return {by_unknowns(linear_strengths(sources_.panels, nodes_, gradients_, nodes)),
          by_unknowns(gradients_)};
}

bool SourcePanels::is_close(std::size_t target, std::int32_t panel) const {
  const auto j = static_cast<std::size_t>(panel);
  const Vec3d apart = targets()[target] - sources_.panels.centroid[j];
  const double reach = close_radii * sources_.panels.radius[j];
  return dot(apart, apart) < reach * reach;
}

SparsityPattern SourcePanels::near_pairs(const RowRange& rows) const {
  SparsityPattern pairs = by_unknowns(panel_pairs());
  keep_rows(pairs, rows);
  return pairs;
}

void SourcePanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                             std::span<double* const> values) const {
  const SparsityPattern by_panels =
      pattern_of(pairs.rows(), [&](std::size_t i, std::vector<std::int32_t>& columns) {
        if (row_of(pairs, i).empty()) return;
        const std::span<const std::int32_t> row = row_of(panel_pairs(), i);
        columns.insert(columns.end(), row.begin(), row.end());
      });
  std::vector<AlignedVector<double>> entries(layers.size(),
                                             AlignedVector<double>(by_panels.entries()));
  std::vector<double*> to;
  for (AlignedVector<double>& each : entries) to.push_back(each.data());
  integrate_by_panels(layers, by_panels, to);
  for (std::size_t l = 0; l < layers.size(); ++l) add_up(by_panels, to[l], pairs, values[l]);
}

std::vector<SparseRows> SourcePanels::linear_moments(std::span<const Layer> layers,
                                                     const RowRange& rows) const {
  const std::size_t count = rows.of(panel_pairs().rows()).size();
  auto pattern = std::make_shared<const SparsityPattern>(
      pattern_of(count, [&](std::size_t i, std::vector<std::int32_t>& columns) {
        const std::size_t target = rows.begin + i;
        for (const std::int32_t panel : row_of(panel_pairs(), target)) {
          if (!is_close(target, panel) || is_constant(static_cast<std::size_t>(panel))) continue;
          columns.push_back(2 * panel);
          columns.push_back(2 * panel + 1);
        }
      }));
  return bem::linear_moments(sources_.panels, nodes_, targets(), boundary(), std::move(pattern),
                             rows.begin, layers);
}

}  // namespace rankine::bem
