#include "rankine/meshes/vtk/base64.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

namespace rankine::meshes {
namespace {

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
