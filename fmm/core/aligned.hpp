// Vectors that begin on a cache line, so that one SIMD load touches one line, and whose resize()
// leaves new elements unset.
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <vector>

namespace rankine {

template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::align_val_t alignment{64};

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), alignment)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, alignment); }

  /// Leaves new elements unset, whatever their own initialisers say, so that pages are first
  /// touched by the threads that fill them.
  template <class U>
  void construct(U*) noexcept {
    static_assert(std::is_trivially_copyable_v<U>, "elements begin to exist with their memory");
  }
  template <class U, class... Args>
  void construct(U* p, Args&&... args) {
    ::new (static_cast<void*>(p)) U(static_cast<Args&&>(args)...);
  }

  friend bool operator==(const CacheLineAllocator&, const CacheLineAllocator&) { return true; }
};

template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace rankine
