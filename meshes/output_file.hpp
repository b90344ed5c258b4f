// A file that appears whole or not at all:
// written under another name beside its place, then renamed.
#pragma once

#include <filesystem>
#include <functional>

namespace rankine::meshes {

/// Calls write(temporary) with a name in the same folder and with the same extension. Throws
/// InputError where the folder or the file cannot be written, and leaves no temporary file behind
/// when `write` throws.
void write_then_rename(const std::filesystem::path& path,
                       const std::function<void(const std::filesystem::path& temporary)>& write);

}  // namespace rankine::meshes
