// Entries of a boundary equation's matrix on the device, as bem/layers/near_matrix.hpp on the host.
#pragma once

#include <cstdint>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"

namespace rankine::gpu {

/// A bem::Diagonal.
struct DiagonalView {
  double factor = 0.0;
  const double* values = nullptr;  ///< null: ones

  __device__ double operator[](std::int64_t i) const {
    return values == nullptr ? factor : factor * values[i];
  }
};

/// A bem::Term with its near corrections; `right` includes the factor 1/(4 pi).
struct TermView {
  bem::Layer layer{};
  DiagonalView left{}, right{};
  const double* near = nullptr;  ///< values of N
  SparseView moments{};          ///< M, or no rows
};

/// An equation and its matrices on the device.
struct EquationView {
  std::int64_t size;          ///< of rows and unknowns
  std::int64_t first_spread;  ///< the first unknown that no point replaces
  int terms;
  TermView term[bem::layer_count]{};
  DiagonalView jump;
  SparseView sparse{};     ///< of the equation, or no rows
  SparseView pairs{};      ///< N, with the values of the first term
  SparseView shares;       ///< P^T
  SparseView gradients{};  ///< G, or no rows
  const Vec3d *points, *normals, *nodes, *node_normals;
  double* weight;  ///< of the point that replaces an unknown, m^2

  /// The entry (i, j) without near corrections, for an unknown that a point replaces.
  __device__ double far_entry(std::int64_t i, std::int64_t j) const {
    return sum_of_terms(i, j, [&](const TermView& each) {
      return weight[j] *
             bem::point_entry(each.layer, points[i] - points[j], normals[j], normals[i]);
    });
  }
  /// The entry (i, j) without near corrections as a sum over nodes, by all lanes of a warp: wakes
  /// have thousands of nodes.
  __device__ double nodes_entry_of_warp(std::int64_t i, std::int64_t j) const {
    double sum = nodes_entry(i, j, threadIdx.x % 32, 32);
    for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0U, sum, step);
    return sum;
  }
  /// The near correction of the entry (i, j), entry k of N.
  __device__ double correction(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return sum_of_terms(i, j, [&](const TermView& each) { return each.near[k]; });
  }
  /// The near entry (i, j), entry k of N.
  __device__ double near_entry(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return nodes_entry(i, j, 0, 1) + correction(i, j, k);
  }

 private:
  /// The nodes lane, lane + lanes ... of unknown j at point i.
  __device__ double nodes_entry(std::int64_t i, std::int64_t j, int lane, int lanes) const {
    return sum_of_terms(i, j, [&](const TermView& each) {
      double sum = 0.0;
      for (std::int64_t k = shares.offsets[j] + lane; k < shares.offsets[j + 1]; k += lanes) {
        const std::int32_t node = shares.column[k];
        sum += shares.values[k] * bem::point_entry(each.layer, points[i] - nodes[node],
                                                   node_normals[node], normals[i]);
      }
      return sum;
    });
  }
  template <class Value>
  __device__ double sum_of_terms(std::int64_t i, std::int64_t j, Value value) const {
    double sum = 0.0;
    for (int t = 0; t < terms; ++t) {
      const double scale = term[t].left[i] * term[t].right[j];
      if (scale != 0.0) sum += scale * value(term[t]);
    }
    return sum;
  }
};

}  // namespace rankine::gpu
