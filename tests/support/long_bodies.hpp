// Bodies of long and of graded panels.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

inline void add_triangle(meshes::SurfaceMesh& mesh, std::int32_t a, std::int32_t b,
                         std::int32_t c) {
  mesh.elements.push_back({a, b, c, -1});
  mesh.patch.push_back(0);
}

/// An ellipsoid cut along `rings` - 1 parallels and `sectors` meridians, into 2 sectors (rings - 1)
/// triangles: long ones, along the meridians or the parallels, where one number is much larger than
/// the other. Two triangles are one quadrilateral if asked for, except at the poles.
inline meshes::SurfaceMesh lathe(std::int32_t rings, std::int32_t sectors, const Vec3d& semi_axes,
                                 meshes::PanelKind kind = meshes::PanelKind::triangles) {
  meshes::SurfaceMesh mesh;
  mesh.patch_names = {"body"};
  mesh.nodes = {{0, 0, semi_axes.z}, {0, 0, -semi_axes.z}};
  for (std::int32_t k = 1; k < rings; ++k) {
    const double theta = std::numbers::pi * k / rings;
    for (std::int32_t s = 0; s < sectors; ++s) {
      const double phi = 2.0 * std::numbers::pi * s / sectors;
      mesh.nodes.push_back({semi_axes.x * std::sin(theta) * std::cos(phi),
                            semi_axes.y * std::sin(theta) * std::sin(phi),
                            semi_axes.z * std::cos(theta)});
    }
  }
  const auto node = [&](std::int32_t k, std::int32_t s) {
    return 2 + (k - 1) * sectors + s % sectors;
  };
  for (std::int32_t s = 0; s < sectors; ++s) {
    add_triangle(mesh, 0, node(1, s), node(1, s + 1));
    add_triangle(mesh, 1, node(rings - 1, s + 1), node(rings - 1, s));
    for (std::int32_t k = 1; k + 1 < rings; ++k) {
      if (kind == meshes::PanelKind::quadrilaterals) {
        mesh.elements.push_back({node(k, s), node(k + 1, s), node(k + 1, s + 1), node(k, s + 1)});
        mesh.patch.push_back(0);
        continue;
      }
      add_triangle(mesh, node(k, s), node(k + 1, s), node(k, s + 1));
      add_triangle(mesh, node(k, s + 1), node(k + 1, s), node(k + 1, s + 1));
    }
  }
  return mesh;
}

/// The unit sphere cut along `sectors` meridians and, between its caps of `cap` degrees, into rings
/// of two triangles a sector; the caps are fans around the poles.
inline meshes::SurfaceMesh sphere_with_fans(std::int32_t sectors, std::int32_t rings, double cap) {
  meshes::SurfaceMesh mesh = lathe(rings + 2, sectors, {1, 1, 1});
  for (std::int32_t k = 0; k <= rings; ++k) {
    const double first = std::numbers::pi * cap / 180.0;
    const double theta = first + (std::numbers::pi - 2.0 * first) * k / rings;
    for (std::int32_t s = 0; s < sectors; ++s) {
      const double phi = 2.0 * std::numbers::pi * s / sectors;
      const std::int32_t node = 2 + k * sectors + s;
      mesh.nodes[static_cast<std::size_t>(node)] = {
          std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
    }
  }
  return mesh;
}

/// A cone of radius 1 and height 2, of `needles` triangles from its tip to its rim, and as many
/// from there to the middle of its base.
inline meshes::SurfaceMesh cone(std::int32_t needles) {
  meshes::SurfaceMesh mesh;
  mesh.patch_names = {"body"};
  mesh.nodes = {{0, 0, 2}, {0, 0, 0}};
  for (std::int32_t k = 0; k < needles; ++k) {
    const double phi = 2.0 * std::numbers::pi * k / needles;
    mesh.nodes.push_back({std::cos(phi), std::sin(phi), 0});
  }
  for (std::int32_t k = 0; k < needles; ++k) {
    const std::int32_t here = 2 + k, next = 2 + (k + 1) % needles;
    add_triangle(mesh, 0, here, next);
    add_triangle(mesh, 1, next, here);
  }
  return mesh;
}

/// A wing of constant elliptic section, chord 1, thickness 0.12 and span 1, of triangles that span
/// it all, and flat tips of triangles that reach from one side to the other. `points` around the
/// section, an even number: 4 points - 4 triangles.
inline meshes::SurfaceMesh wing_of_spans(std::int32_t points) {
  meshes::SurfaceMesh mesh;
  mesh.patch_names = {"body"};
  for (const double y : {-0.5, 0.5}) {
    for (std::int32_t k = 0; k < points; ++k) {
      const double angle = 2.0 * std::numbers::pi * k / points;
      mesh.nodes.push_back({0.5 * std::cos(angle), y, 0.06 * std::sin(angle)});
    }
  }
  for (std::int32_t k = 0; k < points; ++k) {
    const std::int32_t next = (k + 1) % points;
    add_triangle(mesh, k, points + k, next);
    add_triangle(mesh, next, points + k, points + next);
  }
  for (std::int32_t k = 0; k + 1 < points / 2; ++k) {
    const std::int32_t under = (points - k) % points, under_next = points - k - 1;
    for (const std::int32_t tip : {0, points}) {
      const auto add = [&](std::int32_t a, std::int32_t b, std::int32_t c) {
        tip == 0 ? add_triangle(mesh, a, b, c) : add_triangle(mesh, tip + a, tip + c, tip + b);
      };
      if (k > 0) add(k, k + 1, under);
      add(k + 1, under_next, under);
    }
  }
  return mesh;
}

/// The geodesic sphere moved along its meridians by a dilation of the plane that it is projected on
/// from a pole: angles stay, sizes of panels differ by the square of the factor.
inline meshes::SurfaceMesh dilated_sphere(std::int64_t panels, double factor) {
  meshes::SurfaceMesh mesh = meshes::make_sphere(panels);
  for (Vec3d& p : mesh.nodes) {
    const double above = 1.0 + p.z, below = 1.0 - p.z;  // tan^2 of half the angle is their ratio
    const double f2 = factor * factor, sum = f2 * below + above;
    p = {2.0 * factor * p.x / sum, 2.0 * factor * p.y / sum, (above - f2 * below) / sum};
  }
  return mesh;
}

/// Two cones on a rim of `count` nodes: as many panels around either tip.
inline meshes::SurfaceMesh double_cone(std::int32_t count) {
  meshes::SurfaceMesh mesh;
  for (std::int32_t k = 0; k < count; ++k) {
    const double angle = 2.0 * std::numbers::pi * k / count;
    mesh.nodes.push_back({std::cos(angle), std::sin(angle), 0.0});
  }
  mesh.nodes.push_back({0.0, 0.0, 0.3});
  mesh.nodes.push_back({0.0, 0.0, -0.3});
  for (std::int32_t k = 0; k < count; ++k) {
    const std::int32_t next = (k + 1) % count;
    mesh.elements.push_back({k, next, count, -1});
    mesh.elements.push_back({next, k, count + 1, -1});
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  return mesh;
}

}  // namespace rankine::testing
