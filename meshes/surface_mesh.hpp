// A surface mesh: nodes, triangles and quadrilaterals, with one patch per element. Lengths in
// metres.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// Node indices of the corners; the fourth is -1 for a triangle. Corners run counter-clockwise seen
/// from the fluid, so the normal points out of the body.
using Element = std::array<std::int32_t, 4>;

constexpr int corner_count(const Element& element) { return element[3] < 0 ? 3 : 4; }

/// The panel with reversed normal and the same first corner.
inline Element reversed(const Element& element) {
  if (element[3] < 0) return {element[0], element[2], element[1], -1};
  return {element[0], element[3], element[2], element[1]};
}

/// Mid-edge points on the surface: the k-th is on the edge from corner k to the next. The fourth is
/// unused for a triangle.
using MidNodes = std::array<Vec3d, 4>;

/// 45 degrees, radians: the angle between neighbours on a smooth surface with eight panels per
/// turn.
inline constexpr double default_sharp_angle = 0.7853981633974483;

/// A named curve in space as segments, two points each.
struct NamedCurve {
  std::string name;
  std::vector<Vec3d> ends;
};

struct SurfaceMesh {
  std::vector<Vec3d> nodes;
  std::vector<Element> elements;
  /// Per element if the file has second-order elements, else empty. On straight edges the mean of
  /// the ends.
  std::vector<MidNodes> mid_nodes;
  std::vector<std::int32_t> patch;  ///< per element, index into patch_names
  /// Per element: n on face n of the geometry, -n on hole n closed by a repair, else 0. Empty if
  /// all are 0.
  std::vector<std::int32_t> face;
  /// Physical names; else STL solids; else connected components ("body", or "body1", "body2", …).
  std::vector<std::string> patch_names;
  /// Per patch: 1 for a thin surface, with fluid on both sides. Empty if there is none.
  std::vector<std::uint8_t> thin;
  std::vector<NamedCurve> curves;     ///< physical curves of the file
  std::string source;                 ///< file or shape, for messages
  std::vector<std::string> warnings;  ///< changes and omissions of the reader, for the log
  std::vector<std::string> notes;     ///< changes requested by the user, for the log
  /// Edges are sharp if the normals of their panels differ by more than this, radians; others are
  /// smooth.
  double sharp_angle = default_sharp_angle;
  std::string half_about;  ///< axes, "y" or "xy", if the file describes half a body about these
                           ///< planes
};

inline bool is_thin(const SurfaceMesh& mesh, std::size_t element) {
  return !mesh.thin.empty() && mesh.thin[static_cast<std::size_t>(mesh.patch[element])] != 0;
}

/// The mid-edge points of straight edges.
inline MidNodes straight_mid_nodes(const SurfaceMesh& mesh, const Element& element) {
  MidNodes middle{};
  const int corners = corner_count(element);
  for (int k = 0; k < corners; ++k)
    middle[k] = 0.5 * (mesh.nodes[element[k]] + mesh.nodes[element[(k + 1) % corners]]);
  return middle;
}

/// Appends a copy of element e with all its data.
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

/// Reverses an element with its mid-edge points.
inline void reverse_element(SurfaceMesh& mesh, std::size_t e) {
  mesh.elements[e] = reversed(mesh.elements[e]);
  if (mesh.mid_nodes.empty()) return;
  MidNodes& middle = mesh.mid_nodes[e];
  middle = corner_count(mesh.elements[e]) == 3
               ? MidNodes{middle[2], middle[1], middle[0], Vec3d{}}
               : MidNodes{middle[3], middle[2], middle[1], middle[0]};
}

}  // namespace rankine::meshes
