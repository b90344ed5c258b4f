// The other side of child_program.hpp: what the main function of a child program does.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace rankine::meshes {

/// The file number of the pipe to the parent; the request is on standard input.
inline constexpr int answer_descriptor = 3;

/// What a message to the parent holds. Any number of `progress` comes before one of the others.
enum class MessageKind : std::uint64_t {
  result = 1,
  progress,
  mesh_error,
  input_error,
  error,
  out_of_memory,
  other
};

/// Comes first; `size` bytes follow.
struct MessageHeader {
  MessageKind kind;
  std::uint64_t size;
};

/// Bytes for the parent's OnProgress.
using SendProgress = std::function<void(std::span<const char>)>;

/// Takes the arguments that run_child gives to a child, reads the request, sets the limits, sends
/// what `work` returns or throws, and ends the process by _exit, without destructors: a library
/// that a file has damaged may crash in them. The process ends with its parent. Started by hand, it
/// says what it is for.
[[noreturn]] void serve_parent(int argc, char** argv,
                               const std::function<std::vector<char>(std::span<const char> request,
                                                                     const SendProgress&)>& work);

}  // namespace rankine::meshes
