// Writes bytes as text, for files of VTK.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <vector>

namespace rankine::meshes {

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
