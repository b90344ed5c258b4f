// The start of case files.
#pragma once

#include <string>

namespace rankine::testing {

inline const std::string sphere_case = "version = 1\n[mesh]\nshape = \"sphere\"\npanels = 320\n";

}  // namespace rankine::testing
