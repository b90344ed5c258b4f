// Arrays as bytes for files of VTK, on all threads: compressed by LZ4, and written as text.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

class vtkDataCompressor;

namespace rankine::meshes {

/// Gives the same bytes as vtkLZ4DataCompressor. VTK asks for one block of an array after the
/// other. For an array announced by expect(), this class compresses the following blocks as well,
/// each on one thread, and keeps them until VTK asks for them.
class ParallelLz4 {
 public:
  ParallelLz4();
  ~ParallelLz4();

  /// The compressor for a writer of VTK; a writer that keeps it may outlive this object.
  vtkDataCompressor* compressor() const;

  /// Blocks of `bytes` bytes from `data` on are asked for next, in their order. They must not
  /// change before.
  void expect(const void* data, std::size_t bytes);

 private:
  class Compressor;
  struct Owner;
  std::unique_ptr<Owner> owner_;
};

/// Writes bytes to a stream in Base64 (RFC 4648, section 4). All threads encode one buffer at a
/// time.
class Base64Encoder {
 public:
  /// `stream` must outlive the encoder.
  explicit Base64Encoder(std::ostream& stream) : stream_(&stream) { bytes_.reserve(buffer_size); }

  /// `length` bytes more; they reach the stream when a buffer is full.
  void write(const void* data, std::size_t length);

  /// Writes what is left, padded to four characters.
  void finish();

 private:
  static constexpr std::size_t buffer_size = 3U << 19;  ///< whole triplets

  void flush();
  void encode();
  void put();

  std::ostream* stream_;
  std::vector<unsigned char> bytes_;
  std::vector<char> text_;
};

}  // namespace rankine::meshes
