// Takes from a process what a program that only reads files has no use for, so that a file which
// misuses the library that reads it cannot use it either.
#pragma once

namespace rankine::meshes {

enum class Files { read_only, writable };

/// From here on no thread of this process starts a process, runs a program, opens a socket, signals
/// or traces a process, or gains rights; with `read_only` none makes, opens for writing, renames,
/// removes or changes a file. These calls fail with EPERM. False where the system has no such
/// filter (seccomp) for this processor: then nothing is taken.
bool confine(Files files);

}  // namespace rankine::meshes
