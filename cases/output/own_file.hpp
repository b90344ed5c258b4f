// Reads files that an earlier run left in a results directory. Other users may write into that
// directory, too: links, pipes, devices and files of other users are not opened.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>

namespace rankine::cases {

/// The first bytes of `file`, at most `most`. Empty unless it is a regular file of this user.
std::optional<std::string> read_own_file(
    const std::filesystem::path& file, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace rankine::cases
