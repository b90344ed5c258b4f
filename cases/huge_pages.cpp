// The allocator of the program: large arrays use huge pages and return to the heap when freed,
// never to the system. With 4 KiB pages the first access to an array costs more than most of the
// set-up arithmetic on it; so does clearing huge pages that the system has taken back. A million
// panels need over a gigabyte of such arrays.
//
// The global operators new and delete are replaced in the program only; the libraries leave them to
// their users.
#include <malloc.h>
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "cases/resources/machine.hpp"

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

/// Sets up one heap for arrays of any size that grows by at least 64 MiB and never shrinks. The
/// result is 1; without these settings the memory works as well.
int keep_freed_memory() {
  return mallopt(M_MMAP_MAX, 0) & mallopt(M_TRIM_THRESHOLD, -1) & mallopt(M_TOP_PAD, 64 << 20);
}

void* allocate_large(std::size_t size) {
  [[maybe_unused]] static const int kept = keep_freed_memory();
  const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
  void* pointer = std::aligned_alloc(huge_page, rounded);
  // Only a hint to the system as well.
  if (pointer != nullptr) static_cast<void>(madvise(pointer, rounded, MADV_HUGEPAGE));
  return pointer;
}

void* checked(void* pointer, std::size_t size) {
  if (pointer == nullptr) {
    rankine::cases::failed_request = size;
    throw std::bad_alloc();
  }
  return pointer;
}

}  // namespace

void* operator new(std::size_t size) {
  return checked(size >= huge_page ? allocate_large(size) : std::malloc(size == 0 ? 1 : size),
                 size);
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto boundary = static_cast<std::size_t>(alignment);
  if (size >= huge_page && boundary <= huge_page) return checked(allocate_large(size), size);
  const std::size_t rounded = (size + boundary - 1) / boundary * boundary;
  return checked(std::aligned_alloc(boundary, rounded), size);
}

void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::align_val_t) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t, std::align_val_t) noexcept { std::free(pointer); }
