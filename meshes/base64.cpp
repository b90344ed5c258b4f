#include "rankine/meshes/base64.hpp"

#include <algorithm>
#include <cstring>
#include <ostream>
#include <string_view>

namespace rankine::meshes {
namespace {

constexpr std::size_t kMostTriplets = std::size_t{1} << 14;

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
  while (waiting_count_ > 0 && waiting_count_ < 3 && length > 0) {
    waiting_[waiting_count_++] = *from++;
    --length;
  }
  if (waiting_count_ == 3) {
    put(waiting_.data(), 1);
    waiting_count_ = 0;
  }
  while (length >= 3) {
    const std::size_t triplets = std::min(length / 3, kMostTriplets);
    put(from, triplets);
    from += 3 * triplets;
    length -= 3 * triplets;
  }
  for (; length > 0; --length) waiting_[waiting_count_++] = *from++;
}

void Base64Encoder::finish() {
  if (waiting_count_ == 0) return;
  std::fill(waiting_.begin() + waiting_count_, waiting_.end(), static_cast<unsigned char>(0));
  const std::array<char, 4> characters = encoded(waiting_.data());
  stream_->write(characters.data(), waiting_count_ + 1);
  stream_->write("==", 3 - waiting_count_);
  waiting_count_ = 0;
}

void Base64Encoder::put(const unsigned char* bytes, std::size_t triplets) {
  text_.resize(4 * kMostTriplets);
  for (std::size_t i = 0; i < triplets; ++i) {
    const std::array<char, 4> characters = encoded(bytes + 3 * i);
    std::memcpy(text_.data() + 4 * i, characters.data(), 4);
  }
  stream_->write(text_.data(), static_cast<std::streamsize>(4 * triplets));
}

}  // namespace rankine::meshes
