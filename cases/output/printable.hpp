// Makes text from files and arguments printable: valid UTF-8 without control characters, so that no
// file can send commands to a terminal or invalidate JSON output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rankine::cases {

/// Maximum length of a log message, bytes.
inline constexpr std::size_t most_message = 1900;

/// `text` with invalid UTF-8 bytes and control characters except newlines and tabs written as \xNN.
std::string printable(std::string_view text);

/// The same, shortened in the middle to at most `most` bytes (100 or more).
std::string short_printable(std::string_view text, std::size_t most = most_message);

}  // namespace rankine::cases
