#include "rankine/bem/layers/source_panels.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/layers/shared_nodes.hpp"

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
    : sources_(sources),
      panels_(sources.panels, options, backend),
      points_(joined(std::span(sources.panels.centroid).first(sources.boundary), sources.point)),
      normals_(joined(std::span(sources.panels.normal).first(sources.boundary), sources.normal)),
      targets_(images_of_points(symmetry(), points_)),
      target_normals_(images_of_vectors(symmetry(), normals_)) {}

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

SparseRows SourcePanels::strengths() const {
  const PanelNodes& nodes = panels_.panel_nodes();
  auto pattern = std::make_shared<SparsityPattern>();
  for (std::size_t j = 0; j < sources_.panels.size(); ++j) {
    for (std::size_t node = nodes.begin(j); node < nodes.end(j); ++node) {
      pattern->columns.push_back(static_cast<std::int32_t>(j));
      pattern->offsets.push_back(static_cast<std::int64_t>(node + 1));
    }
  }
  return by_unknowns(
      rows_of_sources(nodes, {sources_.panels.size(), std::move(pattern), nodes.weights}));
}

SparsityPattern SourcePanels::panel_pairs() const {
  const SparsityPattern all = find_near_pairs(targets_, panels_.panel_nodes().balls);
  SparsityPattern pairs;
  for (std::size_t i = 0; i < all.rows(); ++i) {
    if (i % points_.size() < sources_.boundary) {
      pairs.columns.insert(pairs.columns.end(), all.columns.begin() + all.offsets[i],
                           all.columns.begin() + all.offsets[i + 1]);
    }
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  return pairs;
}

SparsityPattern SourcePanels::near_pairs() const {
  SparsityPattern pairs = panel_pairs();
  AlignedVector<double> none(pairs.entries());
  return *by_unknowns({sources_.panels.size(), std::make_shared<SparsityPattern>(std::move(pairs)),
                       std::move(none)})
              .pattern;
}

void SourcePanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                             std::span<double* const> values) const {
  NearEntryView view = near_entry_view(sources_.panels, panels_.panel_nodes());
  view.target = targets_.data();
  view.target_normal = target_normals_.data();
  auto by_panels = std::make_shared<SparsityPattern>(panel_pairs());
  std::vector<AlignedVector<double>> entries(layers.size(),
                                             AlignedVector<double>(by_panels->entries()));
  std::vector<double*> to;
  for (AlignedVector<double>& each : entries) to.push_back(each.data());
  integrate_near(view, sources_.panels.size(), layers, *by_panels, to);
  for (std::size_t l = 0; l < layers.size(); ++l) {
    const SparseRows rows = by_unknowns({sources_.panels.size(), by_panels, std::move(entries[l])});
    std::copy_n(rows.values.begin(), pairs.entries(), values[l]);
  }
}

}  // namespace rankine::bem
