#include "rankine/bem/layers/collocated_panels.hpp"

#include <utility>

#include "rankine/bem/layers/linear_corrections.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/layers/shared_nodes.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

CollocatedPanels::CollocatedPanels(const Panels& panels, const QuadratureOptions& options)
    : CollocatedPanels(bem::place_nodes(panels, options), panels) {}

CollocatedPanels::CollocatedPanels(const Panels& panels, const QuadratureOptions& options,
                                   Backend& backend)
    : CollocatedPanels(backend.place_nodes(panels, options), panels) {}

CollocatedPanels::CollocatedPanels(PanelNodes nodes, const Panels& panels)
    : panels_(panels), nodes_(std::move(nodes)) {
  share_nodes(nodes_);
  const meshes::Symmetry& symmetry = panels.symmetry;
  if (symmetry.empty()) return;
  targets_ = images_of_points(symmetry, panels.centroid);
  target_normals_ = images_of_vectors(symmetry, panels.normal);
}

MirroredSpan<Vec3d> CollocatedPanels::targets() const {
  if (targets_.empty()) return panels_.centroid;
  return targets_;
}

std::span<const Vec3d> CollocatedPanels::target_normals() const {
  return targets_.empty() ? point_normals() : target_normals_;
}

StrengthRows CollocatedPanels::strengths() const {
  StrengthRows rows{{}, strength_gradients(panels_, if_cut(nodes_))};
  rows.nodes = rows_of_sources(nodes_, linear_strengths(panels_, nodes_, rows.gradients));
  return rows;
}

std::vector<const Mirror*> CollocatedPanels::mirrors() const {
  std::vector<const Mirror*> all = bem::mirrors(panels_);
  for (const Mirror* each : nodes_.mirrors()) all.push_back(each);
  return all;
}

std::vector<const Mirror*> CollocatedPanels::near_mirrors() const {
  std::vector<const Mirror*> near = nodes_.near_mirrors();
  near.push_back(&panels_.shape.mirror());
  return near;
}

SparsityPattern CollocatedPanels::near_pairs() const {
  return find_near_pairs(targets(), nodes_.balls);
}

void CollocatedPanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                                 std::span<double* const> values) const {
  NearEntryView view = near_entry_view(panels_, nodes_);
  view.target = targets().data();
  view.target_normal = target_normals().data();
  integrate_near(view, panels_.size(), layers, pairs, values);
}

std::vector<SparseRows> CollocatedPanels::linear_moments(std::span<const Layer> layers) const {
  return bem::linear_moments(panels_, nodes_, targets(), panels_.size(),
                             close_panels(panels_, nodes_), layers);
}

std::vector<Vec3d> images_of_points(const meshes::Symmetry& symmetry,
                                    std::span<const Vec3d> points) {
  std::vector<Vec3d> images(static_cast<std::size_t>(symmetry.images()) * points.size());
  parallel_for(images.size(), [&](std::size_t k) {
    images[k] = symmetry.point(symmetry.inverse(static_cast<int>(k / points.size())),
                               points[k % points.size()]);
  });
  return images;
}

std::vector<Vec3d> images_of_vectors(const meshes::Symmetry& symmetry,
                                     std::span<const Vec3d> vectors) {
  std::vector<Vec3d> images(static_cast<std::size_t>(symmetry.images()) * vectors.size());
  parallel_for(images.size(), [&](std::size_t k) {
    images[k] = symmetry.vector(symmetry.inverse(static_cast<int>(k / vectors.size())),
                                vectors[k % vectors.size()]);
  });
  return images;
}

int middle_stride(const Panels& panels) {
  const bool has_quadrilaterals = parallel_any(
      panels.size(), [&](std::size_t j) { return meshes::corner_count(panels.nodes[j]) == 4; });
  return (has_quadrilaterals ? 2 : 1) * middle_nodes_of_triangle;
}

NearEntryView near_entry_view(const Panels& panels, const PanelNodes& nodes) {
  return {.shape = panels.shape.on_host().data(),
          .middle_nodes = nullptr,
          .middle_stride = 0,
          .centroid = panels.centroid.data(),
          .target = panels.centroid.data(),
          .target_normal = panels.normal.data(),
          .middle_radius = nodes.middle_radius.data(),
          .far_points = nodes.points.on_host().data(),
          .far_normals = nodes.normals.on_host().data(),
          .far_weights = nodes.weights.on_host().data(),
          .first_node = nodes.first.data()};
}

}  // namespace rankine::bem
