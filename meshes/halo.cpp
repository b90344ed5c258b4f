#include "rankine/meshes/halo.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {
namespace {

std::string source_of(const SurfaceMesh& mesh) {
  return mesh.source.empty() ? "the mesh" : mesh.source;
}

/// Moves the nodes of open edges that nearly lie in a plane onto it. Returns a note, empty if all
/// displacements are rounding.
std::string settle_rim(SurfaceMesh& mesh, const SymmetryPlane& plane, double rounding) {
  const auto off = [&](std::int32_t n) {
    return std::abs(mesh.nodes[n][plane.axis] - plane.place);
  };
  std::vector<std::int32_t> moved;
  double most = 0.0;
  for (const OpenEdge& edge : open_edges(mesh)) {
    const double near = limits::rim_share * norm(mesh.nodes[edge.to] - mesh.nodes[edge.from]);
    if (off(edge.from) > near || off(edge.to) > near) continue;
    for (const std::int32_t n : {edge.from, edge.to}) {
      if (off(n) <= rounding) continue;
      most = std::max(most, off(n));
      moved.push_back(n);
    }
  }
  std::sort(moved.begin(), moved.end());
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  for (const std::int32_t n : moved) mesh.nodes[n][plane.axis] = plane.place;
  if (moved.empty()) return {};
  return "moved " + counted(moved.size(), "node") + " of the rim onto the symmetry plane " +
         name(plane) + " m, by " + show_number(most) +
         " m at most, less than a hundredth of the edges there";
}

/// Moves nodes within `near` of a plane onto it. Throws MeshError unless all others are on one
/// side.
void settle_nodes(SurfaceMesh& mesh, const SymmetryPlane& plane, double near) {
  BoundingBox box;
  for (const Element& element : mesh.elements) {
    for (int k = 0; k < corner_count(element); ++k) {
      Vec3d& node = mesh.nodes[element[k]];
      if (std::abs(node[plane.axis] - plane.place) <= near) node[plane.axis] = plane.place;
      box.add(node);
    }
  }
  const double low = box.lower[plane.axis], high = box.upper[plane.axis];
  if (!(low < plane.place && high > plane.place)) return;
  throw MeshError(source_of(mesh) + " reaches across the symmetry plane " + name(plane) +
                  " m, from " + "xyz"[plane.axis] + " = " + show_number(low) + " to " +
                  show_number(high) + " m; cut it there and keep one side, or leave the plane out");
}

void settle_mid_nodes(SurfaceMesh& mesh, const SymmetryPlane& plane) {
  for (std::size_t e = 0; e < mesh.mid_nodes.size(); ++e) {
    const Element& element = mesh.elements[e];
    const int corners = corner_count(element);
    for (int k = 0; k < corners; ++k) {
      if (plane.holds(mesh.nodes[element[k]]) &&
          plane.holds(mesh.nodes[element[(k + 1) % corners]]))
        mesh.mid_nodes[e][k][plane.axis] = plane.place;
    }
  }
}

bool lies_in(const SurfaceMesh& mesh, const Element& element, const SymmetryPlane& plane) {
  for (int k = 0; k < corner_count(element); ++k) {
    if (!plane.holds(mesh.nodes[element[k]])) return false;
  }
  return true;
}

/// Removes the panels in a plane, and returns them.
Finding leave_out_panels_in(SurfaceMesh& mesh, const SymmetryPlane& plane) {
  Finding found;
  std::vector<bool> gone(mesh.elements.size());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    gone[e] = lies_in(mesh, mesh.elements[e], plane);
    if (gone[e]) found.add(e, corner_mean(mesh, mesh.elements[e]));
  }
  drop_elements(mesh, gone);
  return found;
}

/// Flags the elements within halo_rings of a plane; the first ring has nodes on it.
std::vector<std::uint8_t> rings_around(const SurfaceMesh& mesh, const SymmetryPlane& plane) {
  std::vector<std::uint8_t> node_in(mesh.nodes.size(), 0), element_in(mesh.elements.size(), 0);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    node_in[n] = plane.holds(mesh.nodes[n]) ? 1 : 0;
  for (int ring = 0; ring < halo_rings; ++ring) {
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
        element_in[e] |= node_in[static_cast<std::size_t>(mesh.elements[e][k])];
    }
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      if (element_in[e] == 0) continue;
      for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
        node_in[static_cast<std::size_t>(mesh.elements[e][k])] = 1;
    }
  }
  return element_in;
}

/// Pairs of nodes of open edges, the second of which is the first rotation of the first within
/// rounding.
std::vector<std::pair<std::int32_t, std::int32_t>> image_pairs(const SurfaceMesh& mesh,
                                                               const Symmetry& symmetry) {
  const Vec3d &axis = symmetry.rotation()->axis, &centre = symmetry.rotation()->centre;
  const double near = limits::same_place * bounding_box(mesh).diagonal();
  std::set<std::int32_t> open;
  for (const OpenEdge& edge : open_edges(mesh)) open.insert({edge.from, edge.to});
  std::vector<std::pair<double, std::int32_t>> along;  // positions along the axis
  for (const std::int32_t n : open)
    along.emplace_back(dot(mesh.nodes[static_cast<std::size_t>(n)] - centre, axis), n);
  std::sort(along.begin(), along.end());
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (const auto& [place, from] : along) {
    const Vec3d image = symmetry.point(1, mesh.nodes[static_cast<std::size_t>(from)]);
    double least = near;
    std::int32_t closest = -1;
    for (auto at = std::lower_bound(along.begin(), along.end(), std::pair(place - near, -1));
         at != along.end() && at->first <= place + near; ++at) {
      const double distance = norm(mesh.nodes[static_cast<std::size_t>(at->second)] - image);
      if (distance > least) continue;
      least = distance;
      closest = at->second;
    }
    if (closest >= 0) pairs.emplace_back(from, closest);
  }
  return pairs;
}

/// Makes nodes exact images of those of which they are images within rounding.
void settle_sector(SurfaceMesh& mesh, const Symmetry& symmetry) {
  for (const auto& [from, to] : image_pairs(mesh, symmetry)) {
    Vec3d &x = mesh.nodes[static_cast<std::size_t>(from)],
          &image = mesh.nodes[static_cast<std::size_t>(to)];
    image = from == to ? symmetry.fixed(x) : symmetry.point(1, x);
  }
}

/// Adds images of elements to a mesh; nodes on reflecting planes are their own images.
class HaloBuilder {
 public:
  HaloBuilder(HaloMesh& halo, const Symmetry& symmetry) : halo_(halo), symmetry_(symmetry) {
    if (!symmetry.rotation()) return;
    for (const auto& [from, to] : image_pairs(halo.mesh, symmetry)) {
      if (from == to) {
        on_axis_.insert(from);
      } else if (!root_.contains(from) && !root_.contains(to)) {
        const int back = symmetry.inverse(1);
        root_[from] = {to, back};
        made_[{to, back}] = from;
      }
    }
  }

  void add(std::size_t element, int image) {
    SurfaceMesh& mesh = halo_.mesh;
    append_copy(mesh, element);
    Element& copy = mesh.elements.back();
    for (int k = 0; k < corner_count(copy); ++k) copy[k] = image_of(copy[k], image);
    if (!mesh.mid_nodes.empty()) {
      for (Vec3d& each : mesh.mid_nodes.back()) each = symmetry_.point(image, each);
    }
    if (symmetry_.turns(image)) reverse_element(mesh, mesh.elements.size() - 1);
    halo_.images.push_back({static_cast<std::int32_t>(element), image});
  }

 private:
  std::int32_t image_of(std::int32_t node, int image) {
    std::vector<Vec3d>& nodes = halo_.mesh.nodes;
    const Vec3d at = nodes[static_cast<std::size_t>(node)];
    int moving = image & ~symmetry_.planes_at(at);
    if (const auto root = root_.find(node); root != root_.end()) {
      moving = symmetry_.product(image, root->second.second);
      node = root->second.first;
    }
    if (moving == 0 || on_axis_.contains(node)) return node;
    const auto [place, is_new] =
        made_.try_emplace({node, moving}, static_cast<std::int32_t>(nodes.size()));
    if (is_new) nodes.push_back(symmetry_.point(image, at));
    return place->second;
  }

  HaloMesh& halo_;
  const Symmetry& symmetry_;
  std::map<std::pair<std::int32_t, int>, std::int32_t> made_;
  /// Nodes that are images of other nodes of the mesh: these, and the number of the image.
  std::map<std::int32_t, std::pair<std::int32_t, int>> root_;
  std::set<std::int32_t> on_axis_;
};

}  // namespace

std::vector<std::string> meet_planes(SurfaceMesh& mesh, const Symmetry& symmetry) {
  const double near = limits::same_place * bounding_box(mesh).diagonal();
  std::vector<std::string> notes;
  if (symmetry.rotation()) settle_sector(mesh, symmetry);
  for (const SymmetryPlane& plane : symmetry.planes()) {
    if (std::string moved = settle_rim(mesh, plane, near); !moved.empty())
      notes.push_back(std::move(moved));
    settle_nodes(mesh, plane, near);
    settle_mid_nodes(mesh, plane);
  }
  for (const SymmetryPlane& plane : symmetry.planes()) {
    const Finding found = leave_out_panels_in(mesh, plane);
    if (found.count == 0) continue;
    notes.push_back("left out " + counted(found.count, "panel") + " in the symmetry plane " +
                    name(plane) + " m (" + numbered("element", found) + ", the first at " +
                    at(found.where) + "): there is no fluid between them and their images");
  }
  return notes;
}

HaloMesh with_halo(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  HaloMesh halo{mesh, {}};
  const std::vector<std::string> notes = meet_planes(halo.mesh, symmetry);
  if (!notes.empty()) {
    throw MeshError(source_of(mesh) + " does not meet its symmetry planes as it is (" +
                    notes.front() + "); see meshes/halo.hpp: meet_planes");
  }
  std::vector<std::vector<std::uint8_t>> near;
  for (const SymmetryPlane& plane : symmetry.planes())
    near.push_back(rings_around(halo.mesh, plane));
  HaloBuilder builder(halo, symmetry);
  for (int image = 1; image < symmetry.images(); ++image) {
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      bool wanted = true;
      for (std::size_t k = 0; k < near.size(); ++k)
        wanted = wanted && ((image >> k & 1) == 0 || near[k][e] != 0);
      if (wanted) builder.add(e, image);
    }
  }
  return halo;
}

}  // namespace rankine::meshes
