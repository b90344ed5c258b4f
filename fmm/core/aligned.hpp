// Vectors that begin on a cache line, so that a SIMD load reads a single line, and whose resize()
// does not initialise new elements.
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

  /// Does not initialise new elements, even if their type has initialisers, so that the threads
  /// that fill them touch their pages first.
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
