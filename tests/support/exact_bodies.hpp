// Bodies of any number of panels in a stream, with the exact flow around them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/two_spheres.hpp"

namespace rankine::testing {

inline const Vec3d oblique_stream{0.6, -0.5, 0.62};

struct ExactBody {
  std::string name;
  std::function<meshes::SurfaceMesh(std::int64_t)> mesh;
  std::function<bem::SurfaceState(const Vec3d&)> exact;
};

using MakeSphere = meshes::SurfaceMesh (*)(std::int64_t);

inline meshes::SurfaceMesh geodesic(std::int64_t panels) { return meshes::make_sphere(panels); }

inline ExactBody ellipsoid(const std::string& name, MakeSphere sphere, const Vec3d& axes) {
  return {name, [=](std::int64_t panels) { return stretched(sphere(panels), axes); },
          [flow = bem::EllipsoidFlow(axes, oblique_stream)](const Vec3d& x) {
            return flow.on_surface(x);
          }};
}

/// Two spheres of radius 1 on the x axis.
inline ExactBody sphere_pair(const std::string& name, double half_distance) {
  const Vec3d away{half_distance, 0.0, 0.0};
  return {name,
          [=](std::int64_t panels) {
            const meshes::SurfaceMesh sphere = jittered_sphere(panels / 2);
            return joined(moved(sphere, -away), moved(sphere, away));
          },
          [flow = bem::TwoSpheresFlow(1.0, half_distance, {1.0, 0.0, 0.0}, oblique_stream)](
              const Vec3d& x) { return flow.on_surface(x); }};
}

}  // namespace rankine::testing
