// Tables and numbers for people, and what of a text is printed as it is, escaped or left out.
#include <gtest/gtest.h>

#include "cases/output/printable.hpp"
#include "cases/output/show.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::cases {
namespace {

using testing::says;

TEST(Table, AlignsNumbersRightAndWordsLeft) {
  Table table({"what", "value"});
  table.add({"a", "1.5"});
  table.add({"longer", "-10.25"});
  EXPECT_EQ(table.text(),
            "what     value\n"
            "--------------\n"
            "a          1.5\n"
            "longer  -10.25\n");
}

TEST(Log, UnitsReadWell) {
  EXPECT_EQ(show_count(20480), "20 480");
  EXPECT_EQ(show_count(1000000), "1 000 000");
  EXPECT_EQ(show_count(-12), "-12");
  EXPECT_EQ(show_bytes(340e6), "340 MB");
  EXPECT_EQ(show_bytes(1.25e9), "1.2 GB");
  EXPECT_EQ(show_bytes(12.0), "12 B");
  EXPECT_EQ(show_seconds(0.0456), "45.6 ms");
  EXPECT_EQ(show_seconds(1.234), "1.23 s");
}

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
