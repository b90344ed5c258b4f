#include "rankine/fmm/distributed/distributed_operator.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributed/part.hpp"

namespace rankine::fmm {
namespace {

/// Numbers per point of the strengths and of the results of one right-hand side.
constexpr std::array<int, 4> strength_widths{1, 1, 3, 3};
constexpr std::array<int, 5> result_widths{1, 3, 6, 3, 9};

std::array<std::span<const double>, 4> arrays(const Strengths& strengths) {
  return {strengths.charges, strengths.normal_dipoles, strengths.dipoles, strengths.vortices};
}
std::array<std::span<double>, 5> arrays(const Results& results) {
  return {results.potential, results.gradient, results.hessian, results.velocity,
          results.velocity_gradient};
}

/// Which strengths are given and which results are requested, in the order of arrays().
using Kinds = std::array<bool, 9>;

Kinds kinds_of(const Strengths& strengths, const Results& results) {
  Kinds kinds{};
  std::size_t i = 0;
  for (const auto& each : arrays(strengths)) kinds[i++] = !each.empty();
  for (const auto& each : arrays(results)) kinds[i++] = !each.empty();
  return kinds;
}

/// An operator whose caller's points have another order than the points that the process sums, or
/// are another part of all points.
class OperatorOfParts : public Operator {
 public:
  void apply(const Strengths& strengths, const Results& results, int rhs) final {
    options_.execution.run([&] { run(strengths, results, rhs, nullptr); });
  }
  std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                  int rhs) final {
    std::vector<PassTime> times;
    options_.execution.run([&] { run(strengths, results, rhs, &times); });
    return times;
  }
  void move(const Points& points, MemorySpace where) final {
    options_.execution.run([&] {
      const Stopwatch stopwatch;
      agreed(part_.processes(), [&] {
        if (where != MemorySpace::host)
          throw InputError("this operator takes points from the host, not from a device");
        check_move(points, info_, !points.normals.empty());
      });
      replace(points);
      describe(points, stopwatch);
    });
  }
  void set_order(int order) final {
    options_.execution.run([&] { part_.set_order(order); });
    info_.order = part_.sum().info().order;
  }
  const OperatorInfo& info() const final { return info_; }

 protected:
  OperatorOfParts(Communicator& processes, const Points& local, const Options& options)
      : options_(options), part_(processes, local, options) {}

  /// Moves the part to these points of the caller.
  virtual void replace(const Points& points) = 0;
  /// Copies one right-hand side of results from the order of the part to that of the caller.
  virtual void give(const double* here, int width, double* wanted) = 0;
  /// The first of the caller's strengths that the process passes to the others.
  virtual std::size_t first_source() const { return 0; }

  void describe(const Points& points, const Stopwatch& stopwatch) {
    info_ = part_.sum().info();
    info_.sources = static_cast<std::int64_t>(points.sources.size());
    info_.targets = static_cast<std::int64_t>(points.targets.size());
    info_.setup_seconds = stopwatch.seconds();
  }

  const Options options_;
  Part part_;
  OperatorInfo info_;  ///< of this process; its numbers of points are those of the caller

 private:
  /// The kinds in all processes; throws if the arrays do not have their sizes. A process without
  /// sources or targets passes empty arrays; it receives the kinds from the others.
  Kinds check(const Strengths& strengths, const Results& results, int rhs) {
    agreed(part_.processes(), [&] {
      if (info_.sources > 0 && info_.targets > 0)
        check_apply(strengths, results, rhs, info_, part_.has_normals());
    });
    const Kinds here = kinds_of(strengths, results);
    std::array<double, 9> any{};
    std::transform(here.begin(), here.end(), any.begin(), [](bool is) { return is ? 1.0 : 0.0; });
    part_.processes().maximum(any);
    Kinds kinds{};
    std::transform(any.begin(), any.end(), kinds.begin(), [](double x) { return x > 0.0; });
    return kinds;
  }

  void take(const double* given, int width, double* here) {
    const Route& owners = part_.owned().to_sources();
    owners.forward(part_.processes(), given, width, here);
    part_.halo().forward(part_.processes(), here, width, here + owners.arrivals() * width);
  }

  void run(const Strengths& strengths, const Results& results, int rhs,
           std::vector<PassTime>* times) {
    const auto given = arrays(strengths);
    const auto wanted = arrays(results);
    const Kinds kinds = check(strengths, results, rhs);
    std::array<std::vector<double>, 4> here;
    for (std::size_t s = 0; s < here.size(); ++s) {
      if (!kinds[s]) continue;
      const std::int64_t size = strength_widths[s] * part_.sources();
      here[s].resize(static_cast<std::size_t>(rhs * size));
      for (int k = 0; k < rhs; ++k) {
        const auto first = k * info_.sources + static_cast<std::int64_t>(first_source());
        take(given[s].data() + first * strength_widths[s], strength_widths[s],
             here[s].data() + k * size);
      }
    }
    std::array<std::vector<double>, 5> sums;
    for (std::size_t r = 0; r < sums.size(); ++r) {
      if (!kinds[4 + r]) continue;
      sums[r].resize(static_cast<std::size_t>(rhs * part_.targets() * result_widths[r]));
    }
    const Strengths part_strengths{here[0], here[1], here[2], here[3]};
    const Results part_results{sums[0], sums[1], sums[2], sums[3], sums[4]};
    if (times != nullptr) {
      *times = part_.sum().breakdown(part_strengths, part_results, rhs);
    } else {
      part_.sum().apply(part_strengths, part_results, rhs);
    }
    part_.sum().synchronize();
    for (std::size_t r = 0; r < sums.size(); ++r) {
      for (int k = 0; kinds[4 + r] && k < rhs; ++k) {
        give(sums[r].data() + k * part_.targets() * result_widths[r], result_widths[r],
             wanted[r].data() + k * info_.targets * result_widths[r]);
      }
    }
  }
};

class DistributedOperator final : public OperatorOfParts {
 public:
  DistributedOperator(Communicator& processes, const Points& points, const Options& options,
                      const Stopwatch& stopwatch)
      : OperatorOfParts(processes, points, options) {
    describe(points, stopwatch);
  }

 private:
  void replace(const Points& points) override { part_.move(points); }
  void give(const double* here, int width, double* wanted) override {
    part_.owned().to_targets().backward(part_.processes(), here, width, wanted);
  }
};

/// The share of a process in values that all processes have.
template <class T>
std::span<const T> share_of(const Communicator& processes, std::span<const T> values) {
  const std::size_t n = values.size(), size = static_cast<std::size_t>(processes.size()),
                    rank = static_cast<std::size_t>(processes.rank());
  return values.subspan(n * rank / size, n * (rank + 1) / size - n * rank / size);
}
Points share_of(const Communicator& processes, const Points& points) {
  return {share_of(processes, points.sources.on_host()),
          share_of(processes, points.targets.on_host()),
          share_of(processes, points.normals.on_host()), share_of(processes, points.core_radii)};
}

/// The sources of a process, and its share of the targets that all processes have.
Points passed_points(const Communicator& processes, const Points& points, SourcesOf given) {
  const Points share = share_of(processes, points);
  if (given == SourcesOf::all) return share;
  return {points.sources, share.targets, points.normals, points.core_radii};
}

class ReplicatedOperator final : public OperatorOfParts {
 public:
  ReplicatedOperator(Communicator& processes, const Points& points, const Options& options,
                     SourcesOf given, const Stopwatch& stopwatch)
      : OperatorOfParts(processes, passed_points(processes, points, given), options),
        given_(given) {
    find_targets(points);
    describe(points, stopwatch);
  }

 private:
  void replace(const Points& points) override {
    part_.move(passed_points(part_.processes(), points, given_));
    find_targets(points);
  }

  std::size_t first_source() const override {
    if (given_ == SourcesOf::process) return 0;
    return static_cast<std::size_t>(info_.sources * part_.processes().rank() /
                                    part_.processes().size());
  }

  void give(const double* here, int width, double* wanted) override {
    std::vector<double> all(target_index_.size() * static_cast<std::size_t>(width));
    part_.processes().gather(
        std::as_bytes(std::span(here, static_cast<std::size_t>(part_.targets() * width))),
        std::as_writable_bytes(std::span(all)));
    parallel_for(target_index_.size(), [&](std::size_t i) {
      for (int c = 0; c < width; ++c)
        wanted[target_index_[i] * std::int64_t{width} + c] = all[i * width + c];
    });
  }

  void find_targets(const Points& points) {
    Communicator& processes = part_.processes();
    target_index_.resize(points.targets.size());
    std::iota(target_index_.begin(), target_index_.end(), 0);
    const Route& targets = part_.owned().to_targets();
    std::vector<std::int32_t> mine(static_cast<std::size_t>(targets.arrivals()));
    targets.forward(processes,
                    share_of(processes, std::span<const std::int32_t>(target_index_)).data(), 1,
                    mine.data());
    processes.gather(std::as_bytes(std::span(mine)),
                     std::as_writable_bytes(std::span(target_index_)));
  }

  const SourcesOf given_;
  std::vector<std::int32_t> target_index_;  ///< of the targets of all processes
};

/// Direct sums of the sources of each process at all targets, added up.
class AddedSums final : public Operator {
 public:
  AddedSums(Communicator& processes, const Points& points, const Options& options)
      : processes_(processes) {
    agreed(processes_, [&] { own_ = make_cpu_operator(points, options); });
  }

  void apply(const Strengths& strengths, const Results& results, int rhs) override {
    agreed(processes_, [&] { own_->apply(strengths, results, rhs); });
    for (const std::span<double> sums : arrays(results)) processes_.sum(sums);
  }
  std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                  int rhs) override {
    std::vector<PassTime> times;
    agreed(processes_, [&] { times = own_->breakdown(strengths, results, rhs); });
    for (const std::span<double> sums : arrays(results)) processes_.sum(sums);
    return times;
  }
  void move(const Points& points, MemorySpace where) override {
    agreed(processes_, [&] { own_->move(points, where); });
  }
  void set_order(int order) override { own_->set_order(order); }
  const OperatorInfo& info() const override { return own_->info(); }

 private:
  Communicator& processes_;
  std::unique_ptr<Operator> own_;
};

}  // namespace

std::unique_ptr<Operator> make_distributed_operator(Communicator& processes, const Points& points,
                                                    const Options& options) {
  return options.execution.run([&]() -> std::unique_ptr<Operator> {
    const Stopwatch stopwatch;
    return std::make_unique<DistributedOperator>(processes, points, options, stopwatch);
  });
}

std::unique_ptr<Operator> make_replicated_operator(Communicator& processes, const Points& points,
                                                   const Options& options, SourcesOf given) {
  return options.execution.run([&]() -> std::unique_ptr<Operator> {
    if (given == SourcesOf::process && options.method == Method::direct)
      return std::make_unique<AddedSums>(processes, points, options);
    const Stopwatch stopwatch;
    return std::make_unique<ReplicatedOperator>(processes, points, options, given, stopwatch);
  });
}

}  // namespace rankine::fmm
