// The order of the passes of the direct sum, the treecode and the FMM.
#include "rankine/fmm/cpu_operator.hpp"

#include <algorithm>
#include <optional>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/cpu_passes.hpp"
#include "rankine/fmm/distributed/part_operator.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {
namespace {

Plan cpu_plan(const Points& points, Options options) {
  TreeBuilder host;
  options.method = choose_method(points, options);
  const bool shared = extent_of(points.sources, points.targets).shared_points;
  return make_plan(points, options, host, cpu_tuning(options, shared));
}

template <class T>
class CpuOperator final : public PartOperator {
 public:
  /// `stopwatch` was started when the set-up began. With `exchange`, the points are one part of
  /// those of several processes.
  CpuOperator(const Points& points, Plan plan, const Stopwatch& stopwatch,
              std::optional<ExpansionExchange> exchange = std::nullopt)
      : execution_(plan.options.execution),
        stopwatch_(stopwatch),
        passes_(points, std::move(plan)),
        exchange_(std::move(exchange)) {
    describe();
  }

  void move(const Points& points, MemorySpace where) override {
    if (where != MemorySpace::host)
      throw InputError("this operator takes points from the host, not from a device");
    execution_.run([&] {
      check_move(points, info_, passes_.has_normals());
      stopwatch_ = {};
      passes_.move(points, replan(passes_.plan(), points));
      describe();
    });
  }

  void move(const Points& points, Plan plan, ExpansionExchange exchange) override {
    execution_.run([&] {
      stopwatch_ = {};
      passes_.move(points, std::move(plan));
      exchange_ = std::move(exchange);
      describe();
    });
  }

  void set_order(int order) override {
    if (info_.method == Method::direct) return;
    execution_.run([&] { passes_.set_order(order); });
    info_.order = order;
  }

  void apply(const Strengths& strengths, const Results& results, int rhs) override {
    execution_.run([&] {
      Execution{.threads = useful_threads(rhs)}.run([&] { run(strengths, results, rhs, nullptr); });
    });
  }

  std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                  int rhs) override {
    std::vector<PassTime> times;
    execution_.run([&] { run(strengths, results, rhs, &times); });
    return times;
  }

  const OperatorInfo& info() const override { return info_; }

 private:
  /// Number of threads for direct sums of few pairs: waking a thread takes as long as summing
  /// `least` pairs, and much longer on a busy machine. 0: all threads.
  int useful_threads(int rhs) const {
    constexpr double least = 1 << 14;
    if (passes_.plan().options.method != Method::direct) return 0;
    const double pairs = static_cast<double>(info_.sources) * static_cast<double>(info_.targets);
    return static_cast<int>(std::clamp<double>(pairs * rhs / least, 1.0, thread_count()));
  }

  void run(const Strengths& strengths, const Results& results, int rhs,
           std::vector<PassTime>* times) {
    if (!exchange_) {
      check_apply(strengths, results, rhs, info_, passes_.has_normals());
      if (info_.targets == 0) return;
    }
    const auto pass = [&](const char* name, auto&& work) {
      const Stopwatch stopwatch;
      work();
      if (times != nullptr) times->push_back({name, stopwatch.seconds()});
    };
    const Method method = passes_.plan().options.method;
    pass("other", [&] { passes_.load(strengths, rhs); });
    if (method != Method::direct) {
      pass("P2M", [&] { passes_.p2m(); });
      pass("M2M", [&] { passes_.m2m(); });
      if (exchange_) pass("exchange", [&] { passes_.exchange(*exchange_); });
    }
    if (method == Method::fmm) {
      pass("M2L", [&] { passes_.m2l(); });
      pass("P2L", [&] { passes_.p2l(); });
      pass("L2L", [&] { passes_.l2l(); });
    }
    LeafSeconds seconds;
    passes_.leaves(results, times != nullptr ? &seconds : nullptr);
    if (times != nullptr) {
      times->push_back({"L2P", seconds.l2p});
      times->push_back({"M2P", seconds.m2p});
      times->push_back({"P2P", seconds.p2p});
    }
    info_.host_bytes = passes_.bytes();
  }

  void describe() {
    info_ = passes_.plan().info();
    info_.setup_seconds = stopwatch_.seconds();
    info_.host_bytes = passes_.bytes();
  }

  Execution execution_;
  Stopwatch stopwatch_;  ///< started when the set-up began
  CpuPasses<T> passes_;
  std::optional<ExpansionExchange> exchange_;
  OperatorInfo info_;
};

std::unique_ptr<PartOperator> make(const Points& points, Plan plan, const Stopwatch& stopwatch,
                                   std::optional<ExpansionExchange> exchange = std::nullopt) {
  if (plan.options.precision == Precision::float64)
    return std::make_unique<CpuOperator<double>>(points, std::move(plan), stopwatch,
                                                 std::move(exchange));
  return std::make_unique<CpuOperator<float>>(points, std::move(plan), stopwatch,
                                              std::move(exchange));
}

}  // namespace

std::unique_ptr<PartOperator> make_part_operator(const Points& points, Plan plan,
                                                 ExpansionExchange exchange) {
  return make(points, std::move(plan), Stopwatch(), std::move(exchange));
}

std::unique_ptr<Operator> make_cpu_operator(const Points& points, const Options& options) {
  return options.execution.run([&]() -> std::unique_ptr<Operator> {
    const Stopwatch stopwatch;
    return make(points, cpu_plan(points, options), stopwatch);
  });
}

}  // namespace rankine::fmm
