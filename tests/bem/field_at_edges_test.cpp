// The field next to sharp edges and corners, where there is no exact flow to compare with: it must
// be no faster than the surface around.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "tests/support/l_body.hpp"

namespace rankine::bem {
namespace {

constexpr int squares = 8;

class FieldOfAnL : public ::testing::TestWithParam<Formulation> {
 protected:
  FieldOfAnL() {
    FlowOptions options;
    options.formulation = GetParam();
    solution_ = solve(problem_, options, *backend_);
  }

  Field at(const std::vector<Vec3d>& points) {
    return evaluate_field(problem_, solution_, points, {}, *backend_);
  }

  /// The largest speed at collocation points within two panels of a point.
  double fastest_around(const Vec3d& x) const {
    double largest = 0.0;
    for (std::size_t j = 0; j < problem_.panels.size(); ++j) {
      if (norm(problem_.panels.centroid[j] - x) < 2.0 / squares)
        largest = std::max(largest, norm(solution_.velocity[j]));
    }
    return largest;
  }

  FlowProblem problem_{.panels = make_panels(testing::l_body(squares)), .stream = {0.6, 0.5, 0.3}};
  std::unique_ptr<Backend> backend_ = make_cpu_backend();
  Solution solution_;
};

TEST_P(FieldOfAnL, IsNoFasterThanTheWallsAround) {
  std::vector<Vec3d> points;
  for (const double d : {0.03, 0.01, 0.0014, 1e-4, 1e-6}) {
    for (double along = 0.003; along < 1.0; along *= 1.4) {
      for (const double z : {0.5, 0.13}) {
        points.push_back({1.0 + d, 1.0 + along, z});  // from the inner edge on
        points.push_back({1.0 + along, 1.0 + d, z});
        points.push_back({along, 2.0 + d, z});  // from an outer one
      }
      points.push_back({0.5, 1.0 + along, 1.0 + d});
      // In the corner, not within half a panel of its ends, where speeds of the flow have no limit.
      if (along > 0.5 / squares) points.push_back({1.0 + d, 1.0 + d, along});
    }
  }
  const Field field = at(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    EXPECT_EQ(field.inside[i], 0);
    const double speed = norm(field.velocity[i]);
    // At the outer edge the exact speed grows like d^(-1/3) from the points of the panels on.
    EXPECT_LE(speed, (points[i].y > 2.0 ? 1.5 : 1.2) * fastest_around(points[i]))
        << points[i].x << " " << points[i].y << " " << points[i].z;
  }
}

TEST_P(FieldOfAnL, IsFiniteOnEdgesAndNodes) {
  std::vector<Vec3d> points = testing::l_body(squares).nodes;
  for (const PanelShape<double>& shape : problem_.panels.shape.on_host())
    points.push_back(0.3 * shape.corner[0] + 0.7 * shape.corner[1]);
  const Field field = at(points);
  const double largest =
      norm(*std::max_element(solution_.velocity.begin(), solution_.velocity.end(),
                             [](const Vec3d& a, const Vec3d& b) { return norm(a) < norm(b); }));
  for (std::size_t i = 0; i < points.size(); ++i) {
    // A convex edge is singular: values on it are extrapolated from the panels beside.
    EXPECT_LE(norm(field.velocity[i]), 1.5 * largest);
    EXPECT_TRUE(std::isfinite(field.phi[i]) && std::isfinite(field.pressure[i]));
  }
}

INSTANTIATE_TEST_SUITE_P(Formulations, FieldOfAnL,
                         ::testing::Values(Formulation::green, Formulation::source));

}  // namespace
}  // namespace rankine::bem
