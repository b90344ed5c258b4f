// Writes a file that appears whole or not at all: it is written under another name beside its
// place, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

namespace rankine::meshes {

/// Calls write(stream) and puts what it wrote at `path`. The stream never fails. Throws InputError
/// where the file system refused a byte, the folder is missing or nothing was written; then `path`
/// is as it was. The temporary file is new, under a name that nobody can foresee, so that in a
/// shared folder nobody can put a link or a pipe in its way. None is left behind when `write`
/// throws; those of programs that were killed while they wrote this file are removed.
void write_file(const std::filesystem::path& path,
                const std::function<void(std::ostream& stream)>& write);

}  // namespace rankine::meshes
