#include "rankine/meshes/repair/unite.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/panel_pairs.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {
namespace {

void require_closed(const SurfaceMesh& mesh, const Bodies& bodies) {
  const std::vector<std::string> faults = defects(mesh, check_mesh(mesh));
  if (!faults.empty()) {
    throw MeshError("the repair \"union\" is for closed bodies; " + faults.front() +
                    "; other repairs, such as \"fill\", are made before it, and repair = "
                    "[\"wrap\", \"remesh\"] "
                    "needs no closed bodies");
  }
  require_two_sides(mesh, bodies);
}

/// Orients every body with outward normals.
void turn_outward(SurfaceMesh& mesh, const Bodies& bodies) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (bodies.opposed[e]) reverse_element(mesh, e);
  }
  std::vector<double> volume(static_cast<std::size_t>(bodies.count), 0.0);
  const AlignedVector<double> share = volumes_under(mesh, bodies, {});
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    volume[static_cast<std::size_t>(bodies.of_element[e])] += share[e];
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (volume[static_cast<std::size_t>(bodies.of_element[e])] < 0.0) reverse_element(mesh, e);
  }
}

/// Bodies connected by pairs that cross or touch.
struct Groups {
  std::vector<std::int32_t> of_body;  ///< the first body of its group
  std::set<std::int32_t> to_unite;    ///< groups with such pairs, also within one body
};

Groups groups_of(const SurfaceMesh& mesh, const Bodies& bodies) {
  std::vector<std::int32_t> group(static_cast<std::size_t>(bodies.count));
  std::iota(group.begin(), group.end(), 0);
  std::set<std::int32_t> found;
  for (const PairFinding& pair : find_pairs(mesh, bodies)) {
    if (pair.kind == PairKind::gap || pair.kind == PairKind::thin_wall) continue;
    const std::int32_t body = bodies.of_element[pair.panel];
    const auto [to, from] =
        std::minmax({group[static_cast<std::size_t>(body)],
                     group[static_cast<std::size_t>(bodies.of_element[pair.other])]});
    std::replace(group.begin(), group.end(), from, to);
    found.insert(body);
  }
  Groups groups{group, {}};
  for (const std::int32_t body : found)
    groups.to_unite.insert(group[static_cast<std::size_t>(body)]);
  return groups;
}

/// The triangles of the bodies of a group, with face = 1 + panel.
SurfaceMesh parts_of(const SurfaceMesh& mesh, const Bodies& bodies,
                     const std::vector<std::int32_t>& group, std::int32_t which) {
  SurfaceMesh parts;
  parts.nodes = mesh.nodes;
  parts.source = mesh.source;
  parts.patch_names = {"bodies"};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (group[static_cast<std::size_t>(bodies.of_element[e])] != which) continue;
    for (const Element& triangle : triangles_of(mesh, mesh.elements[e])) {
      parts.elements.push_back(triangle);
      parts.patch.push_back(0);
      parts.face.push_back(static_cast<std::int32_t>(e) + 1);
    }
  }
  drop_unused_nodes(parts);
  return parts;
}

SurfaceMesh union_of(const SurfaceMesh& parts, double seconds) {
  const ChildLimits limits{.memory = 0, .seconds = static_cast<std::size_t>(std::ceil(seconds))};
  ByteWriter request = request_for(Job::unite, parts.source);
  put(request, parts);
  try {
    return surface_mesh_from(ask_reader(std::move(request), limits));
  } catch (const ChildDied& death) {
    throw MeshError("cannot unite the bodies of " + parts.source + ": the program " + death.what() +
                    "; give it more time (mesh.time_limit), or unite them before meshing");
  } catch (const DamagedBytes& damage) {
    throw MeshError("cannot unite the bodies of " + parts.source + ": the program gave " +
                    damage.what());
  }
}

/// Node numbers by position.
class NodesByPlace {
 public:
  explicit NodesByPlace(SurfaceMesh& mesh) : mesh_(mesh) {
    for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
      number_.emplace(key(mesh.nodes[n]), static_cast<std::int32_t>(n));
  }
  std::int32_t number(const Vec3d& x) {
    const auto [at, is_new] =
        number_.emplace(key(x), static_cast<std::int32_t>(mesh_.nodes.size()));
    if (is_new) mesh_.nodes.push_back(x);
    return at->second;
  }

 private:
  static std::tuple<double, double, double> key(const Vec3d& x) { return {x.x, x.y, x.z}; }

  SurfaceMesh& mesh_;
  std::map<std::tuple<double, double, double>, std::int32_t> number_;
};

/// Replaces the panels that the union has changed. Returns the number of panels cut or removed.
std::size_t take_union(SurfaceMesh& mesh, const SurfaceMesh& parts, const SurfaceMesh& joined) {
  std::vector<bool> gone(mesh.elements.size(), false);
  for (const std::int32_t face : parts.face) gone[static_cast<std::size_t>(face - 1)] = true;
  const std::vector<bool> given = gone;
  NodesByPlace places(mesh);
  std::map<std::int32_t, std::vector<Element>> pieces;
  for (std::size_t t = 0; t < joined.elements.size(); ++t) {
    Element triangle = joined.elements[t];
    for (int k = 0; k < 3; ++k) triangle[k] = places.number(joined.nodes[triangle[k]]);
    const std::int32_t face = joined.face.empty() ? 0 : joined.face[t];
    if (face < 1 || face > std::ssize(given) || !given[static_cast<std::size_t>(face - 1)])
      throw DamagedBytes("a piece of a panel that there is not");
    pieces[face].push_back(triangle);
  }
  std::size_t cut = 0;
  for (const auto& [face, triangles] : pieces) {
    const auto e = static_cast<std::size_t>(face - 1);
    const Element panel = mesh.elements[e];
    const bool whole = triangles.size() == triangles_of(mesh, panel).size() &&
                       std::all_of(triangles.begin(), triangles.end(), [&](const Element& piece) {
                         return std::all_of(piece.begin(), piece.begin() + 3, [&](std::int32_t n) {
                           return std::find(panel.begin(), panel.end(), n) != panel.end();
                         });
                       });
    if (whole) {
      gone[e] = false;
      continue;
    }
    for (const Element& piece : triangles) {
      if (has_corner_twice(piece)) continue;
      append_copy(mesh, e);
      mesh.elements.back() = piece;
      if (!mesh.mid_nodes.empty()) mesh.mid_nodes.back() = straight_mid_nodes(mesh, piece);
    }
  }
  for (const bool is_gone : gone) cut += is_gone ? 1 : 0;
  gone.resize(mesh.elements.size(), false);
  drop_elements(mesh, gone);
  return cut;
}

}  // namespace

std::string unite_bodies(SurfaceMesh& mesh, double seconds) {
  const Bodies bodies = find_bodies(mesh, EdgeTable(mesh));
  require_closed(mesh, bodies);
  turn_outward(mesh, bodies);
  const Groups groups = groups_of(mesh, bodies);
  std::vector<std::pair<SurfaceMesh, SurfaceMesh>> unions;
  for (const std::int32_t which : groups.to_unite) {
    SurfaceMesh parts = parts_of(mesh, bodies, groups.of_body, which);
    SurfaceMesh joined = union_of(parts, seconds);
    unions.emplace_back(std::move(parts), std::move(joined));
  }
  std::size_t cut = 0;
  for (auto each = unions.rbegin(); each != unions.rend(); ++each)
    cut += take_union(mesh, each->first, each->second);
  drop_unused_nodes(mesh);
  if (cut > 0) remove_degenerate(mesh);  // exact coordinates have been rounded
  const Bodies left = find_bodies(mesh, EdgeTable(mesh));
  return "repair: union: " + std::to_string(left.count) + " of " + std::to_string(bodies.count) +
         " bodies; " + counted(cut, "panel") + " cut or left out";
}

}  // namespace rankine::meshes
