// Fans of needles around a node, as CAD programs cut discs, cones and the poles of spheres: work in
// proportion to their number, and answers that do not suffer from it.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "tests/support/long_bodies.hpp"

namespace rankine::bem {
namespace {

TEST(Fans, TakeWorkInProportionToTheirNeedles) {
  for (const std::int32_t needles : {500, 2000}) {
    const Panels panels = make_panels(testing::cone(needles));
    const PanelNeighbourhood around(panels);
    PanelPatch patch(around);
    for (const std::int32_t j : {0, needles, 2 * needles - 1}) {
      patch.move_to(j);
      // At each of its nodes, and at those of the panels found there.
      EXPECT_LE(patch.around().size(), 6 * most_at_node);
      EXPECT_GE(patch.around().size(), most_at_node / 2);
    }
    const CollocatedPanels discretization(panels);
    const std::size_t nodes = discretization.panel_nodes().points.size();
    EXPECT_LE(discretization.strengths({}).nodes.pattern->entries(), 17 * nodes)
        << "sixteen neighbours";
    // As of all long panels (docs/architecture.md): nodes times entries in proportion to the aspect
    // ratio, that of the cone's walls.
    const double aspect = std::sqrt(5.0) / (2.0 * std::numbers::pi / needles);
    const double entries = static_cast<double>(discretization.near_pairs({}).entries());
    EXPECT_LE(entries * static_cast<double>(nodes),
              20.0 * aspect * std::pow(static_cast<double>(panels.size()), 2));
  }
}

TEST(Fans, AtThePolesOfASphereDoNotCostAccuracy) {
  // Caps of 5 degrees are fans. More needles do not mend what rings 7 degrees apart leave, and must
  // not make it worse: constant strengths on flat panels of that size have the error on the right.
  const Vec3d stream{1.0, 0.0, 0.5};
  const SphereFlow exact{stream};
  for (const std::int32_t needles : {100, 400}) {
    const FlowProblem problem{.panels = make_panels(testing::sphere_with_fans(needles, 24, 5.0)),
                              .stream = stream};
    FlowOptions options;
    options.gmres.tolerance = 1e-7;
    const auto backend = make_cpu_backend();
    const Solution solution = solve(problem, options, *backend);
    std::vector<double> expected;
    for (const Vec3d& x : problem.panels.centroid) expected.push_back(exact.on_surface(x).phi);
    const double error = relative_error(problem.panels.area, solution.phi, expected).l2;
    EXPECT_LE(error, 0.4 * discretization_error_estimate(problem.panels)) << needles;
  }
}

TEST(SharedNodes, NextToATargetDoNotMakeItsRowTheirOwn) {
  // The rim of a disc of long panels: shared sources lie off the panels by more than they are from
  // some points, whose potentials were wrong by up to four times the largest one. No point errs by
  // more than a few times its neighbours, all of which are coarse at the rim: 7.5 degrees to a
  // panel.
  const Vec3d semi_axes{1, 1, 0.05}, stream{1, 0, 0};
  const EllipsoidFlow exact(semi_axes, stream);
  const FlowProblem problem{.panels = make_panels(testing::lathe(200, 48, semi_axes)),
                            .stream = stream};
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, FlowOptions{}, *backend);
  std::vector<double> expected;
  for (const Vec3d& x : problem.panels.centroid) expected.push_back(exact.on_surface(x).phi);
  const FieldError error = relative_error(problem.panels.area, solution.phi, expected);
  EXPECT_LE(error.l2, 5e-3);
  EXPECT_LE(error.max, 5e-2);
}

/// The solid angle of a patch by quadrature, in halves across its longest edge until they are small
/// as seen from x.
double solid_angle_by_halves(const TrianglePatch<double>& patch, const Vec3d& x,
                             const std::array<Vec3d, 3>& part, double share, int left) {
  static const std::vector<TrianglePoint> rule = triangle_rule(6);
  const auto point = [&](const Vec3d& at) { return patch.point(at.x, at.y, at.z); };
  std::array<Vec3d, 3> corner;
  for (std::size_t k = 0; k < 3; ++k) corner[k] = point(part[k]);
  std::size_t longest = 0;
  const auto length = [&](std::size_t k) { return norm(corner[(k + 1) % 3] - corner[k]); };
  for (std::size_t k = 1; k < 3; ++k) longest = length(k) > length(longest) ? k : longest;
  const double distance = norm(x - (corner[0] + corner[1] + corner[2]) / 3.0);
  if (length(longest) < 0.7 * distance || left == 0) {
    PanelIntegrals<double> sum;
    for (const TrianglePoint& each : rule) {
      const Vec3d at = each.a * part[0] + each.b * part[1] + each.c * part[2],
                  area = patch.vector_area(at.x, at.y, at.z);
      add_point<IntegralSet{.dbl = true}>(x - point(at), normalized(area),
                                          each.weight * share * norm(area), sum);
    }
    return sum.dbl;
  }
  const std::size_t next = (longest + 1) % 3;
  const Vec3d middle = 0.5 * (part[longest] + part[next]);
  std::array<Vec3d, 3> first = part, second = part;
  first[next] = second[longest] = middle;
  return solid_angle_by_halves(patch, x, first, 0.5 * share, left - 1) +
         solid_angle_by_halves(patch, x, second, 0.5 * share, left - 1);
}

TEST(LongCurvedPanels, HaveTheirSolidAnglesNextToEachOther) {
  // Panels 7.5 degrees long rise by 2.1e-3 over their chords, by up to 0.8 of the distance to their
  // neighbours' points. Curves are cut until they rise by a fifth of it at most: what is left is
  // the square of that, of a strip seen under as much, 8e-3. To first order in the whole rise they
  // were wrong by up to 0.3.
  for (const std::int32_t sectors : {100, 400, 800}) {
    const Panels panels = make_panels(testing::lathe(24, sectors, {1, 1, 1}));
    for (const double z : {0.0, 0.7}) {
      std::size_t i = 0;
      for (std::size_t j = 0; j < panels.size(); ++j) {
        if (std::abs(panels.centroid[j].z - z) < std::abs(panels.centroid[i].z - z)) i = j;
      }
      const Vec3d& x = panels.centroid[i];
      double whole = 0.0;
      for (std::size_t j = 0; j < panels.size(); ++j) {
        const double closed = solid_angle(panels.shape[j], x, i == j);
        whole += closed;
        if (j == i || norm(panels.centroid[j] - x) > 0.2) continue;
        const double exact =
            solid_angle_by_halves(triangle_of(panels.shape[j], 0), x,
                                  {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}, 1.0, 16);
        EXPECT_NEAR(closed, exact, 8e-3) << sectors << " " << z;
      }
      EXPECT_NEAR(whole, -2.0 * std::numbers::pi, 1e-9);
    }
  }
}

}  // namespace
}  // namespace rankine::bem
