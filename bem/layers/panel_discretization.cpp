#include "rankine/bem/layers/panel_discretization.hpp"

#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

std::vector<const Mirror*> PanelDiscretization::mirrors() const {
  std::vector<const Mirror*> all = bem::mirrors(panels_);
  for (const Mirror* each : nodes_.mirrors()) all.push_back(each);
  return all;
}

std::vector<const Mirror*> PanelDiscretization::near_mirrors() const {
  std::vector<const Mirror*> near = nodes_.near_mirrors();
  near.push_back(&panels_.shape.mirror());
  return near;
}

void PanelDiscretization::set_targets(std::span<const Vec3d> points,
                                      std::span<const Vec3d> normals) {
  targets_ = images_of_points(symmetry(), points);
  target_normals_ = images_of_vectors(symmetry(), normals);
}

void PanelDiscretization::integrate_by_panels(std::span<const Layer> layers,
                                              const SparsityPattern& pairs,
                                              std::span<double* const> values) const {
  NearEntryView view = near_entry_view(panels_, nodes_);
  view.own = static_cast<std::int64_t>(boundary());
  view.target = targets().data();
  view.target_normal = target_normals().data();
  integrate_near(view, panels_.size(), layers, pairs, values);
}

NearEntryView near_entry_view(const Panels& panels, const PanelNodes& nodes) {
  return {.shape = panels.shape.on_host().data(),
          .middle_nodes = nullptr,
          .middle_stride = 0,
          .centroid = panels.centroid.data(),
          .own = static_cast<std::int64_t>(panels.size()),
          .target = panels.centroid.data(),
          .target_normal = panels.normal.data(),
          .middle_radius = nodes.middle_radius.data(),
          .far_points = nodes.points.on_host().data(),
          .far_normals = nodes.normals.on_host().data(),
          .far_weights = nodes.weights.on_host().data(),
          .first_node = nodes.first.data()};
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

}  // namespace rankine::bem
