#include "rankine/meshes/checks/flow_domain.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <map>
#include <span>

#include "rankine/fmm/core/parallel.hpp"
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

bool fills_its_box(const Body& body) {
  const Vec3d edges = body.box.size();
  return !body.thin && body.volume > limits::domain.filled_box * edges.x * edges.y * edges.z;
}

/// The number of the part that contains panel e: the face of the geometry, or else the patch.
std::int32_t part_of(const SurfaceMesh& mesh, std::size_t e) {
  return !mesh.face.empty() && mesh.face[e] > 0
             ? static_cast<std::int32_t>(mesh.patch_names.size()) + mesh.face[e]
             : mesh.patch[e];
}

struct SampledPart {
  double area = 0.0, on_hull = 0.0;  ///< of the sampled panels, m^2
};

/// About `most` panels of a body, with at least one of each part.
std::vector<std::size_t> sampled(const SurfaceMesh& mesh, const Bodies& bodies, std::int32_t body,
                                 std::size_t most) {
  std::vector<std::size_t> all, some;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (bodies.of_element[e] == body) all.push_back(e);
  }
  const std::size_t stride = 1 + all.size() / std::max<std::size_t>(most, 1);
  std::map<std::int32_t, bool> seen;
  for (std::size_t k = 0; k < all.size(); ++k) {
    bool& known = seen[part_of(mesh, all[k])];
    if (k % stride == 0 || !known) some.push_back(all[k]);
    known = true;
  }
  return some;
}

std::vector<Vec3d> nodes_of(const SurfaceMesh& mesh, const Bodies& bodies, std::int32_t body) {
  std::vector<std::uint8_t> used(mesh.nodes.size(), 0);
  parallel_for(mesh.elements.size(), [&](std::size_t e) {
    if (bodies.of_element[e] != body) return;
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
      std::atomic_ref(used[static_cast<std::size_t>(mesh.elements[e][k])])
          .store(1, std::memory_order_relaxed);
  });
  std::vector<Vec3d> nodes;
  for (std::size_t n = 0; n < used.size(); ++n) {
    if (used[n] != 0) nodes.push_back(mesh.nodes[n]);
  }
  return nodes;
}

/// Nodes in groups of consecutive ones, of which a plane excludes most by their boxes.
class NodeGroups {
 public:
  explicit NodeGroups(std::span<const Vec3d> nodes)
      : nodes_(nodes), boxes_((nodes.size() + in_group - 1) / in_group) {
    parallel_for(boxes_.size(), [&](std::size_t group) {
      for (const Vec3d& x : members(group)) boxes_[group].add(x);
    });
  }

  /// Whether a node lies above the plane normal . x = height.
  bool any_above(const Vec3d& normal, double height) const {
    const auto above = [&](const Vec3d& x) { return dot(normal, x) > height; };
    for (std::size_t group = 0; group < boxes_.size(); ++group) {
      Vec3d highest;
      for (int axis = 0; axis < 3; ++axis)
        highest[axis] = (normal[axis] > 0.0 ? boxes_[group].upper : boxes_[group].lower)[axis];
      if (above(highest) && std::ranges::any_of(members(group), above)) return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t in_group = 128;

  std::span<const Vec3d> members(std::size_t group) const {
    const std::size_t begin = group * in_group;
    return nodes_.subspan(begin, std::min(in_group, nodes_.size() - begin));
  }

  std::span<const Vec3d> nodes_;
  std::vector<BoundingBox> boxes_;
};

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

/// Names of the parts on the hull, if every part is completely on it or completely off it.
template <class NameOf>
std::vector<std::string> outer_names(const std::map<std::int32_t, SampledPart>& parts,
                                     NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& [number, part] : parts) {
    const double share = part.on_hull / part.area;
    if (share > 1.0 - limits::domain.convex && share < limits::domain.convex) return {};
    if (share > 0.5) names.push_back(name_of(number));
  }
  return names.size() < parts.size() ? names : std::vector<std::string>{};
}

/// The convex hull of the largest body and its inner part, from `count` of its panels.
struct Hull {
  std::map<std::int32_t, SampledPart> patches, faces;
  SampledPart body;
  BoundingBox inner;  ///< of the panels off the hull
  // int x.n dA and int n dA over these panels, m^3 and m^2.
  double flux = 0.0;
  Vec3d normals{};

  Vec3d centre() const { return 0.5 * (inner.lower + inner.upper); }
  /// Whether the normals point to the centre, as in a hole but not in a neck.
  bool is_hollow() const { return flux < dot(normals, centre()); }
};

/// Whether `holds` for every corner of the panel.
template <class Holds>
bool all_corners(const Element& panel, Holds&& holds) {
  return std::all_of(panel.begin(), panel.begin() + corner_count(panel), holds);
}

/// A panel is on the hull if no node lies above its plane, or if each of its corners belongs to
/// such a panel: coarse panels on a sphere have concave edges between nodes on the hull.
Hull hull_of(const SurfaceMesh& mesh, const Bodies& bodies, std::int32_t outer, double near,
             const NodeGroups& nodes, std::size_t count) {
  const auto bounds = [&](std::size_t e) {
    const Element& panel = mesh.elements[e];
    const Vec3d normal = normalized(vector_area(mesh, panel));
    return !nodes.any_above(normal, dot(normal, corner_mean(mesh, panel)) + near);
  };
  const std::vector<std::size_t> panels = sampled(mesh, bodies, outer, count);
  std::vector<std::uint8_t> on_hull(panels.size());
  parallel_for(panels.size(), [&](std::size_t k) { on_hull[k] = bounds(panels[k]) ? 1 : 0; });
  std::vector<std::uint8_t> asked(mesh.nodes.size(), 0), bounding(mesh.nodes.size(), 0);
  for (std::size_t k = 0; k < panels.size(); ++k) {
    const Element& panel = mesh.elements[panels[k]];
    for (int n = 0; n < corner_count(panel); ++n) asked[panel[n]] |= 1 - on_hull[k];
  }
  parallel_for(mesh.elements.size(), [&](std::size_t e) {
    const Element& panel = mesh.elements[e];
    if (all_corners(panel, [&](std::int32_t n) { return asked[n] == 0; }) || !bounds(e)) return;
    for (int n = 0; n < corner_count(panel); ++n)
      std::atomic_ref(bounding[panel[n]]).store(1, std::memory_order_relaxed);
  });
  for (std::size_t k = 0; k < panels.size(); ++k) {
    if (all_corners(mesh.elements[panels[k]], [&](std::int32_t n) { return bounding[n] == 1; }))
      on_hull[k] = 1;
  }
  Hull found;
  const auto add = [&](std::size_t e, bool hull) {
    const Element& panel = mesh.elements[e];
    const double own = norm(vector_area(mesh, panel));
    for (SampledPart* const part : {&found.patches[mesh.patch[e]], &found.faces[part_of(mesh, e)],
                                    bodies.of_element[e] == outer ? &found.body : nullptr}) {
      if (part == nullptr) continue;
      part->area += own;
      part->on_hull += hull ? own : 0.0;
    }
    if (hull) return;
    for (int k = 0; k < corner_count(panel); ++k) found.inner.add(mesh.nodes[panel[k]]);
    const Vec3d area = vector_area(mesh, panel);
    found.flux += dot(area, corner_mean(mesh, panel));
    found.normals += area;
  };
  for (std::size_t k = 0; k < panels.size(); ++k) add(panels[k], on_hull[k] != 0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (bodies.of_element[e] != outer) add(e, false);
  }
  return found;
}

}  // namespace

std::optional<FlowDomain> find_flow_domain(const SurfaceMesh& mesh, const MeshReport& report) {
  if (report.bodies.empty() || !report.connections) return std::nullopt;
  const std::int32_t outer = largest(report);
  const Body& body = report.bodies[static_cast<std::size_t>(outer)];
  if (!fills_its_box(body)) return std::nullopt;
  const Bodies& bodies = report.connections->bodies;
  const std::vector<Vec3d> nodes = nodes_of(mesh, bodies, outer);
  if (report.plane_edges == 0 && has_holes_through(mesh, bodies, outer, nodes.size()))
    return std::nullopt;
  const NodeGroups groups(nodes);
  const double size = body.box.diagonal();
  const auto hull_by = [&](std::size_t count) {
    return hull_of(mesh, bodies, outer, limits::least_depth * size, groups, count);
  };
  const auto is_small = [&](const BoundingBox& inner) {
    return !inner.empty() && body.box.contains(inner) &&
           inner.diagonal() < limits::within_domain * size;
  };
  // A few panels exclude most bodies: they are convex, or their panels off the hull are spread
  // everywhere.
  constexpr std::size_t few = 1000;
  if (!is_small(hull_by(few).inner)) return std::nullopt;
  constexpr double most_work = 2e9;  // panels x nodes, about one second on one processor
  const Hull hull =
      hull_by(static_cast<std::size_t>(most_work / static_cast<double>(nodes.size())));
  if (!is_small(hull.inner) || hull.body.on_hull < limits::domain.convex * hull.body.area ||
      !hull.is_hollow())
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
