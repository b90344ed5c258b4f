// Base64 (RFC 4648, section 4) for the writers of VTK.
#pragma once

#include <vtkObjectFactory.h>
#include <vtkOutputStream.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string_view>
#include <vector>

namespace rankine::meshes {

/// What vtkBase64OutputStream is, which hands four characters at a time to the stream and so takes two thirds of the time
/// of a file; this one hands over whole buffers.
class Base64Stream : public vtkOutputStream {
 public:
  static Base64Stream* New() { VTK_STANDARD_NEW_BODY(Base64Stream); }

  int StartWriting() override {
    held_ = 0;
    return this->Stream != nullptr ? 1 : 0;
  }

  int Write(const void* data, std::size_t length) override {
    const auto* from = static_cast<const unsigned char*>(data);
    while (held_ > 0 && held_ < 3 && length > 0) {
      tail_[held_++] = *from++;
      --length;
    }
    if (held_ == 3) {
      put(tail_.data(), 1);
      held_ = 0;
    }
    while (length >= 3) {
      const std::size_t triplets = std::min(length / 3, most_triplets);
      put(from, triplets);
      from += 3 * triplets;
      length -= 3 * triplets;
    }
    for (; length > 0; --length) tail_[held_++] = *from++;
    return good();
  }

  /// Up to two bytes are left, whose four characters end with one or two that say so.
  int EndWriting() override {
    if (held_ > 0) {
      std::fill(tail_.begin() + held_, tail_.end(), static_cast<unsigned char>(0));
      const std::array<char, 4> characters = encoded(tail_.data());
      this->Stream->write(characters.data(), held_ + 1);
      this->Stream->write("==", 3 - held_);
      held_ = 0;
    }
    return good();
  }

 private:
  static constexpr std::size_t most_triplets = std::size_t{1} << 14;

  /// The four characters of three bytes.
  static std::array<char, 4> encoded(const unsigned char* bytes) {
    static constexpr std::string_view digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned word = static_cast<unsigned>(bytes[0]) << 16 |
                          static_cast<unsigned>(bytes[1]) << 8 | static_cast<unsigned>(bytes[2]);
    return {digits[word >> 18], digits[word >> 12 & 63], digits[word >> 6 & 63], digits[word & 63]};
  }

  void put(const unsigned char* from, std::size_t triplets) {
    text_.resize(4 * most_triplets);
    for (std::size_t i = 0; i < triplets; ++i) {
      const std::array<char, 4> characters = encoded(from + 3 * i);
      std::memcpy(text_.data() + 4 * i, characters.data(), 4);
    }
    this->Stream->write(text_.data(), static_cast<std::streamsize>(4 * triplets));
  }

  int good() const { return this->Stream->good() ? 1 : 0; }

  std::array<unsigned char, 3> tail_{};
  int held_ = 0;  ///< bytes of the tail
  std::vector<char> text_;
};

}  // namespace rankine::meshes
