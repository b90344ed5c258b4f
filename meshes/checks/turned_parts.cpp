#include "rankine/meshes/checks/turned_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/measures.hpp"

namespace rankine::meshes {
namespace {

/// Panels that are connected across edges without a crossing.
struct Part {
  std::int32_t panel;
  double area = 0.0;
};

std::vector<Part> find_parts(const SurfaceMesh& mesh, const EdgeTable& edges,
                             std::span<const std::uint8_t> crossing) {
  std::vector<std::uint8_t> seen(crossing.begin(), crossing.end());
  std::vector<Part> parts;
  std::vector<std::int32_t> left;
  for (std::size_t first = 0; first < seen.size(); ++first) {
    if (seen[first] != 0) continue;
    Part& part = parts.emplace_back(Part{static_cast<std::int32_t>(first)});
    left.push_back(part.panel);
    seen[first] = 1;
    while (!left.empty()) {
      const Element& element = mesh.elements[static_cast<std::size_t>(left.back())];
      left.pop_back();
      part.area += norm(vector_area(mesh, element));
      for (int k = 0; k < corner_count(element); ++k) {
        for (const HalfEdge& half :
             edges.at(element[k], element[(k + 1) % corner_count(element)])) {
          std::uint8_t& known = seen[static_cast<std::size_t>(half.element)];
          if (known == 0) left.push_back(half.element);
          known = 1;
        }
      }
    }
  }
  return parts;
}

/// The winding number in front of a panel. The solid angles at its centre, without its own, give
/// the mean of both sides, which is 1/2 larger.
double winding_in_front(const SurfaceMesh& mesh, const Symmetry& symmetry, std::int32_t panel) {
  const Vec3d centre = corner_mean(mesh, mesh.elements[static_cast<std::size_t>(panel)]);
  double angle = 0.0;
  for (int image = 0; image < symmetry.images(); ++image) {
    const Vec3d from = symmetry.point(image, centre);
    angle += parallel_sum(mesh.elements.size(), [&](std::size_t e) {
      const bool own = image == 0 && static_cast<std::int32_t>(e) == panel;
      return own || is_thin(mesh, e) ? 0.0 : solid_angle(mesh, mesh.elements[e], from);
    });
  }
  return std::floor(angle / (4.0 * std::numbers::pi));
}

}  // namespace

bool are_turned(const SurfaceMesh& mesh, const Connections& connections, const Symmetry& symmetry,
                std::span<const std::uint8_t> crossing, double area) {
  std::vector<Part> parts = find_parts(mesh, connections.edges, crossing);
  std::sort(parts.begin(), parts.end(),
            [](const Part& a, const Part& b) { return a.area > b.area; });
  double left = 0.0, turned = 0.0;
  for (const Part& part : parts) left += part.area;
  for (const Part& part : parts) {
    if (turned > area || turned + left <= area) break;
    if (winding_in_front(mesh, symmetry, part.panel) < 0.0) turned += part.area;
    left -= part.area;
  }
  return turned > area;
}

}  // namespace rankine::meshes
