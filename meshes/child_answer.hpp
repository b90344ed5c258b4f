// What a child process sends back through its pipe: what its work returned or threw.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace rankine::meshes {

/// In the child: sends the answer and ends it, by _exit alone, for handlers and destructors are its
/// parent's affair.
[[noreturn]] void send_answer(int descriptor, const std::function<std::vector<char>()>& work);

/// In the parent: what the work returned; throws what it threw. Nothing where the bytes are not a
/// whole answer.
std::optional<std::vector<char>> open_answer(std::vector<char> bytes);

}  // namespace rankine::meshes
