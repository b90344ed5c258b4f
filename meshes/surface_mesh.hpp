// A surface mesh: nodes, triangles and quadrilaterals, one patch per element. Lengths in metres.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fmm/vec3.hpp"

namespace rankine::meshes {

/// Corner node indices; a triangle has -1 in the fourth place. Corners run counter-clockwise seen from the fluid, so
/// that the normal points out of the body.
using Element = std::array<std::int32_t, 4>;

inline int corner_count(const Element& element) { return element[3] < 0 ? 3 : 4; }

struct SurfaceMesh {
  std::vector<Vec3d> nodes;
  std::vector<Element> elements;
  std::vector<std::int32_t> patch;       ///< per element, index into patch_names
  std::vector<std::string> patch_names;  ///< physical names; else STL solids; else connected components
  std::string source;                    ///< file or shape the mesh came from, for messages
};

}  // namespace rankine::meshes
