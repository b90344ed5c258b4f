#include "rankine/meshes/files/reader_program.hpp"

#include <stdlib.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const std::string& place, const std::error_code& error) {
  throw InputError("cannot make a folder for temporary files in " + place + ": " + error.message() +
                   "; name another place by the environment variable TMPDIR");
}

fs::path reader_program(Job job) {
  const char* const named = std::getenv("RANKINE_READER");
  const fs::path reader =
      named != nullptr && *named != '\0'
          ? fs::path(named)
          : fs::read_symlink("/proc/self/exe").replace_filename("rankine-reader");
  const bool of_vtk = job >= Job::vtk_mesh && job <= Job::vtk_points;
  return of_vtk ? reader.parent_path() / "rankine-vtk-reader" : reader;
}

}  // namespace

PrivateFolder::PrivateFolder() {
  std::error_code error;
  const fs::path place = fs::temp_directory_path(error);
  const char* const named = std::getenv("TMPDIR");
  if (error) refuse(named == nullptr ? "/tmp" : named, error);
  std::string name = (place / "rankine-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    refuse(place.string(), std::error_code(errno, std::generic_category()));
  path_ = name;
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path PrivateFolder::link_to(const fs::path& file) const {
  const fs::path link = path_ / ("mesh" + extension_of(file));
  std::error_code error;
  fs::create_symlink(fs::absolute(file), link, error);
  if (error) refuse(path_.string(), error);
  return link;
}

ByteWriter request_for(Job job, const fs::path& file) {
  ByteWriter request;
  request.value(job);
  request.text(file.string());
  return request;
}

ByteWriter request_for(Job job, const fs::path& file, const PrivateFolder& folder) {
  ByteWriter request = request_for(job, file);
  request.text(folder.path().string());
  // A script may include files beside it, so it is opened at its own path.
  request.text((job == Job::gmsh_script  ? fs::absolute(file)
                : job == Job::gmsh_write ? folder.path() / ("mesh" + extension_of(file))
                                         : folder.link_to(file))
                   .string());
  return request;
}

std::vector<char> ask_reader(ByteWriter request, const ChildLimits& limits,
                             const OnProgress& on_progress) {
  const std::vector<char> bytes = request.take();
  const fs::path program = reader_program(ByteReader(bytes).value<Job>());
  std::error_code error;
  if (!fs::exists(program, error)) {
    throw InputError("there is no program " + program.string() +
                     ", which reads files of Gmsh and VTK; install it beside this program, or name "
                     "it by the environment variable RANKINE_READER");
  }
  return run_child(program, bytes, limits, on_progress);
}

}  // namespace rankine::meshes
