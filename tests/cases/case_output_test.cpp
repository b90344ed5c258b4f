// Tables and numbers for people, and what of a text is printed as it is, escaped or left out.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <pty.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "cases/output/log.hpp"
#include "cases/output/printable.hpp"
#include "cases/output/show.hpp"
#include "rankine/fmm/core/parallel.hpp"
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
  table.add({"none"});
  EXPECT_TRUE(table.text().ends_with("longer  -10.25\nnone\n"));
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

/// What a terminal shows until `wanted` comes, or the other end is closed.
std::string shown_until(int terminal, const std::string& wanted) {
  std::string shown;
  char bytes[256];
  while (!says(shown, wanted)) {
    const ssize_t count = ::read(terminal, bytes, sizeof bytes);
    if (count <= 0) break;
    shown.append(bytes, static_cast<std::size_t>(count));
  }
  return shown;
}

TEST(Log, ShowsOnATerminalHowLongALoopWillTake) {
  int terminal = -1, program = -1;
  ASSERT_EQ(::openpty(&terminal, &program, nullptr, nullptr, nullptr), 0);
  ::setenv("TERM", "xterm", 1);
  {
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(::fdopen(program, "w"),
                                                                 std::fclose);
    Log log(Log::Level::normal, stream.get());
    log.progress("near field");
    Execution{.threads = 1, .progress = &log.loops()}.run([&] {
      parallel_chunks(1000, 1, [&](std::size_t i) {
        if (i != 1) return;
        EXPECT_TRUE(says(shown_until(terminal, "left"), "near field ..., at least"));
      });
    });
    log.progress("GMRES, iteration 3", 7.0);
    EXPECT_TRUE(says(shown_until(terminal, "left"), "GMRES, iteration 3 ..., 7 s left"));
  }
  ::close(terminal);
}

TEST(Log, ShowsNoProgressInAFile) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  {
    Log log(Log::Level::normal, file.get());
    log.progress("near field", 7.0);
    log.line("a line");
  }
  std::rewind(file.get());
  char bytes[64];
  EXPECT_EQ(std::string(bytes, std::fread(bytes, 1, sizeof bytes, file.get())), "a line\n");
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
  const std::size_t left_out = std::stoul(shown.substr(shown.find("[... ") + 5));
  const std::string note = fmt::format(" [... {} bytes left out ...] ", left_out);
  EXPECT_TRUE(says(shown, note));
  EXPECT_EQ(shown.size() - note.size() + left_out, text.size());
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
