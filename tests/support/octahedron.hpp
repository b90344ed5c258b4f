// An octahedron as Gmsh 2.2 text, whole and broken in every way that a mesh can be.
#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace rankine::testing {

using Triangle = std::array<int, 3>;  ///< node numbers from 1

inline const std::vector<std::string> octahedron_nodes{"1 0 0",  "-1 0 0", "0 1 0",
                                                       "0 -1 0", "0 0 1",  "0 0 -1"};
inline const std::vector<Triangle> octahedron_triangles{{1, 3, 5}, {3, 2, 5}, {2, 4, 5}, {4, 1, 5},
                                                        {3, 1, 6}, {2, 3, 6}, {4, 2, 6}, {1, 4, 6}};

inline std::string msh_text(const std::vector<std::string>& nodes,
                            const std::vector<Triangle>& triangles) {
  std::string text =
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" + std::to_string(nodes.size()) + "\n";
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += std::to_string(i + 1) + " " + nodes[i] + "\n";
  text += "$EndNodes\n$Elements\n" + std::to_string(triangles.size()) + "\n";
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& [a, b, c] = triangles[i];
    text += std::to_string(i + 1) + " 2 2 1 1 " + std::to_string(a) + " " + std::to_string(b) +
            " " + std::to_string(c) + "\n";
  }
  return text + "$EndElements\n";
}

/// A case of the whole octahedron, written into `folder` with its mesh.
inline std::filesystem::path octahedron_case(const TemporaryFolder& folder) {
  folder.write("body.msh", msh_text(octahedron_nodes, octahedron_triangles));
  return folder.write("case.toml", "version = 1\n[mesh]\nfile = \"body.msh\"\n");
}

}  // namespace rankine::testing
