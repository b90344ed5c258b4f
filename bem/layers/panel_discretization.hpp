// A discretization by the panels of a boundary and of sheets. Each panel of the boundary has an
// unknown and a collocation point. Panels of a sheet share unknowns; the rows of these unknowns
// have no near corrections. Near corrections are integrals over single panels
// (bem/layers/near_entry.hpp), added up over the panels of an unknown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

class PanelDiscretization : public Discretization {
 public:
  const Panels& panels() const { return panels_; }
  const PanelNodes& panel_nodes() const { return nodes_; }
  /// Number of panels of the boundary: the first panels, unknowns and points.
  std::size_t boundary() const { return panels_.size() - of_sheet_.size(); }
  /// Per panel of a sheet: its unknown, ascending from 0 on after those of the boundary.
  std::span<const std::int32_t> of_sheet() const { return of_sheet_; }

  MirroredSpan<Vec3d> nodes() const final { return nodes_.sum_points(); }
  MirroredSpan<Vec3d> node_normals() const final { return nodes_.sum_normals(); }
  double nodes_per_point() const final { return nodes_.per_panel(); }
  MirroredSpan<Vec3d> targets() const final {
    if (targets_.empty()) return panels_.centroid;
    return targets_;
  }
  MirroredSpan<Vec3d> target_normals() const final {
    if (targets_.empty()) return point_normals();
    return target_normals_;
  }
  const meshes::Symmetry& symmetry() const final { return panels_.symmetry; }
  std::vector<const Mirror*> mirrors() const final;
  std::vector<const Mirror*> near_mirrors() const final;

 protected:
  PanelDiscretization(const Panels& panels, PanelNodes nodes,
                      std::span<const std::int32_t> of_sheet)
      : panels_(panels), nodes_(std::move(nodes)), of_sheet_(of_sheet) {}

  /// Sets the points and normals whose images are the targets; without a call these are the
  /// centroids of the panels.
  void set_targets(std::span<const Vec3d> points, std::span<const Vec3d> normals);
  /// Near corrections by panels: entry k of `pairs` belongs to a target and a panel.
  void integrate_by_panels(std::span<const Layer> layers, const SparsityPattern& pairs,
                           std::span<double* const> values) const;

  const Panels& panels_;
  PanelNodes nodes_;

 private:
  std::span<const std::int32_t> of_sheet_;
  std::vector<Vec3d> targets_, target_normals_;  ///< empty: the points
};

/// Points and their images, image by image; and vectors at these points.
std::vector<Vec3d> images_of_points(const meshes::Symmetry& symmetry,
                                    std::span<const Vec3d> points);
std::vector<Vec3d> images_of_vectors(const meshes::Symmetry& symmetry,
                                     std::span<const Vec3d> vectors);

/// A view for targets at the collocation points. It has no nodes for intermediate distances:
/// integrate_near() on the host places these itself. The view points into its arguments, which must
/// outlive it.
NearEntryView near_entry_view(const Panels& panels, const PanelNodes& nodes);

}  // namespace rankine::bem
