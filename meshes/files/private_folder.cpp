#include "rankine/meshes/files/private_folder.hpp"

#include <stdlib.h>

#include <cerrno>
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

}  // namespace rankine::meshes
