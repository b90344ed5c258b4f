// Results on standard output. What cannot be written there is an error; a reader that has gone, as
// head(1) goes, ends the program as it ends others.
#pragma once

#include <string_view>

namespace rankine::cases {

/// Writes all of `text`, at once. Throws InputError where it cannot be written.
void print(std::string_view text);

/// Opens something in the place of standard input, output and error where they are closed, lest a
/// file of ours take their numbers; what is written there fails as before. Lets writing into a closed pipe or past a limit on the size of
/// files be an error and no signal. To be called first.
void prepare_standard_streams();

}  // namespace rankine::cases
