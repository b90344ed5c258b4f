// Sources, doublets and vortex segments, and a sphere beside them by Weiss's theorem, against what
// is known of them.
#include "rankine/bem/flow/onset.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/measures.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/onset_flows.hpp"
#include "tests/support/sphere_in_onset.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;
using std::numbers::pi;
using testing::answer_of;
using testing::ring_of_vortices;

using testing::source_doublet_and_ring;

/// Central differences with steps of h err by h^2/6 of third derivatives, here below 10, and by
/// rounding, 1e-16/h.
constexpr double step = 1e-5, of_differences = 1e-8;

template <class Potential>
Vec3d differences(Potential potential, const Vec3d& x) {
  Vec3d gradient;
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d before = x, after = x;
    before[axis] -= step;
    after[axis] += step;
    gradient[axis] = (potential(after) - potential(before)) / (2.0 * step);
  }
  return gradient;
}

TEST(Onset, VelocitiesOfSourcesAndDoubletsAreGradients) {
  const OnsetField field(
      {.sources = source_doublet_and_ring.sources, .doublets = source_doublet_and_ring.doublets},
      {});
  for (const Vec3d& x : testing::fibonacci_sphere(50)) {
    const Vec3d gradient = differences([&](const Vec3d& y) { return field.potential(y); }, x);
    EXPECT_NEAR(norm(field.velocity(x) - gradient), 0.0, of_differences);
  }
}

TEST(Onset, ADoubletIsASourceBesideASink) {
  const PointDoublet& doublet = source_doublet_and_ring.doublets.front();
  const double apart = 1e-4, moment = norm(doublet.moment);
  const Vec3d half = 0.5 * apart / moment * doublet.moment;
  const OnsetField limit({.sources = {{doublet.position + half, moment / apart},
                                      {doublet.position - half, -moment / apart}}},
                         {}),
      field({.doublets = {doublet}}, {});
  // The next term is (apart/r)^2 of it, r > 0.5; rounding is 1e-16 moment/apart.
  for (const Vec3d& x : testing::fibonacci_sphere(50)) {
    EXPECT_NEAR(limit.potential(x), field.potential(x), 1e-7);
    EXPECT_NEAR(norm(limit.velocity(x) - field.velocity(x)), 0.0, 1e-6);
  }
}

TEST(Onset, SourcesPourTheirStrengthThroughSurfacesAroundThem) {
  const Panels panels = make_panels(meshes::make_sphere(320));
  const auto through = [&](const Onset& onset) {
    const std::vector<double> mean = OnsetField(onset, {}).mean_flux(panels);
    double sum = 0.0;
    for (std::size_t i = 0; i < mean.size(); ++i) sum += mean[i] * panels.area[i];
    return sum;
  };
  // The rule of degree 5 leaves (1/3)^6 of the flux through panels three sizes away, half the
  // surface at most, and the signs of neighbours cancel.
  EXPECT_NEAR(through({.sources = {{{0.2, -0.3, 0.1}, 2.0}}}), 2.0, 2e-5);
  EXPECT_NEAR(through({.sources = {{{0.7, -0.6, 0.3}, 2.0}}}), 2.0, 2e-5) << "next to panels";
  EXPECT_NEAR(through({.sources = {{{0.7, -0.9, 0.3}, 2.0}}}), 0.0, 2e-5);
  EXPECT_NEAR(through(source_doublet_and_ring), 0.0, 2e-5);
}

TEST(Onset, FluxThroughAPanelIsTheSolidAngleUnderWhichASourceSeesIt) {
  const meshes::SurfaceMesh mesh = meshes::make_sphere(80);
  const Panels panels = make_panels(mesh, PanelGeometry::flat);
  for (const double height : {1e-3, 0.03, 0.5}) {
    const Vec3d above = panels.centroid[7] + height * panels.normal[7];
    const std::vector<double> mean = OnsetField({.sources = {{above, 1.0}}}, {}).mean_flux(panels);
    for (std::size_t i = 0; i < mean.size(); ++i) {
      // Towards the panel from above: against its normal.
      const double seen = meshes::solid_angle(mesh, mesh.elements[i], above);
      // The rule errs by 1e-5 of a part's flux on parts three of their sizes away, and parts do not
      // add up alike.
      EXPECT_NEAR(mean[i] * panels.area[i], seen / (4.0 * pi), 5e-6) << height;
    }
  }
}

TEST(Onset, SegmentsAreTheIntegralOfBiotAndSavart) {
  const VortexSegment segment{{0.3, -0.2, 0.5}, {-0.8, 0.6, 1.4}, 1.7};
  const Vec3d way = segment.to - segment.from;
  const OnsetField field({.vortices = {segment}}, {});
  std::vector<Vec3d> points = testing::fibonacci_sphere(20);
  points.push_back(segment.from - 0.4 * way);  // on its line, beyond its end
  points.push_back(segment.from + 0.5 * way + Vec3d{1e-3, 0, 0});
  for (const Vec3d& x : points) {
    Vec3d sum{};
    constexpr int parts = 400000;
    for (int k = 0; k < parts; ++k) {
      const Vec3d r = x - segment.from - (k + 0.5) / parts * way;
      sum += cross(way, r) / (std::pow(norm(r), 3) * parts);
    }
    const Vec3d expected = segment.circulation / (4.0 * pi) * sum;
    // The midpoint rule errs by (length/parts/r)^2, r > 1e-3.
    EXPECT_NEAR(norm(field.velocity(x) - expected), 0.0, 1e-5 * (1e-2 + norm(expected)));
  }
}

TEST(Onset, ARingFarAwayIsADipole) {
  // Gamma times the area vector, up to (radius/distance)^2: a regular polygon has no octupole of
  // lower order.
  const double radius = 0.5, circulation = 2.0;
  const int sides = 48;
  const Vec3d axis = normalized(Vec3d{0.3, -0.4, 1.2});
  const double area = 0.5 * sides * radius * radius * std::sin(2.0 * pi / sides);
  const OnsetField ring({.vortices = ring_of_vortices({}, axis, radius, circulation, sides)}, {}),
      dipole({.doublets = {{{}, circulation * area * axis}}}, {});
  double last = 0.0;
  for (const double distance : {4.0, 8.0, 16.0}) {
    double worst = 0.0;
    for (const Vec3d& direction : testing::fibonacci_sphere(40)) {
      const Vec3d x = distance * direction;
      worst =
          std::max(worst, norm(ring.velocity(x) - dipole.velocity(x)) / norm(dipole.velocity(x)));
    }
    EXPECT_LT(worst, 3.0 * radius * radius / (distance * distance));
    if (last > 0.0) {
      EXPECT_NEAR(std::log2(last / worst), 2.0, 0.1);
    }
    last = worst;
  }
}

TEST(Onset, LooseEndsAreThoseThatImagesDoNotClose) {
  const Symmetry mirror({{1, 0.0, 1.0}}), surface({{1, 0.0, -1.0}});
  EXPECT_TRUE(loose_ends(source_doublet_and_ring, {}).empty());
  Onset open = source_doublet_and_ring;
  open.vortices.pop_back();
  const std::vector<LooseEnd> ends = loose_ends(open, {});
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_NEAR(std::abs(ends[0].circulation), 1.5, 1e-12);
  EXPECT_NEAR(ends[0].circulation + ends[1].circulation, 0.0, 1e-12);
  // A hairpin that ends on a plane: a wall closes it, a free surface does not.
  const Onset hairpin{.vortices = {{{0, 0, 0}, {0, 1, 0}, 1.0},
                                   {{0, 1, 0}, {2, 1, 0}, 1.0},
                                   {{2, 1, 0}, {2, 0, 0}, 1.0}}};
  EXPECT_TRUE(loose_ends(hairpin, mirror).empty());
  EXPECT_EQ(loose_ends(hairpin, surface).size(), 2u);
}

TEST(Onset, ImagesHoldTheConditionsOfPlanes) {
  const Onset off{.sources = {{{0.2, 0.7, -0.3}, 1.3}},
                  .doublets = {{{-0.4, 0.5, 0.3}, {0.7, -1.1, 0.4}}},
                  .vortices = ring_of_vortices({0.0, 1.1, 0.0}, {0.2, 0.5, 1.0}, 0.8, 1.5, 12)};
  const OnsetField wall(off, Symmetry({{1, 0.0, 1.0}})), zero(off, Symmetry({{1, 0.0, -1.0}}));
  for (Vec3d x : testing::fibonacci_sphere(30)) {
    x.y = 0.0;
    EXPECT_NEAR(wall.velocity(x).y, 0.0, 1e-14);
    EXPECT_NEAR(zero.potential(x), 0.0, 1e-14);
    EXPECT_NEAR(zero.velocity(x).x, 0.0, 1e-14);
    EXPECT_NEAR(zero.velocity(x).z, 0.0, 1e-14);
    x.y = 0.6;
    const Vec3d mirrored{x.x, -0.6, x.z};
    EXPECT_NEAR(wall.potential(x), wall.potential(mirrored), 1e-14);
  }
}

TEST(Onset, OnPlanesThingsCountOnce) {
  const Symmetry wall({{1, 0.0, 1.0}}), zero({{1, 0.0, -1.0}});
  const Onset on{.sources = {{{0.2, 0.0, -0.3}, 1.3}}, .doublets = {{{-0.4, 0, 0.3}, {0.7, 0, 1}}}};
  const Onset across{.doublets = {{{-0.4, 0.0, 0.3}, {0.0, 0.7, 0.0}}},
                     .vortices = {{{0, 0, 0}, {1, 0, 2}, 1.5}}};
  const Vec3d x{0.5, 0.8, 1.0};
  EXPECT_NEAR(norm(OnsetField(on, wall).velocity(x) - OnsetField(on, {}).velocity(x)), 0.0, 1e-15);
  EXPECT_NEAR(norm(OnsetField(across, zero).velocity(x) - OnsetField(across, {}).velocity(x)), 0.0,
              1e-15);
}

TEST(Onset, RefusesWhatHasNoFlow) {
  const Symmetry wall({{1, 0.0, 1.0}}), zero({{1, 0.0, -1.0}});
  const auto message = [](const Onset& onset, const Symmetry& symmetry) {
    return answer_of<InputError>([&] { check(onset, symmetry); });
  };
  EXPECT_EQ(message({.sources = {{{1, 0, 2}, 1.0}}}, zero),
            "the point source at (1, 0, 2) m lies on the plane of zero potential y = 0 m, where "
            "its image cancels it or a part of it; move it, turn it, or leave it out");
  EXPECT_EQ(message({.doublets = {{{1, 0, 2}, {0, 1, 0}}}}, wall),
            "the point doublet at (1, 0, 2) m lies on the symmetry plane y = 0 m, where its "
            "image cancels it or a part of it; move it, turn it, or leave it out");
  EXPECT_EQ(message({.vortices = {{{1, 0, 2}, {0, 0, 1}, 1.0}}}, wall),
            "the vortex segment from (1, 0, 2) to (0, 0, 1) m lies on the symmetry plane y = 0 "
            "m, where its image cancels it or a part of it; move it, turn it, or leave it out");
  EXPECT_EQ(message({.vortices = {{{1, 0, 2}, {1, 0, 2}, 1.0}}}, {}),
            "the vortex segment from (1, 0, 2) to (1, 0, 2) m has no length; give two points, or"
            " leave it out");
  EXPECT_EQ(message({.sources = {{{1, 0, 2}, std::nan("")}}}, {}),
            "the point source at (1, 0, 2) m holds a number that is not finite; give SI units");
}

TEST(SphereInOnset, IsTheFlowOfTheClassicalImages) {
  // A source has an image of strength a/f at the inverse point and a line sink of 1/a per length
  // from the centre to there, a doublet along its own radius one of -(a/f)^3 [MT68].
  const double a = 0.8, f = 2.0, b = a * a / f;
  const Vec3d centre{0.3, -0.2, 0.1}, e = normalized(Vec3d{1.0, -2.0, 0.5});
  const PointSource source{centre + f * e, 1.7};
  const OnsetField of_source({.sources = {source}}, {});
  const SphereInOnset sphere([&](const Vec3d& x) { return of_source.velocity(x); }, a, centre);
  const OnsetField of_doublet({.doublets = {{centre + f * e, 1.7 * e}}}, {}),
      image({.doublets = {{centre + b * e, -1.7 * std::pow(a / f, 3) * e}}}, {});
  const SphereInOnset beside([&](const Vec3d& x) { return of_doublet.velocity(x); }, a, centre);
  for (const Vec3d& direction : testing::fibonacci_sphere(40)) {
    for (const double r : {a, 1.4 * a, 5.0 * a}) {
      const Vec3d x = centre + r * direction;
      const double to_centre = norm(x - centre), to_image = norm(x - centre - b * e);
      const double line = std::log((to_centre + to_image + b) / (to_centre + to_image - b));
      const double expected = -source.strength / (4.0 * pi) * ((a / f) / to_image - line / a);
      EXPECT_NEAR(sphere.potential(x), expected, 1e-14);
      EXPECT_NEAR(beside.potential(x), image.potential(x), 1e-14);
      EXPECT_NEAR(norm(beside.velocity(x) - of_doublet.velocity(x) - image.velocity(x)), 0.0,
                  1e-13);
      const Vec3d gradient = differences([&](const Vec3d& y) { return sphere.potential(y); }, x);
      EXPECT_NEAR(norm(sphere.velocity(x) - of_source.velocity(x) - gradient), 0.0, of_differences);
    }
    EXPECT_NEAR(dot(sphere.velocity(centre + a * direction), direction), 0.0, 1e-14);
  }
}

TEST(SphereInOnset, InAStreamIsTheDoublet) {
  const Vec3d stream{0.4, -1.0, 0.3};
  const SphereFlow exact{stream, 1.5};
  const SphereInOnset sphere([&](const Vec3d&) { return stream; }, 1.5);
  for (const Vec3d& direction : testing::fibonacci_sphere(20)) {
    const Vec3d x = 1.9 * direction;
    EXPECT_NEAR(sphere.potential(x), exact.potential(x), 1e-14);
    EXPECT_NEAR(norm(sphere.velocity(x) - exact.velocity(x)), 0.0, 1e-14);
  }
}

}  // namespace
}  // namespace rankine::bem
