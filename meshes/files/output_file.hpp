// Writes a file atomically: under a temporary name in the same folder, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <streambuf>
#include <string>
#include <vector>

namespace rankine::meshes {

// A stream buffer on a file that never fails during writing: after an error it discards data and
// reports the error on closing. Libraries that write to a stream react differently to failures,
// some by a crash; with this stream they need not react.

/// Binary, seekable, write-only.
class FileBuffer final : public std::streambuf {
 public:
  /// Writes from the start of the open file `descriptor`, which the caller still owns.
  explicit FileBuffer(int descriptor);
  ~FileBuffer() override;
  FileBuffer(const FileBuffer&) = delete;
  FileBuffer& operator=(const FileBuffer&) = delete;

  /// Flushes and closes. Returns the system's error message if data were lost; else empty.
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
  off_type begin_ = 0, end_ = 0;  ///< file offset of the buffer; end of the file
  std::vector<char> buffer_;
};

/// Calls write(stream) and stores the data at `path`. The stream never fails. Throws InputError if
/// a write failed, the folder is missing or nothing was written; `path` is then unchanged. The
/// temporary file is new and has an unpredictable name, so that nobody can place a link or a pipe
/// there in a shared folder. It is removed if `write` throws; those left by killed programs that
/// were writing this file are removed too.
void write_file(const std::filesystem::path& path,
                const std::function<void(std::ostream& stream)>& write);

}  // namespace rankine::meshes
