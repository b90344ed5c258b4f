// Device memory of the CUDA implementation as a function of sizes, so that a solve can be judged
// before it begins. Each term is an array of gpu/: good to a tenth where the sizes are known.
#pragma once

#include "rankine/fmm/operator.hpp"

namespace rankine::gpu {

struct OperatorSize {
  double sources = 0.0, targets = 0.0;
  double boxes = 0.0;  ///< of the octree
  int order = 0;       ///< of the expansions; 0: a direct sum
  fmm::Precision precision = fmm::Precision::float64;
  bool dipoles = false, gradient = false;
  int rhs = 1;  ///< right-hand sides
};

/// Bytes that a CUDA operator over sources with normals holds.
double operator_bytes(const OperatorSize& size);

/// Bytes of a near-field matrix.
double near_field_bytes(double panels, double entries);

/// Bytes that its integration needs beside it: the panels and their far-field nodes.
double integration_bytes(double panels, int nodes);

}  // namespace rankine::gpu
