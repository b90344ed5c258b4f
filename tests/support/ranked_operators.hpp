// Operators over several processes, played by threads, behind the interface of one operator.
#pragma once

#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rankine/fmm/distributed/distributed_operator.hpp"
#include "rankine/fmm/octree.hpp"
#include "tests/support/thread_ranks.hpp"

namespace rankine::testing {

/// The part of `values` that a rank has: parts differ in size, and one may be empty.
template <class T>
std::span<T> part_of(std::span<T> values, std::size_t rank, std::size_t ranks,
                     std::size_t width = 1) {
  const std::size_t n = values.size() / width;
  const std::size_t begin = n * rank * rank / (ranks * ranks),
                    end = n * (rank + 1) * (rank + 1) / (ranks * ranks);
  return values.subspan(begin * width, (end - begin) * width);
}

class RankedOperator final : public fmm::Operator {
 public:
  RankedOperator(const fmm::Points& points, const fmm::Options& options, int ranks)
      : ranks_(ranks, 1), of_rank_(static_cast<std::size_t>(ranks)) {
    // Messages of a rank would give the numbers of its part.
    check_options(points, options);
    fmm::extent_of(points.sources, points.targets);
    ranks_.run([&](Communicator& processes) {
      const auto rank = static_cast<std::size_t>(processes.rank());
      of_rank_[rank] = fmm::make_distributed_operator(processes, part(points, rank), options);
    });
    describe(points);
  }

  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override {
    check_apply(strengths, results, rhs, info_, has_normals_);
    for (int k = 0; k < rhs; ++k) apply_one(strengths, results, k, rhs);
  }

  void move(const fmm::Points& points, MemorySpace where) override {
    if (where == MemorySpace::host) {
      check_move(points, info_, has_normals_);
      fmm::extent_of(points.sources, points.targets);
    }
    ranks_.run([&](Communicator& processes) {
      const auto rank = static_cast<std::size_t>(processes.rank());
      of_rank_[rank]->move(part(points, rank), where);
    });
    describe(points);
  }

  void set_order(int order) override {
    ranks_.run([&](Communicator& processes) {
      of_rank_[static_cast<std::size_t>(processes.rank())]->set_order(order);
    });
    info_.order = of_rank_.back()->info().order;
  }
  const fmm::OperatorInfo& info() const override { return info_; }
  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override {
    apply(strengths, results, rhs);
    return {};
  }

 private:
  fmm::Points part(const fmm::Points& points, std::size_t rank) const {
    const auto of = [&]<class T>(std::span<T> values) {
      return part_of(values, rank, of_rank_.size());
    };
    return {of(points.sources.on_host()), of(points.targets.on_host()),
            of(points.normals.on_host()), of(points.core_radii)};
  }

  void apply_one(const fmm::Strengths& strengths, const fmm::Results& results, int k, int rhs) {
    ranks_.run([&](Communicator& processes) {
      const auto rank = static_cast<std::size_t>(processes.rank());
      const auto of = [&]<class T>(std::span<T> values, std::size_t width) {
        const std::size_t size = values.size() / static_cast<std::size_t>(rhs);
        return part_of(values.subspan(static_cast<std::size_t>(k) * size, size), rank,
                       of_rank_.size(), width);
      };
      of_rank_[rank]->apply(
          {of(strengths.charges, 1), of(strengths.normal_dipoles, 1), of(strengths.dipoles, 3),
           of(strengths.vortices, 3)},
          {of(results.potential, 1), of(results.gradient, 3), of(results.hessian, 6),
           of(results.velocity, 3), of(results.velocity_gradient, 9)},
          1);
    });
  }

  void describe(const fmm::Points& points) {
    info_ = of_rank_.back()->info();
    info_.sources = static_cast<std::int64_t>(points.sources.size());
    info_.targets = static_cast<std::int64_t>(points.targets.size());
    has_normals_ = !points.normals.empty();
  }

  ThreadRanks ranks_;
  std::vector<std::unique_ptr<fmm::Operator>> of_rank_;
  fmm::OperatorInfo info_;
  bool has_normals_ = false;
};

}  // namespace rankine::testing
