// The discretization by panels, curved or flat, with one unknown and one collocation point each.
// Strengths are linear on a panel (bem/layers/linear_strengths.hpp) and are summed from quadrature
// nodes. For near targets the sum of the constant part over nodes is replaced by its integral
// (bem/layers/near_entry.hpp). In S and D the linear part is also integrated, on the panel of the
// target and on those that share a vertex with it (bem/layers/linear_corrections.hpp).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

class CollocatedPanels : public Discretization {
 public:
  /// Places the nodes. `panels` must outlive this object. Throws as place_nodes does.
  explicit CollocatedPanels(const Panels& panels, const QuadratureOptions& options = {});
  /// Places the nodes with a backend, which must outlive this object. `panels` must not change,
  /// since the backend may keep copies.
  CollocatedPanels(const Panels& panels, const QuadratureOptions& options, Backend& backend);

  std::size_t unknowns() const override { return panels_.size(); }
  MirroredSpan<Vec3d> nodes() const override { return nodes_.sum_points(); }
  MirroredSpan<Vec3d> node_normals() const override { return nodes_.sum_normals(); }
  double nodes_per_point() const override { return nodes_.per_panel(); }
  StrengthRows strengths() const override;
  std::span<const Vec3d> points() const override { return panels_.centroid; }
  std::span<const Vec3d> point_normals() const override { return panels_.normal; }
  MirroredSpan<Vec3d> targets() const override;
  std::span<const Vec3d> target_normals() const override;
  const meshes::Symmetry& symmetry() const override { return panels_.symmetry; }
  std::vector<const Mirror*> mirrors() const override;
  std::vector<const Mirror*> near_mirrors() const override;
  SparsityPattern near_pairs() const override;
  void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                 std::span<double* const> values) const override;
  std::vector<SparseRows> linear_moments(std::span<const Layer> layers) const override;

  const Panels& panels() const { return panels_; }
  const PanelNodes& panel_nodes() const { return nodes_; }

 private:
  CollocatedPanels(PanelNodes nodes, const Panels& panels);

  const Panels& panels_;
  PanelNodes nodes_;
  std::vector<Vec3d> targets_, target_normals_;  ///< empty: the points
};

/// Number of nodes per panel for intermediate distances: 7, or 14 if the mesh has quadrilaterals.
int middle_stride(const Panels& panels);

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
