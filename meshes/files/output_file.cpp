#include "rankine/meshes/files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <random>
#include <string>
#include <system_error>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/file_stream.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError("cannot write " + path.string() + ": " + why +
                   "; choose another place or make room there");
}

std::string words_of(int error) { return std::generic_category().message(error); }

/// Temporary names of one target: a dot, its name, a dot, 16 hexadecimal digits that nobody can
/// foresee.
struct TemporaryNames {
  static constexpr std::size_t digits = 16, most = 200;  ///< a name may have 255 bytes
  std::string begin = ".";

  explicit TemporaryNames(const fs::path& target) {
    begin.append(target.filename().string().substr(0, most)).append(1, '.');
  }
  std::string draw() const {
    std::random_device random;
    std::string name = begin;
    for (std::size_t k = 0; k < digits; ++k) name += "0123456789abcdef"[random() % 16];
    return name;
  }
  bool contain(const std::string& name) const {
    return name.size() == begin.size() + digits && name.starts_with(begin) &&
           name.find_first_not_of("0123456789abcdef", begin.size()) == std::string::npos;
  }
};

/// A file that is being written is locked; a lock ends with the process that holds it.
bool lock(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// Removes what processes of this user that were killed left of earlier attempts to write `target`.
void remove_abandoned(const fs::path& target) {
  const TemporaryNames names(target);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(target.parent_path(), error)) {
    if (!names.contain(entry.path().filename().string())) continue;
    const int descriptor =
        ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (descriptor < 0) continue;
    struct stat found {};
    if (::fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid() &&
        lock(descriptor))
      ::unlink(entry.path().c_str());
    ::close(descriptor);
  }
}

/// A new file beside `target`, removed unless it has been renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : path_(target.parent_path() / TemporaryNames(target).draw()),
        descriptor_(
            ::open(path_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) refuse(target, words_of(errno));
    lock(descriptor_);
  }
  ~TemporaryFile() {
    ::close(descriptor_);
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const fs::path& path() const { return path_; }
  int descriptor() const { return descriptor_; }

 private:
  fs::path path_;
  int descriptor_;
};

}  // namespace

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  const fs::path target = fs::absolute(path);
  std::error_code error;
  if (fs::is_directory(target, error)) refuse(path, "a folder has that name");
  if (!fs::is_directory(target.parent_path(), error)) {
    refuse(path, "there is no folder " + target.parent_path().string());
  }
  remove_abandoned(target);
  const TemporaryFile temporary(target);
  FileBuffer buffer(temporary.descriptor());
  std::ostream stream(&buffer);
  write(stream);
  const std::string why = buffer.close();
  if (!why.empty()) refuse(path, why);
  if (fs::file_size(temporary.path(), error) == 0 || error) refuse(path, "nothing was written");
  fs::rename(temporary.path(), target, error);
  if (error) refuse(path, error.message());
}

}  // namespace rankine::meshes
