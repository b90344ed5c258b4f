#include "rankine/meshes/message_parts.hpp"
#include "rankine/fmm/core/text.hpp"

#include <cstdio>

namespace rankine::meshes {

std::string at(const Vec3d& point) { return text_of(point, " m"); }

std::string counted(std::size_t count, const std::string& noun, const std::string& plural) {
  return std::to_string(count) + " " + (count == 1 ? noun : plural.empty() ? noun + "s" : plural);
}

std::string show_number(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3g", value);
  return text;
}

std::string numbered(const std::string& noun, const Finding& finding) {
  std::string text = noun + (finding.first.size() == 1 ? " " : "s ");
  for (std::size_t k = 0; k < finding.first.size(); ++k) {
    text += (k == 0 ? "" : ", ") + std::to_string(finding.first[k]);
  }
  return finding.count > finding.first.size() ? text + ", …" : text;
}

std::string printable(std::string text) {
  for (char& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

std::size_t utf8_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  if (text.empty()) return 0;
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return 0;
  }
  // Excludes overlong forms, surrogates, and codes beyond the last character.
  const unsigned char second = byte(1);
  const bool refused = (first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F) ||
                       (first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F);
  return refused ? 0 : length;
}

std::string as_utf8(const std::string& text) {
  std::string_view rest = text;
  while (const std::size_t bytes = utf8_bytes(rest)) rest.remove_prefix(bytes);
  if (rest.empty()) return text;
  std::string converted;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      converted += c;
    } else {
      converted += static_cast<char>(0xC0U | (byte >> 6U));
      converted += static_cast<char>(0x80U | (byte & 0x3FU));
    }
  }
  return converted;
}

}  // namespace rankine::meshes
