// Several processes, each with a device, and the exchange of arrays among them: directly from
// device to device by NCCL, or via host memory.
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
  /// A group with the device that the calling thread uses. `processes` must outlive the group.
  /// Collective. Devices exchange data directly if every process has its own device and finds
  /// libnccl.so.2 (RANKINE_NCCL names another file), version 2.7 or later. Throws DeviceError if
  /// the library exists and fails.
  explicit DeviceGroup(Communicator& processes);
  ~DeviceGroup();

  Communicator& processes() const { return processes_; }
  int rank() const { return processes_.rank(); }
  int size() const { return processes_.size(); }
  /// "NCCL 2.28.9", or "host memory" and the reason.
  const std::string& transport() const { return transport_; }

  /// True if exchanges can be captured in a CUDA graph.
  bool is_direct() const { return connections_ != nullptr; }

  // Collective; queued on `stream`.

  /// `all` has a part of `bytes` bytes for each process, in the order of ranks. Every process sets
  /// its own part and receives all others.
  void gather(void* all, std::size_t bytes, const Stream& stream) const;
  /// The rows that are sent to each process r, or received from it: [begin[r], begin[r + 1]) of an
  /// array on the device.
  template <class Data>
  struct Rows {
    Data* data;
    std::span<const std::int64_t> begin;
  };
  /// Sends and receives rows of `bytes` bytes. No rows are sent to the process itself.
  void exchange(const Rows<const void>& sent, const Rows<void>& received, std::size_t bytes,
                const Stream& stream) const;

 private:
  class Connections;

  Communicator& processes_;
  std::string transport_;
  std::unique_ptr<Connections> connections_;  ///< null: via host memory
};

}  // namespace rankine::gpu
