// Results on standard output. A failure to write there is an error; a closed pipe, as head(1)
// leaves it, ends the program by SIGPIPE.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace rankine::cases {

/// Writes all of `text` at once, made `printable`. Throws InputError if it cannot be written.
void print(std::string_view text);

/// Opens /dev/null as standard input, output and error where these are closed, so that no file of
/// the program gets their numbers. Makes writing to a closed pipe, or beyond the limit of file
/// size, an error instead of a signal. Must be called first.
void prepare_standard_streams();

/// Throws DeviceError if the limit of open files is too low for the libraries that read meshes.
void require_open_files();

// Reads files that an earlier run left in a results directory. Other users may write into that
// directory, too: links, pipes, devices and files of other users are not opened.

/// The first bytes of `file`, at most `most`. Empty unless it is a regular file of this user.
std::optional<std::string> read_own_file(
    const std::filesystem::path& file, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace rankine::cases
