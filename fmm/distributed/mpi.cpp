#include "rankine/fmm/distributed/mpi.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"

namespace rankine {
namespace {

constexpr int message_tag = 1;
constexpr std::size_t largest_message = std::size_t{1} << 30;  // counts of MPI are ints

class MpiProcesses final : public Communicator {
 public:
  MpiProcesses() {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
  }

  int rank() const override { return rank_; }
  int size() const override { return size_; }
  void sum(std::span<double> values) override { reduce(values, MPI_DOUBLE, MPI_SUM); }
  void sum(std::span<std::int64_t> values) override { reduce(values, MPI_INT64_T, MPI_SUM); }
  void maximum(std::span<double> values) override { reduce(values, MPI_DOUBLE, MPI_MAX); }

  void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    // In elements of eight bytes, so that counts fit into int for large arrays.
    std::vector<std::int64_t> bytes(static_cast<std::size_t>(size_));
    const auto mine = static_cast<std::int64_t>(own.size());
    MPI_Allgather(&mine, 1, MPI_INT64_T, bytes.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    const std::int64_t total = std::accumulate(bytes.begin(), bytes.end(), std::int64_t{0});
    const bool words =
        std::all_of(bytes.begin(), bytes.end(), [](std::int64_t count) { return count % 8 == 0; });
    const std::int64_t unit = words ? 8 : 1;
    if (total / unit > std::numeric_limits<int>::max())
      throw InputError("one message to all processes would have " + std::to_string(total) +
                       " bytes, more than MPI can send; use fewer right-hand sides at a time");
    std::vector<int> counts, offsets = {0};
    for (const std::int64_t count : bytes) {
      counts.push_back(static_cast<int>(count / unit));
      offsets.push_back(offsets.back() + counts.back());
    }
    const MPI_Datatype type = words ? MPI_INT64_T : MPI_BYTE;
    MPI_Allgatherv(own.data(), counts[static_cast<std::size_t>(rank_)], type, all.data(),
                   counts.data(), offsets.data(), type, MPI_COMM_WORLD);
  }

  std::vector<std::int64_t> transpose(std::span<const std::int64_t> to) override {
    std::vector<std::int64_t> from(to.size());
    MPI_Alltoall(to.data(), 1, MPI_INT64_T, from.data(), 1, MPI_INT64_T, MPI_COMM_WORLD);
    return from;
  }

  void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
    std::vector<MPI_Request> requests;
    const auto in_pieces = [&](std::size_t bytes, auto&& each) {
      for (std::size_t at = 0; at < bytes; at += largest_message)
        each(at, static_cast<int>(std::min(largest_message, bytes - at)));
    };
    for (const Received& each : received) {
      in_pieces(each.bytes.size(), [&](std::size_t at, int size) {
        MPI_Irecv(each.bytes.data() + at, size, MPI_BYTE, each.from, message_tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
      });
    }
    for (const Sent& each : sent) {
      in_pieces(each.bytes.size(), [&](std::size_t at, int size) {
        MPI_Isend(each.bytes.data() + at, size, MPI_BYTE, each.to, message_tag, MPI_COMM_WORLD,
                  &requests.emplace_back());
      });
    }
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  }

 private:
  template <class T>
  static void reduce(std::span<T> values, MPI_Datatype type, MPI_Op op) {
    for (std::size_t at = 0; at < values.size(); at += largest_message) {
      MPI_Allreduce(MPI_IN_PLACE, values.data() + at,
                    static_cast<int>(std::min(largest_message, values.size() - at)), type, op,
                    MPI_COMM_WORLD);
    }
  }

  int rank_ = 0, size_ = 1;
};

}  // namespace

MpiSession::MpiSession(int* argc, char*** argv) : exceptions_(std::uncaught_exceptions()) {
  int provided = 0;
  if (MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS)
    throw DeviceError("MPI could not be started");
  processes_ = std::make_unique<MpiProcesses>();
  MPI_Comm machine = MPI_COMM_NULL;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, processes_->rank(), MPI_INFO_NULL,
                      &machine);
  MPI_Comm_rank(machine, &local_rank_);
  MPI_Comm_size(machine, &local_size_);
  MPI_Comm_free(&machine);
}

MpiSession::~MpiSession() {
  if (std::uncaught_exceptions() > exceptions_) MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
  MPI_Finalize();
}

void MpiSession::abort(int exit_code) const {
  MPI_Abort(MPI_COMM_WORLD, exit_code);
  std::exit(exit_code);
}

}  // namespace rankine
