// A lock on a folder, which ends with the object and with the process, however that ends.
#pragma once

#include <filesystem>

namespace rankine::cases {

class FolderLock {
 public:
  enum class State {
    held,
    busy,  ///< another process holds it
    gone   ///< there is no such folder
  };
  /// Tries for about half a second. Some file systems have no locks: there it is always held.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  State state() const { return state_; }

 private:
  int descriptor_;
  State state_ = State::held;
};

}  // namespace rankine::cases
