// The program's memory: large arrays in huge pages. With ordinary pages of 4 KiB the first touch of
// an array costs more than most of set-up's arithmetic on it; a million panels have over a gigabyte
// of such arrays.
//
// These replace the global operators for the program alone;
// the libraries leave the choice to those who link them.
#include <sys/mman.h>

#include <cstdlib>
#include <new>

#include "cases/resources/out_of_memory.hpp"

namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;

void* allocate_large(std::size_t size) {
  const std::size_t rounded = (size + huge_page - 1) / huge_page * huge_page;
  void* pointer = std::aligned_alloc(huge_page, rounded);
  // Advice only: where the system gives no huge pages the memory is as good.
  if (pointer != nullptr) static_cast<void>(madvise(pointer, rounded, MADV_HUGEPAGE));
  return pointer;
}

}  // namespace

void* operator new(std::size_t size) {
  void* pointer = size >= huge_page ? allocate_large(size) : std::malloc(size == 0 ? 1 : size);
  if (pointer == nullptr) {
    rankine::cases::failed_request = size;
    throw std::bad_alloc();
  }
  return pointer;
}

void operator delete(void* pointer) noexcept { std::free(pointer); }
void operator delete(void* pointer, std::size_t) noexcept { std::free(pointer); }
