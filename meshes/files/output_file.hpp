// A file that appears whole or not at all:
// written under another name beside its place, then renamed.
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>

namespace rankine::meshes {

/// Calls write(stream) and puts what it wrote at `path`. The stream never fails; where the file
/// system refused a byte of it, InputError is thrown afterwards and `path` is as it was.
void write_file(const std::filesystem::path& path,
                const std::function<void(std::ostream& stream)>& write);

/// The same for libraries that want a name: calls write(temporary) with a name in the same folder
/// and with the same extension. Throws InputError where the folder or the file cannot be written, or
/// where the disk is full afterwards; leaves no temporary file behind when `write` throws, and
/// removes those of programs that were killed while they wrote this file.
void write_then_rename(const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path& temporary)>& write);

}  // namespace rankine::meshes
