// Device memory as an owned array. It is allocated and freed in stream order, from the pool of the
// stream's context. It can be moved but not copied implicitly: every transfer names its stream.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Untyped memory operations in stream order. Throw DeviceError.
void* allocate_bytes(std::size_t bytes, const Stream& stream);
void free_bytes(void* pointer, CUstream_st* stream) noexcept;
/// `host` may be reused on return.
void upload_bytes(void* device, const void* host, std::size_t bytes, const Stream& stream);
void download_bytes(void* host, const void* device, std::size_t bytes, const Stream& stream);
void copy_bytes(void* to, const void* from, std::size_t bytes, const Stream& stream);
void zero_bytes(void* device, std::size_t bytes, const Stream& stream);

/// `size` elements of T on the device. The stream given at construction must outlive the buffer.
template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  DeviceBuffer(std::size_t size, const Stream& stream)
      : data_(size == 0 ? nullptr : static_cast<T*>(allocate_bytes(size * sizeof(T), stream))),
        size_(size),
        stream_(stream.handle()) {}
  DeviceBuffer(std::span<const T> host, const Stream& stream) : DeviceBuffer(host.size(), stream) {
    upload(host, stream);
  }
  DeviceBuffer(const std::vector<T>& host, const Stream& stream)
      : DeviceBuffer(std::span<const T>(host.data(), host.size()), stream) {}

  DeviceBuffer(DeviceBuffer&& other) noexcept { swap(other); }
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    DeviceBuffer taken(std::move(other));
    swap(taken);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() {
    if (data_ != nullptr) free_bytes(data_, stream_);
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::span<T> span() { return {data_, size_}; }
  std::span<const T> span() const { return {data_, size_}; }
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return size_ * sizeof(T); }

  void upload(std::span<const T> host, const Stream& stream) {
    if (!host.empty()) upload_bytes(data_, host.data(), host.size_bytes(), stream);
  }
  /// Waits for the stream, because the host reads the values next.
  std::vector<T> download(const Stream& stream) const {
    std::vector<T> host(size_);
    if (size_ > 0) download_bytes(host.data(), data_, bytes(), stream);
    stream.synchronize();
    return host;
  }
  /// The same for a large array, whose memory all threads touch first.
  AlignedVector<T> fetch(const Stream& stream) const {
    AlignedVector<T> host;
    resize_touched(host, size_);
    if (size_ > 0) download_bytes(host.data(), data_, bytes(), stream);
    stream.synchronize();
    return host;
  }
  void zero(const Stream& stream) {
    if (size_ > 0) zero_bytes(data_, bytes(), stream);
  }

 private:
  void swap(DeviceBuffer& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(stream_, other.stream_);
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  CUstream_st* stream_ = nullptr;
};

/// A copy of an array on the device.
template <class T>
DeviceBuffer<T> copied(std::span<const T> device, const Stream& stream) {
  DeviceBuffer<T> copy(device.size(), stream);
  if (!device.empty()) copy_bytes(copy.data(), device.data(), device.size_bytes(), stream);
  return copy;
}

}  // namespace rankine::gpu
