// The CPU operator: the order of the passes of the direct sum, the treecode and the FMM.
#include <omp.h>

#include <algorithm>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/cpu_passes.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {
namespace {

/// Sets the number of OpenMP threads for a scope.
class ThreadScope {
 public:
  explicit ThreadScope(int threads) : before_(omp_get_max_threads()) {
    if (threads > 0) omp_set_num_threads(threads);
  }
  ~ThreadScope() { omp_set_num_threads(before_); }
  ThreadScope(const ThreadScope&) = delete;
  ThreadScope& operator=(const ThreadScope&) = delete;

 private:
  int before_;
};

Plan cpu_plan(const Points& points, const Options& options) {
  TreeBuilder host;
  Plan plan = make_plan(points, options, host, cpu_tuning(options));
  sum_directly_where_few(plan);
  return plan;
}

template <class T>
class CpuOperator final : public Operator {
 public:
  CpuOperator(const Points& points, const Options& options, double start)
      : passes_(points, cpu_plan(points, options)), info_(passes_.plan().info()) {
    info_.setup_seconds = omp_get_wtime() - start;
    info_.host_bytes = passes_.bytes();
  }

  void apply(const Strengths& strengths, const Results& results, int rhs) override {
    run(strengths, results, rhs, nullptr);
  }

  std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                  int rhs) override {
    std::vector<PassTime> times;
    run(strengths, results, rhs, &times);
    return times;
  }

  const OperatorInfo& info() const override { return info_; }

 private:
  void run(const Strengths& strengths, const Results& results, int rhs,
           std::vector<PassTime>* times) {
    if (info_.targets == 0) return;  // an empty array may have no address
    check_apply(strengths, results, rhs, passes_.has_normals());
    const ThreadScope threads(passes_.plan().options.threads);
    const auto pass = [&](const char* name, auto&& work) {
      const double start = omp_get_wtime();
      work();
      if (times != nullptr) times->push_back({name, omp_get_wtime() - start});
    };
    const Method method = passes_.plan().options.method;
    pass("other", [&] { passes_.load(strengths, rhs); });
    if (method != Method::direct) {
      pass("P2M", [&] { passes_.p2m(); });
      pass("M2M", [&] { passes_.m2m(); });
    }
    if (method == Method::fmm) {
      pass("M2L", [&] { passes_.m2l(); });
      pass("P2L", [&] { passes_.p2l(); });
      pass("L2L", [&] { passes_.l2l(); });
    }
    std::vector<LeafSeconds> seconds(omp_get_max_threads());
    passes_.leaves(results, times != nullptr ? seconds.data() : nullptr);
    if (times != nullptr) {
      LeafSeconds sum;
      for (const LeafSeconds& each : seconds) {
        sum.l2p += each.l2p / static_cast<double>(seconds.size());
        sum.m2p += each.m2p / static_cast<double>(seconds.size());
        sum.p2p += each.p2p / static_cast<double>(seconds.size());
      }
      times->push_back({"L2P", sum.l2p});
      times->push_back({"M2P", sum.m2p});
      times->push_back({"P2P", sum.p2p});
    }
    info_.host_bytes = passes_.bytes();
  }

  CpuPasses<T> passes_;
  OperatorInfo info_;
};

}  // namespace

void check_apply(const Strengths& strengths, const Results& results, int rhs, bool has_normals) {
  if (strengths.charges == nullptr && strengths.normal_dipoles == nullptr &&
      strengths.dipoles == nullptr) {
    throw InputError("apply was given no strengths; pass charges or dipoles");
  }
  if (results.potential == nullptr && results.gradient == nullptr) {
    throw InputError(
        "apply was asked for nothing; pass an array for the potential or the gradient");
  }
  if (strengths.normal_dipoles != nullptr && !has_normals) {
    throw InputError(
        "apply was given normal dipoles, but the operator was built without normals; set "
        "Points::normals");
  }
  if (rhs < 1)
    throw InputError("apply was asked for " + std::to_string(rhs) +
                     " right-hand sides; use 1 or more");
}

std::unique_ptr<Operator> make_cpu_operator(const Points& points, const Options& options) {
  const double start = omp_get_wtime();
  const ThreadScope threads(options.threads);
  if (options.precision == Precision::float64)
    return std::make_unique<CpuOperator<double>>(points, options, start);
  return std::make_unique<CpuOperator<float>>(points, options, start);
}

}  // namespace rankine::fmm
