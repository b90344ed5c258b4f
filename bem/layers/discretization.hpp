// The interface of a discretized boundary for sums and equations. The boundary operators are
//
//   y = R (F P + N) x
//
//   P  strengths of the nodes from the unknowns (sparse, need not be square)
//   F  the summation operator: potentials and gradients of the nodes' charges and dipoles at the
//      points (fmm/operator.hpp)
//   R  rows of the equation from these sums: the potential, or the normal part of the gradient
//   N  near corrections (sparse): accurate integrals minus the contributions of F. N assumes
//      strengths that are constant near every point. C = M G corrects S and D for their variation
//      (bem/layers/linear_corrections.hpp)
//
// Operators only use the nodes, P, the points and a rule for N.
//
// Equations hold at points (collocation) or as means weighted with P (variational). In the second
// case nodes and points are the same and R = P^T, so A is symmetric. A node may have several
// densities (components); each component is a separate right-hand side of the sums.
//
// Symmetry planes (meshes/symmetry.hpp): the field of the images of the sources at a point is the
// field of the sources at the images of the point,
//
//   y_i = sum_g s_g (F P + N)_gi x .
//
// So sums and near corrections are computed at the targets, which are the points and their images,
// and R adds those of one point. The normal at an image is the image of the normal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/mirrored.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

/// Strengths from the unknowns.
struct StrengthRows {
  SparseRows nodes;      ///< P: (components x nodes) x unknowns, component by component
  SparseRows gradients;  ///< G: (2 components of each gradient) x unknowns; empty without moments
};

class Discretization {
 public:
  virtual ~Discretization() = default;

  virtual std::size_t unknowns() const = 0;
  /// The first unknown whose sources extend far from its point, such as a wake; all later ones do,
  /// too.
  virtual std::size_t first_spread_unknown() const { return unknowns(); }
  bool has_wakes() const { return first_spread_unknown() < unknowns(); }

  /// Sources of the sums, and the directions of their dipoles: unit normals or means of unit
  /// normals.
  virtual MirroredSpan<Vec3d> nodes() const = 0;
  virtual MirroredSpan<Vec3d> node_normals() const = 0;
  /// Mean number of nodes per point. A shared node counts for each of its panels.
  virtual double nodes_per_point() const;
  /// G, and the rows of P of some of the nodes; all in variational equations.
  virtual StrengthRows strengths(const RowRange& nodes = {}) const = 0;
  virtual int components() const { return 1; }
  virtual bool is_variational() const { return false; }
  /// For a variational equation: values proportional to its diagonal.
  virtual std::vector<double> diagonal() const { return {}; }

  std::size_t rows() const { return is_variational() ? unknowns() : points().size(); }
  /// Points at which sums are formed (one per row in collocation), and the unit normals there.
  virtual MirroredSpan<Vec3d> points() const = 0;
  virtual MirroredSpan<Vec3d> point_normals() const = 0;

  /// The points and their images, image by image, the points themselves first.
  virtual MirroredSpan<Vec3d> targets() const { return points(); }
  virtual MirroredSpan<Vec3d> target_normals() const { return point_normals(); }
  virtual const meshes::Symmetry& symmetry() const;

  /// Mirrors of arrays that several operators read and that do not change while this object exists.
  virtual std::vector<const Mirror*> mirrors() const { return {}; }
  /// The same for arrays that only near corrections read.
  virtual std::vector<const Mirror*> near_mirrors() const { return {}; }

  /// The pairs (target, unknown) that need a correction; (row, unknown) in variational equations.
  /// Other rows than `rows` are empty.
  virtual SparsityPattern near_pairs(const RowRange& rows = {}) const = 0;
  /// Writes the corrections of all `layers`, without the factor 1/(4 pi): values[l][k] is the
  /// correction of layer l for entry k of `pairs`, those of near_pairs() for some rows.
  virtual void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                         std::span<double* const> values) const = 0;
  /// Rows of M of each of `layers`, targets x components of gradients; none if all strengths are
  /// constant.
  virtual std::vector<SparseRows> linear_moments(std::span<const Layer>, const RowRange&) const {
    return {};
  }
};

/// Removes the entries of all other rows; these become empty rows.
void keep_rows(SparsityPattern& pattern, const RowRange& rows);

/// Rows of N of each layer, from one search for pairs.
std::vector<SparseRows> integrate_near(const Discretization& discretization,
                                       std::span<const Layer> layers, const RowRange& rows = {});

/// R of the normal part: row i is normals[i] at columns 3 i, 3 i + 1, 3 i + 2.
SparseRows normal_rows(std::span<const Vec3d> normals);

}  // namespace rankine::bem
