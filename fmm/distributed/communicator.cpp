#include "rankine/fmm/distributed/communicator.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine {

void agree(Communicator& processes, const std::exception_ptr& failure) {
  double first = failure ? static_cast<double>(processes.size() - processes.rank()) : 0.0;
  processes.maximum({&first, 1});
  if (failure) std::rethrow_exception(failure);
  if (first == 0.0) return;
  throw Stopped("process " + std::to_string(processes.size() - static_cast<int>(first)) +
                " stopped with an error; its message says why");
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

int Route::neighbours() const {
  int count = 0;
  for (std::size_t r = 0; r + 1 < send_begin_.size(); ++r)
    count += send_begin_[r + 1] > send_begin_[r] ? 1 : 0;
  return count;
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
