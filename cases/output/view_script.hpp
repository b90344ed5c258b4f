// view.py, carried inside the program so that every results directory gets a copy.
#pragma once

#include <string_view>

namespace rankine::cases {

std::string_view view_script();

}  // namespace rankine::cases
