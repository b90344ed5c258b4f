#include "rankine/meshes/formats/own_formats.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <map>
#include <system_error>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/formats/readers.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;

const std::map<std::string, SurfaceMesh (*)(const fs::path&)>& own_readers() {
  static const std::map<std::string, SurfaceMesh (*)(const fs::path&)> readers{
      {".obj", read_obj},  {".ply", read_ply},        {".off", read_off},   {".mesh", read_medit},
      {".su2", read_su2},  {".gdf", read_gdf},        {".dat", read_nemoh}, {".mar", read_nemoh},
      {".pnl", read_hams}, {".vspgeom", read_vspgeom}};
  return readers;
}

}  // namespace

std::string extension_of(const fs::path& path) {
  std::string extension = path.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

std::set<std::string> own_extensions() {
  std::set<std::string> extensions;
  for (const auto& [extension, reader] : own_readers()) extensions.insert(extension);
  return extensions;
}

void require_readable(const fs::path& path) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    throw MeshError("there is no mesh file " + path.string() + " (looked for " +
                    fs::absolute(path).lexically_normal().string() + "); correct the path");
  }
  if (!fs::is_regular_file(path, error)) {
    throw MeshError(path.string() + " is not a file; name the mesh file itself");
  }
  if (::access(path.c_str(), R_OK) != 0) {
    throw MeshError("cannot read " + path.string() + ": " + std::generic_category().message(errno) +
                    "; change its permissions");
  }
  if (fs::file_size(path, error) == 0 && !error) {
    throw MeshError("the mesh file " + path.string() + " is empty; export it again");
  }
}

std::optional<SurfaceMesh> read_own_format(const fs::path& path) {
  const auto reader = own_readers().find(extension_of(path));
  if (reader == own_readers().end()) return std::nullopt;
  return reader->second(path);
}

}  // namespace rankine::meshes
