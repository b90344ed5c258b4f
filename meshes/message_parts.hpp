// Formats parts of messages about meshes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rankine/meshes/checks/mesh_check.hpp"

namespace rankine::meshes {

/// "(0.1, 0.2, 0.3) m"
std::string at(const Vec3d& point);

/// "1 panel", "2 panels"; `plural` if that is not the noun and "s"
std::string counted(std::size_t count, const std::string& noun, const std::string& plural = "");

/// The value with three digits.
std::string show_number(double value);

/// "element 3", "elements 3, 7, 9", with "…" if there are more.
std::string numbered(const std::string& noun, const Finding& finding);

/// `text` with '?' for every byte that is not printable ASCII. Messages of libraries may quote
/// arbitrary bytes of a file.
std::string printable(std::string text);

/// Length in bytes of the first character of `text`; 0 if empty or not UTF-8 (RFC 3629).
std::size_t utf8_bytes(std::string_view text);
/// `text` if it is UTF-8, else its bytes converted from Latin-1. For patch names, whose encoding is
/// unknown.
std::string as_utf8(const std::string& text);

}  // namespace rankine::meshes
