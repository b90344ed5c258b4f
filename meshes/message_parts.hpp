// Parts of messages about meshes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "rankine/meshes/checks/mesh_check.hpp"

namespace rankine::meshes {

/// "(0.1, 0.2, 0.3) m"
std::string at(const Vec3d& point);

/// "1 panel", "2 panels"
std::string counted(std::size_t count, const std::string& noun);

/// Three digits.
std::string show_number(double value);

/// "element 3", "elements 3, 7, 9", with "…" where there are more than it names.
std::string numbered(const std::string& noun, const Finding& finding);

/// `text` with '?' for every byte that is not a printable ASCII character. Messages of other
/// libraries quote the file, which may contain anything.
std::string printable(std::string text);

/// Bytes of the character that `text` begins with; 0 if it is empty or not UTF-8 (RFC 3629).
std::size_t utf8_bytes(std::string_view text);
/// `text` if it is UTF-8, otherwise its bytes read as Latin-1. For names of patches, which any
/// program may have written.
std::string as_utf8(const std::string& text);

}  // namespace rankine::meshes
