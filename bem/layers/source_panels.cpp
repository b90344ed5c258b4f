#include "rankine/bem/layers/source_panels.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/near_integrals.hpp"
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

std::span<const std::int32_t> row_of(const SparsityPattern& pattern, std::size_t i) {
  const std::int64_t begin = pattern.offsets[i], end = pattern.offsets[i + 1];
  return {pattern.columns.data() + begin, static_cast<std::size_t>(end - begin)};
}

/// On a long triangle slopes follow from differences along it. Extrapolated to the opposite wall
/// they amplify rough potentials: wings of triangles four times longer than deep have 7 % too much
/// lift with them and 2 % too little with constant strengths.
IsConstant if_long_triangle(const SourceSet& sources) {
  return [&sources](std::size_t j) {
    const Panels& panels = sources.panels;
    const bool is_long = panels.shape[j].corners == 3 && panels.radius[j] * panels.radius[j] >
                                                             fitted::long_triangle * panels.area[j];
    return is_long;
  };
}

/// Near pairs of targets and panels. Rows of sheet unknowns are empty.
SparsityPattern pairs_of_points(std::span<const Vec3d> targets, const NearBalls& balls,
                                std::size_t points, std::size_t boundary) {
  const SparsityPattern all = find_near_pairs(targets, balls);
  SparsityPattern pairs;
  for (std::size_t i = 0; i < all.rows(); ++i) {
    if (i % points < boundary) {
      const std::span<const std::int32_t> row = row_of(all, i);
      pairs.columns.insert(pairs.columns.end(), row.begin(), row.end());
    }
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  return pairs;
}

}  // namespace

SourcePanels::SourcePanels(const SourceSet& sources, const QuadratureOptions& options,
                           Backend& backend)
    : sources_(sources),
      nodes_(backend.place_nodes(sources.panels, options)),
      points_(joined(std::span(sources.panels.centroid).first(sources.boundary), sources.point)),
      normals_(joined(std::span(sources.panels.normal).first(sources.boundary), sources.normal)),
      targets_(images_of_points(symmetry(), points_)),
      target_normals_(images_of_vectors(symmetry(), normals_)),
      panel_pairs_(pairs_of_points(targets_, nodes_.balls, points_.size(), sources.boundary)),
      gradients_(strength_gradients(sources.panels, if_long_triangle(sources), sources.strip)),
      linear_(sources.panels, nodes_, gradients_) {}

SparseRows SourcePanels::by_unknowns(const SparseRows& by_panels) const {
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  std::vector<std::pair<std::int32_t, double>> row;
  for (std::size_t i = 0; i < by_panels.rows(); ++i) {
    row.clear();
    const auto begin = static_cast<std::size_t>(by_panels.pattern->offsets[i]),
               end = static_cast<std::size_t>(by_panels.pattern->offsets[i + 1]);
    for (std::size_t k = begin; k < end; ++k) {
      const auto panel = static_cast<std::size_t>(by_panels.pattern->columns[k]);
      row.emplace_back(static_cast<std::int32_t>(sources_.unknown_of(panel)), by_panels.values[k]);
    }
    std::stable_sort(row.begin(), row.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (const auto& [unknown, value] : row) {
      const bool again = pattern->columns.size() > static_cast<std::size_t>(pattern->offsets[i]) &&
                         pattern->columns.back() == unknown;
      if (again) {
        values.back() += value;
      } else {
        pattern->columns.push_back(unknown);
        values.push_back(value);
      }
    }
    pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  return {sources_.unknowns(), std::move(pattern), std::move(values)};
}

StrengthRows SourcePanels::strengths() const {
  return {by_unknowns(linear_strengths(sources_.panels, nodes_, gradients_)), {}};
}

bool SourcePanels::is_close(std::size_t target, std::int32_t panel) const {
  const auto j = static_cast<std::size_t>(panel);
  const Vec3d apart = targets_[target] - sources_.panels.centroid[j];
  const double reach = close_radii * sources_.panels.radius[j];
  return dot(apart, apart) < reach * reach;
}

SparsityPattern SourcePanels::near_pairs() const {
  std::vector<std::vector<std::int32_t>> rows(panel_pairs_.rows());
  parallel_for(rows.size(), [&](std::size_t i) {
    std::vector<std::int32_t>& row = rows[i];
    const auto add = [&](std::int32_t panel) { row.push_back(unknown_of(panel)); };
    for (const std::int32_t panel : row_of(panel_pairs_, i)) {
      add(panel);
      if (is_close(i, panel)) linear_.for_each_column(panel, add);
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  });
  SparsityPattern pairs;
  for (const std::vector<std::int32_t>& row : rows) {
    pairs.columns.insert(pairs.columns.end(), row.begin(), row.end());
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  return pairs;
}

void SourcePanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                             std::span<double* const> values) const {
  NearEntryView view = near_entry_view(sources_.panels, nodes_);
  view.target = targets_.data();
  view.target_normal = target_normals_.data();
  std::vector<AlignedVector<double>> constant(layers.size(),
                                              AlignedVector<double>(panel_pairs_.entries()));
  std::vector<double*> to;
  for (AlignedVector<double>& each : constant) to.push_back(each.data());
  integrate_near(view, sources_.panels.size(), layers, panel_pairs_, to);
  parallel_for(pairs.rows(), [&](std::size_t i) {
    const std::span<const std::int32_t> columns = row_of(pairs, i);
    if (columns.empty()) return;
    const auto first = static_cast<std::size_t>(pairs.offsets[i]);
    for (std::size_t l = 0; l < layers.size(); ++l)
      std::fill_n(values[l] + first, columns.size(), 0.0);
    const auto at = [&](std::int32_t panel) {
      const auto found = std::lower_bound(columns.begin(), columns.end(), unknown_of(panel));
      return first + static_cast<std::size_t>(found - columns.begin());
    };
    auto entry = static_cast<std::size_t>(panel_pairs_.offsets[i]);
    for (const std::int32_t panel : row_of(panel_pairs_, i)) {
      for (std::size_t l = 0; l < layers.size(); ++l) values[l][at(panel)] += constant[l][entry];
      ++entry;
      if (!is_close(i, panel)) continue;
      linear_.for_each_entry(targets_[i], i == static_cast<std::size_t>(panel), panel, layers,
                             [&](std::int32_t beside, const auto& of_layers) {
                               for (std::size_t l = 0; l < layers.size(); ++l)
                                 values[l][at(beside)] += of_layers[l];
                             });
    }
  });
}

}  // namespace rankine::bem
