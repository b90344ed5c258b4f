// What is fuzzed: a target takes any bytes and says what is wrong with how the product took them.
// Right is a result that keeps its promises, or an error meant for the user.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>

namespace rankine::testing {

/// Empty where all is well. What ends the process (a crash, a sanitizer) needs no words.
using FuzzTarget = std::function<std::string(std::span<const char>)>;

/// By name: the extension of each mesh format; "arrays", what a library hands to us, and "answer",
/// what a child process sends, both in this process; "case", the case file; "bodies", "vortices"
/// and "bodies_vtp", files of particles; "checkpoint", of a run of particles.
const std::map<std::string, FuzzTarget>& fuzz_targets();

}  // namespace rankine::testing
