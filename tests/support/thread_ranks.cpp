#include "tests/support/thread_ranks.hpp"

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

/// Data shared by the threads. In every collective call the threads publish addresses, wait for
/// each other, copy, and wait again before the addresses become invalid.
class ThreadRanks::Board {
 public:
  explicit Board(int ranks) : ranks_(ranks), entries_(static_cast<std::size_t>(ranks)) {}

  struct Entry {
    const void* data = nullptr;
    std::span<const Communicator::Sent> sent;
    std::span<const std::byte> bytes;
  };

  Entry& operator[](int rank) { return entries_[static_cast<std::size_t>(rank)]; }

  /// A barrier: waits until all ranks have called it. Throws Stopped if one of them has failed.
  void meet() {
    std::unique_lock lock(mutex_);
    const std::int64_t round = round_;
    if (++waiting_ == ranks_) {
      waiting_ = 0;
      ++round_;
      changed_.notify_all();
    }
    changed_.wait(lock, [&] { return round_ != round || failed_; });
    if (round_ == round) throw Stopped("another process has failed");
  }

  /// Resets the board for the next run.
  void clear() {
    waiting_ = 0;
    failed_ = false;
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

class ThreadRanks::Rank final : public Communicator {
 public:
  Rank(Board& board, int rank, int size) : board_(board), rank_(rank), size_(size) {}

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

  void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    board_[rank_].bytes = own;
    board_.meet();
    auto at = all.begin();
    for (int r = 0; r < size_; ++r)
      at = std::copy(board_[r].bytes.begin(), board_[r].bytes.end(), at);
    board_.meet();
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

ThreadRanks::ThreadRanks(int ranks, int threads)
    : threads_(threads), board_(std::make_unique<Board>(ranks)) {
  for (int rank = 0; rank < ranks; ++rank)
    ranks_.push_back(std::make_unique<Rank>(*board_, rank, ranks));
}

ThreadRanks::~ThreadRanks() = default;

int ThreadRanks::size() const { return static_cast<int>(ranks_.size()); }

void ThreadRanks::run(const std::function<void(Communicator&)>& work) {
  board_->clear();
  std::vector<std::exception_ptr> failures(ranks_.size());
  std::vector<std::thread> all;
  const Execution execution{.threads = threads_, .stop = Execution::current().stop};
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    all.emplace_back([&, rank] {
      try {
        execution.run([&] { work(*ranks_[rank]); });
      } catch (const Stopped&) {
        board_->fail();
      } catch (...) {
        failures[rank] = std::current_exception();
        board_->fail();
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
