// toml++ as it is used here. It asserts what is not so for some wrong files ("[*mesh]"), which it
// then refuses all the same: a failed assertion must neither end the program nor, with NDEBUG, be
// taken for granted by the compiler.
#pragma once

#pragma push_macro("NDEBUG")
#undef NDEBUG
#include <cassert>

#define TOML_HEADER_ONLY 1
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#pragma pop_macro("NDEBUG")
#include <cassert>
