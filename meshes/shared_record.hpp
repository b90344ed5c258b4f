// One object that a process and the children it forks share.
#pragma once

#include <sys/mman.h>

#include <cerrno>
#include <new>
#include <system_error>
#include <type_traits>

namespace rankine::meshes {

/// `T` must hold atomics alone: what one process writes the others read at any time.
template <class T>
class SharedRecord {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  SharedRecord()
      : memory_(
            ::mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap");
    reset();
  }
  ~SharedRecord() { ::munmap(memory_, sizeof(T)); }
  SharedRecord(const SharedRecord&) = delete;
  SharedRecord& operator=(const SharedRecord&) = delete;

  /// As it was made.
  T& reset() const { return *::new (memory_) T{}; }
  T& operator*() const { return *static_cast<T*>(memory_); }

 private:
  void* memory_;
};

}  // namespace rankine::meshes
