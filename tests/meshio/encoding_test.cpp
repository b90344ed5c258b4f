#include "rankine/meshes/vtk/encoding.hpp"

#include <gtest/gtest.h>
#include <vtkLZ4DataCompressor.h>
#include <vtkNew.h>
#include <vtkSmartPointer.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

namespace rankine::meshes {
namespace {

constexpr std::size_t block = 4096;

/// Smooth, rough, and constant bytes in turn, of several times as many blocks as are compressed
/// together.
std::vector<unsigned char> some_bytes() {
  std::vector<unsigned char> bytes(700 * block + 100);
  unsigned state = 1;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    state = state * 1664525U + 1013904223U;
    const unsigned kinds[3] = {static_cast<unsigned>(i / 64), state >> 24, 7U};
    bytes[i] = static_cast<unsigned char>(kinds[i / (3 * block) % 3]);
  }
  return bytes;
}

std::vector<unsigned char> compressed(vtkDataCompressor& compressor, const unsigned char* data,
                                      std::size_t size) {
  const auto array = vtkSmartPointer<vtkUnsignedCharArray>::Take(compressor.Compress(data, size));
  if (array == nullptr) return {};
  return {array->GetPointer(0), array->GetPointer(0) + array->GetNumberOfValues()};
}

std::vector<unsigned char> expected(const unsigned char* data, std::size_t size) {
  const vtkNew<vtkLZ4DataCompressor> one;
  return compressed(*one, data, size);
}

TEST(ParallelLz4, GivesTheBytesOfVtk) {
  const std::vector<unsigned char> bytes = some_bytes();
  ParallelLz4 all;
  for (int round = 0; round < 2; ++round) {
    all.expect(bytes.data(), bytes.size());
    for (std::size_t begin = 0; begin < bytes.size(); begin += block) {
      const std::size_t size = std::min(block, bytes.size() - begin);
      ASSERT_EQ(compressed(*all.compressor(), bytes.data() + begin, size),
                expected(bytes.data() + begin, size))
          << begin;
    }
  }
}

TEST(ParallelLz4, CompressesWhatItWasNotToldOf) {
  const std::vector<unsigned char> bytes = some_bytes(), other(5 * block, 3);
  ParallelLz4 all;
  const auto expect_same = [&](const unsigned char* data, std::size_t size) {
    EXPECT_EQ(compressed(*all.compressor(), data, size), expected(data, size));
  };
  expect_same(bytes.data(), block);  // nothing announced
  all.expect(bytes.data(), 10 * block);
  expect_same(bytes.data(), block);
  expect_same(other.data(), block);                  // of another array
  expect_same(bytes.data() + 5 * block, block);      // out of order
  expect_same(bytes.data() + 6 * block, block / 2);  // of another size
  expect_same(bytes.data() + 9 * block, 2 * block);  // beyond the end
}

/// What VTK reuses for the next array has other bytes at the same place.
TEST(ParallelLz4, ForgetsWhatItKeptWhenAnArrayIsAnnounced) {
  std::vector<unsigned char> bytes(8 * block, 1);
  ParallelLz4 all;
  all.expect(bytes.data(), bytes.size());
  compressed(*all.compressor(), bytes.data(), block);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * i);
  all.expect(bytes.data(), bytes.size());
  EXPECT_EQ(compressed(*all.compressor(), bytes.data(), block), expected(bytes.data(), block));
  EXPECT_EQ(compressed(*all.compressor(), bytes.data() + block, block),
            expected(bytes.data() + block, block));
}

/// `bytes` in pieces of `piece` at most.
std::string in_base64(const std::string& bytes, std::size_t piece) {
  std::ostringstream text;
  Base64Encoder encoder(text);
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    encoder.write(bytes.data() + at, std::min(piece, bytes.size() - at));
  encoder.finish();
  return text.str();
}

// The first are those of RFC 4648, section 10.
TEST(Base64, IsTheSameInPiecesOfAnySize) {
  for (const std::size_t piece : {1u, 2u, 3u, 4u, 5u, 100u}) {
    EXPECT_EQ(in_base64("", piece), "");
    EXPECT_EQ(in_base64("f", piece), "Zg==");
    EXPECT_EQ(in_base64("fo", piece), "Zm8=");
    EXPECT_EQ(in_base64("foo", piece), "Zm9v");
    EXPECT_EQ(in_base64("foob", piece), "Zm9vYg==");
    EXPECT_EQ(in_base64("fooba", piece), "Zm9vYmE=");
    EXPECT_EQ(in_base64("foobar", piece), "Zm9vYmFy");
    EXPECT_EQ(in_base64(std::string("\xff\xfe\x00\xfb", 4), piece), "//4A+w==");
  }
  // More than a buffer.
  const std::string zeros(2'000'000, '\0');
  EXPECT_EQ(in_base64(zeros, zeros.size()), std::string(2'666'666, 'A') + "A=");
}

}  // namespace
}  // namespace rankine::meshes
