#include "rankine/fmm/distributed/communicator.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine {

namespace {

bool is_lack_of_memory(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::bad_alloc&) {
    return true;
  } catch (const DeviceMemoryError&) {
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

void agree(Communicator& processes, const std::exception_ptr& failure) {
  // The lowest rank that failed, and the lowest that lacks memory, as distances from the end.
  const double own = processes.size() - processes.rank();
  std::array<double, 2> first{failure ? own : 0.0,
                              failure && is_lack_of_memory(failure) ? own : 0.0};
  processes.maximum(first);
  if (failure) std::rethrow_exception(failure);
  const auto process = [&](double distance) {
    return "process " + std::to_string(processes.size() - static_cast<int>(distance));
  };
  if (first[1] > 0.0) throw DeviceMemoryError(process(first[1]) + " has too little memory");
  if (first[0] > 0.0)
    throw Stopped(process(first[0]) + " stopped with an error; its message says why");
}

Route::Route(Communicator& processes, std::vector<std::int64_t> begin,
             std::vector<std::int32_t> index)
    : send_begin_(std::move(begin)), index_(std::move(index)) {
  const auto size = static_cast<std::size_t>(processes.size());
  std::vector<std::int64_t> counts(size);
  for (std::size_t r = 0; r < size; ++r) counts[r] = send_begin_[r + 1] - send_begin_[r];
  receive_begin_.assign(1, 0);
  for (const std::int64_t count : processes.transpose(counts))
    receive_begin_.push_back(receive_begin_.back() + count);
}

void Route::deliver(Communicator& processes, const void* from,
                    const std::vector<std::int64_t>& from_begin, void* to,
                    const std::vector<std::int64_t>& to_begin, std::size_t bytes) {
  const auto* const source = static_cast<const std::byte*>(from);
  auto* const target = static_cast<std::byte*>(to);
  std::vector<Communicator::Sent> sent;
  std::vector<Communicator::Received> received;
  for (int r = 0; r < processes.size(); ++r) {
    const auto at = static_cast<std::size_t>(r);
    const auto out = static_cast<std::size_t>(from_begin[at + 1] - from_begin[at]) * bytes,
               in = static_cast<std::size_t>(to_begin[at + 1] - to_begin[at]) * bytes;
    const std::byte* const packed = source + static_cast<std::size_t>(from_begin[at]) * bytes;
    std::byte* const arrived = target + static_cast<std::size_t>(to_begin[at]) * bytes;
    if (r == processes.rank()) {
      if (out > 0) std::memcpy(arrived, packed, out);
      continue;
    }
    if (out > 0) sent.push_back({r, {packed, out}});
    if (in > 0) received.push_back({r, {arrived, in}});
  }
  processes.exchange(sent, received);
}

}  // namespace rankine
