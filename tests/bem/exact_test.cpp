// The analytic references against the literature's numbers and against Laplace's equation itself.
#include "rankine/bem/flow/exact.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "tests/support/test_bodies.hpp"
#include "tests/support/two_spheres.hpp"

namespace rankine::bem {
namespace {

TEST(Exact, AddedMassOfEllipsoids) {
  struct Case {
    Vec3d axes, k;
  };
  for (const Case& c : {Case{{2, 1, 1}, {0.210015048977, 0.704210425850, 0.704210425850}},
                        {{10, 1, 1}, {0.020705918077, 0.960234909268, 0.960234909268}},
                        {{2, 2, 1}, {0.309585928470, 0.309585928470, 1.115060485696}},
                        {{1, 1, 0.01}, {0.007815758899, 0.007815758899, 63.473314229614}},
                        {{3, 2, 1}, {0.185256404281, 0.364543239561, 1.361527473151}},
                        {{1, 1, 1}, {0.5, 0.5, 0.5}}}) {
    const EllipsoidFlow flow(c.axes, {1, 0, 0});
    for (int axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(flow.added_mass()[axis], c.k[axis], 1e-11 * std::max(1.0, c.k[axis]));
    }
  }
  EXPECT_THROW(EllipsoidFlow({1.0, 0.0, 1.0}, {1, 0, 0}), InputError);
}

/// The stream and central differences of the potential, each good to a few 1e-11.
template <class Flow>
void expect_gradient_of_potential(const Flow& flow, const Vec3d& stream, const Vec3d& x) {
  constexpr double step = 1e-5;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d forward = x, backward = x;
    forward[axis] += step;
    backward[axis] -= step;
    const double slope = (flow.potential(forward) - flow.potential(backward)) / (2 * step);
    EXPECT_NEAR(flow.velocity(x)[axis], stream[axis] + slope, 1e-9);
  }
}

TEST(Exact, SphereVelocityIsTheGradientOfItsPotential) {
  const SphereFlow flow{{0.3, -1.2, 0.7}, 1.5, {0.2, 0.1, -0.4}};
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3d away = (2.0 + 0.1 * trial) * normalized(testing::random_point(generator, 1.0));
    expect_gradient_of_potential(flow, flow.stream, flow.centre + away);
  }
}

TEST(Exact, EllipsoidVelocityIsTheGradientOfItsPotentialAndMeetsTheSurface) {
  const Vec3d axes{3.0, 2.0, 0.5}, stream{0.3, -1.2, 0.7}, centre{0.2, 0.1, -0.4};
  const EllipsoidFlow flow(axes, stream, centre);
  std::mt19937 generator(5);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3d unit = normalized(testing::random_point(generator, 1.0)),
                on{axes.x * unit.x, axes.y * unit.y, axes.z * unit.z};
    expect_gradient_of_potential(flow, stream, centre + (1.0 + 0.1 * (trial + 1)) * on);
    const SurfaceState state = flow.on_surface(centre + on);
    EXPECT_NEAR(flow.potential(centre + on), state.phi, 1e-13);
    EXPECT_LE(norm(flow.velocity(centre + on) - state.velocity), 1e-13);
  }
}

TEST(Exact, TwoSpheresAreHarmonicOutsideAndTangentialOnThem) {
  // Where potential and velocity agree, the Laplacian is the velocity's divergence.
  const Vec3d stream{0.3, -1.2, 0.7}, line = normalized(Vec3d{1.0, 2.0, -0.5}),
                                      middle{3.0, 0.0, 1.0};
  std::mt19937 generator(5);
  for (const double h : {1.005, 1.05, 1.5, 4.0}) {  // in radii
    const double radius = 0.7;
    const TwoSpheresFlow flow(radius, h * radius, line, stream, middle);
    for (int trial = 0; trial < 10; ++trial) {
      const Vec3d normal = normalized(testing::random_point(generator, 1.0)),
                  centre = middle + (trial % 2 == 0 ? h : -h) * radius * line;
      const Vec3d wall = centre + radius * normal;
      const SurfaceState state = flow.on_surface(wall);
      EXPECT_NEAR(dot(flow.velocity(wall), normal), 0.0, 1e-11);
      EXPECT_NEAR(flow.potential(wall), state.phi, 1e-12);
      EXPECT_LE(norm(flow.velocity(wall) - state.velocity), 1e-11);
      const Vec3d x = centre + 1.5 * radius * normal, other = 2.0 * middle - centre;
      if (norm(x - other) < 1.1 * radius) continue;
      expect_gradient_of_potential(flow, stream, x);
      double divergence = 0.0;
      constexpr double step = 1e-5;
      for (int axis = 0; axis < 3; ++axis) {
        Vec3d d{};
        d[axis] = step;
        divergence += (flow.velocity(x + d) - flow.velocity(x - d))[axis] / (2 * step);
      }
      EXPECT_NEAR(divergence, 0.0, 1e-7);
    }
  }
}

TEST(Exact, TwoSpheresHaveTheirAddedMass) {
  // Lamb, sec. 98-99: far apart k = (1 - 3/8 h^-3)/2 along the line and (1 + 3/16 h^-3)/2 across;
  // near by in bispherical coordinates. Along the line the images of dipoles on it [L32 sec. 138]
  // give the same.
  const Vec3d line{0, 0, 1};
  for (const auto& [h, across] : {std::pair{2.0, 0.5118380344},
                                  {1.5, 0.5286181351},
                                  {1.2, 0.5587511438},
                                  {1.1, 0.5799202772}}) {
    const TwoSpheresFlow flow(2.0, 2.0 * h, line, {1, 0, 0});
    EXPECT_NEAR(flow.added_mass_across(), across, 1e-10);
    double images = 0.0, moment = 0.5, place = h;  // dipoles of the sphere at h, and their images
    for (int k = 0; k < 400; ++k) {
      images += moment;
      moment /= -std::pow(place + h, 3);
      place = -h + 1.0 / (place + h);
      place = -place;  // the other sphere's, mirrored: the pair is symmetric
    }
    EXPECT_NEAR(flow.added_mass_along(), 3.0 * images - 1.0, 1e-10);
  }
  EXPECT_NEAR(TwoSpheresFlow(1.0, 20.0, line, {}).added_mass_along(), 0.5 - 3.0 / 16.0 / 8000.0,
              1e-8);
  EXPECT_THROW(TwoSpheresFlow(1.0, 1.0, line, {}), InputError);
  EXPECT_THROW(TwoSpheresFlow(1.0, 2.0, {}, {}), InputError);
}

TEST(Exact, EllipsoidWithEqualAxesIsTheSphere) {
  const Vec3d stream{0.3, -1.2, 0.7}, centre{1, 2, 3};
  const SphereFlow sphere{stream, 2.0, centre};
  const EllipsoidFlow ellipsoid({2.0, 2.0, 2.0}, stream, centre);
  std::mt19937 generator(6);
  for (int trial = 0; trial < 20; ++trial) {
    const Vec3d x = centre + 1.99 * normalized(testing::random_point(generator, 1.0));
    const SurfaceState a = sphere.on_surface(x), b = ellipsoid.on_surface(x);
    EXPECT_NEAR(a.phi, b.phi, 1e-12);
    EXPECT_NEAR(norm(a.velocity - b.velocity), 0.0, 1e-12);
    EXPECT_NEAR(a.cp, b.cp, 1e-12);
  }
}

TEST(Exact, ClosestPointOfAnEllipsoid) {
  const Vec3d axes{3.0, 2.0, 1.0};
  std::mt19937 generator(8);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3d unit = normalized(testing::random_point(generator, 1.0));
    const Vec3d on{axes.x * unit.x, axes.y * unit.y, axes.z * unit.z};
    const Vec3d n = normalized(Vec3d{on.x / 9.0, on.y / 4.0, on.z});
    for (const double offset :
         {-0.05, 0.0, 0.3}) {  // less than the least radius of curvature, 1/3, inside
      EXPECT_NEAR(norm(closest_on_ellipsoid(axes, on + offset * n) - on), 0.0, 1e-11);
    }
  }
}

TEST(Exact, ErrorsAreWeightedByArea) {
  const std::vector<double> area{1.0, 3.0}, found{1.5, 2.0}, reference{1.0, 2.0};
  const FieldError error = relative_error(area, found, reference);
  EXPECT_DOUBLE_EQ(error.l2, std::sqrt(0.25 / (1.0 + 3.0 * 4.0)));
  EXPECT_DOUBLE_EQ(error.max, 0.25);
  const std::vector<double> exchanged{1.0, 2.5};
  EXPECT_DOUBLE_EQ(relative_error(area, exchanged, reference).l2, std::sqrt(0.75 / 13.0));
}

TEST(Exact, CarlsonRdIsHomogeneousAndKnown) {
  // Carlson 1995, sec. 3; to a few roundings.
  EXPECT_NEAR(carlson_rd(0.0, 2.0, 1.0), 1.7972103521033883, 4e-15);
  EXPECT_NEAR(carlson_rd(2.0, 3.0, 4.0), 0.16510527294261053, 4e-16);
  EXPECT_NEAR(carlson_rd(2e8, 3e8, 4e8), 0.16510527294261053e-12, 4e-28);
}

}  // namespace
}  // namespace rankine::bem
