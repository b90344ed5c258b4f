// The potential of a uniform gradient and of points, without surfaces,
//
//   phi(x) = a.x + sum_k sum_g s_g c_k / |x - R_g y_k| ,
//
// where g runs over the images in symmetry planes and s_g are their signs (meshes/symmetry.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

struct IncidentPoint {
  Vec3d position;
  double strength = 0.0;  ///< c
};

struct Incident {
  Vec3d uniform{};  ///< a
  std::vector<IncidentPoint> points{};
  meshes::Symmetry symmetry{};

  double potential(const Vec3d& x) const {
    double sum = dot(uniform, x);
    visit(x, [&](std::size_t, int, const Vec3d& r, double c) { sum += c / norm(r); });
    return sum;
  }
  Vec3d gradient(const Vec3d& x) const {
    Vec3d sum = uniform;
    visit(x, [&](std::size_t, int, const Vec3d& r, double c) {
      sum -= c / (dot(r, r) * norm(r)) * r;
    });
    return sum;
  }
  /// At point k, without its own 1/r.
  double potential_at_point(std::size_t k) const {
    const Vec3d& x = points[k].position;
    double sum = dot(uniform, x);
    visit(x, [&](std::size_t j, int image, const Vec3d& r, double c) {
      if (j != k || image != 0) sum += c / norm(r);
    });
    return sum;
  }

 private:
  template <class Add>
  void visit(const Vec3d& x, Add&& add) const {
    for (std::size_t k = 0; k < points.size(); ++k) {
      for (int image = 0; image < symmetry.images(); ++image)
        add(k, image, x - symmetry.point(image, points[k].position),
            symmetry.sign(image) * points[k].strength);
    }
  }
};

}  // namespace rankine::bem
