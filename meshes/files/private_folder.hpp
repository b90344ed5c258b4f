// A folder of this process alone, in which a library finds one file and nothing beside it.
#pragma once

#include <filesystem>

namespace rankine::meshes {

class PrivateFolder {
 public:
  /// In the folder for temporary files ($TMPDIR, or /tmp). Throws InputError where none can be
  /// made.
  PrivateFolder();
  /// Removes the folder and what is in it.
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// A symbolic link to `file` with a plain name, "mesh" and the extension in small letters.
  std::filesystem::path link_to(const std::filesystem::path& file) const;

 private:
  std::filesystem::path path_;
};

}  // namespace rankine::meshes
