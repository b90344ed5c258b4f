// Results on standard output. A failure to write there is an error; a closed pipe, as head(1)
// leaves it, ends the program by SIGPIPE.
#pragma once

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

}  // namespace rankine::cases
