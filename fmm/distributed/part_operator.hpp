// The sums at the targets of one process of several, for a plan that has been made elsewhere.
#pragma once

#include <memory>

#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {

class PartOperator : public Operator {
 public:
  using Operator::move;
  /// Replaces points, tree and exchange; the decisions of the plan must be those of before. Sources
  /// are in the order of the plan: those of halos come last.
  virtual void move(const Points& points, Plan plan, ExpansionExchange exchange) = 0;
};

std::unique_ptr<PartOperator> make_part_operator(const Points& points, Plan plan,
                                                 ExpansionExchange exchange);

}  // namespace rankine::fmm
