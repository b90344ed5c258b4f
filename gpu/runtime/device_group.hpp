// Several processes that compute with a device each, and the arrays that they send each other:
// directly from device to device by NCCL, or through host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "rankine/fmm/distributed/communicator.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// True if every process has a device that no other one uses. Collective.
bool has_own_devices(Communicator& processes);

class DeviceGroup {
 public:
  /// Of the device that the calling thread uses. `processes` must outlive the group. Collective.
  /// Devices exchange directly if every process has a device of its own and finds libnccl.so.2
  /// (RANKINE_NCCL names another file), version 2.7 or later. Throws DeviceError if the library is
  /// there and fails.
  explicit DeviceGroup(Communicator& processes);
  ~DeviceGroup();

  Communicator& processes() const { return processes_; }
  int rank() const { return processes_.rank(); }
  int size() const { return processes_.size(); }
  /// "NCCL 2.28.9", or "host memory" and why.
  const std::string& way() const { return way_; }

  /// True if work that waits for messages may be captured in a graph.
  bool is_direct() const { return connections_ != nullptr; }

  // Collective; queued on `stream`.

  /// `all` holds a part of `bytes` bytes of each process, by rank. Every process fills its own, and
  /// has all of them afterwards.
  void gather(void* all, std::size_t bytes, const Stream& stream) const;
  /// Rows for each process, or from each: [begin[r], begin[r + 1]) of an array on the device.
  template <class Data>
  struct Rows {
    Data* data;
    std::span<const std::int64_t> begin;
  };
  /// Sends and receives rows of `bytes` bytes. There are none to the process itself.
  void exchange(const Rows<const void>& sent, const Rows<void>& received, std::size_t bytes,
                const Stream& stream) const;

 private:
  class Connections;

  Communicator& processes_;
  std::string way_;
  std::unique_ptr<Connections> connections_;  ///< null: by host memory
};

}  // namespace rankine::gpu
