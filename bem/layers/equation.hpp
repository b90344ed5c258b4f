// Boundary integral equations as data: a boundary operator is a sum of layers between diagonals,
// plus a diagonal, the jump, and matrices of rank one,
//
//   A = diag(jump) + sum over terms of diag(left) layer diag(right) + sum of left right^T.
//
// Diagonals choose where a layer acts: where a boundary condition fixes the potential the unknown
// is another than where it fixes the flux.
#pragma once

#include <utility>
#include <vector>

#include "rankine/bem/layers/layers.hpp"

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
  Diagonal right{};  ///< of the unknowns
  Diagonal left{};   ///< of the rows
};

/// left right^T, what fixes a constant that an equation leaves open.
struct RankOne {
  std::vector<double> left;   ///< one value per row
  std::vector<double> right;  ///< one value per unknown
};

struct Equation {
  std::vector<Term> terms{};
  Diagonal jump{.factor = 0.0};
  std::vector<RankOne> rank_one{};
};

}  // namespace rankine::bem
