#include "rankine/bem/layers/collocated_panels.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
CollocatedPanels::CollocatedPanels(const Panels& panels, const QuadratureOptions& options)
    : panels_(panels), nodes_(place_nodes(panels, options)) {
  const meshes::Symmetry& symmetry = panels.symmetry;
  if (symmetry.empty()) return;
  targets_ = images_of_points(symmetry, panels.centroid);
  target_normals_ = images_of_vectors(symmetry, panels.normal);
}

std::span<const Vec3d> CollocatedPanels::targets() const {
  return targets_.empty() ? points() : targets_;
}

std::span<const Vec3d> CollocatedPanels::target_normals() const {
  return targets_.empty() ? point_normals() : target_normals_;
}

SparseRows CollocatedPanels::strengths() const { return linear_strengths(panels_, nodes_); }

SparsityPattern CollocatedPanels::near_pairs() const {
  return find_near_pairs(targets(), nodes_.balls);
}

void CollocatedPanels::integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                                 std::span<double* const> values) const {
  const MiddleNodes middle(panels_);
  NearEntryView view = near_entry_view(panels_, nodes_, middle);
  view.target = targets().data();
  view.target_normal = target_normals().data();
  integrate_near(view, layers, pairs, values);
}

std::vector<Vec3d> images_of_points(const meshes::Symmetry& symmetry,
                                    std::span<const Vec3d> points) {
  std::vector<Vec3d> images(static_cast<std::size_t>(symmetry.images()) * points.size());
  parallel_for(images.size(), [&](std::size_t k) {
    images[k] = symmetry.point(static_cast<int>(k / points.size()), points[k % points.size()]);
  });
  return images;
}

std::vector<Vec3d> images_of_vectors(const meshes::Symmetry& symmetry,
                                     std::span<const Vec3d> vectors) {
  std::vector<Vec3d> images(static_cast<std::size_t>(symmetry.images()) * vectors.size());
  parallel_for(images.size(), [&](std::size_t k) {
    images[k] = symmetry.vector(static_cast<int>(k / vectors.size()), vectors[k % vectors.size()]);
  });
  return images;
}

MiddleNodes::MiddleNodes(const Panels& panels)
    : stride(middle_stride(panels)), nodes(panels.size() * static_cast<std::size_t>(stride)) {
  parallel_for(panels.size(), [&](std::size_t j) {
    place_middle_nodes(panels.shape[j], nodes.data() + j * static_cast<std::size_t>(stride));
  });
}

int middle_stride(const Panels& panels) {
  const bool has_quadrilaterals = std::any_of(panels.shape.begin(), panels.shape.end(),
                                              [](const auto& shape) { return shape.corners == 4; });
  return (has_quadrilaterals ? 2 : 1) * middle_nodes_of_triangle;
}

NearEntryView near_entry_view(const Panels& panels, const PanelNodes& nodes,
                              const MiddleNodes& middle) {
  return {.shape = panels.shape.data(),
          .middle_nodes = middle.nodes.data(),
          .middle_stride = middle.stride,
          .centroid = panels.centroid.data(),
          .target = panels.centroid.data(),
          .target_normal = panels.normal.data(),
          .middle_radius = nodes.middle_radius.data(),
          .far_points = nodes.points.data(),
          .far_normals = nodes.normals.data(),
          .far_weights = nodes.weights.data(),
          .first_node = nodes.first.data()};
}

}  // namespace rankine::bem
