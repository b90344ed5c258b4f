#include "cases/input/sha256.hpp"

#include <fmt/format.h>

#include <bit>

namespace rankine::cases {
namespace {

using Word = std::uint32_t;

/// K, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64
/// primes.
constexpr std::array<Word, 64> constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// The functions of section 4.1.2.
constexpr Word choose(Word x, Word y, Word z) { return (x & y) ^ (~x & z); }
constexpr Word majority(Word x, Word y, Word z) { return (x & y) ^ (x & z) ^ (y & z); }
constexpr Word rotations(Word x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ std::rotr(x, c);
}
constexpr Word shift(Word x, int a, int b, int c) {
  return std::rotr(x, a) ^ std::rotr(x, b) ^ (x >> c);
}

}  // namespace

void Sha256::compress() {
  std::array<Word, 64> w{};
  for (std::size_t i = 0; i < block_bytes; ++i) w[i / 4] = w[i / 4] << 8 | block_[i];
  for (std::size_t t = 16; t < w.size(); ++t)
    w[t] = shift(w[t - 2], 17, 19, 10) + w[t - 7] + shift(w[t - 15], 7, 18, 3) + w[t - 16];

  auto [a, b, c, d, e, f, g, h] = hash_;
  for (std::size_t t = 0; t < w.size(); ++t) {
    const Word t1 = h + rotations(e, 6, 11, 25) + choose(e, f, g) + constants[t] + w[t];
    const Word t2 = rotations(a, 2, 13, 22) + majority(a, b, c);
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const std::array<Word, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < added.size(); ++i) hash_[i] += added[i];
}

void Sha256::add(std::string_view part) {
  for (const char byte : part) {
    block_[bytes_++ % block_bytes] = static_cast<std::uint8_t>(byte);
    if (bytes_ % block_bytes == 0) compress();
  }
}

std::string Sha256::digest() {
  // Section 5.1.1: a one, zeros, and the length in bits as 64 bits that end a block.
  const std::uint64_t bits = 8 * bytes_;
  add("\x80");
  while (bytes_ % block_bytes != block_bytes - 8) add({"\0", 1});
  for (int place = 56; place >= 0; place -= 8) {
    const char byte = static_cast<char>(bits >> place & 0xff);
    add({&byte, 1});
  }
  std::string text;
  for (const Word word : hash_) text += fmt::format("{:08x}", word);
  return text;
}

std::string sha256(std::string_view message) {
  Sha256 hash;
  hash.add(message);
  return hash.digest();
}

}  // namespace rankine::cases
