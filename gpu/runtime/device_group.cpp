#include "rankine/gpu/runtime/device_group.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/cuda_check.hpp"

namespace rankine::gpu {
namespace {

// NCCL is loaded only if a run has several devices, so programs work without it. These are its
// types and constants, which are the same in all versions 2.x.
struct UniqueId {
  std::array<char, 128> bytes;
};
using Handle = void*;
using Status = int;
constexpr int number_of_bytes = 0, oldest_version = 2700;

class Nccl {
 public:
  /// The library, or null. It remains loaded.
  static const Nccl* find() {
    static const Nccl library;
    return library.group_end != nullptr ? &library : nullptr;
  }

  Status (*get_version)(int*) = nullptr;
  Status (*get_unique_id)(UniqueId*) = nullptr;
  Status (*comm_init_rank)(Handle*, int, UniqueId, int) = nullptr;
  Status (*comm_destroy)(Handle) = nullptr;
  const char* (*error_text)(Status) = nullptr;
  Status (*send)(const void*, std::size_t, int, int, Handle, cudaStream_t) = nullptr;
  Status (*receive)(void*, std::size_t, int, int, Handle, cudaStream_t) = nullptr;
  Status (*group_start)() = nullptr;
  Status (*group_end)() = nullptr;  ///< the last function that is loaded

  int version() const {
    int number = 0;
    check(get_version(&number), "asking for its version");
    return number;
  }
  void check(Status status, const char* what) const {
    if (status == 0) return;
    throw DeviceError(std::string("NCCL failed in ") + what + ": " + error_text(status) +
                      "; set NCCL_DEBUG=INFO for more, or start one process");
  }

 private:
  Nccl() {
    const char* const given = std::getenv("RANKINE_NCCL");
    void* const library = ::dlopen(given != nullptr ? given : "libnccl.so.2", RTLD_NOW);
    if (library == nullptr) return;
    bool all = true;
    const auto look_up = [&](auto& function, const char* name) {
      void* const found = all ? ::dlsym(library, name) : nullptr;
      all = found != nullptr;
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
    };
    look_up(get_version, "ncclGetVersion");
    look_up(get_unique_id, "ncclGetUniqueId");
    look_up(comm_init_rank, "ncclCommInitRank");
    look_up(comm_destroy, "ncclCommDestroy");
    look_up(error_text, "ncclGetErrorString");
    look_up(send, "ncclSend");
    look_up(receive, "ncclRecv");
    look_up(group_start, "ncclGroupStart");
    look_up(group_end, "ncclGroupEnd");
  }
};

std::string version_text(int version) {
  // 2.7.8 is 2708, 2.28.9 is 22809.
  const int major = version < 10000 ? version / 1000 : version / 10000,
            minor = version < 10000 ? version / 100 % 10 : version / 100 % 100;
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(version % 100);
}

/// The values of all processes, by rank.
template <class T>
std::vector<T> of_all(Communicator& processes, const T& own) {
  std::vector<T> all(static_cast<std::size_t>(processes.size()));
  processes.gather(std::as_bytes(std::span(&own, 1)), std::as_writable_bytes(std::span(all)));
  return all;
}

/// The reason why devices cannot exchange data directly; empty if they can. The same in all
/// processes.
std::string obstacle(Communicator& processes) {
  if (!has_own_devices(processes)) return "processes share a device";
  const Nccl* const nccl = Nccl::find();
  const std::vector<int> versions = of_all(processes, nccl != nullptr ? nccl->version() : 0);
  const auto [oldest, newest] = std::minmax_element(versions.begin(), versions.end());
  if (*oldest == 0) return "libnccl.so.2 is not found";
  if (*oldest < oldest_version) return "NCCL " + version_text(*oldest) + " is older than 2.7";
  if (*oldest != *newest)
    return "processes have NCCL " + version_text(*oldest) + " and " + version_text(*newest);
  return {};
}

/// Rows [begin[r], begin[r + 1]) of an array, `of_row` bytes each.
template <class Byte, class Data>
std::span<Byte> part(Data* array, std::span<const std::int64_t> begin, int r, std::size_t of_row) {
  const auto first = static_cast<std::size_t>(begin[static_cast<std::size_t>(r)]) * of_row,
             last = static_cast<std::size_t>(begin[static_cast<std::size_t>(r) + 1]) * of_row;
  return {static_cast<Byte*>(array) + first, last - first};
}

}  // namespace

bool has_own_devices(Communicator& processes) {
  if (processes.size() == 1) return available();
  using Identity = std::array<char, sizeof(cudaUUID_t)>;
  Identity own{};  // zeros: no device
  if (available()) {
    cudaDeviceProp properties{};
    check(cudaGetDeviceProperties(&properties, current_device().index), "asking for a device");
    std::memcpy(own.data(), properties.uuid.bytes, own.size());
  }
  std::vector<Identity> all = of_all(processes, own);
  std::sort(all.begin(), all.end());
  return all.front() != Identity{} && std::adjacent_find(all.begin(), all.end()) == all.end();
}

class DeviceGroup::Connections {
 public:
  explicit Connections(Communicator& processes) {
    UniqueId own{};
    agreed(processes, [&] {
      if (processes.rank() == 0) nccl_.check(nccl_.get_unique_id(&own), "starting");
    });
    const UniqueId id = of_all(processes, own)[0];
    agreed(processes, [&] {
      nccl_.check(nccl_.comm_init_rank(&handle_, processes.size(), id, processes.rank()),
                  "connecting the devices");
    });
  }
  ~Connections() { nccl_.comm_destroy(handle_); }
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  /// Sends sent(r) to every process r, and receives received(r) from it; empty: no message.
  template <class Sent, class Received>
  void exchange(int size, const Sent& sent, const Received& received, const Stream& stream) const {
    const DeviceScope scope(*stream.context());
    nccl_.check(nccl_.group_start(), "a group");
    for (int r = 0; r < size; ++r) {
      const std::span<const std::byte> out = sent(r);
      const std::span<std::byte> in = received(r);
      if (!out.empty())
        nccl_.check(
            nccl_.send(out.data(), out.size(), number_of_bytes, r, handle_, stream.handle()),
            "sending");
      if (!in.empty())
        nccl_.check(
            nccl_.receive(in.data(), in.size(), number_of_bytes, r, handle_, stream.handle()),
            "receiving");
    }
    nccl_.check(nccl_.group_end(), "an exchange");
  }

 private:
  const Nccl& nccl_ = *Nccl::find();
  Handle handle_ = nullptr;
};

DeviceGroup::DeviceGroup(Communicator& processes) : processes_(processes) {
  const std::string why = obstacle(processes);
  transport_ =
      why.empty() ? "NCCL " + version_text(Nccl::find()->version()) : "host memory, since " + why;
  if (why.empty()) connections_ = std::make_unique<Connections>(processes);
}

DeviceGroup::~DeviceGroup() = default;

void DeviceGroup::gather(void* all, std::span<const std::int64_t> begin, std::size_t bytes,
                         const Stream& stream) const {
  const auto of_rank = [&](int r) { return part<std::byte>(all, begin, r, bytes); };
  const std::span<std::byte> own = of_rank(rank());
  if (connections_) {
    const auto unless_own = [&](int r, const std::span<std::byte>& of) {
      return r == rank() ? std::span<std::byte>() : of;
    };
    return connections_->exchange(
        size(), [&](int r) { return unless_own(r, own); },
        [&](int r) { return unless_own(r, of_rank(r)); }, stream);
  }
  std::vector<std::byte> mine(own.size()), parts(static_cast<std::size_t>(begin.back()) * bytes);
  if (!mine.empty()) download_bytes(mine.data(), own.data(), mine.size(), stream);
  stream.synchronize();
  processes_.gather(mine, parts);
  if (!parts.empty()) upload_bytes(all, parts.data(), parts.size(), stream);
}

void DeviceGroup::exchange(const Rows<const void>& sent, const Rows<void>& received,
                           std::size_t bytes, const Stream& stream) const {
  if (connections_) {
    return connections_->exchange(
        size(), [&](int r) { return part<const std::byte>(sent.data, sent.begin, r, bytes); },
        [&](int r) { return part<std::byte>(received.data, received.begin, r, bytes); }, stream);
  }
  std::vector<std::byte> out(static_cast<std::size_t>(sent.begin.back()) * bytes),
      in(static_cast<std::size_t>(received.begin.back()) * bytes);
  if (!out.empty()) download_bytes(out.data(), sent.data, out.size(), stream);
  stream.synchronize();
  std::vector<Communicator::Sent> messages;
  std::vector<Communicator::Received> wanted;
  for (int r = 0; r < size(); ++r) {
    const auto to = part<const std::byte>(out.data(), sent.begin, r, bytes);
    const auto from = part<std::byte>(in.data(), received.begin, r, bytes);
    if (!to.empty()) messages.push_back({r, to});
    if (!from.empty()) wanted.push_back({r, from});
  }
  processes_.exchange(messages, wanted);
  if (!in.empty()) upload_bytes(received.data, in.data(), in.size(), stream);
}

DividedLoop::DividedLoop(const DeviceGroup* group, std::size_t count)
    : group_(group != nullptr && group->is_direct() ? group : nullptr), begin_{0} {
  const auto ranks = group_ != nullptr ? static_cast<std::size_t>(group_->size()) : 1;
  for (std::size_t r = 1; r <= ranks; ++r)
    begin_.push_back(static_cast<std::int64_t>(count * r / ranks));
  if (group_ != nullptr) rank_ = static_cast<std::size_t>(group_->rank());
}

}  // namespace rankine::gpu
