#include "rankine/meshes/files/output_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <random>
#include <string>
#include <system_error>

#include "rankine/fmm/core/error.hpp"

namespace rankine::meshes {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& why) {
  throw InputError("cannot write " + path.string() + ": " + why +
                   "; choose another place or make room there");
}

std::string words_of(int error) { return std::generic_category().message(error); }

/// Temporary names of one target: a dot, its name, a dot, 16 random hexadecimal digits.
struct TemporaryNames {
  static constexpr std::size_t digits = 16, most = 200;  ///< names are limited to 255 bytes
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

/// Locks a file while it is written; the lock ends with the process.
bool lock(int descriptor) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

/// Removes temporary files for `target` left by killed processes of this user.
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

/// A new file in the folder of `target`, removed unless it has been renamed.
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

FileBuffer::FileBuffer(int descriptor)
    : descriptor_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)), buffer_(buffer_size) {
  if (descriptor_ < 0) error_ = errno;
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

FileBuffer::~FileBuffer() { close(); }

std::string FileBuffer::close() {
  empty_buffer();
  // Some file systems report a full disk only on close.
  if (descriptor_ >= 0 && ::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
  return error_ == 0 ? std::string{} : std::generic_category().message(error_);
}

void FileBuffer::empty_buffer() {
  const char* from = pbase();
  auto left = static_cast<std::size_t>(pptr() - pbase());
  off_type offset = begin_;
  while (left > 0 && descriptor_ >= 0 && error_ == 0) {
    const ssize_t written = ::pwrite(descriptor_, from, left, offset);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      error_ = written < 0 ? errno : ENOSPC;
      break;
    }
    from += written;
    offset += written;
    left -= static_cast<std::size_t>(written);
  }
  begin_ = position();
  end_ = std::max(end_, begin_);
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

FileBuffer::int_type FileBuffer::overflow(int_type character) {
  empty_buffer();
  if (!traits_type::eq_int_type(character, traits_type::eof())) {
    sputc(traits_type::to_char_type(character));
  }
  return traits_type::not_eof(character);
}

int FileBuffer::sync() {
  empty_buffer();
  return 0;
}

FileBuffer::pos_type FileBuffer::seekoff(off_type offset, std::ios_base::seekdir from,
                                         std::ios_base::openmode) {
  const off_type here = position();
  if (from == std::ios_base::cur && offset == 0) return here;
  empty_buffer();
  if (from == std::ios_base::cur) offset += here;
  if (from == std::ios_base::end) offset += end_;
  if (offset < 0) return pos_type(off_type(-1));
  return begin_ = offset;
}

FileBuffer::pos_type FileBuffer::seekpos(pos_type position, std::ios_base::openmode mode) {
  return seekoff(position, std::ios_base::beg, mode);
}

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
