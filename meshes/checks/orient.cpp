#include "rankine/meshes/checks/orient.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/nesting.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/separate.hpp"

namespace rankine::meshes {
namespace {

struct BodySide {
  double volume = 0.0;  ///< signed, with all panels oriented like the first
  Vec3d point{};        ///< a corner of the body
  bool cavity = false;
  bool thin = false;  ///< fluid on both sides; never reversed as a whole
};

std::vector<BodySide> measure(const SurfaceMesh& mesh, const Bodies& bodies,
                              const Symmetry& symmetry) {
  const AlignedVector<double> volumes = volumes_under(mesh, bodies, symmetry);
  std::vector<BodySide> sides = value_of_bodies<BodySide>(
      bodies,
      [&](std::size_t e, BodySide& side) {
        side.thin = side.thin || is_thin(mesh, e);
        side.volume += bodies.opposed[e] ? -volumes[e] : volumes[e];
      },
      [](BodySide& side, const BodySide& part) {
        side.thin = side.thin || part.thin;
        side.volume += part.volume;
      });
  const std::vector<std::size_t> first = first_elements(bodies);
  for (std::size_t body = 0; body < sides.size(); ++body)
    sides[body].point = mesh.nodes[mesh.elements[first[body]][0]];
  return sides;
}

void find_cavities(const Nesting& nesting, std::vector<BodySide>& sides) {
  for (std::size_t body = 0; body < sides.size(); ++body)
    sides[body].cavity = !sides[body].thin && nesting.around()[body].size() % 2 == 1;
}

void require_volume(const SurfaceMesh& mesh, const MeshReport& report,
                    const std::vector<BodySide>& sides) {
  for (std::size_t body = 0; body < sides.size(); ++body) {
    if (sides[body].thin) continue;
    const double area = report.bodies[body].area;
    if (std::abs(sides[body].volume) > limits::no_size * area * std::sqrt(area)) continue;
    throw MeshError(mesh.source + ": the body at " + at(sides[body].point) + " (" +
                    counted(report.bodies[body].panels, "panel") +
                    ") encloses no volume, so that neither side is its outside; give it thickness");
  }
}

/// Throws MeshError if a body has both thin panels and others.
void require_thin_alone(const SurfaceMesh& mesh, const Bodies& bodies) {
  if (mesh.thin.empty()) return;
  std::vector<std::int8_t> thin(static_cast<std::size_t>(bodies.count), -1);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    std::int8_t& found = thin[static_cast<std::size_t>(bodies.of_element[e])];
    const std::int8_t mine = is_thin(mesh, e) ? 1 : 0;
    if (found < 0) found = mine;
    if (found == mine) continue;
    throw MeshError(
        mesh.source + ": the patch \"" + mesh.patch_names[static_cast<std::size_t>(mesh.patch[e])] +
        "\" at " + at(corner_mean(mesh, mesh.elements[e])) +
        " shares edges with patches of which some are thin and some are not; declare all "
        "patches of a sheet thin, and part it from closed bodies");
  }
}

/// Finds panels whose normals point into the solid.
Finding find_turned(const SurfaceMesh& mesh, const Bodies& bodies,
                    const std::vector<BodySide>& sides, std::vector<std::uint8_t>& turned) {
  turned.resize(mesh.elements.size());
  return parallel_reduce(turned.size(), Finding{}, [&](std::size_t e, Finding& finding) {
    const BodySide& side = sides[bodies.of_element[e]];
    const bool first_points_in = !side.thin && (side.volume < 0.0) != side.cavity;
    turned[e] = first_points_in != bodies.opposed[e] ? 1 : 0;
    if (turned[e] != 0) finding.add(e, corner_mean(mesh, mesh.elements[e]));
  });
}

}  // namespace

Orientation orient(SurfaceMesh& mesh, Orient mode, const Symmetry& symmetry, Nested nested) {
  Orientation result;
  result.report = check_mesh(mesh, symmetry);
  if (std::optional<std::string> note = separate(mesh, result.report, symmetry))
    result.notes.push_back(std::move(*note));
  require_sound(mesh, result.report, symmetry);
  const std::shared_ptr<const Connections> connections = result.report.connections;
  const Bodies& bodies = connections->bodies;
  require_two_sides(mesh, bodies);
  require_thin_alone(mesh, bodies);
  std::vector<BodySide> sides = measure(mesh, bodies, symmetry);
  require_volume(mesh, result.report, sides);
  if (nested == Nested::cavities && bodies.count > 1)
    find_cavities(Nesting(mesh, bodies, symmetry), sides);
  std::vector<std::uint8_t> turned;
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
                    "; set orient = \"outward\" to reverse them, or repair the file");
  }
  if (mode == Orient::keep) {
    result.notes.push_back("kept " + found);
    return result;
  }
  result.notes.push_back("turned round " + found);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (turned[e] != 0) reverse_element(mesh, e);
  }
  result.report.connections = std::make_shared<const Connections>(mesh);
  result.report.inconsistent_edges = {};
  result.report.volume = 0.0;
  for (std::size_t body = 0; body < sides.size(); ++body) {
    const double volume = sides[body].thin ? 0.0 : std::abs(sides[body].volume);
    result.report.bodies[body].volume = sides[body].cavity ? -volume : volume;
    result.report.volume += result.report.bodies[body].volume;
  }
  return result;
}

}  // namespace rankine::meshes
