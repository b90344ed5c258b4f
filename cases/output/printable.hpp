// Text from files and arguments as it can be printed: valid UTF-8 without control characters, so
// that no file can send commands to a terminal or make an output that is no JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rankine::cases {

/// Longest message of the log, bytes.
inline constexpr std::size_t most_message = 1900;

/// `text` with control characters, except newlines and tabs, and bytes that are not UTF-8 written
/// as \xNN.
std::string printable(std::string_view text);

/// The same, shortened in its middle to at most `most_message` bytes.
std::string short_printable(std::string_view text);

}  // namespace rankine::cases
