// A discretization of a boundary, as sums and equations see it. The boundary operators are
//
//   y = R (F P + N) x
//
//   P  strengths of the nodes from the unknowns (sparse, need not be square)
//   F  the summation operator: potentials and gradients of the nodes' charges and dipoles at the
//      points (fmm/operator.hpp)
//   R  rows of the equation from these sums: the potential, or the normal part of the gradient
//   N  near corrections (sparse): accurate integrals minus what F has counted. Those of strengths that are
//      constant near every point; what their variation adds is apart, since only equations of the
//      first kind ask for it
//
// Nodes, P, points and a rule for N are all that the operators know of a discretization.
//
// Equations hold at points (collocation), or in the mean weighted with P: variational ones, for which
// nodes and points are the same and R = P^T, so that A is symmetric. A node may have several densities,
// components, of which each takes part in the sums as a right-hand side of its own.
//
// Symmetry planes (meshes/symmetry.hpp): what images of the sources make at a point is what the sources
// make at images of the point,
//
//   y_i = sum_g s_g (F P + N)_gi x ,
//
// so that sums and near corrections are formed at the points and their images, the targets, and R
// adds those that belong together. The normal at an image is the image of the normal.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

class Discretization {
 public:
  virtual ~Discretization() = default;

  virtual std::size_t unknowns() const = 0;

  /// Sources of the sums, and the normals along which their dipoles lie: unit vectors, or means of them.
  virtual std::span<const Vec3d> nodes() const = 0;
  virtual std::span<const Vec3d> node_normals() const = 0;
  /// Of a point's unknown, in the mean, shared ones counted for each.
  virtual double nodes_per_point() const;
  /// P: components x nodes, component by component, x unknowns.
  virtual SparseRows strengths() const = 0;
  virtual int components() const { return 1; }
  virtual bool is_variational() const { return false; }
  /// Of a variational equation: what its diagonal is in proportion to.
  virtual std::vector<double> diagonal() const { return {}; }

  std::size_t rows() const { return is_variational() ? unknowns() : points().size(); }
  /// Where sums are formed: of collocation one per row of an equation. And the unit normals there.
  virtual std::span<const Vec3d> points() const = 0;
  virtual std::span<const Vec3d> point_normals() const = 0;

  /// The points and their images, image by image, the points themselves first.
  virtual std::span<const Vec3d> targets() const { return points(); }
  virtual std::span<const Vec3d> target_normals() const { return point_normals(); }
  virtual const meshes::Symmetry& symmetry() const;

  /// The share of the surface, from 0 to 1, behind which or before which another wall is no further than a
  /// few panels are wide, so that equations of the second kind are hard to solve.
  virtual double share_of_thin_walls() const { return 0.0; }

  /// Arrays that do not change while this object lives, which several operators read.
  virtual std::vector<HostArray> host_arrays() const { return {}; }
  /// The same of those that near corrections alone read.
  virtual std::vector<HostArray> near_arrays() const { return {}; }

  /// The pairs (target, unknown) that need a correction; of variational equations (row, unknown).
  virtual SparsityPattern near_pairs() const = 0;
  /// The corrections of all `layers` together, without the factor 1/(4 pi): values[l][k] that of
  /// layer l for entry k of `pairs`.
  virtual void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                         std::span<double* const> values) const = 0;
  /// What takes out of N of each layer, targets x unknowns, what sums make of the variation of strengths where that is
  /// nothing that the surface has; none where they make nothing of the kind. `variation_corrections` need it not.
  virtual std::vector<SparseRows> source_corrections(std::span<const Layer> layers) const;
  /// What the variation of strengths adds to N of each layer, targets x unknowns; none where strengths do
  /// not vary.
  virtual std::vector<SparseRows> variation_corrections(std::span<const Layer> layers) const;
};

/// N of each layer, by one search of pairs.
std::vector<SparseRows> integrate_near(const Discretization& discretization,
                                       std::span<const Layer> layers);

/// R of the normal part: row i is normals[i] at columns 3 i, 3 i + 1, 3 i + 2.
SparseRows normal_rows(std::span<const Vec3d> normals);

}  // namespace rankine::bem
