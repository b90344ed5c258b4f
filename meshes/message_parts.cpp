#include "rankine/meshes/message_parts.hpp"

#include <cstdio>

namespace rankine::meshes {

std::string at(const Vec3d& point) {
  char text[96];
  std::snprintf(text, sizeof(text), "(%.6g, %.6g, %.6g) m", point.x, point.y, point.z);
  return text;
}

std::string counted(std::size_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
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

}  // namespace rankine::meshes
