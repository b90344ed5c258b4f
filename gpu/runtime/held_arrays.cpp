#include "rankine/gpu/runtime/held_arrays.hpp"

#include <algorithm>
#include <utility>

namespace rankine::gpu {

std::vector<HeldArrays::Held>::iterator HeldArrays::find(HostArray host) {
  return std::find_if(held_.begin(), held_.end(), [&](const Held& each) {
    return each.host.data() == host.data() && each.host.size() == host.size();
  });
}

void HeldArrays::hold(HostArray host) {
  if (host.empty()) return;
  const auto found = find(host);
  if (found == held_.end()) {
    held_.push_back({host, 1, nullptr});
  } else {
    ++found->times;
  }
}

void HeldArrays::release(HostArray host) noexcept {
  const auto found = find(host);
  if (found != held_.end() && --found->times == 0) held_.erase(found);
}

DeviceBytes HeldArrays::copy_of(HostArray host, const Stream& stream) {
  const auto found = find(host);
  if (found != held_.end() && found->copy) return found->copy;
  auto copy = std::make_shared<const DeviceBuffer<std::byte>>(host, stream);
  if (found != held_.end()) found->copy = copy;
  return copy;
}

void HeldArrays::give(HostArray host, DeviceBytes copy) {
  if (host.empty()) return;
  const auto found = find(host);
  if (found == held_.end()) {
    held_.push_back({host, 0, std::move(copy)});
  } else {
    found->copy = std::move(copy);
  }
}

void HeldArrays::forget(HostArray host) noexcept {
  const auto found = find(host);
  if (found != held_.end() && found->times == 0) held_.erase(found);
}

GivenCopies::GivenCopies(std::shared_ptr<const Stream> stream) : stream_(std::move(stream)) {}

GivenCopies::~GivenCopies() {
  for (const HostArray each : arrays_) stream_->held_arrays().forget(each);
}

void GivenCopies::add(HostArray host, DeviceBytes copy) {
  arrays_.push_back(host);
  stream_->held_arrays().give(host, std::move(copy));
}

Hold::Hold(std::vector<HostArray> arrays, std::shared_ptr<const Stream> stream)
    : arrays_(std::move(arrays)), stream_(std::move(stream)) {
  for (const HostArray each : arrays_) stream_->held_arrays().hold(each);
}

Hold::~Hold() {
  for (const HostArray each : arrays_) stream_->held_arrays().release(each);
}

}  // namespace rankine::gpu
