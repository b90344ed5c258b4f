#include "rankine/meshes/files/guarded_read.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <new>
#include <system_error>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/reader_program.hpp"

namespace rankine::meshes {
namespace {

/// Limits far above the needs of meshes of that size in memory (a node of six characters, a
/// compressed array of equal numbers) and time (Gmsh reads 20 MB of text per second).
ChildLimits limits_for(std::uintmax_t file_size) {
  constexpr std::size_t base_memory = std::size_t{1} << 30, bytes_per_byte = 500;
  constexpr std::size_t base_seconds = 10, bytes_per_second = 500'000;
  return {base_memory + bytes_per_byte * file_size, base_seconds + file_size / bytes_per_second};
}

/// Bytes that this process can still allocate; the largest number if unknown.
std::size_t available_memory() {
  constexpr std::size_t unknown = std::numeric_limits<std::size_t>::max();
  std::size_t available = unknown;
  std::ifstream file("/proc/meminfo");
  for (std::string name; file >> name;) {
    std::size_t kilobytes = 0;
    if (name == "MemAvailable:" && file >> kilobytes) available = 1024 * kilobytes;
    file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  struct rlimit limit {};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    available = std::min<std::size_t>(available, limit.rlim_cur);
  }
  return available;
}

}  // namespace

SurfaceMesh read_guarded(const std::filesystem::path& path, const std::string& library,
                         ByteWriter request) {
  const std::uintmax_t size = std::filesystem::file_size(path);
  const ChildLimits limits = limits_for(size);
  const std::string problem = "cannot read " + path.string() + ": ";
  std::vector<char> bytes;
  try {
    bytes = ask_reader(std::move(request), limits);
  } catch (const ChildDied& death) {
    throw MeshError(problem + library + " " + death.what() +
                    " while reading it; the file is damaged: export it again");
  } catch (const std::bad_alloc&) {
    if (limits.memory > available_memory()) throw;
    throw MeshError(problem + "a count in it asks for more memory than a file of " +
                    std::to_string(size) + " bytes can need; export it again");
  } catch (const std::system_error& error) {
    throw MeshError(problem + "no process to read it in could be started: " + error.what() +
                    "; end other programs, or raise the limits of this account");
  }
  try {
    return surface_mesh_from(bytes);
  } catch (const DamagedBytes& damage) {
    throw MeshError(problem + library + " gave " + damage.what() +
                    "; the file is damaged: export it again");
  }
}

}  // namespace rankine::meshes
