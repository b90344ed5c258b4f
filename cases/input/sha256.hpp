// SHA-256 (FIPS 180-4): results record the digest of their case file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace rankine::cases {

/// Digest of a message that is passed in parts.
class Sha256 {
 public:
  void add(std::string_view part);
  /// Ends the message and returns 64 hexadecimal digits.
  std::string digest();

 private:
  static constexpr std::size_t block_bytes = 64;
  using Block = std::array<std::uint8_t, block_bytes>;

  /// Section 6.2.2: updates the hash with the full block.
  void compress();

  /// H, initially H(0) of section 5.3.3.
  std::array<std::uint32_t, 8> hash_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                     0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  Block block_{};
  std::uint64_t bytes_ = 0;  ///< length of the message so far
};

/// The digest of a message: 64 hexadecimal digits.
std::string sha256(std::string_view message);

}  // namespace rankine::cases
