#include "rankine/fmm/distributions.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/uniform.hpp"

namespace rankine::fmm {
namespace {

Vec3d on_sphere(Uniform& uniform, double z) {
  const double phi = uniform.between(0.0, 2.0 * std::numbers::pi);
  const double rho = std::sqrt(std::max(0.0, 1.0 - z * z));
  return {rho * std::cos(phi), rho * std::sin(phi), z};
}

Vec3d normal_deviate(Uniform& uniform) {
  Vec3d result;
  for (int axis = 0; axis < 3; ++axis) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    result[axis] = radius * std::cos(2.0 * std::numbers::pi * uniform());
  }
  return result;
}

}  // namespace

const std::vector<std::string_view>& distribution_names() {
  static const std::vector<std::string_view> names = {
      "cube",   "sphere",     "plane",   "line",   "clusters", "two-bodies",
      "graded", "coincident", "lattice", "helix",  "plummer",  "cantor",
      "slab",   "needle",     "corners", "offset", "ray",      "ring"};
  return names;
}

std::vector<Vec3d> make_points(std::string_view name, std::size_t n, std::uint64_t seed) {
  Uniform uniform(seed);
  std::vector<Vec3d> points(n);
  if (name == "cube") {
    for (Vec3d& p : points) p = {uniform(), uniform(), uniform()};
  } else if (name == "sphere") {
    for (Vec3d& p : points) p = on_sphere(uniform, uniform.between(-1.0, 1.0));
  } else if (name == "plane") {
    const Vec3d u = normalized(Vec3d{1.0, 2.0, 3.0}),
                v = normalized(cross(u, Vec3d{0.0, 0.0, 1.0}));
    for (Vec3d& p : points) p = u * uniform() + v * uniform();
  } else if (name == "line") {
    const Vec3d u = normalized(Vec3d{3.0, -1.0, 2.0});
    for (Vec3d& p : points) p = u * uniform();
  } else if (name == "clusters") {
    constexpr int count = 16;
    Vec3d centres[count];
    for (Vec3d& c : centres) c = {uniform(), uniform(), uniform()};
    for (std::size_t i = 0; i < n; ++i) {
      const double width = std::pow(10.0, -1.0 - static_cast<double>(i % 4));
      points[i] = centres[i % count] + normal_deviate(uniform) * width;
    }
  } else if (name == "two-bodies") {
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = on_sphere(uniform, uniform.between(-1.0, 1.0)) +
                  Vec3d{i % 2 == 0 ? 0.0 : 100.0, 0.0, 0.0};
    }
  } else if (name == "graded") {
    for (Vec3d& p : points)
      p = on_sphere(uniform, 1.0 - 2.0 * std::pow(10.0, uniform.between(-4.0, 0.0)));
  } else if (name == "coincident") {
    Vec3d few[7];
    for (Vec3d& p : few) p = {uniform(), uniform(), uniform()};
    for (std::size_t i = 0; i < n; ++i) points[i] = few[i % 7];
  } else if (name == "lattice") {
    const auto side = static_cast<std::size_t>(std::ceil(std::cbrt(static_cast<double>(n))));
    const double step = std::exp2(-std::ceil(std::log2(static_cast<double>(side))));
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = Vec3d{static_cast<double>(i % side), static_cast<double>(i / side % side),
                        static_cast<double>(i / side / side)} *
                  step;
    }
  } else if (name == "helix") {
    for (Vec3d& p : points) {
      const double t = uniform.between(0.0, 40.0);
      p = {std::cos(t), std::sin(t), 0.1 * t};
    }
  } else if (name == "plummer") {
    for (Vec3d& p : points) {
      const double mass = 0.999 * (1.0 - uniform());
      p = on_sphere(uniform, uniform.between(-1.0, 1.0)) *
          (1.0 / std::sqrt(std::pow(mass, -2.0 / 3.0) - 1.0));
    }
  } else if (name == "cantor") {
    for (Vec3d& p : points) {
      for (int axis = 0; axis < 3; ++axis) {
        double third = 1.0;
        for (int k = 0; k < 20; ++k) {
          third /= 3.0;
          if (uniform() < 0.5) p[axis] += 2.0 * third;
        }
      }
    }
  } else if (name == "slab") {
    for (Vec3d& p : points) p = {uniform(), uniform(), 1e-6 * uniform()};
  } else if (name == "needle") {
    for (Vec3d& p : points) p = {uniform(), 1e-3 * uniform(), 1e-3 * uniform()};
  } else if (name == "corners") {
    for (Vec3d& p : points) {
      for (int axis = 0; axis < 3; ++axis) {
        const double face = std::floor(8.0 * uniform()) / 8.0, gap = 1e-4 * uniform();
        p[axis] = uniform() < 0.5 ? face + gap : face + 0.125 - gap;
      }
    }
  } else if (name == "offset") {
    for (Vec3d& p : points) p = Vec3d{uniform(), uniform(), uniform()} + Vec3d{1e6, 1e6, 1e6};
  } else if (name == "ray") {
    const Vec3d along = normalized(Vec3d{3.0, 5.0, 8.0});
    for (Vec3d& p : points) p = along * std::pow(10.0, uniform.between(-8.0, 8.0));
  } else if (name == "ring") {
    for (Vec3d& p : points) {
      const double phi = uniform.between(0.0, 2.0 * std::numbers::pi);
      const Vec3d core =
          on_sphere(uniform, uniform.between(-1.0, 1.0)) * (0.1 * std::cbrt(uniform()));
      p = core + Vec3d{std::cos(phi), std::sin(phi), 0.0};
    }
  } else {
    std::string known;
    for (const std::string_view each : distribution_names())
      known += (known.empty() ? "" : ", ") + std::string(each);
    throw InputError("unknown point distribution '" + std::string(name) + "'; choose one of " +
                     known);
  }
  return points;
}

std::vector<double> make_strengths(std::size_t n, std::uint64_t seed) {
  Uniform uniform(seed ^ 0x9e3779b97f4a7c15ULL);
  std::vector<double> strengths(n);
  for (double& q : strengths) q = uniform.between(-1.0, 1.0);
  return strengths;
}

}  // namespace rankine::fmm
