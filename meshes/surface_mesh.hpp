// A surface mesh: nodes, triangles and quadrilaterals, one patch per element. Lengths in metres.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// Corner node indices; a triangle has -1 in the fourth place. Corners run counter-clockwise seen
/// from the fluid, so that the normal points out of the body.
using Element = std::array<std::int32_t, 4>;

constexpr int corner_count(const Element& element) { return element[3] < 0 ? 3 : 4; }

/// The same panel seen from its other side; the first corner stays.
inline Element reversed(const Element& element) {
  if (element[3] < 0) return {element[0], element[2], element[1], -1};
  return {element[0], element[3], element[2], element[1]};
}

/// Points of the surface between the corners: the k-th on the edge from corner k to the next one. A
/// triangle has none in the fourth place.
using MidNodes = std::array<Vec3d, 4>;

/// Smooth surfaces of eight panels a turn have 45 degrees between neighbours; radians.
inline constexpr double default_sharp_angle = 0.7853981633974483;

/// A named line in space, as pieces from one point to the next: two points each.
struct NamedCurve {
  std::string name;
  std::vector<Vec3d> ends;
};

struct SurfaceMesh {
  std::vector<Vec3d> nodes;
  std::vector<Element> elements;
  /// Per element where the file has elements of second order, else empty. On straight edges the
  /// means of their ends.
  std::vector<MidNodes> mid_nodes;
  std::vector<std::int32_t> patch;  ///< per element, index into patch_names
  /// Per element: n of face n of the geometry, -n of hole n that a repair closed, else 0. Empty if
  /// all are 0.
  std::vector<std::int32_t> face;
  /// Physical names; else STL solids; else connected components ("body", or "body1", "body2", …).
  std::vector<std::string> patch_names;
  /// Per patch: 1 for a surface without thickness, with fluid on both sides; empty if there is
  /// none.
  std::vector<std::uint8_t> thin;
  std::vector<NamedCurve> curves;     ///< physical curves of the file
  std::string source;                 ///< file or shape the mesh came from, for messages
  std::vector<std::string> warnings;  ///< what a reader changed or left out, for the log
  std::vector<std::string> notes;     ///< changes that the user asked for, for the log
  /// Edges are sharp if the normals of their panels differ by more, radians; others are rounded.
  double sharp_angle = default_sharp_angle;
  std::string half_about;  ///< axes, "y" or "xy", about which the file describes half a body
};

inline bool is_thin(const SurfaceMesh& mesh, std::size_t element) {
  return !mesh.thin.empty() && mesh.thin[static_cast<std::size_t>(mesh.patch[element])] != 0;
}

/// The means of the ends of every edge.
inline MidNodes straight_mid_nodes(const SurfaceMesh& mesh, const Element& element) {
  MidNodes middle{};
  const int corners = corner_count(element);
  for (int k = 0; k < corners; ++k)
    middle[k] = 0.5 * (mesh.nodes[element[k]] + mesh.nodes[element[(k + 1) % corners]]);
  return middle;
}

/// Adds a copy of element e with all that belongs to it.
inline void append_copy(SurfaceMesh& mesh, std::size_t e) {
  const auto append = [&](auto& values) {
    if (values.empty()) return;
    const auto copy = values[e];
    values.push_back(copy);
  };
  append(mesh.elements);
  append(mesh.mid_nodes);
  append(mesh.patch);
  append(mesh.face);
}

/// Turns an element round, with its mid-nodes.
inline void reverse_element(SurfaceMesh& mesh, std::size_t e) {
  mesh.elements[e] = reversed(mesh.elements[e]);
  if (mesh.mid_nodes.empty()) return;
  MidNodes& middle = mesh.mid_nodes[e];
  middle = corner_count(mesh.elements[e]) == 3
               ? MidNodes{middle[2], middle[1], middle[0], Vec3d{}}
               : MidNodes{middle[3], middle[2], middle[1], middle[0]};
}

}  // namespace rankine::meshes
