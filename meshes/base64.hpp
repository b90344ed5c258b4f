// Bytes as text, for files of VTK.
#pragma once

#include <array>
#include <cstddef>
#include <iosfwd>
#include <vector>

namespace rankine::meshes {

/// Writes bytes to a stream in Base64 (RFC 4648, section 4), a buffer at a time.
class Base64Encoder {
 public:
  /// `stream` must outlive the encoder.
  explicit Base64Encoder(std::ostream& stream) : stream_(&stream) {}

  /// `length` bytes more; up to two of them wait for the next.
  void write(const void* data, std::size_t length);

  /// Writes what waits, padded to four characters.
  void finish();

 private:
  void put(const unsigned char* bytes, std::size_t triplets);

  std::ostream* stream_;
  std::array<unsigned char, 3> waiting_{};
  int waiting_count_ = 0;
  std::vector<char> text_;
};

}  // namespace rankine::meshes
