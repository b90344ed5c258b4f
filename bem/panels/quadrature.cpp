#include "rankine/bem/panels/quadrature.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace rankine::bem {
namespace {

void add_orbit1(std::vector<TrianglePoint>& rule, double weight) {
  rule.push_back({1.0 / 3, 1.0 / 3, 1.0 / 3, weight});
}

void add_orbit3(std::vector<TrianglePoint>& rule, double b, double weight) {
  const double a = 1.0 - 2.0 * b;
  rule.push_back({a, b, b, weight});
  rule.push_back({b, a, b, weight});
  rule.push_back({b, b, a, weight});
}

void add_orbit6(std::vector<TrianglePoint>& rule, double a, double b, double weight) {
  const double c = 1.0 - a - b;
  for (const auto& p :
       {std::array{a, b, c}, {a, c, b}, {b, a, c}, {b, c, a}, {c, a, b}, {c, b, a}}) {
    rule.push_back({p[0], p[1], p[2], weight});
  }
}

}  // namespace

std::vector<TrianglePoint> triangle_rule(int points) {
  std::vector<TrianglePoint> rule;
  switch (points) {
    case 1:
      add_orbit1(rule, 1.0);
      break;
    case 3:
      add_orbit3(rule, 1.0 / 6, 1.0 / 3);
      break;
    case 6:
      add_orbit3(rule, 0.44594849091596489, 0.22338158967801147);
      add_orbit3(rule, 0.09157621350977073, 0.10995174365532187);
      break;
    case 7: {
      const double root = std::sqrt(15.0);
      add_orbit1(rule, 9.0 / 40);
      add_orbit3(rule, (6.0 - root) / 21.0, (155.0 - root) / 1200.0);
      add_orbit3(rule, (6.0 + root) / 21.0, (155.0 + root) / 1200.0);
      break;
    }
    case 12:
      add_orbit3(rule, 0.24928674517091042, 0.11678627572637937);
      add_orbit3(rule, 0.06308901449150223, 0.05084490637020682);
      add_orbit6(rule, 0.05314504984481695, 0.31035245103378440, 0.08285107561837358);
      break;
    default:
      assert(false && "no such triangle rule");
  }
  return rule;
}

const FarNodeRules& far_node_rules() {
  static const FarNodeRules rules = [] {
    FarNodeRules made{};
    std::ranges::copy(triangle_rule(3), made.quadratic);
    std::ranges::copy(triangle_rule(6), made.quartic);
    return made;
  }();
  return rules;
}

}  // namespace rankine::bem
