// Host arrays that own their copy on a device. All operators that read the array on the device
// share this copy.
//
// While an array is held (MirrorHold), the first read on the device makes a copy; the end of the
// last hold frees it. Code that fills an array on the device may keep that copy. The elements of an
// array must not change while it has a copy. Like a backend, a mirror may be used by one thread at
// a time.
#pragma once

#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine {

/// Base class of a copy of an array in device memory.
class ArrayCopy {
 public:
  virtual ~ArrayCopy() = default;
  /// Copies all elements to `host`.
  virtual void download(std::span<std::byte> host) const = 0;
  /// Copies the elements of `size` bytes with these numbers to `host`, in this order.
  virtual void gather(std::span<const std::int64_t> numbers, std::size_t size,
                      std::byte* host) const = 0;
};

/// The device copy of an array. It moves with the array, and is not copied with it.
class Mirror {
 public:
  Mirror() = default;
  Mirror(const Mirror&) noexcept {}
  Mirror(Mirror&& other) noexcept
      : copy_(std::move(other.copy_)), is_only_(other.is_only_.exchange(false)) {}
  Mirror& operator=(Mirror other) noexcept {
    copy_ = std::move(other.copy_);
    is_only_ = other.is_only_.load();
    return *this;
  }

  const std::shared_ptr<const ArrayCopy>& copy() const { return copy_; }
  void keep(std::shared_ptr<const ArrayCopy> copy) const { copy_ = std::move(copy); }

  /// Whether only the copy on the device has the elements of the array. The copy is then kept.
  bool is_only() const { return is_only_.load(std::memory_order_acquire); }
  void set_only(bool is_only) const { is_only_.store(is_only, std::memory_order_release); }

  bool is_held() const { return holds_ > 0; }
  void hold() const { ++holds_; }
  void release() const {
    if (--holds_ == 0) drop();
  }
  void drop() const {
    if (!is_only_) copy_.reset();
  }

 private:
  mutable std::shared_ptr<const ArrayCopy> copy_;
  mutable int holds_ = 0;
  mutable std::atomic<bool> is_only_{false};
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

/// An array that a device may have made. The first thread that reads an element fetches all of them
/// to the host.
template <class T>
class FetchedVector {
 public:
  FetchedVector() = default;
  FetchedVector(AlignedVector<T> values) : host_(std::move(values)) {}
  /// `size` elements that only `copy` has.
  FetchedVector(std::size_t size, std::shared_ptr<const ArrayCopy> copy) : size_(size) {
    mirror_.keep(std::move(copy));
    mirror_.set_only(true);
  }
  FetchedVector(const FetchedVector& other) : host_(other.on_host()) {}
  FetchedVector(FetchedVector&&) noexcept = default;
  FetchedVector& operator=(FetchedVector other) noexcept {
    host_ = std::move(other.host_);
    size_ = other.size_;
    mirror_ = std::move(other.mirror_);
    return *this;
  }

  std::size_t size() const { return mirror_.is_only() ? size_ : host_.size(); }
  const Mirror& mirror() const { return mirror_; }

  const AlignedVector<T>& on_host() const {
    if (mirror_.is_only()) fetch();
    return host_;
  }
  const T& operator[](std::size_t i) const { return on_host()[i]; }
  const T* data() const { return on_host().data(); }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  const T& front() const { return on_host().front(); }
  const T& back() const { return on_host().back(); }
  bool empty() const { return size() == 0; }
  friend bool operator==(const FetchedVector& a, const FetchedVector& b) {
    return a.on_host() == b.on_host();
  }
  /// The array, to be changed on the host.
  AlignedVector<T>& changed() {
    on_host();
    mirror_.keep(nullptr);
    return host_;
  }
  /// The elements with these numbers, without the others.
  AlignedVector<T> gathered(std::span<const std::int64_t> numbers) const {
    AlignedVector<T> values(numbers.size());
    if (mirror_.is_only()) {
      mirror_.copy()->gather(numbers, sizeof(T), reinterpret_cast<std::byte*>(values.data()));
    } else {
      for (std::size_t k = 0; k < numbers.size(); ++k)
        values[k] = host_[static_cast<std::size_t>(numbers[k])];
    }
    return values;
  }

 private:
  void fetch() const {
    static std::mutex one_at_a_time;
    const std::lock_guard lock(one_at_a_time);
    if (!mirror_.is_only()) return;
    outside_loops([this] {
      resize_touched(host_, size_);
      mirror_.copy()->download(std::as_writable_bytes(std::span(host_)));
    });
    mirror_.set_only(false);
  }

  mutable AlignedVector<T> host_;
  std::size_t size_ = 0;  ///< while only the copy has the elements
  Mirror mirror_;
};

/// A view of an array, and its mirror if it has one.
template <class T>
class MirroredSpan {
 public:
  MirroredSpan() = default;
  MirroredSpan(const MirroredVector<T>& array) : host_(array), mirror_(&array.mirror()) {}
  MirroredSpan(const FetchedVector<T>& array) : mirror_(&array.mirror()), fetched_(&array) {}
  template <class Array>
  requires(std::convertible_to<const Array&, std::span<const T>> &&
           !std::derived_from<Array, MirroredVector<T>> && !std::same_as<Array, MirroredSpan>)
      MirroredSpan(const Array& array)
      : host_(array) {}

  const Mirror* mirror() const { return mirror_; }
  std::size_t size() const { return fetched_ ? fetched_->size() : host_.size(); }
  std::size_t size_bytes() const { return size() * sizeof(T); }
  bool empty() const { return size() == 0; }
  /// Whether both view the same elements. Fetches none.
  bool is_same(const MirroredSpan& other) const {
    return fetched_ == other.fetched_ && host_.data() == other.host_.data() &&
           size() == other.size();
  }

  // On the host, where they are fetched if necessary.
  std::span<const T> on_host() const {
    return fetched_ ? std::span<const T>(fetched_->on_host()) : host_;
  }
  const T* data() const { return on_host().data(); }
  const T& operator[](std::size_t i) const { return data()[i]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size(); }
  /// The elements with these numbers, without fetching the others.
  AlignedVector<T> gathered(std::span<const std::int64_t> numbers) const {
    if (fetched_) return fetched_->gathered(numbers);
    AlignedVector<T> values;
    for (const std::int64_t number : numbers)
      values.push_back(host_[static_cast<std::size_t>(number)]);
    return values;
  }

 private:
  std::span<const T> host_;
  const Mirror* mirror_ = nullptr;
  const FetchedVector<T>* fetched_ = nullptr;
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
