// The sums at the targets of one of several processes, for a given plan.
#pragma once

#include <memory>

#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/plan.hpp"

namespace rankine::fmm {

class PartOperator : public Operator {
 public:
  using Operator::move;
  /// Replaces points, tree and exchange; the plan must have the same decisions as before. Sources
  /// are in the order of the plan, with those of halos last.
  virtual void move(const Points& points, Plan plan, ExpansionExchange exchange) = 0;
};

std::unique_ptr<PartOperator> make_part_operator(const Points& points, Plan plan,
                                                 ExpansionExchange exchange);

}  // namespace rankine::fmm
