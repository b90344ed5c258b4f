// What a child process sends back through its pipe: what its work returned or threw.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace rankine::meshes {

enum class AnswerKind : std::uint64_t {
  result = 1,
  mesh_error,
  input_error,
  device_error,
  stopped,
  error,
  out_of_memory,
  other
};

/// What comes first; `size` bytes follow.
struct AnswerHeader {
  AnswerKind kind;
  std::uint64_t size;
};

/// In the child: sends the answer and ends it, by _exit alone, for handlers and destructors are its
/// parent's affair.
[[noreturn]] void send_answer(int descriptor, const std::function<std::vector<char>()>& work);

/// In the parent: an answer as it arrives, part by part.
class Answer {
 public:
  /// Where the next bytes go, at most so many; empty once all have come. The child is not trusted
  /// with how much memory is taken: room grows as bytes come.
  std::span<char> room();
  void add(std::size_t bytes);
  /// What the work returned; throws what it threw. Nothing where the answer is not whole.
  std::optional<std::vector<char>> open() &&;

 private:
  AnswerHeader header_{};
  std::size_t header_bytes_ = 0, bytes_ = 0;
  std::vector<char> text_;
};

}  // namespace rankine::meshes
