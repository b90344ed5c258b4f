// The discretization of a SourceSet (bem/layers/source_set.hpp): collocated panels on the boundary,
// and sheets whose panels share unknowns. Strengths are linear on panels, or constant; on long
// triangles they are always constant. Near corrections of the linear part
// (bem/layers/linear_corrections.hpp) cover all panels close to a point. At a sharp edge the two
// sides are nearer to each other than their nodes, so sums without corrections are wrong there, and
// the circulation amplifies such errors. Sums and near corrections are formed at the points of the
// boundary. The rows of sheet unknowns have no near corrections; the equation must leave their sums
// out (bem/layers/formulation.hpp, green_with_sheets()).
#pragma once

#include <mutex>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/panel_discretization.hpp"
#include "rankine/bem/layers/source_set.hpp"
#include "rankine/bem/pattern_rows.hpp"

namespace rankine::bem {

class SourcePanels final : public PanelDiscretization {
 public:
  /// Places the nodes. `sources` must outlive this object.
  SourcePanels(const SourceSet& sources, const QuadratureOptions& options, Backend& backend);

  std::size_t unknowns() const override { return sources_.unknowns(); }
  std::size_t first_spread_unknown() const override { return sources_.boundary; }
  StrengthRows strengths(const RowRange& nodes) const override;
  MirroredSpan<Vec3d> points() const override { return points_; }
  MirroredSpan<Vec3d> point_normals() const override { return normals_; }
  SparsityPattern near_pairs(const RowRange& rows) const override;
  void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                 std::span<double* const> values) const override;
  std::vector<SparseRows> linear_moments(std::span<const Layer> layers,
                                         const RowRange& rows) const override;

  const SourceSet& sources() const { return sources_; }
  /// How the slopes of strengths are fitted.
  SlopeFits slope_fits() const;

  /// Panels are close to a point if the distance of their centres is below this number of radii.
  static constexpr double close_radii = 2.0;
  /// Whether the strength is constant on a panel; then its linear part has no near corrections.
  bool is_constant(std::size_t panel) const {
    return row_of(*gradients_.pattern, 2 * panel).size() <= 1;
  }

 private:
  std::int32_t unknown_of(std::int32_t panel) const {
    return static_cast<std::int32_t>(sources_.unknown_of(static_cast<std::size_t>(panel)));
  }
  /// Near pairs of targets and panels. Rows of sheet unknowns are empty.
  const SparsityPattern& panel_pairs() const;
  bool is_close(std::size_t target, std::int32_t panel) const;
  /// The unknowns of the panels of every row, ascending.
  SparsityPattern by_unknowns(const SparsityPattern& by_panels) const;
  /// The same matrix by unknowns: entries of panels with the same unknown are added up.
  SparseRows by_unknowns(const SparseRows& by_panels) const;
  /// Adds up the `values` of a matrix by panels to those of a matrix by unknowns. A row of
  /// `by_unknowns` has the unknowns of the same row of `by_panels`, or is empty.
  void add_up(const SparsityPattern& by_panels, const double* values,
              const SparsityPattern& by_unknowns, double* sums) const;

  const SourceSet& sources_;
  std::vector<Vec3d> points_, normals_;
  SparseRows gradients_;  ///< G by panels
  mutable std::once_flag found_pairs_;
  mutable SparsityPattern panel_pairs_;  ///< of panel_pairs(), once it was called
};

}  // namespace rankine::bem
