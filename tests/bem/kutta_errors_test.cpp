// The estimate of the error of the circulation.
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/lift/kutta_errors.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/lifting_flow.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;
using Complex = std::complex<double>;

/// The flow at an angle past a section that Karman and Trefftz map from a circle, of chord 1, with
/// the nose at 0 and the trailing edge at 1. The edge has the angle (2 - k) pi.
class ExactSection {
 public:
  ExactSection(double edge_degrees, double centre, double angle)
      : k_(2.0 - edge_degrees / 180.0), centre_(centre), angle_(angle) {
    nose_ = from_circle(Complex(2.0 * centre_ - 1.0, 0.0)).real();
    chord_ = k_ - nose_;
  }

  /// At the angle t around the circle, from the trailing edge.
  Complex point(double t) const {
    return t == 0.0 ? 1.0 : (from_circle(centre_ + radius() * std::polar(1.0, t)) - nose_) / chord_;
  }
  /// That with a smooth flow from the edge.
  double circulation() const { return 4.0 * pi * radius() * std::sin(angle_) / chord_; }
  /// With the circulation -2 pi gamma R, dw/dz in the plane of the section.
  Complex velocity(const Complex& x, double circulation) const {
    const Complex z = nose_ + chord_ * x, w = std::pow((z - k_) / (z + k_), 1.0 / k_),
                  zeta = (1.0 + w) / (1.0 - w), from = zeta - centre_;
    const double r = radius();
    const Complex turn = std::polar(1.0, -angle_);
    const Complex on_circle = turn - r * r / (turn * from * from) +
                              Complex(0.0, circulation * chord_ / (2.0 * pi)) / from;
    const Complex a = std::pow(zeta - 1.0, k_ - 1.0), b = std::pow(zeta + 1.0, k_ - 1.0),
                  down = b * (zeta + 1.0) - a * (zeta - 1.0);
    return std::conj(on_circle * down * down / (4.0 * k_ * k_ * a * b));
  }

 private:
  double radius() const { return 1.0 - centre_; }
  Complex from_circle(const Complex& zeta) const {
    const Complex w = std::pow((zeta - 1.0) / (zeta + 1.0), k_);
    return k_ * (1.0 + w) / (1.0 - w);
  }

  double k_, centre_, angle_, nose_ = 0.0, chord_ = 1.0;
};

/// Exact velocities with too little or too much circulation, at the points of the panels. The wing
/// is so long that the flow is two-dimensional. The equations resolve the flow around the edge by
/// one row of panels, so that its circulation is a third too small at most.
TEST(KuttaErrors, IsThatOfAnExactFlow) {
  const auto backend = make_cpu_backend();
  for (const auto& [edge, centre] : {std::pair(16.0, -0.08), {4.0, -0.03}}) {
    const double angle = 5.0 * pi / 180.0;
    const ExactSection exact(edge, centre, angle);
    const meshes::WingSection section{
        "exact",
        [&](double s) {
          const Complex x = exact.point(pi - std::acos(1.0 - 2.0 * s));
          return meshes::SectionSides{{x.real(), x.imag()}, {x.real(), -x.imag()}};
        },
        {}};
    const Panels panels =
        make_panels(meshes::make_wing({60, 6}, section, {.span = 1e4}), PanelGeometry::flat);
    const FlowProblem problem =
        testing::lifting_flow(panels, {std::cos(angle), 0.0, std::sin(angle)});
    for (const double share : {-0.3, -0.02, 0.0, 0.05}) {
      std::vector<Vec3d> velocity;
      for (const Vec3d& x : problem.panels.centroid) {
        const Complex u = exact.velocity({x.x, x.z}, (1.0 + share) * exact.circulation());
        velocity.push_back({u.real(), 0.0, u.imag()});
      }
      const RegionProblem equations{problem.region(),
                                    problem.conditions,
                                    std::vector<double>(problem.panels.size(), 0.0),
                                    1,
                                    &problem.lift->kutta,
                                    kutta_errors(problem.panels, *problem.lift, velocity)};
      const std::vector<double> error = solve(equations, {}, *backend).front().sheets;
      EXPECT_NEAR(error[3] / exact.circulation(), 5.0 / 6.0 * share, std::abs(share) / 6.0 + 0.002)
          << edge << " degrees";
    }
  }
}

/// With a condition that is wrong by a share of the jump, the estimate is the change of circulation
/// within a factor of 2.
TEST(KuttaErrors, IsTheErrorOfAWrongCondition) {
  const auto backend = make_cpu_backend();
  const double angle = 5.0 * pi / 180.0;
  FlowProblem problem = testing::lifting_flow(
      make_panels(meshes::make_wing({60, 20}, meshes::naca_section("0012"), {.span = 4.0}),
                  PanelGeometry::flat),
      {std::cos(angle), 0.0, std::sin(angle)});
  const auto sum_of = [&](const std::vector<double>& values) {
    double sum = 0.0;
    for (std::size_t s = 0; s < values.size(); ++s) {
      const EdgeSegment& edge = problem.lift->segments[s];
      sum += values[s] * norm(corner_at(problem.panels, edge.upper, edge.second) -
                              corner_at(problem.panels, edge.upper, edge.first));
    }
    return sum;
  };
  const double right = sum_of(solve(problem, FlowOptions{}, *backend).sheets);
  for (const double share : {0.99, 0.998, 1.005}) {
    LiftingEdges wrong = *problem.lift;
    for (double& value : wrong.kutta.values) value *= share;
    FlowProblem changed = problem;
    changed.lift = std::make_shared<LiftingEdges>(std::move(wrong));
    const Solution solution = solve(changed, FlowOptions{}, *backend);
    const double error = sum_of(solution.sheets) - right,
                 estimated = sum_of(solution.circulation_error);
    EXPECT_GT(std::abs(error), 0.01 * right) << share;
    EXPECT_GT(estimated / error, 0.5) << share;
    EXPECT_LT(estimated / error, 2.0) << share;
  }
}

}  // namespace
}  // namespace rankine::bem
