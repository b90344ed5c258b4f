// The versions and options of this build.
#pragma once

#include <string>

namespace rankine::cases {

struct BuildInfo {
  std::string version, git, compiler, type, flags, cuda;
  std::string gmsh, vtk, eigen;
  std::string cgal;  ///< empty in a build without CGAL
};

/// Filled in by CMake at configure time; `cuda` is empty in a build without CUDA.
const BuildInfo& build_info();

}  // namespace rankine::cases
