#include "cases/particles/tipsy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// The numbers of a binary file, in its byte order.
class FileBytes {
 public:
  explicit FileBytes(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) throw InputError(fmt::format("{}: no such file", path.string()));
    bytes_.assign(std::istreambuf_iterator<char>(stream), {});
  }

  std::size_t size() const { return bytes_.size(); }
  void swap() { swapped_ = true; }

  template <class T>
  T at(std::size_t place) const {
    std::array<char, sizeof(T)> value;
    std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(place), sizeof(T), value.begin());
    if (swapped_) std::reverse(value.begin(), value.end());
    T number;
    std::memcpy(&number, value.data(), sizeof(T));
    return number;
  }

 private:
  std::vector<char> bytes_;
  bool swapped_ = false;
};

constexpr std::size_t short_header = 28, long_header = 32, dimensions_at = 12;

struct Records {
  std::int64_t count;
  std::size_t bytes;  ///< of each record
};

}  // namespace

std::vector<Column> read_tipsy(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& what) {
    throw InputError(fmt::format("{}: {}", path.string(), what));
  };
  FileBytes file(path);
  if (file.size() < short_header) fail("is too short for the header of a .tipsy file");
  if (file.at<std::int32_t>(dimensions_at) != 3) file.swap();
  if (file.at<std::int32_t>(dimensions_at) != 3)
    fail("is no .tipsy file: its header has not three dimensions");
  const std::array kinds{Records{file.at<std::int32_t>(16), 48},
                         Records{file.at<std::int32_t>(20), 36},
                         Records{file.at<std::int32_t>(24), 44}};
  std::int64_t bodies = 0, bytes = 0;
  for (const Records& each : kinds) {
    if (each.count < 0) fail(fmt::format("its header counts {} bodies of a kind", each.count));
    bodies += each.count;
    bytes += each.count * static_cast<std::int64_t>(each.bytes);
  }
  const auto records = static_cast<std::size_t>(bytes);
  const std::size_t header = file.size() == short_header + records ? short_header : long_header;
  if (file.size() != header + records)
    fail(fmt::format(
        "has {} bytes where its header, of {} gas, {} dark and {} star particles, asks "
        "for {}; copy the file again",
        file.size(), kinds[0].count, kinds[1].count, kinds[2].count, long_header + records));
  std::vector<Column> columns;
  for (const char* name : {"mass", "x", "y", "z", "vx", "vy", "vz"})
    columns.push_back({name, std::vector<double>(static_cast<std::size_t>(bodies))});
  std::size_t at = header, body = 0;
  for (const Records& each : kinds) {
    for (std::int64_t k = 0; k < each.count; ++k, ++body, at += each.bytes) {
      for (std::size_t c = 0; c < columns.size(); ++c)
        columns[c].values[body] = file.at<float>(at + c * sizeof(float));
    }
  }
  return columns;
}

}  // namespace rankine::cases
