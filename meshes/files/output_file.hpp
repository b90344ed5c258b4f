// Writes a file that appears whole or not at all: it is written under another name beside its
// place, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace rankine::meshes {

// A stream into a file that never fails while it is written to: what the file system refuses is
// dropped, and reported when the file is closed. Libraries that write to a stream react differently
// when it fails, some with a crash; to this stream they need not react.

/// Binary, seekable, write only.
class FileBuffer final : public std::streambuf {
 public:
  /// Writes from the start of the open file `descriptor`, which stays the caller's.
  explicit FileBuffer(int descriptor);
  ~FileBuffer() override;
  FileBuffer(const FileBuffer&) = delete;
  FileBuffer& operator=(const FileBuffer&) = delete;

  /// Writes what is left and closes the file. Why it does not hold all that was written, in the
  /// words of the system; empty where it does.
  std::string close();

 protected:
  int_type overflow(int_type character) override;
  int sync() override;
  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override;
  pos_type seekpos(pos_type position, std::ios_base::openmode) override;

 private:
  off_type position() const { return begin_ + (pptr() - pbase()); }
  void empty_buffer();

  int descriptor_;
  int error_ = 0;                 ///< errno of the first failure
  off_type begin_ = 0, end_ = 0;  ///< of the buffer in the file; of the file
  std::vector<char> buffer_;
};

/// Calls write(stream) and puts what it wrote at `path`. The stream never fails. Throws InputError
/// where the file system refused a byte, the folder is missing or nothing was written; then `path`
/// is as it was. The temporary file is new, under a name that nobody can foresee, so that in a
/// shared folder nobody can put a link or a pipe in its way. None is left behind when `write`
/// throws; those of programs that were killed while they wrote this file are removed.
void write_file(const std::filesystem::path& path,
                const std::function<void(std::ostream& stream)>& write);

}  // namespace rankine::meshes
