// Operators over several processes, which are threads here. Each process computes on a device of
// its own, or on a shared one if there are too few. Strengths and results are on the host.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <vector>

#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/runtime/device_context.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "rankine/gpu/sums/staged_sum.hpp"
#include "tests/support/thread_ranks.hpp"

namespace rankine::testing {

/// Calls gpu::use_device for a rank.
inline void use_device_of(const Communicator& processes) {
  gpu::use_device(processes.rank() % static_cast<int>(gpu::devices().size()));
}

class RankedDevices final : public fmm::Operator {
 public:
  RankedDevices(const fmm::Points& points, const fmm::Options& options, int ranks)
      : ranks_(ranks, 1), of_rank_(static_cast<std::size_t>(ranks)) {
    ranks_.run([&](Communicator& processes) {
      use_device_of(processes);
      Rank& rank = of(processes);
      rank.group = std::make_unique<gpu::DeviceGroup>(processes);
      rank.sum.stream = std::make_shared<const gpu::Stream>();
      rank.sum.sum = gpu::make_cuda_operator(points, options, rank.sum.stream, rank.group.get());
    });
  }

  /// Expects the same bits on all ranks.
  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override {
    ranks_.run([&](Communicator& processes) {
      if (processes.rank() == 0)
        return gpu::apply_staged(of(processes).sum, strengths, results, rhs);
      std::vector<double>& own = of(processes).results;
      own.assign(results.potential.size() + results.gradient.size() + results.hessian.size() +
                     results.velocity.size() + results.velocity_gradient.size(),
                 -1.0);
      std::size_t used = 0;
      const auto part = [&](std::span<double> wanted) {
        used += wanted.size();
        return std::span(own).subspan(used - wanted.size(), wanted.size());
      };
      const fmm::Results here{part(results.potential), part(results.gradient),
                              part(results.hessian), part(results.velocity),
                              part(results.velocity_gradient)};
      gpu::apply_staged(of(processes).sum, strengths, here, rhs);
    });
    std::vector<double> first;
    for (const std::span<double> each : {results.potential, results.gradient, results.hessian,
                                         results.velocity, results.velocity_gradient})
      first.insert(first.end(), each.begin(), each.end());
    for (std::size_t r = 1; r < of_rank_.size(); ++r) EXPECT_EQ(of_rank_[r].results, first);
  }

  void move(const fmm::Points& points, MemorySpace where) override {
    ranks_.run([&](Communicator& processes) { of(processes).sum.sum->move(points, where); });
  }
  void set_order(int order) override {
    ranks_.run([&](Communicator& processes) { of(processes).sum.sum->set_order(order); });
  }
  const fmm::OperatorInfo& info() const override { return of_rank_[0].sum.sum->info(); }
  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override {
    apply(strengths, results, rhs);
    return {};
  }

 private:
  struct Rank {
    std::unique_ptr<gpu::DeviceGroup> group;
    gpu::StreamedOperator sum;
    std::vector<double> results;  ///< of ranks other than the first
  };
  Rank& of(const Communicator& processes) {
    return of_rank_[static_cast<std::size_t>(processes.rank())];
  }

  ThreadRanks ranks_;
  std::vector<Rank> of_rank_;
};

}  // namespace rankine::testing
