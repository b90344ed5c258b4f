#include "rankine/meshes/checks/flow_domain.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/checks/convex_hull.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/patches.hpp"

namespace rankine::meshes {
namespace {

/// The body with the largest bounding box.
std::int32_t largest(const MeshReport& report) {
  const auto found = std::max_element(
      report.bodies.begin(), report.bodies.end(),
      [](const Body& a, const Body& b) { return a.box.diagonal() < b.box.diagonal(); });
  return static_cast<std::int32_t>(found - report.bodies.begin());
}

/// The number of the part that contains panel e: the face of the geometry, or else the patch.
std::int32_t part_of(const SurfaceMesh& mesh, std::size_t e) {
  return !mesh.face.empty() && mesh.face[e] > 0
             ? static_cast<std::int32_t>(mesh.patch_names.size()) + mesh.face[e]
             : mesh.patch[e];
}

/// Nodes of a body.
std::vector<std::int32_t> nodes_of(const SurfaceMesh& mesh, const Bodies& bodies,
                                   std::int32_t body) {
  std::vector<std::uint8_t> used(mesh.nodes.size(), 0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (bodies.of_element[e] != body) continue;
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k) used[mesh.elements[e][k]] = 1;
  }
  std::vector<std::int32_t> nodes;
  for (std::size_t n = 0; n < used.size(); ++n) {
    if (used[n] != 0) nodes.push_back(static_cast<std::int32_t>(n));
  }
  return nodes;
}

/// By the Euler characteristic, nodes - edges + panels, which is 2 for a closed surface without
/// handles.
bool has_holes_through(const SurfaceMesh& mesh, const Bodies& bodies, std::int32_t body,
                       std::size_t nodes) {
  std::size_t panels = 0, corners = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (bodies.of_element[e] != body) continue;
    ++panels;
    corners += static_cast<std::size_t>(corner_count(mesh.elements[e]));
  }
  return nodes + panels != 2 + corners / 2;
}

/// Whether a box is within another one and much smaller in every direction.
bool is_well_inside(const BoundingBox& inner, const BoundingBox& outer) {
  const Vec3d edges = inner.size(), around = limits::within_domain * outer.size();
  return outer.contains(inner) && edges.x < around.x && edges.y < around.y && edges.z < around.z;
}

struct SurfacePart {
  double area = 0.0, on_hull = 0.0;  ///< m^2
};

/// Names of the parts on the hull, if every part is completely on it or completely off it.
template <class NameOf>
std::vector<std::string> outer_names(const std::map<std::int32_t, SurfacePart>& parts,
                                     NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& [number, part] : parts) {
    const double share = part.on_hull / part.area;
    if (share > 1.0 - limits::convex && share < limits::convex) return {};
    if (share > 0.5) names.push_back(name_of(number));
  }
  return names.size() < parts.size() ? names : std::vector<std::string>{};
}

/// The largest body, its parts on its convex hull, and the panels off the hull.
struct Hull {
  std::map<std::int32_t, SurfacePart> patches, faces;
  SurfacePart body;
  BoundingBox inner;  ///< of the panels off the hull
  // int x.n dA and int n dA over these panels, m^3 and m^2.
  double flux = 0.0;
  Vec3d normals{};

  Vec3d centre() const { return 0.5 * (inner.lower + inner.upper); }
  /// Whether the normals point to the centre, as in a hole but not in a neck.
  bool is_hollow() const { return flux < dot(normals, centre()); }
};

/// A panel is on the hull if its corners are: coarse panels have concave edges between them. Panels
/// of other bodies count as off the hull.
Hull hull_of(const SurfaceMesh& mesh, const Bodies& bodies, std::int32_t outer,
             const std::vector<std::int32_t>& nodes, double near) {
  std::vector<Vec3d> points;
  for (const std::int32_t n : nodes) points.push_back(mesh.nodes[n]);
  const std::vector<HalfSpace> hull = convex_hull(points, near);
  std::vector<std::uint8_t> on_hull(mesh.nodes.size(), 0);
  parallel_for(nodes.size(), [&](std::size_t k) {
    on_hull[nodes[k]] = std::ranges::any_of(
        hull, [&](const HalfSpace& each) { return each.above(points[k]) > -near; });
  });
  Hull found;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element& panel = mesh.elements[e];
    const bool is_on = bodies.of_element[e] == outer &&
                       std::all_of(panel.begin(), panel.begin() + corner_count(panel),
                                   [&](std::int32_t n) { return on_hull[n] != 0; });
    const Vec3d area = vector_area(mesh, panel);
    for (SurfacePart* const part : {&found.patches[mesh.patch[e]], &found.faces[part_of(mesh, e)],
                                    bodies.of_element[e] == outer ? &found.body : nullptr}) {
      if (part == nullptr) continue;
      part->area += norm(area);
      part->on_hull += is_on ? norm(area) : 0.0;
    }
    if (is_on) continue;
    for (int k = 0; k < corner_count(panel); ++k) found.inner.add(mesh.nodes[panel[k]]);
    found.flux += dot(area, corner_mean(mesh, panel));
    found.normals += area;
  }
  return found;
}

}  // namespace

std::optional<FlowDomain> find_flow_domain(const SurfaceMesh& mesh, const MeshReport& report) {
  if (report.bodies.empty() || !report.connections) return std::nullopt;
  const std::int32_t outer = largest(report);
  const Body& body = report.bodies[static_cast<std::size_t>(outer)];
  const Bodies& bodies = report.connections->bodies;
  const std::vector<std::int32_t> nodes = nodes_of(mesh, bodies, outer);
  if (report.plane_edges == 0 && has_holes_through(mesh, bodies, outer, nodes.size()))
    return std::nullopt;
  const double size = body.box.diagonal();
  const Hull hull = hull_of(mesh, bodies, outer, nodes, limits::least_depth * size);
  if (hull.inner.empty() || !is_well_inside(hull.inner, body.box) || !hull.is_hollow() ||
      hull.body.on_hull < limits::convex * hull.body.area)
    return std::nullopt;
  FlowDomain found{.is_dent = hull.body.on_hull < hull.body.area,
                   .size = size,
                   .inner_size = hull.inner.diagonal(),
                   .inner_centre = hull.centre()};
  const auto names = static_cast<std::int32_t>(mesh.patch_names.size());
  const auto name_of = [&](std::int32_t part) {
    return part < names ? mesh.patch_names[static_cast<std::size_t>(part)]
                        : face_name(part - names);
  };
  found.outer = outer_names(hull.patches, name_of);
  if (found.outer.empty()) found.outer = outer_names(hull.faces, name_of);
  return found;
}

std::string describe(const SurfaceMesh& mesh, const FlowDomain& domain) {
  std::string text = mesh.source + " is taken for a body of " + show_number(domain.size) +
                     " m, but looks like a flow solver's domain: its surface is convex but for a " +
                     (domain.is_dent ? "dent" : "cavity") + " of " +
                     show_number(domain.inner_size) + " m around " + at(domain.inner_centre) +
                     ". If the fluid is inside, leave its outer boundary out: ";
  if (domain.outer.empty())
    return text + "mesh.exclude, for which the outer faces need a name of their own in the file";
  constexpr std::size_t most_names = 20;
  text += "mesh.exclude = [";
  for (std::size_t k = 0; k < std::min(domain.outer.size(), most_names); ++k)
    text += (k == 0 ? "\"" : ", \"") + domain.outer[k] + "\"";
  return text + (domain.outer.size() > most_names ? ", ...]" : "]");
}

}  // namespace rankine::meshes
