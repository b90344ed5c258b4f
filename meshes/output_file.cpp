#include "rankine/meshes/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "rankine/fmm/core/error.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError("cannot write " + path.string() + ": " + why +
                   "; choose another place or make room there");
}

/// Removes the temporary file unless it has been renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target) : path_(target) {
    std::string name = ".";
    name += target.stem().string();
    name += '.';
    name += std::to_string(::getpid());
    name += target.extension().string();
    path_.replace_filename(name);
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

}  // namespace

void write_then_rename(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  const fs::path target = fs::absolute(path);
  std::error_code error;
  if (fs::is_directory(target, error)) refuse(path, "a folder has that name");
  if (!fs::is_directory(target.parent_path(), error)) {
    refuse(path, "there is no folder " + target.parent_path().string());
  }
  const TemporaryFile temporary(target);
  errno = 0;
  if (!std::ofstream(temporary.path(), std::ios::binary)) refuse(path, std::strerror(errno));
  write(temporary.path());
  if (fs::file_size(temporary.path(), error) == 0 || error) refuse(path, "nothing was written");
  fs::rename(temporary.path(), target, error);
  if (error) refuse(path, error.message());
}

}  // namespace rankine::meshes
