// Work that Gmsh and VTK do on files, in the program rankine-reader, which stands beside this one.
// A damaged file can crash these libraries, and Gmsh runs scripts: the program has no other rights
// than to read files (reader/confinement.hpp), and what it answers is checked here.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/files/child_program.hpp"

namespace rankine::meshes {

// A folder of this process alone, in which a library finds one file and nothing beside it.

class PrivateFolder {
 public:
  /// In the folder for temporary files ($TMPDIR, or /tmp). Throws InputError where none can be
  /// made.
  PrivateFolder();
  /// Removes the folder and what is in it.
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// A symbolic link to `file` with a plain name, "mesh" and the extension in small letters.
  std::filesystem::path link_to(const std::filesystem::path& file) const;

 private:
  std::filesystem::path path_;
};

/// What follows in a request is written and read beside the functions that ask and answer.
enum class Job : std::uint32_t {
  gmsh_mesh,
  gmsh_geometry,
  gmsh_script,
  gmsh_write,
  vtk_mesh,
  vtk_scalars,
  vtk_point_columns,
  vtk_points,
  unite
};

/// The beginning of a request: the job and the file, which a message names.
ByteWriter request_for(Job job, const std::filesystem::path& file);

/// The same for Gmsh, which also gets a folder as its home and the name under which it opens the
/// file: a link in that folder, so that Gmsh finds no FILE.opt, which it would run as a script.
ByteWriter request_for(Job job, const std::filesystem::path& file, const PrivateFolder& folder);

/// What rankine-reader answers; $RANKINE_READER names another program. Throws as run_child does,
/// and InputError where the program is missing.
std::vector<char> ask_reader(ByteWriter request, const ChildLimits& limits = {},
                             const OnProgress& on_progress = {});

}  // namespace rankine::meshes
