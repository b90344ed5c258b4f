// What of a text is printed as it is, and what is escaped or left out.
#include "cases/output/printable.hpp"
#include "tests/support/error_messages.hpp"

#include <gtest/gtest.h>

namespace rankine::cases {
namespace {

using testing::says;

TEST(Printable, KeepsTextAndEscapesTheRest) {
  for (const std::string text : {"", "a\tb\n", "Fl\u00fcgel", "\u2264 \U0001F600"})
    EXPECT_EQ(printable(text), text);
  EXPECT_EQ(printable("\x1b[2J"), "\\x1b[2J");
  EXPECT_EQ(printable("a\r\x7f"), "a\\x0d\\x7f");
  EXPECT_EQ(printable("Fl\xfcgel"), "Fl\\xfcgel") << "Latin-1";
  EXPECT_EQ(printable("\xc2\x9b"), "\\xc2\\x9b") << "a control character in UTF-8";
  EXPECT_EQ(printable("\xc0\xaf \xed\xa0\x80 \xf5"), "\\xc0\\xaf \\xed\\xa0\\x80 \\xf5")
      << "overlong, surrogate, beyond Unicode";
  EXPECT_EQ(printable("\xe2\x89"), "\\xe2\\x89") << "cut";
}

TEST(Printable, LongMessagesLoseTheirMiddle) {
  const std::string middle(70000, 'x'), text = "begin " + middle + " end";
  const std::string shown = short_printable(text);
  EXPECT_LE(shown.size(), most_message);
  EXPECT_TRUE(shown.starts_with("begin x"));
  EXPECT_TRUE(shown.ends_with("x end"));
  EXPECT_TRUE(says(shown, "bytes left out"));
  const std::string fits(most_message, 'x');
  EXPECT_EQ(short_printable(fits), fits);
  for (int shift = 0; shift < 3; ++shift) {  // characters of three bytes are not cut
    std::string wide(static_cast<std::size_t>(shift), 'x');
    for (int k = 0; k < 2000; ++k) wide += "\u2264";
    EXPECT_EQ(printable(short_printable(wide)), short_printable(wide));
  }
}

}  // namespace
}  // namespace rankine::cases
