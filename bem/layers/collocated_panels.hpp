// The discretization by panels, curved or flat, with one unknown and one collocation point each.
// Strengths are linear on a panel (bem/layers/linear_strengths.hpp) and are summed from quadrature
// nodes. For near targets the sum of the constant part over nodes is replaced by its integral
// (bem/layers/near_entry.hpp). In S and D the linear part is also integrated, on the panel of the
// target and on those that share a vertex with it (bem/layers/linear_corrections.hpp).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/panel_discretization.hpp"

namespace rankine::bem {

class CollocatedPanels : public PanelDiscretization {
 public:
  /// Places the nodes. `panels` must outlive this object. Throws as place_nodes does.
  explicit CollocatedPanels(const Panels& panels, const QuadratureOptions& options = {});
  /// Places the nodes with a backend, which must outlive this object. `panels` must not change,
  /// since the backend may keep copies.
  CollocatedPanels(const Panels& panels, const QuadratureOptions& options, Backend& backend);

  std::size_t unknowns() const override { return panels_.size(); }
  StrengthRows strengths(const RowRange& nodes) const override;
  MirroredSpan<Vec3d> points() const override { return panels_.centroid; }
  MirroredSpan<Vec3d> point_normals() const override { return panels_.normal; }
  SparsityPattern near_pairs(const RowRange& rows) const override;
  void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                 std::span<double* const> values) const override;
  std::vector<SparseRows> linear_moments(std::span<const Layer> layers,
                                         const RowRange& rows) const override;

 private:
  CollocatedPanels(PanelNodes nodes, const Panels& panels);
};

/// Number of nodes per panel for intermediate distances: 7, or 14 if the mesh has quadrilaterals.
constexpr int middle_stride(bool has_quadrilaterals) {
  return (has_quadrilaterals ? 2 : 1) * middle_nodes_of_triangle;
}

}  // namespace rankine::bem
