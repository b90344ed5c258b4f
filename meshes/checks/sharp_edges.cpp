#include "rankine/meshes/checks/sharp_edges.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {

SharpEdges choose_sharp_angle(SurfaceMesh& mesh, const EdgeTable& edges, double asked) {
  AlignedVector<Vec3d> normal(mesh.elements.size());
  parallel_for(normal.size(),
               [&](std::size_t e) { normal[e] = vector_area(mesh, mesh.elements[e]); });
  const auto for_each_angle = [&](auto visit) {
    edges.for_each_edge([&](std::int32_t, std::span<const HalfEdge> sides) {
      if (sides.size() != 2) return;
      const auto a = static_cast<std::size_t>(sides[0].element),
                 b = static_cast<std::size_t>(sides[1].element);
      visit(a, b, std::atan2(norm(cross(normal[a], normal[b])), dot(normal[a], normal[b])));
    });
  };
  mesh.sharp_angle = asked > 0.0 ? asked : default_sharp_angle;
  if (!(asked > 0.0)) {
    double within = 0.0, between = 0.0;
    for_each_angle([&](std::size_t a, std::size_t b, double angle) {
      if (angle >= default_sharp_angle) return;
      const bool border =
          mesh.patch[a] != mesh.patch[b] || (!mesh.face.empty() && mesh.face[a] != mesh.face[b]);
      double& largest = border ? between : within;
      largest = std::max(largest, angle);
    });
    const double limit = std::max(limits::least_sharp_angle, limits::sharper * within);
    if (between >= limit) mesh.sharp_angle = limit;
  }
  SharpEdges found;
  for_each_angle([&](std::size_t, std::size_t, double angle) {
    if (angle > mesh.sharp_angle && angle < default_sharp_angle) {
      found.least_kept = found.kept++ == 0 ? angle : std::min(found.least_kept, angle);
      found.most_kept = std::max(found.most_kept, angle);
    } else if (angle >= limits::sharper * limits::least_sharp_angle && angle <= mesh.sharp_angle) {
      ++found.rounded;
      found.most_rounded = std::max(found.most_rounded, angle);
    }
  });
  return found;
}

}  // namespace rankine::meshes
