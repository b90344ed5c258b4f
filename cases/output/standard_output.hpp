// Results on standard output. A failed write is an error; a closed pipe, as after head(1), ends the
// program by SIGPIPE.
#pragma once

#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace rankine::cases {

/// Writes the printable() form of `text` at once. Throws InputError if it cannot be written.
void print(std::string_view text);

/// Opens /dev/null in place of closed standard streams, so that no file gets their descriptors.
/// Turns the signals for a closed pipe and for the file size limit into write errors. Must be
/// called first.
void prepare_standard_streams();

/// Throws DeviceError if the limit on open files is too low for the mesh-reading libraries.
void require_open_files();

// Reads files of an earlier run from a results directory. Other users may be able to write there:
// links, pipes, devices and files of other users are not opened.

/// At most the first `most` bytes of `file`. Empty unless it is a regular file of this user.
std::optional<std::string> read_own_file(
    const std::filesystem::path& file, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace rankine::cases
