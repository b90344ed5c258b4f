// The element-wise operations of GMRES and of time steps, for i < n. Backends call them in loops
// (Backend::each). Vectors of three components are stored one after the other, tensors row by row.
// Host and device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <variant>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

RANKINE_HD inline Vec3d vector_at(const double* x, std::size_t i) {
  return {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
}

/// x_i = value
struct Fill {
  double value;
  double* x;
  RANKINE_HD void operator()(std::size_t i) const { x[i] = value; }
};

/// x_i = alpha x_i
struct Scale {
  double alpha;
  double* x;
  RANKINE_HD void operator()(std::size_t i) const { x[i] *= alpha; }
};

/// y_i += alpha x_i
struct AddScaled {
  double alpha;
  const double* x;
  double* y;
  RANKINE_HD void operator()(std::size_t i) const { y[i] += alpha * x[i]; }
};

/// y_i += alpha d_i x_i
struct AddProduct {
  double alpha;
  const double *d, *x;
  double* y;
  RANKINE_HD void operator()(std::size_t i) const { y[i] += alpha * d[i] * x[i]; }
};

/// Component i % 3 of y_k += alpha T_k x_k, or alpha T_k^T x_k, for k = i / 3. There is one step
/// per component, so that the threads of a device store contiguous values.
struct AddTensorProduct {
  double alpha;
  const double* tensors;
  bool transposed;
  const double* x;
  double* y;
  RANKINE_HD void operator()(std::size_t i) const {
    const std::size_t k = i / 3, row = transposed ? 1 : 3, column = transposed ? 3 : 1;
    const double *entry = tensors + 9 * k + row * (i - 3 * k), *from = x + 3 * k;
    y[i] += alpha * (entry[0] * from[0] + (entry[column] * from[1] + entry[2 * column] * from[2]));
  }
};

/// y_i += a (|x_i| w_i - |w_i| x_i) with w_i = curl_i + own x_i / sigma_i^3, where curl_i is the
/// curl of the gradient du_k/dx_l at 9 i + 3 k + l. This rotates x towards w, but not beyond it,
/// because a = alpha / max(1, alpha |w_i|).
struct AddAlignment {
  double alpha;
  const double* gradients;
  double own;
  const double *sigma, *x;
  double* y;
  RANKINE_HD void operator()(std::size_t i) const {
    const double* g = gradients + 9 * i;
    const Vec3d from = vector_at(x, i),
                w = Vec3d{g[7] - g[5], g[2] - g[6], g[3] - g[1]} +
                    own / (sigma[i] * sigma[i] * sigma[i]) * from,
                turn = alpha / std::max(1.0, alpha * norm(w)) * (norm(from) * w - norm(w) * from);
    for (int k = 0; k < 3; ++k) y[3 * i + static_cast<std::size_t>(k)] += turn[k];
  }
};

/// For n particles at x_i with vectors g_i: the points p_i and p_(n+i) = x_i +- distance sigma_i
/// g_i / |g_i|.
struct PlaceBeside {
  std::size_t n;
  double distance;
  const double *sigma, *x, *g;
  double* p;
  RANKINE_HD void operator()(std::size_t i) const {
    const double size = norm(vector_at(g, i)), step = size > 0.0 ? distance * sigma[i] / size : 0.0;
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      p[k] = x[k] + step * g[k];
      p[3 * n + k] = x[k] - step * g[k];
    }
  }
};

/// Adds the mean of the values of u at these points, v_i += (u_i + u_(n+i)) / 2, and the derivative
/// of u along g_i, y_i += |g_i| / (2 distance sigma_i) (u_i - u_(n+i)).
struct AddMeanAndDerivative {
  std::size_t n;
  double distance;
  const double *sigma, *g, *u;
  double *v, *y;
  RANKINE_HD void operator()(std::size_t i) const {
    const double factor = norm(vector_at(g, i)) / (2.0 * distance * sigma[i]);
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
      v[k] += 0.5 * (u[k] + u[3 * n + k]);
      y[k] += factor * (u[k] - u[3 * n + k]);
    }
  }
};

/// y_i += M x_i + shift, with the rows of M.
struct AddMapped {
  Vec3d rows[3], shift;
  const double* x;
  double* y;
  RANKINE_HD void operator()(std::size_t i) const {
    for (int k = 0; k < 3; ++k)
      y[3 * i + static_cast<std::size_t>(k)] += dot(rows[k], vector_at(x, i)) + shift[k];
  }
};

/// For n masses |p_i| with the momenta p_i at r_i = x_i - x_0: sums over part number k, `part`
/// masses, at sums + `count` k. They are sum |p|, sum p, sum |p| r, sum r x p, and sum |p| r r^T as
/// xx, yy, zz, xy, xz, yz.
struct SumMomenta {
  static constexpr std::size_t part = 256, count = 16;
  std::size_t n;
  const double *x, *p;
  double* sums;
  RANKINE_HD void operator()(std::size_t k) const {
    double sum[count] = {};
    for (std::size_t i = part * k; i < std::min(part * (k + 1), n); ++i) {
      const Vec3d momentum = vector_at(p, i), r = vector_at(x, i) - vector_at(x, 0),
                  m = cross(r, momentum);
      const double mass = norm(momentum);
      const Vec3d s = mass * r;
      const double terms[count] = {
          mass, momentum.x, momentum.y, momentum.z, s.x,       s.y,       s.z,       m.x,
          m.y,  m.z,        s.x * r.x,  s.y * r.y,  s.z * r.z, s.x * r.y, s.x * r.z, s.y * r.z};
      for (std::size_t j = 0; j < count; ++j) sum[j] += terms[j];
    }
    for (std::size_t j = 0; j < count; ++j) sums[count * k + j] = sum[j];
  }
};

/// Subtracts a rigid motion: p_i -= |p_i| (velocity + rotation x (x_i - x_0)).
struct SubtractMotion {
  Vec3d velocity, rotation;
  const double* x;
  double* p;
  RANKINE_HD void operator()(std::size_t i) const {
    const Vec3d from = vector_at(x, i) - vector_at(x, 0),
                change = norm(vector_at(p, i)) * (velocity + cross(rotation, from));
    for (int k = 0; k < 3; ++k) p[3 * i + static_cast<std::size_t>(k)] -= change[k];
  }
};

using VectorStep =
    std::variant<Fill, Scale, AddScaled, AddProduct, AddTensorProduct, AddAlignment, PlaceBeside,
                 AddMeanAndDerivative, AddMapped, SumMomenta, SubtractMotion>;

/// Limits |x_i| to the larger of |before_i| and most sigma_i^3. Returns whether it shortened x_i.
struct LimitGrowth {
  double most;
  const double *sigma, *before;
  double* x;
  RANKINE_HD bool operator()(std::size_t i) const {
    const double limit =
                     std::max(norm(vector_at(before, i)), most * sigma[i] * sigma[i] * sigma[i]),
                 size = norm(vector_at(x, i));
    if (size <= limit) return false;
    for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) x[k] *= limit / size;
    return true;
  }
};

}  // namespace rankine::bem
