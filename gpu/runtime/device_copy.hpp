// The device copy of a host array, for kernels. Arrays with a mirror (fmm/core/mirrored.hpp) share
// one copy as long as it is kept; for other arrays each object uploads a separate copy.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/mirrored.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

struct DeviceBytes final : ArrayCopy {
  DeviceBytes(std::size_t size, const Stream& of) : stream(of.shared()), buffer(size, of) {}

  // These require a shared stream.
  void download(std::span<std::byte> host) const override;
  void gather(std::span<const std::int64_t> numbers, std::size_t size,
              std::byte* host) const override;

  std::shared_ptr<const Stream> stream;  ///< null if the stream is not shared
  DeviceBuffer<std::byte> buffer;
};

/// An array with this copy, which the host downloads when it needs the elements.
template <class T>
FetchedVector<T> fetched(std::shared_ptr<const DeviceBytes> bytes, const Stream& stream) {
  if (bytes == nullptr) return {};
  const std::size_t size = bytes->buffer.size() / sizeof(T);
  if (bytes->stream != nullptr) return {size, std::move(bytes)};
  AlignedVector<T> host;
  resize_touched(host, size);
  if (size > 0) download_bytes(host.data(), bytes->buffer.data(), bytes->buffer.size(), stream);
  stream.synchronize();
  return host;
}

template <class T>
class DeviceCopy {
 public:
  DeviceCopy() = default;
  DeviceCopy(MirroredSpan<T> host, const Stream& stream) {
    const Mirror* const mirror = host.mirror();
    if (mirror != nullptr) bytes_ = std::dynamic_pointer_cast<const DeviceBytes>(mirror->copy());
    if (bytes_ != nullptr && bytes_->stream.get() == &stream) return;
    const auto made = std::make_shared<DeviceBytes>(host.size_bytes(), stream);
    made->buffer.upload(std::as_bytes(std::span<const T>(host)), stream);
    if (mirror != nullptr && mirror->is_held() && bytes_ == nullptr && made->stream != nullptr)
      mirror->keep(made);
    bytes_ = made;
  }

  const T* data() const {
    return bytes_ ? reinterpret_cast<const T*>(bytes_->buffer.data()) : nullptr;
  }
  std::size_t size() const { return bytes_ ? bytes_->buffer.size() / sizeof(T) : 0; }
  std::span<const T> span() const { return {data(), size()}; }
  /// An array that shares this copy.
  FetchedVector<T> given(const Stream& stream) const { return fetched<T>(bytes_, stream); }

 private:
  std::shared_ptr<const DeviceBytes> bytes_;
};

/// A device array that becomes the device copy of a host array.
template <class T>
class Twin {
 public:
  Twin(std::size_t size, const Stream& stream)
      : bytes_(std::make_shared<DeviceBytes>(size * sizeof(T), stream)) {}

  T* data() { return reinterpret_cast<T*>(bytes_->buffer.data()); }
  std::span<T> span() { return {data(), size()}; }
  std::size_t size() const { return bytes_->buffer.size() / sizeof(T); }

  /// The host downloads the elements when it needs them.
  FetchedVector<T> given(const Stream& stream) const { return fetched<T>(bytes_, stream); }

 private:
  std::shared_ptr<DeviceBytes> bytes_;
};

}  // namespace rankine::gpu
