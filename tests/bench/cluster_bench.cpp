// Predicts the time of a sum on a cluster that SMPI simulates (a part of SimGrid [CGLQS14]). The
// MPI code of the program runs in all simulated processes: it divides the points, makes the lists
// of what is sent, and sends it. The time of the passes is injected.
//
//   cluster_bench POINTS N LEAF ORDER SECONDS LATENCY BANDWIDTH EACH...
//     SECONDS: of one point in an apply of one device
//     LATENCY: seconds that a device needs to start a group of messages or a sum
//     BANDWIDTH: bytes per second of a device, sent and received
//     EACH: every point stands for this number of points. The passes take EACH times as long, and
//       messages grow with the surface of a part; sums over all processes do not grow
//
// scripts/project_scaling.sh builds and runs it.
#include <mpi.h>
#include <smpi/smpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/distributed/mpi.hpp"
#include "rankine/fmm/distributed/work.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine {
namespace {

/// Points in Morton order, and the work of each. All simulated processes share one copy.
struct Problem {
  std::string name;
  std::vector<Vec3d> points;
  std::vector<std::uint64_t> keys;
  std::vector<double> work;  ///< the mean is 1
  fmm::PointsExtent extent;
  double dimension;     ///< 2 on a surface, 3 in a volume
  double leaves = 0.0;  ///< their number

  Problem(const std::string& kind, std::size_t n, const fmm::Options& options)
      : name(kind), points(fmm::make_points(kind, n, 1)), extent(fmm::extent_of(points, points)) {
    const fmm::Octree root = fmm::make_root(extent);
    std::vector<std::pair<std::uint64_t, Vec3d>> sorted;
    for (const Vec3d& x : points) sorted.push_back({fmm::morton_key(x, root.corner, root.side), x});
    std::sort(sorted.begin(), sorted.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < n; ++i) {
      keys.push_back(sorted[i].first);
      points[i] = sorted[i].second;
    }
    const fmm::Plan plan = fmm::make_plan({points, points}, options);
    const fmm::Branching children = fmm::branching(plan.tree);
    dimension =
        std::log2(static_cast<double>(children.children) / static_cast<double>(children.divided));
    for (const fmm::Box& box : plan.tree.boxes) leaves += box.is_leaf() ? 1.0 : 0.0;
    work = fmm::seconds_per_target(plan, fmm::cpu_tuning(options, true).costs(options.order));
    const double mean = std::accumulate(work.begin(), work.end(), 0.0) / static_cast<double>(n);
    for (double& each : work) each /= mean;
  }
};

/// The messages of a set-up are copied in the memory that all simulated processes share. After
/// lengthen(), those of an apply go through the simulated network: every byte stands for several,
/// and contents are lost.
class SimulatedMessages final : public Communicator {
 public:
  explicit SimulatedMessages(Communicator& processes) : processes_(processes) {}

  /// Factors of messages and of sums; `latency`: seconds before a group of messages or a sum;
  /// `bandwidth`: bytes per second that a process sends, and receives.
  void lengthen(double of_messages, double of_sums, double latency, double bandwidth) {
    factor_ = of_messages;
    sum_factor_ = of_sums;
    latency_ = latency;
    bandwidth_ = bandwidth;
    sum_seconds = exchange_seconds = bytes = 0.0;
  }

  double sum_seconds = 0.0, exchange_seconds = 0.0, bytes = 0.0;

  int rank() const override { return processes_.rank(); }
  int size() const override { return processes_.size(); }
  void sum(std::span<double> values) override {
    if (factor_ == 0.0) return processes_.sum(values);
    const double start = MPI_Wtime();
    const double bytes_of_sum = sum_factor_ * static_cast<double>(values.size_bytes());
    if (flows()) {
      smpi_execute(latency_);
      const auto count = static_cast<std::size_t>(bytes_of_sum) / sizeof(double);
      double* const longer = static_cast<double*>(SMPI_SHARED_MALLOC(sizeof(double) * count));
      processes_.sum(std::span(longer, count));
      SMPI_SHARED_FREE(longer);
    } else {
      smpi_execute(latency_ + 2.0 * bytes_of_sum / bandwidth_);
      processes_.sum(values.first(1));
    }
    sum_seconds += MPI_Wtime() - start;
  }
  void sum(std::span<std::int64_t> values) override { processes_.sum(values); }
  void maximum(std::span<double> values) override { processes_.maximum(values); }
  void gather(std::span<const std::byte> own, std::span<std::byte> all) override {
    processes_.gather(own, all);
  }
  std::vector<std::int64_t> transpose(std::span<const std::int64_t> to) override {
    return processes_.transpose(to);
  }
  void exchange(std::span<const Sent> sent, std::span<const Received> received) override {
    if (factor_ == 0.0) return copy(sent, received);
    const double start = MPI_Wtime();
    std::size_t most = 1, out = 0, in = 0;
    const auto longer = [&](std::size_t count, std::size_t& total) {
      const auto length = static_cast<std::size_t>(static_cast<double>(count) * factor_);
      total += length;
      most = std::max(most, length);
      return flows() ? length : 1;
    };
    std::vector<Sent> to;
    std::vector<Received> from;
    for (const Sent& each : sent)
      to.push_back({each.to, {&nothing_, longer(each.bytes.size(), out)}});
    for (const Received& each : received)
      from.push_back({each.from, {&nothing_, longer(each.bytes.size(), in)}});
    auto* const memory = static_cast<std::byte*>(SMPI_SHARED_MALLOC(most));
    for (Sent& each : to) each.bytes = {memory, each.bytes.size()};
    for (Received& each : from) each.bytes = {memory, each.bytes.size()};
    smpi_execute(latency_ + (flows() ? 0.0 : static_cast<double>(std::max(out, in)) / bandwidth_));
    processes_.exchange(to, from);
    SMPI_SHARED_FREE(memory);
    exchange_seconds += MPI_Wtime() - start;
    bytes += static_cast<double>(out);
  }

 private:
  /// The simulation of many flows of different lengths takes too long. With more processes the time
  /// of their bytes is injected, and the network adds latencies.
  bool flows() const { return size() <= 64; }

  void copy(std::span<const Sent> sent, std::span<const Received> received) {
    static std::vector<std::span<const Sent>> all(static_cast<std::size_t>(size()));
    all[static_cast<std::size_t>(rank())] = sent;
    MPI_Barrier(MPI_COMM_WORLD);
    for (const Received& each : received) {
      for (const Sent& from : all[static_cast<std::size_t>(each.from)]) {
        if (from.to == rank()) std::copy(from.bytes.begin(), from.bytes.end(), each.bytes.begin());
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }

  Communicator& processes_;
  std::byte nothing_{};
  double factor_ = 0.0, sum_factor_ = 0.0, latency_ = 0.0, bandwidth_ = 0.0;
};

/// Growth of the messages of a part with `leaves` leaves when the number of points is multiplied by
/// `each`: that of the leaves within 2.5 leaves of its surface.
double growth(double leaves, double dimension, double each) {
  const auto around = [&](double edge) {
    return std::pow(edge + 5.0, dimension) - std::pow(edge, dimension);
  };
  const double edge = std::pow(leaves, 1.0 / dimension);
  return around(edge * std::pow(each, 1.0 / dimension)) / around(edge);
}

double largest(Communicator& processes, double value) {
  processes.maximum(std::span(&value, 1));
  return value;
}
double mean(Communicator& processes, double value) {
  processes.sum(std::span(&value, 1));
  return value / processes.size();
}

struct Rates {
  double seconds, latency, bandwidth;  ///< as in the first lines
};

void project(Communicator& processes, const Problem& problem, const fmm::Options& options,
             const Rates& rates, std::span<const double> multiples) {
  // The part of this process.
  const std::size_t n = problem.points.size(), size = static_cast<std::size_t>(processes.size()),
                    rank = static_cast<std::size_t>(processes.rank()), first = n * rank / size,
                    count = n * (rank + 1) / size - first;
  const fmm::WeightedKeys given{std::span(problem.keys).subspan(first, count),
                                std::span(problem.work).subspan(first, count)};
  constexpr std::int64_t fewest = 32;
  const fmm::Partition partition =
      fmm::make_partition(processes, {&given, 1}, processes.size(), fmm::max_level, fewest);
  const fmm::KeyRange range = partition.range(processes.rank());
  const auto at = [&](std::uint64_t key) {
    return std::lower_bound(problem.keys.begin(), problem.keys.end(), key) - problem.keys.begin();
  };
  const auto begin = at(range.first), end = at(range.last);
  const std::span<const Vec3d> own(problem.points.data() + begin, problem.points.data() + end);
  fmm::PointsExtent extent = problem.extent;
  extent.sources = extent.targets = static_cast<std::int32_t>(own.size());
  SimulatedMessages points(processes), boxes(processes);
  const fmm::EssentialTree essential = fmm::essential_tree(
      boxes, partition,
      fmm::divided(fmm::make_root(extent), own, own, options.leaf_capacity, 0.0, range));
  const double points_of_part =
      std::accumulate(problem.work.begin() + begin, problem.work.begin() + end, 0.0);

  for (const double each : multiples) {
    // Strengths of halos, P2M and M2M, expansions, the other passes. One number stands for an
    // expansion.
    const double work = each * rates.seconds * points_of_part,
                 width = options.order * options.order,
                 larger =
                     growth(problem.leaves / static_cast<double>(size), problem.dimension, each);
    points.lengthen(larger, 1.0, rates.latency, rates.bandwidth);
    boxes.lengthen(larger * width, width, rates.latency, rates.bandwidth);
    const fmm::ExpansionExchange& exchange = essential.exchange;
    const std::vector<double> strengths(own.size()), sent(exchange.sent().size());
    std::vector<double> halo(static_cast<std::size_t>(essential.halo.arrivals())),
        received(exchange.received().size()), shared(exchange.shared().size());
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    essential.halo.forward(points, strengths.data(), 1, halo.data());
    constexpr double upwards = 0.1;  // of the passes, P2M and M2M
    smpi_execute(upwards * work);
    exchange.run<double>(1, sent, received, shared);
    smpi_execute((1.0 - upwards) * work);
    const double total = largest(processes, MPI_Wtime() - start),
                 of_messages = mean(processes, points.exchange_seconds + boxes.exchange_seconds),
                 of_sums = mean(processes, boxes.sum_seconds), busiest = largest(processes, work),
                 passes = mean(processes, work),
                 bytes = mean(processes, points.bytes + boxes.bytes);
    if (rank > 0) continue;
    std::printf(
        "%s, %zu ranks, %.3g points each: apply %.3f ms, efficiency %.3f; passes %.3f ms, longest "
        "%.3f; messages %.3f ms, %.0f kB; sums %.3f ms, %.0f kB\n",
        problem.name.c_str(), size, each * static_cast<double>(n) / static_cast<double>(size),
        1e3 * total, passes / total, 1e3 * passes, 1e3 * busiest, 1e3 * of_messages, 1e-3 * bytes,
        1e3 * of_sums, 8e-3 * width * static_cast<double>(shared.size()));
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace rankine

int main(int argc, char** argv) {
  rankine::MpiSession session(&argc, &argv);
  if (argc < 9) {
    std::fprintf(stderr, "arguments: see the first lines of the source\n");
    return 2;
  }
  std::vector<double> numbers;
  for (int i = 2; i < argc; ++i) numbers.push_back(std::strtod(argv[i], nullptr));
  const rankine::fmm::Options options{.order = static_cast<int>(numbers[2]),
                                      .leaf_capacity = static_cast<int>(numbers[1])};
  static const rankine::Problem problem(argv[1], static_cast<std::size_t>(numbers[0]), options);
  rankine::project(session.processes(), problem, options, {numbers[3], numbers[4], numbers[5]},
                   std::span(numbers).subspan(6));
  return 0;
}
