// The text of view.py, of which every results directory gets a copy.
#pragma once

#include <string_view>

namespace rankine::cases {

std::string_view view_script();

}  // namespace rankine::cases
