#include "rankine/meshes/orient.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <span>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/box_tree.hpp"
#include "rankine/meshes/defects.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

struct BodySide {
  double volume = 0.0;  ///< signed, with all panels turned as the first one
  Vec3d point;          ///< a corner
  bool cavity = false;
};

std::vector<BodySide> measure(const SurfaceMesh& mesh, const Bodies& bodies,
                              const Symmetry& symmetry) {
  std::vector<BodySide> sides(bodies.count);
  std::vector<bool> seen(bodies.count, false);
  const std::vector<Vec3d> origin = volume_origins(mesh, bodies, symmetry);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const std::int32_t body = bodies.of_element[e];
    if (!seen[body]) sides[body].point = mesh.nodes[mesh.elements[e][0]];
    seen[body] = true;
    const double volume = volume_under(mesh, mesh.elements[e], origin[body]);
    sides[body].volume += bodies.opposed[e] ? -volume : volume;
  }
  return sides;
}

/// The elements of every body, one body after the other: those of body b are numbered
/// first[b] to first[b + 1] - 1 of `elements`.
struct ElementsOfBodies {
  std::vector<std::size_t> first, elements;

  explicit ElementsOfBodies(const Bodies& bodies)
      : first(static_cast<std::size_t>(bodies.count) + 1, 0), elements(bodies.of_element.size()) {
    for (const std::int32_t body : bodies.of_element) ++first[static_cast<std::size_t>(body) + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::size_t e = 0; e < elements.size(); ++e)
      elements[next[static_cast<std::size_t>(bodies.of_element[e])]++] = e;
  }
  std::span<const std::size_t> of(std::size_t body) const {
    return {elements.data() + first[body], first[body + 1] - first[body]};
  }
};

/// Is the point inside the body with these elements? Its surface is seen under 4 pi from inside,
/// under zero from outside. Its images are seen from the point as it is from the point's.
bool encloses(const SurfaceMesh& mesh, const Bodies& bodies, std::span<const std::size_t> elements,
              const Symmetry& symmetry, const Vec3d& point) {
  double angle = 0.0;
  for (int image = 0; image < symmetry.images(); ++image) {
    const Vec3d from = symmetry.point(image, point);
    for (const std::size_t e : elements) {
      const double seen = solid_angle(mesh, mesh.elements[e], from);
      angle += bodies.opposed[e] ? -seen : seen;
    }
  }
  return std::abs(angle) > 2.0 * std::numbers::pi;
}

void find_cavities(const SurfaceMesh& mesh, const Bodies& bodies, const MeshReport& report,
                   const Symmetry& symmetry, std::vector<BodySide>& sides) {
  const ElementsOfBodies elements(bodies);
  std::vector<BoundingBox> boxes;
  for (const auto& body : report.bodies) boxes.push_back(body.box);
  const BoxTree tree(boxes);
  for (std::size_t inner = 0; inner < boxes.size(); ++inner) {
    tree.visit_containing(boxes[inner], [&](std::size_t outer) {
      if (outer != inner &&
          encloses(mesh, bodies, elements.of(outer), symmetry, sides[inner].point))
        sides[inner].cavity = !sides[inner].cavity;
    });
  }
}

void require_volume(const SurfaceMesh& mesh, const MeshReport& report,
                    const std::vector<BodySide>& sides) {
  constexpr double least_volume = 1e-12;  // of area^(3/2)
  for (std::size_t body = 0; body < sides.size(); ++body) {
    const double area = report.bodies[body].area;
    if (std::abs(sides[body].volume) > least_volume * area * std::sqrt(area)) continue;
    throw MeshError(mesh.source + ": the body at " + at(sides[body].point) + " (" +
                    counted(report.bodies[body].panels, "panel") +
                    ") encloses no volume, so that neither side is its outside; give it thickness");
  }
}

/// Panels whose normals point into the solid.
Finding find_turned(const SurfaceMesh& mesh, const Bodies& bodies,
                    const std::vector<BodySide>& sides, std::vector<bool>& turned) {
  Finding finding;
  turned.resize(mesh.elements.size());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const BodySide& side = sides[bodies.of_element[e]];
    const bool first_points_in = (side.volume < 0.0) != side.cavity;
    turned[e] = first_points_in != bodies.opposed[e];
    if (turned[e]) finding.add(e, corner_mean(mesh, mesh.elements[e]));
  }
  return finding;
}

}  // namespace

Orientation orient(SurfaceMesh& mesh, Orient mode, const Symmetry& symmetry) {
  Orientation result;
  result.report = check_mesh(mesh, symmetry);
  require_sound(mesh, result.report, symmetry);
  const Bodies bodies = find_bodies(mesh, EdgeTable(mesh));
  if (bodies.one_sided) {
    const Vec3d place = corner_mean(mesh, mesh.elements[*bodies.one_sided]);
    throw MeshError(mesh.source + ": the surface has only one side (it comes back to element " +
                    std::to_string(*bodies.one_sided) + " at " + at(place) +
                    " with the other side up); a body needs an inside and an outside");
  }
  std::vector<BodySide> sides = measure(mesh, bodies, symmetry);
  require_volume(mesh, result.report, sides);
  find_cavities(mesh, bodies, result.report, symmetry, sides);
  std::vector<bool> turned;
  const Finding inward = find_turned(mesh, bodies, sides, turned);

  result.turned_panels = inward.count;
  result.cavities =
      std::count_if(sides.begin(), sides.end(), [](const BodySide& side) { return side.cavity; });
  if (result.cavities > 0) {
    result.notes.push_back(std::to_string(result.cavities) +
                           (result.cavities == 1 ? " body lies" : " bodies lie") +
                           " inside another: taken as the wall of a cavity, normals point into it");
  }
  if (inward.count == 0) return result;

  const std::string found = counted(inward.count, "panel") + " of " +
                            std::to_string(mesh.elements.size()) + " with normals into the body (" +
                            numbered("element", inward) + ", the first at " + at(inward.where) +
                            ")";
  if (mode == Orient::check) {
    throw MeshError(mesh.source + ": " + found +
                    "; set orient = \"outward\" to turn them round, or repair the file");
  }
  if (mode == Orient::keep) {
    result.notes.push_back("kept " + found);
    return result;
  }
  result.notes.push_back("turned round " + found);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (turned[e]) reverse_element(mesh, e);
  }
  result.report.inconsistent_edges = {};
  result.report.volume = 0.0;
  for (std::size_t body = 0; body < sides.size(); ++body) {
    const double volume = std::abs(sides[body].volume);
    result.report.bodies[body].volume = sides[body].cavity ? -volume : volume;
    result.report.volume += result.report.bodies[body].volume;
  }
  return result;
}

}  // namespace rankine::meshes
