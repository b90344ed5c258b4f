#include "rankine/meshes/files/file_stream.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

namespace rankine::meshes {
namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 20;

}  // namespace

FileBuffer::FileBuffer(int descriptor)
    : descriptor_(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)), buffer_(buffer_size) {
  if (descriptor_ < 0) error_ = errno;
  setp(buffer_.data(), buffer_.data() + buffer_.size());
}

FileBuffer::~FileBuffer() { close(); }

std::string FileBuffer::close() {
  empty_buffer();
  // Some file systems report only here that the disk is full.
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

}  // namespace rankine::meshes
