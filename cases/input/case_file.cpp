#include "cases/input/case_file.hpp"

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <sstream>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_bytes = 16'000'000;

}  // namespace

CaseFile::CaseFile(const fs::path& file) : fs::path(file) {
  std::error_code missing;
  const fs::file_status status = fs::status(file, missing);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) return;
  std::string text;
  std::ifstream stream(file, std::ios::binary);
  std::array<char, 65536> part;
  while (stream.read(part.data(), part.size()) || stream.gcount() > 0) {
    text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_bytes)
      throw InputError(
          fmt::format("{}: has more than {} bytes and is no case file", file.string(), most_bytes));
  }
  piped_ = std::make_shared<const std::string>(std::move(text));
}

std::string CaseFile::text() const {
  constexpr auto empty = "the case file is empty; it needs at least version = 1 and [mesh]";
  const auto fail = [&](const char* what) {
    throw InputError(fmt::format("{}: {}", string(), what));
  };
  std::ostringstream text;
  if (!piped_) {
    if (!fs::exists(*this)) fail("no such case file");
    std::ifstream stream(*this, std::ios::binary);
    if (!fs::is_regular_file(*this) || !stream) fail("the case file cannot be read");
    if (fs::file_size(*this) == 0) fail(empty);
    if (!(text << stream.rdbuf())) fail("the case file cannot be read");
  } else if (piped_->empty()) {
    fail(empty);
  }
  return piped_ ? *piped_ : text.str();
}

}  // namespace rankine::cases
