// Tables and numbers for people.
#include <gtest/gtest.h>

#include "cases/output/show.hpp"
#include "cases/output/table.hpp"

namespace rankine::cases {
namespace {

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

}  // namespace
}  // namespace rankine::cases
