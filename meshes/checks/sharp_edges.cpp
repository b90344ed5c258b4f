#include "rankine/meshes/checks/sharp_edges.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {

void SharpEdges::join(const SharpEdges& other) {
  if (other.kept > 0) {
    least_kept = kept > 0 ? std::min(least_kept, other.least_kept) : other.least_kept;
    most_kept = std::max(most_kept, other.most_kept);
    kept += other.kept;
  }
  rounded += other.rounded;
  most_rounded = std::max(most_rounded, other.most_rounded);
}

SharpEdges choose_sharp_angle(SurfaceMesh& mesh, const EdgeTable& edges, double asked) {
  AlignedVector<Vec3d> normal(mesh.elements.size());
  parallel_for(normal.size(),
               [&](std::size_t e) { normal[e] = vector_area(mesh, mesh.elements[e]); });
  // Adds the panels and the angle of every edge between two panels to values that are then joined.
  const auto over_angles = [&]<class Values>(const Values& none, auto add) {
    return parallel_reduce(edges.nodes(), none, [&](std::size_t node, Values& values) {
          edges.for_each_edge_from(node, [&](std::int32_t, std::span<const HalfEdge> sides) {
            if (sides.size() != 2) return;
            const auto a = static_cast<std::size_t>(sides[0].element),
                       b = static_cast<std::size_t>(sides[1].element);
            add(values, a, b,
                std::atan2(norm(cross(normal[a], normal[b])), dot(normal[a], normal[b])));
          });
        });
  };
  mesh.sharp_angle = asked > 0.0 ? asked : default_sharp_angle;
  if (!(asked > 0.0)) {
    struct Largest {
      double within = 0.0, between = 0.0;  // patches or faces

      void join(const Largest& other) {
        within = std::max(within, other.within);
        between = std::max(between, other.between);
      }
    };
    const auto largest =
        over_angles(Largest{}, [&](Largest& values, std::size_t a, std::size_t b, double angle) {
          if (angle >= default_sharp_angle) return;
          const bool border = mesh.patch[a] != mesh.patch[b] ||
                              (!mesh.face.empty() && mesh.face[a] != mesh.face[b]);
          double& most = border ? values.between : values.within;
          most = std::max(most, angle);
        });
    const double limit = std::max(limits::least_sharp_angle, limits::sharper * largest.within);
    if (largest.between >= limit) mesh.sharp_angle = limit;
  }
  return over_angles(SharpEdges{}, [&](SharpEdges& found, std::size_t, std::size_t, double angle) {
    if (angle > mesh.sharp_angle && angle < default_sharp_angle) {
      found.join({.kept = 1, .least_kept = angle, .most_kept = angle});
    } else if (angle >= limits::sharper * limits::least_sharp_angle && angle <= mesh.sharp_angle) {
      found.join({.rounded = 1, .most_rounded = angle});
    }
  });
}

}  // namespace rankine::meshes
