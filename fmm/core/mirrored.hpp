// Host arrays that own their copy on a device. All operators that read the array on the device
// share this copy.
//
// While an array is held (MirrorHold), the first read on the device makes a copy; the end of the
// last hold frees it. Code that fills an array on the device may keep that copy. The elements of an
// array must not change while it has a copy. Like a backend, a mirror may be used by one thread at
// a time.
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/memory_space.hpp"

namespace rankine {

/// Base class of a copy of an array in device memory.
class ArrayCopy {
 public:
  virtual ~ArrayCopy() = default;
};

/// The device copy of an array. It moves with the array, and is not copied with it.
class Mirror {
 public:
  Mirror() = default;
  Mirror(const Mirror&) noexcept {}
  Mirror(Mirror&& other) noexcept : copy_(std::move(other.copy_)) {}
  Mirror& operator=(Mirror other) noexcept {
    copy_ = std::move(other.copy_);
    return *this;
  }

  const std::shared_ptr<const ArrayCopy>& copy() const { return copy_; }
  void keep(std::shared_ptr<const ArrayCopy> copy) const { copy_ = std::move(copy); }

  bool is_held() const { return holds_ > 0; }
  void hold() const { ++holds_; }
  void release() const {
    if (--holds_ == 0) drop();
  }
  void drop() const { copy_.reset(); }

 private:
  mutable std::shared_ptr<const ArrayCopy> copy_;
  mutable int holds_ = 0;
};

/// An array with a mirror. Assigning another array frees the device copy.
template <class T>
class MirroredVector : public AlignedVector<T> {
 public:
  using AlignedVector<T>::AlignedVector;
  MirroredVector() = default;
  MirroredVector(AlignedVector<T> values) : AlignedVector<T>(std::move(values)) {}

  const Mirror& mirror() const { return mirror_; }

 private:
  Mirror mirror_;
};

/// A view of an array, and its mirror if it has one.
template <class T>
class MirroredSpan : public std::span<const T> {
 public:
  MirroredSpan() = default;
  MirroredSpan(const MirroredVector<T>& array)
      : std::span<const T>(array), mirror_(&array.mirror()) {}
  template <class Array>
  requires(std::convertible_to<const Array&, std::span<const T>> &&
           !std::derived_from<Array, MirroredVector<T>>) MirroredSpan(const Array& array)
      : std::span<const T>(array) {}

  const Mirror* mirror() const { return mirror_; }

 private:
  const Mirror* mirror_ = nullptr;
};

/// Holds arrays during its lifetime. During this time they must not move or change.
class MirrorHold {
 public:
  /// Null mirrors are ignored. If `where` is the host, nothing is held.
  MirrorHold(MemorySpace where, std::vector<const Mirror*> mirrors) {
    if (where == MemorySpace::host) return;
    std::erase(mirrors, nullptr);
    mirrors_ = std::move(mirrors);
    for (const Mirror* each : mirrors_) each->hold();
  }
  ~MirrorHold() { release(); }
  MirrorHold(const MirrorHold&) = delete;
  MirrorHold& operator=(const MirrorHold&) = delete;

  void release() {
    for (const Mirror* each : mirrors_) each->release();
    mirrors_.clear();
  }
  /// Frees the copies, even if others hold them.
  void drop() {
    for (const Mirror* each : mirrors_) each->drop();
    release();
  }

 private:
  std::vector<const Mirror*> mirrors_;
};

}  // namespace rankine
