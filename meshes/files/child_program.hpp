// Runs another program that may crash on what it is given, and takes its answer from a pipe: what
// it returns is returned here, what it throws is thrown here, and its death becomes an exception.
// child_service.hpp is the other side. The program is started by posix_spawn, never by fork, so
// that threads and devices of this process do not matter.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace rankine::meshes {

/// What a child may use at most; 0 leaves the limits of this process.
struct ChildLimits {
  std::size_t memory = 0;   ///< address space beyond what it has when it starts, bytes
  std::size_t seconds = 0;  ///< processor time, s
};

/// The child ended without an answer; the text says how: "crashed (segmentation fault)".
struct ChildDied : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The child was ended because it had used up its processor time.
struct ChildTimedOut : ChildDied {
  using ChildDied::ChildDied;
};

/// Called with the last progress that the child sent: when it comes, and about fifty times a second
/// while the answer is awaited. Empty as long as none has come.
using OnProgress = std::function<void(std::span<const char> progress)>;

/// Starts `program` with no standard output, no standard error and no open file of this process,
/// and returns its answer to `request`. Throws what the child's work throws (MeshError, InputError,
/// Error, std::bad_alloc; others as std::runtime_error); std::bad_alloc where the system ended the
/// child for its memory; Stopped if the surrounding Execution requests a stop or the child was
/// interrupted; std::system_error where no process can be started; else ChildDied. No
/// child is left behind.
std::vector<char> run_child(const std::filesystem::path& program, std::span<const char> request,
                            const ChildLimits& limits = {}, const OnProgress& on_progress = {});

}  // namespace rankine::meshes
