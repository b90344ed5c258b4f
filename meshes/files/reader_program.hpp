// Runs Gmsh and VTK on files in separate programs, rankine-reader and rankine-vtk-reader, installed
// beside this one.
// Damaged files can crash these libraries, and Gmsh runs scripts: the program may only read files
// (reader/confinement.hpp), and its answers are checked here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/files/child_program.hpp"

namespace rankine::meshes {

// A private folder of this process, in which a library finds a single file.

class PrivateFolder {
 public:
  /// Creates the folder in $TMPDIR or /tmp. Throws InputError on failure.
  PrivateFolder();
  /// Removes the folder and its contents.
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Makes a symbolic link to `file` with a plain name: "mesh" and the extension in lower case.
  std::filesystem::path link_to(const std::filesystem::path& file) const;

 private:
  std::filesystem::path path_;
};

/// The kind of a request. The rest of a request is written and read next to the functions that send
/// and answer it.
enum class Job : std::uint32_t {
  gmsh_mesh,
  gmsh_geometry,
  gmsh_script,
  gmsh_write,
  vtk_mesh,
  vtk_scalars,
  vtk_point_columns,
  vtk_points,
  unite,
  wrap,
  remesh
};

/// Begins a request: the job, and the file name for messages.
ByteWriter request_for(Job job, const std::filesystem::path& file);

/// The same for Gmsh, with a home folder and the file to open: a link in that folder, so that Gmsh
/// does not find a FILE.opt beside the file, which it would run as a script.
ByteWriter request_for(Job job, const std::filesystem::path& file, const PrivateFolder& folder);

/// The answer of rankine-reader, or of the program named by $RANKINE_READER. Jobs of VTK are
/// answered by rankine-vtk-reader in the same folder. Throws as run_child, and InputError if the
/// program is missing.
std::vector<char> ask_reader(ByteWriter request, const ChildLimits& limits = {},
                             const OnProgress& on_progress = {});

}  // namespace rankine::meshes
