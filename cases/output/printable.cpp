#include "cases/output/printable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rankine/meshes/message_parts.hpp"

namespace rankine::cases {
namespace {

/// Length in bytes of the first character of `text`; 0 if it is not printable.
std::size_t printable_bytes(std::string_view text) {
  const std::size_t length = meshes::utf8_bytes(text);
  const auto first = static_cast<unsigned char>(text.front());
  const bool control = (first < ' ' && first != '\n' && first != '\t') || first == 0x7F ||
                       (first == 0xC2 && length == 2 && static_cast<unsigned char>(text[1]) < 0xA0);
  return control ? 0 : length;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U; }

}  // namespace

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = printable_bytes(text);
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      result += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

std::string short_printable(std::string_view text, std::size_t most) {
  const std::size_t kept_end = most / 4, kept_begin = most - kept_end - 50;
  const std::string whole = printable(text);
  if (whole.size() <= most) return whole;
  std::size_t begin = kept_begin, end = whole.size() - kept_end;
  while (is_continuation(whole[begin])) --begin;
  while (is_continuation(whole[end])) ++end;
  return fmt::format("{} [... {} bytes left out ...] {}", whole.substr(0, begin), end - begin,
                     whole.substr(end));
}

}  // namespace rankine::cases
