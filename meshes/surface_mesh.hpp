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

inline int corner_count(const Element& element) { return element[3] < 0 ? 3 : 4; }

/// The same panel seen from its other side; the first corner stays.
inline Element reversed(const Element& element) {
  if (element[3] < 0) return {element[0], element[2], element[1], -1};
  return {element[0], element[3], element[2], element[1]};
}

struct SurfaceMesh {
  std::vector<Vec3d> nodes;
  std::vector<Element> elements;
  std::vector<std::int32_t> patch;  ///< per element, index into patch_names
  /// Physical names; else STL solids; else connected components ("body", or "body1", "body2", …).
  std::vector<std::string> patch_names;
  std::string source;                 ///< file or shape the mesh came from, for messages
  std::vector<std::string> warnings;  ///< what a reader changed or left out, for the log
};

}  // namespace rankine::meshes
