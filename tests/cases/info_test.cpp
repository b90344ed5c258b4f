// What rankine info says of devices, those too that are busy or fail. No device is needed.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cases/verbs/verbs.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::cases {
namespace {

using testing::says;

using Parsed = nlohmann::json;

const gpu::Device idle{.index = 0,
                       .name = "Idle",
                       .major = 9,
                       .minor = 0,
                       .multiprocessors = 132,
                       .total_bytes = 140'000'000'000,
                       .free_bytes = 130'000'000'000,
                       .trouble = {}};
const gpu::Device unasked{.index = 1,
                          .name = "Unasked",
                          .major = 8,
                          .minor = 6,
                          .multiprocessors = 84,
                          .total_bytes = 24'000'000'000,
                          .free_bytes = std::nullopt,
                          .trouble = {}};
const gpu::Device busy{.index = 2,
                       .name = "Busy",
                       .major = 9,
                       .minor = 0,
                       .multiprocessors = 132,
                       .total_bytes = 140'000'000'000,
                       .free_bytes = std::nullopt,
                       .trouble = "device busy or unavailable"};
const gpu::Device lost{.index = 3,
                       .name = "device 3",
                       .free_bytes = std::nullopt,
                       .trouble = "uncorrectable ECC error"};

/// The line of `text` that names `device`.
std::string line_of(const gpu::Device& device, const std::string& text) {
  const std::size_t name = text.find(" " + device.name);
  if (name == std::string::npos) return "not named";
  return text.substr(name + 1, text.find('\n', name) - name - 1);
}

TEST(InfoOfDevices, IsALineForEach) {
  const std::string text = info_text({idle, unasked, busy, lost}, false);
  const std::string line = line_of(idle, text);
  EXPECT_TRUE(line.starts_with("Idle, compute capability 9.0, 140 GB, 130 GB free, enough for"))
      << line;
  EXPECT_EQ(line_of(unasked, text), "Unasked, compute capability 8.6, 24 GB");
  EXPECT_EQ(line_of(busy, text),
            "Busy, compute capability 9.0, 140 GB, cannot be used now: device busy or unavailable");
  EXPECT_EQ(line_of(lost, text), "device 3, cannot be used now: uncorrectable ECC error");
}

TEST(InfoOfDevices, IsAnEntryForEachInJson) {
  const Parsed entries = Parsed::parse(info_text({idle, unasked, busy, lost}, true))["devices"];
  ASSERT_EQ(entries.size(), 4u);
  EXPECT_EQ(entries[0]["free_bytes"], 130'000'000'000);
  EXPECT_GT(entries[0]["panels_that_fit"], 1e6);
  EXPECT_FALSE(entries[0].contains("trouble"));
  EXPECT_EQ(entries[1], Parsed::parse(R"({"name": "Unasked", "compute_capability": "8.6",
      "multiprocessors": 84, "total_bytes": 24000000000})"));
  EXPECT_EQ(entries[2], Parsed::parse(R"({"name": "Busy", "compute_capability": "9.0",
      "multiprocessors": 132, "total_bytes": 140000000000,
      "trouble": "device busy or unavailable"})"));
  EXPECT_EQ(entries[3],
            Parsed::parse(R"({"name": "device 3", "trouble": "uncorrectable ECC error"})"));
}

TEST(InfoOfDevices, WithoutAnyIsNoLine) {
  EXPECT_FALSE(says(info_text({}, false), "\ndevice "));
  EXPECT_TRUE(Parsed::parse(info_text({}, true))["devices"].empty());
}

}  // namespace
}  // namespace rankine::cases
