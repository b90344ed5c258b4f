// Processes that work on one problem, and the messages between them. All functions are collective:
// every process calls them, in the same order.
//
// A single process needs no messages (SingleProcess). MPI starts several
// (fmm/distributed/mpi.hpp).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine {

class Communicator {
 public:
  virtual ~Communicator() = default;

  /// The number of this process, 0 to size() - 1.
  virtual int rank() const = 0;
  virtual int size() const = 0;

  /// Replaces values by their sums over all processes. The result has the same bits in all of them.
  virtual void sum(std::span<double> values) = 0;
  virtual void sum(std::span<std::int64_t> values) = 0;
  /// Replaces values by the largest of all processes.
  virtual void maximum(std::span<double> values) = 0;

  /// The bytes of all processes, in the order of their ranks. `all` must have the total size.
  virtual void gather(std::span<const std::byte> own, std::span<std::byte> all) = 0;

  /// to[r] is for process r; result[r] is from process r.
  virtual std::vector<std::int64_t> transpose(std::span<const std::int64_t> to) = 0;

  struct Sent {
    int to;
    std::span<const std::byte> bytes;
  };
  struct Received {
    int from;
    std::span<std::byte> bytes;
  };
  /// Sends and receives messages: at most one in each direction between two processes, and none
  /// from a process to itself.
  virtual void exchange(std::span<const Sent> sent, std::span<const Received> received) = 0;
};

/// The only process.
class SingleProcess final : public Communicator {
 public:
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void sum(std::span<double>) override {}
  void sum(std::span<std::int64_t>) override {}
  void maximum(std::span<double>) override {}
  void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    std::copy(own.begin(), own.end(), all.begin());
  }
  std::vector<std::int64_t> transpose(std::span<const std::int64_t> to) override {
    return {to.begin(), to.end()};
  }
  void exchange(std::span<const Sent>, std::span<const Received>) override {}
};

/// If `failure` is set in any process, all processes throw: their own exception if it is set,
/// otherwise DeviceMemoryError if memory is insufficient in another process, otherwise Stopped.
void agree(Communicator& processes, const std::exception_ptr& failure);

/// Calls work() and then agree().
template <class Work>
void agreed(Communicator& processes, Work&& work) {
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  agree(processes, failure);
}

/// A fixed pattern of communication: the values of points or boxes that each process sends to
/// others.
class Route {
 public:
  Route() = default;
  /// Values index[begin[r]] ... index[begin[r + 1] - 1] go to process r. Collective.
  Route(Communicator& processes, std::vector<std::int64_t> begin, std::vector<std::int32_t> index);

  /// Number of received values. They are in the order of the sending processes, then of that
  /// process's index.
  std::int64_t arrivals() const { return receive_begin_.empty() ? 0 : receive_begin_.back(); }
  /// Arrivals of process r: [arrivals_begin(r), arrivals_begin(r + 1)).
  std::int64_t arrivals_begin(int r) const { return receive_begin_[static_cast<std::size_t>(r)]; }
  std::span<const std::int32_t> index() const { return index_; }

  /// Sends values along the route: arrived[i] is set for every arrival i, `width` numbers each.
  template <class T>
  void forward(Communicator& processes, const T* values, int width, T* arrived) const {
    std::vector<T> packed(index_.size() * static_cast<std::size_t>(width));
    parallel_for(index_.size(), [&](std::size_t i) {
      for (int c = 0; c < width; ++c)
        packed[i * width + c] = values[index_[i] * std::int64_t{width} + c];
    });
    deliver(processes, packed.data(), send_begin_, arrived, receive_begin_, sizeof(T) * width);
  }

  /// The reverse: the value of arrival i is stored where it came from. Every value must have been
  /// sent to exactly one destination.
  template <class T>
  void backward(Communicator& processes, const T* arrived, int width, T* values) const {
    std::vector<T> packed(index_.size() * static_cast<std::size_t>(width));
    deliver(processes, arrived, receive_begin_, packed.data(), send_begin_, sizeof(T) * width);
    parallel_for(index_.size(), [&](std::size_t i) {
      for (int c = 0; c < width; ++c)
        values[index_[i] * std::int64_t{width} + c] = packed[i * width + c];
    });
  }

 private:
  static void deliver(Communicator& processes, const void* from,
                      const std::vector<std::int64_t>& from_begin, void* to,
                      const std::vector<std::int64_t>& to_begin, std::size_t bytes);

  std::vector<std::int64_t> send_begin_, receive_begin_;  ///< by process
  std::vector<std::int32_t> index_;
};

}  // namespace rankine
