// Boundary integral equations as data: a boundary operator is a sum of layers between diagonals,
// plus a diagonal, the jump, a sparse matrix and matrices of rank one,
//
//   A = diag(jump) + sum over terms of diag(left) layer diag(right) + sparse + sum of left right^T.
//
// Diagonals select the panels on which a layer acts: the unknown of a panel is the flux if its
// boundary condition gives the potential, and the potential if it gives the flux.
#pragma once

#include <memory>
#include <vector>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/sparse_matrix.hpp"

namespace rankine::bem {

/// The same factor everywhere, or one value per row or unknown.
struct Diagonal {
  double factor = 1.0;
  std::vector<double> values{};  ///< empty: ones

  bool is_uniform() const { return values.empty(); }
  bool is_zero() const { return factor == 0.0; }
  friend Diagonal operator*(double s, Diagonal d) {
    d.factor *= s;
    return d;
  }
  friend bool operator==(const Diagonal&, const Diagonal&) = default;
};

struct Term {
  Layer layer;
  Diagonal right{};  ///< scales the unknowns
  Diagonal left{};   ///< scales the rows
};

/// left right^T, which determines a constant that the equation leaves undetermined.
struct RankOne {
  std::vector<double> left;   ///< one value per row
  std::vector<double> right;  ///< one value per unknown
};

struct Equation {
  std::vector<Term> terms{};
  Diagonal jump{.factor = 0.0};
  std::shared_ptr<const SparseRows> sparse{};  ///< rows x unknowns; null: none
  std::vector<RankOne> rank_one{};
};

}  // namespace rankine::bem
