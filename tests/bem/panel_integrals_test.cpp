// Exact panel integrals against quadrature, closed forms, higher precision and identities.
#include "rankine/bem/panels/panel_integrals.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/simd/functions.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::random_point;

PanelShape<double> random_triangle(std::mt19937& generator) {
  return {{random_point(generator, 1.0),
           random_point(generator, 1.0),
           random_point(generator, 1.0),
           {}},
          3};
}

PanelShape<double> random_warped_quadrilateral(std::mt19937& generator) {
  PanelShape<double> q{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, 4};
  for (Vec3d& c : q.corner) c += random_point(generator, 0.3);
  return q;
}

template <class T>
PanelShape<T> convert(const PanelShape<double>& panel) {
  PanelShape<T> result;
  result.corners = panel.corners;
  for (int k = 0; k < 4; ++k) {
    result.corner[k] = {static_cast<T>(panel.corner[k].x), static_cast<T>(panel.corner[k].y),
                        static_cast<T>(panel.corner[k].z)};
  }
  return result;
}

template <class T>
Vec3<T> convert(const Vec3d& v) {
  return {static_cast<T>(v.x), static_cast<T>(v.y), static_cast<T>(v.z)};
}

/// The 7-point rule on triangles of at most a tenth of their distance errs by (size/distance)^6.
void subdivided(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x,
                PanelIntegrals<double>& sum) {
  const Vec3d centre = (a + b + c) / 3.0;
  const double size = std::max({norm(a - b), norm(b - c), norm(c - a)});
  if (size > 0.1 * norm(x - centre)) {
    const Vec3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    subdivided(a, ab, ca, x, sum);
    subdivided(ab, b, bc, x, sum);
    subdivided(ca, bc, c, x, sum);
    subdivided(ab, bc, ca, x, sum);
    return;
  }
  const Vec3d area_normal = 0.5 * cross(b - a, c - a);
  for (const TrianglePoint& p : triangle_rule(7)) {
    const Vec3d r = x - (p.a * a + p.b * b + p.c * c);
    const double d = norm(r), d3 = d * d * d, d5 = d3 * d * d;
    const double area = norm(area_normal) * p.weight;
    const Vec3d vector_area = p.weight * area_normal;
    sum.single += area / d;
    sum.dbl += dot(vector_area, r) / d3;
    sum.grad_single -= (area / d3) * r;
    sum.grad_dbl += vector_area / d3 - (3.0 * dot(vector_area, r) / d5) * r;
  }
}

PanelIntegrals<double> subdivided(const PanelShape<double>& p, const Vec3d& x) {
  PanelIntegrals<double> sum;
  subdivided(p.corner[0], p.corner[1], p.corner[2], x, sum);
  if (p.corners == 4) subdivided(p.corner[0], p.corner[2], p.corner[3], x, sum);
  return sum;
}

TEST(PanelIntegrals, AgreeWithAdaptiveQuadrature) {
  std::mt19937 generator(1);
  for (int trial = 0; trial < 60; ++trial) {
    const PanelShape<double> panel =
        trial % 2 == 0 ? random_triangle(generator) : random_warped_quadrilateral(generator);
    Vec3d x = random_point(generator, 2.0);
    // Quadrature needs distance: lift the point where it fell close to the panel's middle.
    if (norm(x) < 0.5) x += Vec3d{0.0, 0.0, 2.5};
    const PanelIntegrals<double> exact = integrate_panel<all_integrals>(panel, x),
                                 reference = subdivided(panel, x);
    EXPECT_NEAR(exact.single, reference.single, 1e-8 * reference.single);
    EXPECT_NEAR(exact.dbl, reference.dbl, 1e-7);
    EXPECT_NEAR(norm(exact.grad_single - reference.grad_single), 0.0,
                1e-7 * norm(reference.grad_single));
    EXPECT_NEAR(norm(exact.grad_dbl - reference.grad_dbl), 0.0,
                1e-6 * (1.0 + norm(reference.grad_dbl)));
    EXPECT_NEAR(solid_angle(panel, x), exact.dbl, 1e-14);
  }
}

TEST(PanelIntegrals, ClosedFormsAtTheCentre) {
  // Square of side 2: 8 asinh(1). Equilateral triangle of inradius rho: 6 rho ln(2 + sqrt 3).
  const PanelShape<double> square{{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, 4};
  EXPECT_NEAR(integrate_panel<all_integrals>(square, Vec3d{}).single, 8.0 * std::asinh(1.0), 1e-14);
  EXPECT_EQ(integrate_panel<all_integrals>(square, Vec3d{}).dbl, 0.0);
  const double root3 = std::sqrt(3.0);
  const PanelShape<double> triangle{
      {{-1, -1 / root3, 0}, {1, -1 / root3, 0}, {0, 2 / root3, 0}, {}}, 3};
  EXPECT_NEAR(integrate_panel<all_integrals>(triangle, Vec3d{}).single,
              6.0 / root3 * std::log(2.0 + root3), 1e-14);
  // Each of the six sides of a cube of side 2 is seen under 4 pi / 6 from its centre.
  EXPECT_NEAR(solid_angle(square, Vec3d{0, 0, 1}), 2.0 * std::numbers::pi / 3.0, 1e-14);
  EXPECT_NEAR(solid_angle(square, Vec3d{0, 0, -1}), -2.0 * std::numbers::pi / 3.0, 1e-14);
}

TEST(PanelIntegrals, GradientsMatchCentralDifferences) {
  // Step 1e-4: truncation 1e-8 f''' / 6, rounding 1e-16 / 1e-4.
  std::mt19937 generator(2);
  constexpr double step = 1e-4;
  for (int trial = 0; trial < 40; ++trial) {
    const PanelShape<double> panel =
        trial % 2 == 0 ? random_triangle(generator) : random_warped_quadrilateral(generator);
    const Vec3d x = random_point(generator, 1.0) + Vec3d{0.0, 0.0, 2.0};
    const PanelIntegrals<double> at = integrate_panel<all_integrals>(panel, x);
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d forward = x, backward = x;
      forward[axis] += step;
      backward[axis] -= step;
      const auto f = integrate_panel<all_integrals>(panel, forward),
                 b = integrate_panel<all_integrals>(panel, backward);
      EXPECT_NEAR(at.grad_single[axis], (f.single - b.single) / (2 * step), 1e-6);
      EXPECT_NEAR(at.grad_dbl[axis], (f.dbl - b.dbl) / (2 * step), 1e-6);
    }
  }
}

TEST(PanelIntegrals, KeepTheirDigitsNearEdgesOnNeedlesAndFarAway) {
  // Against the same formulas in long double. The condition number is size / distance from the
  // edge; edge terms of the panel's size cancel to area / distance far away.
  const PanelShape<double> panel{{{0, 0, 0}, {1, 0, 0}, {0.2, 0.8, 0}, {}}, 3};
  const PanelShape<double> needle{{{0, 0, 0}, {1, 0, 0}, {0.5, 1e-4, 0}, {}}, 3};
  std::vector<Vec3d> points{{0.5, 0.0, 1e-6}, {0.5, 1e-6, 1e-9},  {0.5, -1e-6, 0.0},
                            {1.5, 0.0, 0.0},  {1e-6, 1e-6, 1e-6}, {30, 20, 0.01},
                            {0.3, 0.3, 1e-8}, {2.0, 1e-7, 1e-7}};
  for (const auto& shape : {panel, needle}) {
    for (const Vec3d& x : points) {
      const auto value = integrate_panel<all_integrals>(shape, x);
      const auto reference =
          integrate_panel<all_integrals>(convert<long double>(shape), convert<long double>(x));
      EXPECT_NEAR(value.single, static_cast<double>(reference.single),
                  1e-10 * static_cast<double>(reference.single) + 1e-15)
          << x.x << ' ' << x.y << ' ' << x.z;
      EXPECT_NEAR(value.dbl, static_cast<double>(reference.dbl), 1e-9)
          << x.x << ' ' << x.y << ' ' << x.z;
      const auto g = reference.grad_dbl;
      const double size = static_cast<double>(norm(g));
      EXPECT_NEAR(
          norm(value.grad_dbl - convert<double>(Vec3d{double(g.x), double(g.y), double(g.z)})), 0.0,
          1e-9 * size);
    }
  }
}

TEST(PanelIntegrals, AreFiniteOnVerticesAndEdges) {
  const PanelShape<double> panel{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {}}, 3};
  for (const Vec3d& x : {Vec3d{0, 0, 0}, Vec3d{0.5, 0, 0}, Vec3d{0.5, 0.5, 0}, Vec3d{1, 0, 0}}) {
    const auto value = integrate_panel<all_integrals>(panel, x);
    EXPECT_TRUE(std::isfinite(value.single) && std::isfinite(norm(value.grad_single)));
    EXPECT_TRUE(std::isfinite(norm(value.grad_dbl)));
    EXPECT_EQ(value.dbl, 0.0);
  }
  // At the right-angled corner: int 1/r over the triangle = sqrt(2) asinh(1).
  EXPECT_NEAR(integrate_panel<all_integrals>(panel, Vec3d{}).single,
              std::sqrt(2.0) * std::asinh(1.0), 1e-14);
}

TEST(PanelIntegrals, SinglePrecisionFollowsDouble) {
  // Terms of the panel's size cancel to area / d: a few eps d^2 / area.
  std::mt19937 generator(3);
  for (int trial = 0; trial < 40; ++trial) {
    const PanelShape<double> panel = random_warped_quadrilateral(generator);
    const Vec3d x = random_point(generator, 2.0) + Vec3d{0.0, 0.0, 2.5};
    const auto value = integrate_panel<all_integrals>(convert<float>(panel), convert<float>(x));
    const auto reference = integrate_panel<all_integrals>(panel, x);
    EXPECT_NEAR(value.single, reference.single, 1e-5 * reference.single);
    EXPECT_NEAR(value.dbl, reference.dbl, 1e-5);
  }
}

TEST(PanelIntegrals, ScaleWithLength) {
  std::mt19937 generator(4);
  for (const double scale : {1e-9, 1e9}) {
    PanelShape<double> panel = random_triangle(generator);
    const Vec3d x = random_point(generator, 2.0);
    const auto value = integrate_panel<all_integrals>(panel, x);
    for (Vec3d& c : panel.corner) c *= scale;
    const auto scaled = integrate_panel<all_integrals>(panel, scale * x);
    EXPECT_NEAR(scaled.single / scale, value.single, 1e-12 * value.single);
    EXPECT_NEAR(scaled.dbl, value.dbl, 1e-12);
    EXPECT_NEAR(norm(scaled.grad_dbl * scale - value.grad_dbl), 0.0, 1e-10 * norm(value.grad_dbl));
  }
}

TEST(PanelIntegrals, ClosedSurfacesAreSeenUnderFullSolidAngles) {
  // Inside -4 pi, outside 0, on the surface -2 pi; panels add rounding of 1e-16 of their angle.
  const std::vector<meshes::SurfaceMesh> bodies{
      meshes::make_torus(600, 2.0, 0.7), meshes::make_box(300, {1, 2, 3}),
      testing::graded_sphere(500), testing::cubed_sphere(300)};
  const std::vector<Vec3d> inside{
      {2.0, 0.0, 0.1}, {0.2, 0.3, -0.4}, {0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}};
  for (std::size_t body = 0; body < bodies.size(); ++body) {
    const Panels panels = make_panels(bodies[body]);
    const auto seen = [&](const Vec3d& x, std::size_t own) {
      double sum = 0.0;
      for (std::size_t j = 0; j < panels.size(); ++j)
        sum += solid_angle(panels.shape[j], x, j == own);
      return sum;
    };
    const std::size_t none = panels.size();
    EXPECT_NEAR(seen(inside[body], none), -4.0 * std::numbers::pi, 1e-11);
    EXPECT_NEAR(seen({5.0, 4.0, 3.0}, none), 0.0, 1e-11);
    // Neighbours in one plane up to rounding: each of order 1e-14 / distance.
    for (std::size_t i = 0; i < panels.size(); i += 17) {
      EXPECT_NEAR(seen(panels.centroid[i], i), -2.0 * std::numbers::pi, 1e-9);
    }
  }
}

TEST(PanelIntegrals, CollocationPointsAreSafeFarFromTheOrigin) {
  // Coordinates rounded at 1e4 are off by 1e-12; the own panel must still add nothing, others see
  // each other under angles wrong by 1e-12 / (1e-4 of a panel of 1e-2) at worst.
  const Panels panels = make_panels(meshes::make_box(150, {0.05, 0.05, 0.05}, {1e4, 2e4, 3e4}));
  for (std::size_t i = 0; i < panels.size(); ++i) {
    double sum = 0.0;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      sum += solid_angle(panels.shape[j], panels.centroid[i], i == j);
    }
    EXPECT_NEAR(sum, -2.0 * std::numbers::pi, 1e-4);
  }
}

TEST(PanelIntegrals, JumpAcrossThePanel) {
  // Outwards the solid angle rises by 4 pi, the normal derivative of the single layer falls by 4
  // pi.
  const PanelShape<double> panel{{{0, 0, 0}, {1, 0, 0}, {0.2, 0.8, 0}, {}}, 3};
  const Vec3d on{0.4, 0.25, 0.0}, lift{0, 0, 1e-9};
  const auto outer = integrate_panel<all_integrals>(panel, on + lift),
             inner = integrate_panel<all_integrals>(panel, on - lift);
  EXPECT_NEAR(outer.dbl - inner.dbl, 4.0 * std::numbers::pi, 1e-7);
  EXPECT_NEAR(outer.grad_single.z - inner.grad_single.z, -4.0 * std::numbers::pi, 1e-7);
  EXPECT_NEAR(outer.single, inner.single, 1e-14);
}

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
        // Rounding, and contraction of products with sums: a solid angle at the distance d from a
        // needle of length L and width w cancels like L^2/(w d), 1e5 and somewhat more here.
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
