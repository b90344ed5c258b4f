// Memory of an operator as a function of its sizes, so that a solve can be judged before it begins.
#pragma once

#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

/// Of an operator over sources with normals, on any backend.
struct OperatorSize {
  double sources = 0.0, targets = 0.0;
  double boxes = 0.0;  ///< of the octree
  int order = 0;       ///< of the expansions; 0: a direct sum
  Precision precision = Precision::float64;
  bool dipoles = false, gradient = false;
  bool shared = false;    ///< sources are the targets
  bool vortices = false;  ///< the strengths, with cores; three expansions for each right-hand side
  int rhs = 1;            ///< right-hand sides
};

/// Whether pairs of points in different leaves are summed once, for both (fmm/leaf_groups.hpp).
bool sums_both_ways(const OperatorSize& size);

/// Bytes of a number in working precision.
double real_bytes(Precision precision);

/// Bytes that a CPU operator holds.
double cpu_operator_bytes(const OperatorSize& size);

}  // namespace rankine::fmm
