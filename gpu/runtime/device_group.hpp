// Several processes, each with a device, and the exchange of arrays among them: directly from
// device to device by NCCL, or via host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

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

  /// `all` has rows of `bytes` bytes. Process r sets rows [begin[r], begin[r + 1]) and receives all
  /// others.
  void gather(void* all, std::span<const std::int64_t> begin, std::size_t bytes,
              const Stream& stream) const;
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

/// A loop that the processes of a group divide if their devices exchange data directly. Otherwise,
/// and if `group` is null, every process executes all of it.
class DividedLoop {
 public:
  DividedLoop(const DeviceGroup* group, std::size_t count);

  /// The part of this process.
  std::int64_t begin() const { return begin_[rank_]; }
  std::int64_t end() const { return begin_[rank_ + 1]; }
  std::size_t size() const { return static_cast<std::size_t>(end() - begin()); }
  /// Receives the elements of `bytes` bytes that the other processes have set.
  void complete(void* elements, std::size_t bytes, const Stream& stream) const {
    if (group_ != nullptr) group_->gather(elements, begin_, bytes, stream);
  }

 private:
  const DeviceGroup* group_;
  std::vector<std::int64_t> begin_;  ///< of the part of each process
  std::size_t rank_ = 0;
};

}  // namespace rankine::gpu
