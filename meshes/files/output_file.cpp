#include "rankine/meshes/files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
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

/// Temporary names of one target: a dot, its stem, a number, its extension.
struct TemporaryNames {
  std::string begin = ".", end;

  explicit TemporaryNames(const fs::path& target) : end(target.extension().string()) {
    begin.append(target.stem().string()).append(1, '.');
  }
  std::string of_this_process() const { return begin + std::to_string(::getpid()) + end; }
  bool contain(const std::string& name) const {
    return name.size() > begin.size() + end.size() && name.starts_with(begin) &&
           name.ends_with(end) &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(begin.size()),
                       name.end() - static_cast<std::ptrdiff_t>(end.size()),
                       [](unsigned char c) { return std::isdigit(c) != 0; });
  }
};

/// A file that is being written is locked; a lock ends with the process that holds it.
bool lock(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// Removes what processes that were killed left of earlier attempts to write `target`.
void remove_abandoned(const fs::path& target) {
  const TemporaryNames names(target);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(target.parent_path(), error)) {
    if (!names.contain(entry.path().filename().string())) continue;
    const int descriptor = ::open(entry.path().c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (descriptor < 0) continue;
    if (lock(descriptor)) ::unlink(entry.path().c_str());
    ::close(descriptor);
  }
}

/// Removes the temporary file unless it has been renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const fs::path& target)
      : path_(target.parent_path() / TemporaryNames(target).of_this_process()) {
    descriptor_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
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

  /// Why the file cannot grow any more; empty where it can. A writer that does not look at what
  /// became of its bytes lost some of them where this fails.
  std::string full() const {
    constexpr std::size_t some = std::size_t{1} << 16;
    const std::array<char, some> more{};
    const off_t size = ::lseek(descriptor_, 0, SEEK_END);
    const ssize_t written = ::pwrite(descriptor_, more.data(), some, size);
    std::string why;
    if (written != static_cast<ssize_t>(some)) why = words_of(written < 0 ? errno : ENOSPC);
    if (::ftruncate(descriptor_, size) != 0) why = words_of(errno);
    return why;
  }

 private:
  fs::path path_;
  int descriptor_ = -1;
};

/// Calls write(temporary) and renames what it wrote.
template <class Write>
void through_temporary(const fs::path& path, Write&& write) {
  const fs::path target = fs::absolute(path);
  std::error_code error;
  if (fs::is_directory(target, error)) refuse(path, "a folder has that name");
  if (!fs::is_directory(target.parent_path(), error)) {
    refuse(path, "there is no folder " + target.parent_path().string());
  }
  remove_abandoned(target);
  const TemporaryFile temporary(target);
  write(temporary);
  if (fs::file_size(temporary.path(), error) == 0 || error) refuse(path, "nothing was written");
  fs::rename(temporary.path(), target, error);
  if (error) refuse(path, error.message());
}

}  // namespace

void write_file(const fs::path& path, const std::function<void(std::ostream&)>& write) {
  through_temporary(path, [&](const TemporaryFile& temporary) {
    FileBuffer buffer(temporary.path());
    std::ostream stream(&buffer);
    write(stream);
    const std::string why = buffer.close();
    if (!why.empty()) refuse(path, why);
  });
}

void write_then_rename(const fs::path& path, const std::function<void(const fs::path&)>& write) {
  through_temporary(path, [&](const TemporaryFile& temporary) {
    write(temporary.path());
    const std::string why = temporary.full();
    if (!why.empty()) refuse(path, why);
  });
}

}  // namespace rankine::meshes
