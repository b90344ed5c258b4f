#include "rankine/meshes/vtk/base64.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::meshes {
namespace {

/// The four characters of three bytes.
std::array<char, 4> encoded(const unsigned char* bytes) {
  static constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const unsigned word = static_cast<unsigned>(bytes[0]) << 16 |
                        static_cast<unsigned>(bytes[1]) << 8 | static_cast<unsigned>(bytes[2]);
  return {digits[word >> 18], digits[word >> 12 & 63], digits[word >> 6 & 63], digits[word & 63]};
}

}  // namespace

void Base64Encoder::write(const void* data, std::size_t length) {
  const auto* from = static_cast<const unsigned char*>(data);
  while (length > 0) {
    const std::size_t some = std::min(length, buffer_size - bytes_.size());
    bytes_.insert(bytes_.end(), from, from + some);
    from += some;
    length -= some;
    if (bytes_.size() == buffer_size) flush();
  }
}

void Base64Encoder::finish() {
  const std::size_t padding = (3 - bytes_.size() % 3) % 3;
  bytes_.insert(bytes_.end(), padding, 0);
  encode();
  std::fill(text_.end() - static_cast<std::ptrdiff_t>(padding), text_.end(), '=');
  put();
}

void Base64Encoder::flush() {
  encode();
  put();
}

void Base64Encoder::encode() {
  text_.resize(bytes_.size() / 3 * 4);
  parallel_for(bytes_.size() / 3, [&](std::size_t i) {
    const std::array<char, 4> characters = encoded(bytes_.data() + 3 * i);
    std::memcpy(text_.data() + 4 * i, characters.data(), 4);
  });
}

void Base64Encoder::put() {
  stream_->write(text_.data(), static_cast<std::streamsize>(text_.size()));
  bytes_.clear();
}

}  // namespace rankine::meshes
