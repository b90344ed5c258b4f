// The CPU operator: the order of the passes of the direct sum, the treecode and the FMM.
#include <omp.h>

#include <algorithm>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/cpu_passes.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {
namespace {

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
    check_apply(strengths, results, rhs, info_, passes_.has_normals());
    if (info_.targets == 0) return;
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

std::unique_ptr<Operator> make_cpu_operator(const Points& points, const Options& options) {
  const double start = omp_get_wtime();
  const ThreadScope threads(options.threads);
  if (options.precision == Precision::float64)
    return std::make_unique<CpuOperator<double>>(points, options, start);
  return std::make_unique<CpuOperator<float>>(points, options, start);
}

}  // namespace rankine::fmm
