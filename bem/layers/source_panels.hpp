// The discretization of a SourceSet (bem/layers/source_set.hpp): collocated panels on the boundary,
// and sheets whose panels share unknowns. Strengths are constant on panels: sums over nodes of a
// linear part would be wrong between the sides of a sharp edge, which are nearer to each other than
// the nodes, and the error would be amplified in the circulation. Sums and near corrections are
// formed at the points of the boundary. The rows of sheet unknowns have no near corrections; the
// equation must leave their sums out (bem/layers/formulation.hpp, green_with_sheets()).
#pragma once

#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/source_set.hpp"

namespace rankine::bem {

class SourcePanels final : public Discretization {
 public:
  /// Places the nodes. `sources` must outlive this object.
  SourcePanels(const SourceSet& sources, const QuadratureOptions& options, Backend& backend);

  std::size_t unknowns() const override { return sources_.unknowns(); }
  std::span<const Vec3d> nodes() const override { return panels_.nodes(); }
  std::span<const Vec3d> node_normals() const override { return panels_.node_normals(); }
  double nodes_per_point() const override { return panels_.nodes_per_point(); }
  SparseRows strengths() const override;
  std::span<const Vec3d> points() const override { return points_; }
  std::span<const Vec3d> point_normals() const override { return normals_; }
  std::span<const Vec3d> targets() const override { return targets_; }
  std::span<const Vec3d> target_normals() const override { return target_normals_; }
  const meshes::Symmetry& symmetry() const override { return sources_.panels.symmetry; }
  double share_of_thin_walls() const override { return panels_.share_of_thin_walls(); }
  SparsityPattern near_pairs() const override;
  void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                 std::span<double* const> values) const override;

 private:
  /// Near pairs of targets and panels. Rows of sheet unknowns are empty.
  SparsityPattern panel_pairs() const;
  /// The same matrix by unknowns: entries of panels with the same unknown are added up.
  SparseRows by_unknowns(const SparseRows& by_panels) const;

  const SourceSet& sources_;
  CollocatedPanels panels_;
  std::vector<Vec3d> points_, normals_, targets_, target_normals_;
};

}  // namespace rankine::bem
