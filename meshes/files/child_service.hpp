// The child side of child_program.hpp: the body of the main function of a child program.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace rankine::meshes {

/// File descriptor of the pipe to the parent; the request is on standard input.
inline constexpr int answer_descriptor = 3;

/// Kinds of messages to the parent: any number of `progress`, then one of another kind.
enum class MessageKind : std::uint64_t {
  result = 1,
  progress,
  mesh_error,
  input_error,
  error,
  out_of_memory,
  other
};

/// Begins a message; `size` bytes follow.
struct MessageHeader {
  MessageKind kind;
  std::uint64_t size;
};

/// Sends bytes to the OnProgress of the parent.
using SendProgress = std::function<void(std::span<const char>)>;

/// Takes the arguments passed by run_child, reads the request, sets the limits, sends the result or
/// exception of `work`, and ends the process by _exit without destructors, in which a library may
/// crash after reading a damaged file. The process ends with its parent. Started by a user, it
/// prints its purpose.
[[noreturn]] void serve_parent(int argc, char** argv,
                               const std::function<std::vector<char>(std::span<const char> request,
                                                                     const SendProgress&)>& work);

}  // namespace rankine::meshes
