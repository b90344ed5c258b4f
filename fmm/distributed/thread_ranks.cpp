#include "rankine/fmm/distributed/thread_ranks.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"

namespace rankine {
namespace {

/// What the threads share. Every collective call publishes addresses, meets, copies, and meets
/// again before the addresses become invalid.
class Board {
 public:
  explicit Board(int ranks) : ranks_(ranks), entries_(static_cast<std::size_t>(ranks)) {}

  struct Entry {
    const void* data = nullptr;
    std::span<const Communicator::Sent> sent;
  };

  Entry& operator[](int rank) { return entries_[static_cast<std::size_t>(rank)]; }

  /// Waits until all ranks have come here. Throws Stopped if one of them has failed.
  void meet() {
    std::unique_lock lock(mutex_);
    const std::int64_t round = round_;
    if (++waiting_ == ranks_) {
      waiting_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || failed_; });
    if (failed_) throw Stopped("another process has failed");
  }

  void fail() {
    {
      const std::lock_guard lock(mutex_);
      failed_ = true;
    }
    changed_.notify_all();
  }

 private:
  const int ranks_;
  std::vector<Entry> entries_;
  std::mutex mutex_;
  std::condition_variable changed_;
  int waiting_ = 0;
  std::int64_t round_ = 0;
  bool failed_ = false;
};

class ThreadRank final : public Communicator {
 public:
  ThreadRank(Board& board, int rank, int size) : board_(board), rank_(rank), size_(size) {}

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<double> values) override {
    reduce(values, [](double a, double b) { return a + b; });
  }
  void sum(std::span<std::int64_t> values) override {
    reduce(values, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  void maximum(std::span<double> values) override {
    reduce(values, [](double a, double b) { return std::max(a, b); });
  }

  std::vector<std::int64_t> transpose(std::span<const std::int64_t> to) override {
    board_[rank_].data = to.data();
    board_.meet();
    std::vector<std::int64_t> from;
    for (int r = 0; r < size_; ++r)
      from.push_back(static_cast<const std::int64_t*>(board_[r].data)[rank_]);
    board_.meet();
    return from;
  }

  void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
    board_[rank_].sent = sent;
    board_.meet();
    for (const Received& each : received) {
      const auto all = board_[each.from].sent;
      const auto found =
          std::find_if(all.begin(), all.end(), [&](const Sent& s) { return s.to == rank_; });
      if (found == all.end() || found->bytes.size() != each.bytes.size())
        throw std::logic_error("a message has another size than its receiver expects");
      std::memcpy(each.bytes.data(), found->bytes.data(), each.bytes.size());
    }
    board_.meet();
  }

 private:
  /// In the order of the ranks.
  template <class T, class Combine>
  void reduce(std::span<T> values, Combine&& combine) {
    const std::vector<T> own(values.begin(), values.end());
    board_[rank_].data = own.data();
    board_.meet();
    for (int r = 0; r < size_; ++r) {
      const T* const from = static_cast<const T*>(board_[r].data);
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = r == 0 ? from[i] : combine(values[i], from[i]);
    }
    board_.meet();
  }

  Board& board_;
  const int rank_, size_;
};

}  // namespace

void run_thread_ranks(int ranks, int threads, const std::function<void(Communicator&)>& work) {
  Board board(ranks);
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(ranks));
  std::vector<std::thread> all;
  const Execution execution{.threads = threads, .stop = Execution::current().stop};
  for (int rank = 0; rank < ranks; ++rank) {
    all.emplace_back([&, rank] {
      ThreadRank communicator(board, rank, ranks);
      try {
        execution.run([&] { work(communicator); });
      } catch (const Stopped&) {
        board.fail();
      } catch (...) {
        failures[static_cast<std::size_t>(rank)] = std::current_exception();
        board.fail();
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
  throw_if_stopped();
}

}  // namespace rankine
