// Closed forms in SIMD lanes against those of one triangle at a time.
#include "rankine/bem/simd/functions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "rankine/bem/panels/panel_integrals.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

const auto& functions_of(bool curved) {
  return curved ? simd_functions().integrate_curved : simd_functions().integrate_flat;
}

/// Triangles of all sorts, needles among them, curved by up to a tenth of their size.
std::vector<TrianglePatch<double>> triangles(bool curved) {
  std::mt19937 generator(5);
  std::vector<TrianglePatch<double>> all;
  for (int k = 0; k < 40; ++k) {
    const double width = std::pow(10.0, -(k % 4));
    TrianglePatch<double> triangle{};
    const Vec3d at = testing::random_point(generator, 1.0),
                along = testing::random_point(generator, 1.0),
                across = width * testing::random_point(generator, 1.0);
    triangle.corner[0] = at;
    triangle.corner[1] = at + along;
    triangle.corner[2] = at + 0.4 * along + across;
    for (Vec3d& bulge : triangle.bulge)
      if (curved) bulge = 0.1 * width * testing::random_point(generator, 1.0);
    all.push_back(triangle);
  }
  return all;
}

template <IntegralSet wanted>
void expect_lanes_like_one(bool curved) {
  std::mt19937 generator(6);
  const std::vector<TrianglePatch<double>> all = triangles(curved);
  const IntegrateTriangles integrate = functions_of(curved)[index_of(wanted)];
  ASSERT_NE(integrate, nullptr);
  for (std::size_t first = 0; first + TriangleLanes::most <= all.size(); ++first) {
    TriangleLanes lanes{};
    for (int lane = 0; lane < TriangleLanes::most; ++lane)
      lanes.set(lane, all[first + static_cast<std::size_t>(lane)]);
    for (int k = 0; k < 24; ++k) {
      // Far away, near by, over an edge of one, on the line of an edge and close to the triangle.
      const TrianglePatch<double>& of =
          all[first + static_cast<std::size_t>(k % TriangleLanes::most)];
      const Vec3d places[] = {
          testing::random_point(generator, 30.0), testing::random_point(generator, 1.0),
          of.corner[0] * 0.5 + of.corner[2] * 0.5 + Vec3d{0.1, 0.2, -0.1},
          of.corner[0] * 1.5 - of.corner[1] * 0.5,
          of.point(0.3, 0.3, 0.4) + 1e-2 * testing::random_point(generator, 1.0)};
      const Vec3d x = places[k % 5];
      IntegralLanes found;
      const int count = 1 + k % TriangleLanes::most;
      integrate(lanes, count, x, found);
      for (int lane = 0; lane < count; ++lane) {
        const TrianglePatch<double>& triangle = all[first + static_cast<std::size_t>(lane)];
        PanelIntegrals<double> one, many;
        if (curved) {
          detail::add_curved_triangle<wanted>(triangle, x, false, 0.0, 1, one);
        } else {
          detail::add_flat_triangle<wanted>(triangle.corner, x, false, false, one);
        }
        found.add_to(many, lane, wanted);
        // Rounding, and contraction of products with sums: a solid angle at the distance d from a needle of length L
        // and width w cancels like L^2/(w d), 1e5 and somewhat more here.
        constexpr double rounding = 1e-10;
        const double far =
            norm(triangle.corner[1] - triangle.corner[0]) + norm(x - triangle.corner[0]);
        EXPECT_NEAR(many.single, one.single, rounding * far);
        EXPECT_NEAR(many.dbl, one.dbl, 10.0 * rounding);
        EXPECT_LE(norm(many.grad_single - one.grad_single),
                  10.0 * rounding * (norm(one.grad_single) + 1.0));
        EXPECT_LE(norm(many.grad_dbl - one.grad_dbl),
                  10.0 * rounding * (norm(one.grad_dbl) + 1.0 / far));
      }
    }
  }
}

TEST(PanelSums, InLanesAreThoseOfOneTriangle) {
  for (const bool curved : {false, true}) {
    expect_lanes_like_one<IntegralSet{.single = true, .dbl = true}>(curved);
    expect_lanes_like_one<IntegralSet{.single = true, .grad_single = true}>(curved);
    expect_lanes_like_one<IntegralSet{.grad_single = true, .grad_dbl = true}>(curved);
    expect_lanes_like_one<IntegralSet{.single = true}>(curved);
    expect_lanes_like_one<IntegralSet{.dbl = true}>(curved);
    expect_lanes_like_one<IntegralSet{.grad_single = true}>(curved);
    expect_lanes_like_one<IntegralSet{.grad_dbl = true}>(curved);
  }
  EXPECT_EQ(functions_of(true)[index_of(all_integrals)], nullptr);
}

}  // namespace
}  // namespace rankine::bem
