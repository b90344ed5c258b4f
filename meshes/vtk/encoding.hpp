// Parallel encoding of arrays for VTK files: LZ4 compression and Base64 text.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <vector>

class vtkDataCompressor;

namespace rankine::meshes {

/// Produces the same bytes as vtkLZ4DataCompressor. VTK requests the blocks of an array one after
/// the other. For an array announced by expect(), this class also compresses the next blocks in
/// parallel, one per thread, and keeps them until requested.
class ParallelLz4 {
 public:
  ParallelLz4();
  ~ParallelLz4();

  /// The compressor for a VTK writer; a writer that holds it may outlive this object.
  vtkDataCompressor* compressor() const;

  /// Announces that the blocks of the `bytes` bytes at `data` will be requested next, in order. The
  /// data must not change until then.
  void expect(const void* data, std::size_t bytes);

 private:
  class Compressor;
  struct Owner;
  std::unique_ptr<Owner> owner_;
};

/// Writes bytes to a stream in Base64 (RFC 4648, section 4); all threads encode one buffer
/// together.
class Base64Encoder {
 public:
  /// `stream` must outlive the encoder.
  explicit Base64Encoder(std::ostream& stream) : stream_(&stream) { bytes_.reserve(buffer_size); }

  /// Adds `length` bytes; they reach the stream when the buffer is full.
  void write(const void* data, std::size_t length);

  /// Writes the rest, padded to four characters.
  void finish();

 private:
  static constexpr std::size_t buffer_size = 3U << 19;  ///< a multiple of three

  void flush();
  void encode();
  void put();

  std::ostream* stream_;
  std::vector<unsigned char> bytes_;
  std::vector<char> text_;
};

}  // namespace rankine::meshes
