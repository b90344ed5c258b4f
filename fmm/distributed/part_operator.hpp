// What an operator over several processes asks of a backend: the sums at the targets of one
// process, for a plan that has been made elsewhere.
#pragma once

#include <memory>

#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {

class PartOperator : public Operator {
 public:
  using Operator::move;
  /// Replaces points, tree and exchange; the decisions of the plan must be those of before. Sources
  /// are in the order of the plan: those of halos come last.
  virtual void move(const Points& points, Plan plan, ExpansionExchange exchange) = 0;
};

class PartBackend {
 public:
  virtual ~PartBackend() = default;
  /// `shared_points`: sources and targets are the same points in the same order.
  virtual Tuning tuning(const Options& options, bool shared_points) const = 0;
  virtual std::unique_ptr<PartOperator> make(const Points& points, Plan plan,
                                             ExpansionExchange exchange) const = 0;
};

}  // namespace rankine::fmm
