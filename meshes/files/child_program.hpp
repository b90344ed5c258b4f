// Runs another program that may crash on its input, and receives its answer through a pipe. Its
// result is returned here, its exceptions are thrown here, and a crash becomes an exception.
// child_service.hpp is the other side. The program is started by posix_spawn instead of fork, which
// is safe with threads and devices in this process.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace rankine::meshes {

/// Resource limits of a child; 0: the limits of this process.
struct ChildLimits {
  std::size_t memory = 0;   ///< address space in addition to that at its start, bytes
  std::size_t seconds = 0;  ///< processor time, s
};

/// The child ended without an answer. The text says how, for example "crashed (segmentation
/// fault)".
struct ChildDied : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The child exceeded its limit of processor time.
struct ChildTimedOut : ChildDied {
  using ChildDied::ChildDied;
};

/// Called with the last progress message of the child, on arrival and about fifty times a second
/// until the answer comes. Empty before the first message.
using OnProgress = std::function<void(std::span<const char> progress)>;

/// Starts `program` without standard output, standard error and open files of this process, and
/// returns its answer to `request`. Throws the exceptions of the child's work (MeshError,
/// InputError, Error, std::bad_alloc; others as std::runtime_error); std::bad_alloc if the system
/// killed the child to free memory; Stopped if the surrounding Execution requests a stop or the
/// child was interrupted; std::system_error if no process can be started; else ChildDied. The child
/// has always ended on return.
std::vector<char> run_child(const std::filesystem::path& program, std::span<const char> request,
                            const ChildLimits& limits = {}, const OnProgress& on_progress = {});

}  // namespace rankine::meshes
