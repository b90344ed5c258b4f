// SHA-256 against the examples of the standard, and messages around the length of a block.
#include "cases/input/sha256.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace rankine::cases {
namespace {

/// FIPS 180-4's examples (NIST, "SHA-256" of the Example Algorithms), and the empty message.
TEST(Sha256, GivesTheDigestsOfTheStandard) {
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

/// The padding takes one block up to 55 bytes and two from 56.
TEST(Sha256, DoesNotDependOnThePartsOfAMessage) {
  for (const std::size_t length : {55, 56, 63, 64, 65, 119, 120, 1000}) {
    std::string message(length, ' ');
    for (std::size_t i = 0; i < length; ++i) message[i] = static_cast<char>(7 * i);
    Sha256 parts;
    for (std::size_t i = 0; i < length; i += 13) parts.add(std::string_view(message).substr(i, 13));
    EXPECT_EQ(parts.digest(), sha256(message)) << length;
  }
}

}  // namespace
}  // namespace rankine::cases
