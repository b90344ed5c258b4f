#include "rankine/meshes/repair/remesh.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/sharp_edges.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {
namespace {

/// Union-find over 0 .. n - 1; the root of a set is its smallest member.
class Sets {
 public:
  explicit Sets(std::size_t n) : root_(n) { std::iota(root_.begin(), root_.end(), 0); }
  std::int32_t of(std::int32_t i) {
    while (root_[i] != i) i = root_[i] = root_[root_[i]];
    return i;
  }
  void join(std::int32_t a, std::int32_t b) {
    const auto [to, from] = std::minmax({of(a), of(b)});
    root_[from] = to;
  }

 private:
  std::vector<std::int32_t> root_;
};

/// Bodies with an edge of more than two panels.
std::vector<bool> bodies_that_stay(const EdgeTable& edges, const Bodies& bodies) {
  std::vector<bool> stay(static_cast<std::size_t>(bodies.count), false);
  edges.for_each_edge([&](std::int32_t, std::span<const HalfEdge> sides) {
    for (const HalfEdge& side : sides) {
      if (sides.size() > 2) stay[static_cast<std::size_t>(bodies.of_element[side.element])] = true;
    }
  });
  return stay;
}

/// The triangles of bodies that do not stay, with their patches.
SurfaceMesh triangles_without(const SurfaceMesh& mesh, const Bodies& bodies,
                              const std::vector<bool>& stay) {
  SurfaceMesh triangles;
  triangles.nodes = mesh.nodes;
  triangles.source = mesh.source;
  triangles.patch_names = mesh.patch_names;
  triangles.sharp_angle = mesh.sharp_angle;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (stay[static_cast<std::size_t>(bodies.of_element[e])]) continue;
    for (const Element& triangle : triangles_of(mesh, mesh.elements[e])) {
      triangles.elements.push_back(triangle);
      triangles.patch.push_back(mesh.patch[e]);
    }
  }
  drop_unused_nodes(triangles);
  return triangles;
}

/// Gives every set of triangles that are connected around a node across edges its own copy of the
/// node. Returns whether nodes have copies.
std::vector<std::uint8_t> separate_at_nodes(SurfaceMesh& triangles) {
  const auto corner = [](std::size_t triangle, std::ptrdiff_t k) {
    return static_cast<std::int32_t>(3 * triangle) + static_cast<std::int32_t>(k);
  };
  const auto at = [&](std::size_t triangle, std::int32_t node) {
    const Element& element = triangles.elements[triangle];
    return corner(triangle, std::find(element.begin(), element.end(), node) - element.begin());
  };
  Sets around(3 * triangles.elements.size());
  EdgeTable(triangles).for_each_edge([&](std::int32_t near, std::span<const HalfEdge> sides) {
    if (sides.size() != 2) return;
    const auto a = static_cast<std::size_t>(sides[0].element),
               b = static_cast<std::size_t>(sides[1].element);
    for (const std::int32_t node : {near, sides[0].far_node}) around.join(at(a, node), at(b, node));
  });
  std::map<std::int32_t, std::int32_t> node_of;  // of the first corner of a set
  std::vector<std::uint8_t> used(triangles.nodes.size(), 0), copied(triangles.nodes.size(), 0);
  for (std::size_t t = 0; t < triangles.elements.size(); ++t) {
    for (std::int32_t k = 0; k < 3; ++k) {
      std::int32_t& node = triangles.elements[t][k];
      const auto [place, is_new] = node_of.emplace(around.of(corner(t, k)), node);
      if (is_new && used[node] != 0) {
        copied[node] = 1;
        place->second = static_cast<std::int32_t>(triangles.nodes.size());
        triangles.nodes.push_back(Vec3d(triangles.nodes[node]));
        used.push_back(1);
        copied.push_back(1);
      }
      used[node] = 1;
      node = place->second;
    }
  }
  return copied;
}

/// The edge of as many equilateral triangles with the area of the mesh.
double edge_of_equal(const SurfaceMesh& triangles) {
  double area = 0.0;
  for (const Element& element : triangles.elements) area += norm(vector_area(triangles, element));
  return std::sqrt(4.0 / std::numbers::sqrt3 * area /
                   static_cast<double>(triangles.elements.size()));
}

/// The answer of rankine-reader to a request that ends with the triangles.
SurfaceMesh ask_for(ByteWriter request, const SurfaceMesh& triangles, double size, double seconds) {
  put(request, triangles);
  const ChildLimits limits{.memory = 0, .seconds = static_cast<std::size_t>(std::ceil(seconds))};
  try {
    return surface_mesh_from(ask_reader(std::move(request), limits));
  } catch (const ChildDied& death) {
    throw MeshError("cannot mesh " + triangles.source + " again: the program " + death.what() +
                    "; give it more time (mesh.time_limit), or larger panels (mesh.panel_size, " +
                    show_number(size) + " m now)");
  } catch (const DamagedBytes& damage) {
    throw MeshError("cannot mesh " + triangles.source + " again: the program gave " +
                    damage.what());
  }
}

/// Replaces the panels of bodies that do not stay by the new triangles.
void take_triangles(SurfaceMesh& mesh, const SurfaceMesh& made, const Bodies& bodies,
                    const std::vector<bool>& stay) {
  std::vector<bool> gone;
  for (const std::int32_t body : bodies.of_element)
    gone.push_back(!stay[static_cast<std::size_t>(body)]);
  mesh.mid_nodes.clear();
  mesh.face.clear();
  drop_elements(mesh, gone);
  const auto first = static_cast<std::int32_t>(mesh.nodes.size());
  mesh.nodes.insert(mesh.nodes.end(), made.nodes.begin(), made.nodes.end());
  for (const auto& [a, b, c, none] : made.elements)
    mesh.elements.push_back({first + a, first + b, first + c, -1});
  mesh.patch.insert(mesh.patch.end(), made.patch.begin(), made.patch.end());
  drop_unused_nodes(mesh);
}

}  // namespace

std::string remesh(SurfaceMesh& mesh, double size, double sharp_angle, double seconds) {
  const Connections connections(mesh);
  choose_sharp_angle(mesh, connections.edges, sharp_angle);
  const std::vector<bool> stay = bodies_that_stay(connections.edges, connections.bodies);
  SurfaceMesh triangles = triangles_without(mesh, connections.bodies, stay);
  if (triangles.elements.empty()) return "repair: remesh: no body could be meshed again";
  const std::vector<std::uint8_t> fixed = separate_at_nodes(triangles);
  if (size == 0.0) size = edge_of_equal(triangles);
  ByteWriter request = request_for(Job::remesh, triangles.source);
  request.value(size);
  request.value(triangles.sharp_angle);
  request.all(fixed);
  const SurfaceMesh made = ask_for(std::move(request), triangles, size, seconds);
  const std::size_t before = mesh.elements.size();
  take_triangles(mesh, made, connections.bodies, stay);
  const auto left = std::count(stay.begin(), stay.end(), true);
  return "repair: remesh: " + counted(before, "panel") + " became " +
         counted(mesh.elements.size(), "panel") + " of " + show_number(size) + " m" +
         (left == 0 ? ""
                    : "; " + counted(static_cast<std::size_t>(left), "body", "bodies") +
                          " with edges of more than two panels stayed");
}

std::string wrap(SurfaceMesh& mesh, double size, double seconds) {
  const Bodies bodies = find_bodies(mesh, EdgeTable(mesh));
  const std::vector<bool> stay(static_cast<std::size_t>(bodies.count), false);
  const SurfaceMesh triangles = triangles_without(mesh, bodies, stay);
  if (size == 0.0) size = edge_of_equal(triangles);
  ByteWriter request = request_for(Job::wrap, triangles.source);
  request.value(size);
  request.value(limits::wrap_offset * size);
  const std::size_t before = mesh.elements.size();
  take_triangles(mesh, ask_for(std::move(request), triangles, size, seconds), bodies, stay);
  return "repair: wrap: " + counted(before, "panel") + " became " +
         counted(mesh.elements.size(), "panel") + " around them, " +
         show_number(limits::wrap_offset * size) + " m outside; holes below " + show_number(size) +
         " m are closed";
}

}  // namespace rankine::meshes
