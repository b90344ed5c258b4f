// The wing: its mesh against the exact solid, and what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/closed_body.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/naca_thickness.hpp"

namespace rankine::meshes {
namespace {

using std::numbers::pi;
using testing::half_thickness;

/// Of `f` over s from 0 to 1, by the trapezoidal rule in the angle of s = (1 - cos)/2, where
/// sections are smooth and periodic: exact to rounding.
double integral(const std::function<double(double s)>& f) {
  constexpr int cells = 4000;
  double sum = 0.0;
  for (int i = 1; i < cells; ++i) {
    const double angle = pi * i / cells;
    sum += f(0.5 * (1.0 - std::cos(angle))) * 0.5 * std::sin(angle) * pi / cells;
  }
  return sum;
}

/// The same, differentiated by the angle of x = (1 - cos)/2.
double half_thickness_rate(double t, double angle) {
  const double x = 0.5 * (1.0 - std::cos(angle)), rate = 0.5 * std::sin(angle);
  return 5.0 * t *
         (0.2969 * 0.5 * std::cos(0.5 * angle) +
          rate *
              (-0.1260 - 2.0 * 0.3516 * x + 3.0 * 0.2843 * x * x - 4.0 * 0.1036 * std::pow(x, 3)));
}

double section_area(double t) {
  return 2.0 * integral([&](double x) { return half_thickness(t, x); });
}

/// Once around a section without camber. At the ends of the range of angles the integrand has the
/// slope 0, so that the trapezoidal rule is exact to rounding, if its ends are counted.
double section_perimeter(double t) {
  constexpr int cells = 4000;
  double sum = 0.0;
  for (int i = 0; i <= cells; ++i) {
    const double angle = pi * i / cells, weight = i == 0 || i == cells ? 0.5 : 1.0;
    sum += weight * 2.0 * std::hypot(0.5 * std::sin(angle), half_thickness_rate(t, angle));
  }
  return sum * pi / cells;
}

void expect_good_wing(const SurfaceMesh& mesh) {
  testing::expect_one_closed_body(mesh);
  EXPECT_NO_THROW(require_meaningful(mesh, inspect(mesh)));
}

/// Nodes are as often at (x, -y, z) as at (x, y, z), to the last digit.
void expect_mirrored(const SurfaceMesh& mesh) {
  std::map<std::array<double, 3>, int> nodes;
  for (const Vec3d& node : mesh.nodes) ++nodes[{node.x, node.y, node.z}];
  for (const auto& [node, count] : nodes) {
    const auto image = nodes.find({node[0], -node[1], node[2]});
    ASSERT_NE(image, nodes.end()) << node[0] << " " << node[1] << " " << node[2];
    EXPECT_EQ(image->second, count);
  }
}

WingPlan unusual_plan(WingTip tip) {
  return {.span = 4.0,
          .root_chord = 1.5,
          .tip_chord = 0.5,
          .sweep = 30.0,
          .dihedral = 6.0,
          .twist = -4.0,
          .tip = tip};
}

TEST(Wing, IsAClosedSurfaceThatIsItsMirrorImage) {
  for (const WingTip tip : {WingTip::flat, WingTip::round}) {
    for (const char* digits : {"0012", "2412", "0003"}) {
      const SurfaceMesh mesh = make_wing({40, 20}, naca_section(digits), unusual_plan(tip));
      expect_good_wing(mesh);
      expect_mirrored(mesh);
    }
    expect_good_wing(make_wing({4, 2}, naca_section("0012"), {.tip = tip}));
  }
}

// Corners lie on the surface and the trailing edge is a corner: volume and area err by c h^2 +
// O(h^4), h = pi/40 and pi/80 in the angle, h^2 below 0.007.
TEST(Wing, ConvergesToItsSectionWithSecondOrder) {
  const double t = 0.12, span = 3.0, chord = 2.0;
  const double flat_volume = span * chord * chord * section_area(t),
               flat_area =
                   span * chord * section_perimeter(t) + 2.0 * chord * chord * section_area(t),
               caps = pi * chord * chord * chord * integral([&](double x) {
                        return half_thickness(t, x) * half_thickness(t, x);
                      });
  const auto order = [](double coarse, double fine) { return std::log2(coarse / fine); };
  const auto report = [&](std::int64_t around, WingTip tip) {
    return check_mesh(
        make_wing({around, 8}, naca_section("0012"),
                  {.span = span, .root_chord = chord, .tip_chord = chord, .tip = tip}));
  };
  const MeshReport coarse = report(80, WingTip::flat), fine = report(160, WingTip::flat);
  EXPECT_NEAR(order(coarse.volume - flat_volume, fine.volume - flat_volume), 2.0, 0.05);
  EXPECT_NEAR(order(coarse.area - flat_area, fine.area - flat_area), 2.0, 0.05);
  const double volume = flat_volume + caps;
  EXPECT_NEAR(order(report(80, WingTip::round).volume - volume,
                    report(160, WingTip::round).volume - volume),
              2.0, 0.05);
  EXPECT_LT(std::abs(fine.volume / flat_volume - 1.0), 1e-3);
  EXPECT_LT(std::abs(fine.area / flat_area - 1.0), 1e-3);
}

// Sweep and dihedral shear the wing; taper makes its sections similar. Both keep the volume of the
// polyhedron: that of equal chords times (a^2 + a b + b^2)/3.
TEST(Wing, HasTheVolumeOfItsTaper) {
  const double straight =
      check_mesh(make_wing({20, 6}, naca_section("2412"), {.span = 5.0})).volume;
  const double tapered =
      check_mesh(
          make_wing(
              {20, 6}, naca_section("2412"),
              {.span = 5.0, .root_chord = 1.2, .tip_chord = 0.4, .sweep = 40.0, .dihedral = -5.0}))
          .volume;
  EXPECT_NEAR(tapered / straight, (1.44 + 0.48 + 0.16) / 3.0, 1e-13);
}

TEST(Wing, StandsWhereItsPlanSays) {
  const WingPlan plan = unusual_plan(WingTip::flat);
  const Vec3d nose{5.0, 2.0, -1.0};
  const std::int64_t around = 20, along = 10;
  const SurfaceMesh mesh = make_wing({around, along}, naca_section("0012"), plan, nose);
  const auto node = [&](std::int64_t j, std::int64_t k) {
    return mesh.nodes[j * around + k] - nose;
  };
  // The nose of the root is the origin, the trailing edge one chord behind it.
  EXPECT_NEAR(norm(node(along / 2, around / 2)), 0.0, 1e-15);
  EXPECT_NEAR(norm(node(along / 2, 0) - Vec3d{1.5, 0.0, 0.0}), 0.0, 1e-15);
  // At the starboard tip: the quarter-chord point, and the chord turned about it, nose down.
  const Vec3d leading = node(along, around / 2), trailing = node(along, 0);
  const Vec3d quarter = 0.75 * leading + 0.25 * trailing;
  EXPECT_NEAR(quarter.x, 0.375 + 2.0 * std::tan(pi / 6.0), 1e-15);
  EXPECT_NEAR(quarter.y, 2.0, 1e-15);
  EXPECT_NEAR(quarter.z, 2.0 * std::tan(pi / 30.0), 1e-15);
  EXPECT_NEAR(norm(trailing - leading), 0.5, 1e-15);
  EXPECT_NEAR(trailing.z - leading.z, 0.5 * std::sin(4.0 * pi / 180.0), 1e-15);
  // Sections draw together towards the tips by the cosine.
  for (std::int64_t j = 0; j <= along; ++j)
    EXPECT_NEAR(node(j, 0).y, -2.0 * std::cos(pi * static_cast<double>(j) / 10.0), 1e-15);
}

// Lengths of the two panels at the edge, which facing points on both sides of the camber line have.
TEST(Wing, HasPanelsOfEqualDepthAtItsTrailingEdge) {
  const std::int64_t around = 40, along = 4;
  const SurfaceMesh mesh = make_wing({around, along}, naca_section("4412"), {});
  for (std::int64_t j = 0; j <= along; ++j) {
    const Vec3d edge = mesh.nodes[j * around];
    const double upper = norm(mesh.nodes[j * around + 1] - edge),
                 lower = norm(mesh.nodes[j * around + around - 1] - edge);
    EXPECT_NEAR(upper / lower, 1.0, 1e-3);
  }
}

TEST(Wing, RoundTipReachesHalfAThicknessBeyondTheSpan) {
  const SurfaceMesh mesh =
      make_wing({400, 2}, naca_section("0012"), {.span = 3.0, .tip = WingTip::round});
  double furthest = 0.0;
  for (const Vec3d& node : mesh.nodes) furthest = std::max(furthest, node.y);
  EXPECT_NEAR(furthest, 1.5 + 0.06, 0.06 * 1e-3);
}

TEST(Wing, HasTheNumberOfPanelsAskedFor) {
  for (const WingTip tip : {WingTip::flat, WingTip::round}) {
    const WingPlan plan{.span = 6.0, .tip = tip};
    for (const int asked : {4, 100, 3200, 20000}) {
      const WingPanels panels = wing_panels(asked, plan);
      const std::size_t made = make_wing(panels, naca_section("0012"), plan).elements.size();
      EXPECT_GE(made, static_cast<std::size_t>(asked));
      if (asked >= 3200) {
        EXPECT_LT(made, 1.1 * asked);
      }
    }
  }
  // 90 by 60 panels of a wing of aspect ratio 4, tips besides.
  const auto [around, along] = wing_panels(90 * 61, {.span = 4.0});
  EXPECT_EQ(around, 90);
  EXPECT_EQ(along, 60);
  EXPECT_EQ(make_wing({39, 9}, naca_section("0012"), {}).elements.size(), 40u * 11u);
}

TEST(Wing, RefusesWhatIsNoWing) {
  const WingSection section = naca_section("0012");
  const auto refused = [&](const WingPlan& plan, const WingPanels& panels = {20, 10}) {
    EXPECT_THROW(make_wing(panels, section, plan), InputError);
  };
  refused({.span = 0.0});
  refused({.span = std::nan("")});
  refused({.root_chord = -1.0});
  refused({.tip_chord = 0.0});
  refused({.sweep = 90.0});
  refused({.dihedral = std::nan("")});
  refused({.twist = -80.0});
  refused({}, {2, 10});
  refused({}, {20, 0});
  refused({}, {2'000'000, 2'000'000});
  EXPECT_EQ(testing::message_of<InputError>([] { wing_panels(0, {}); }),
            "the wing cannot have 0 panels; ask for 1 to 1000000000");
  const WingSection crossing{"x",
                             [](double s) -> SectionSides {
                               return {{s, s - 0.5}, {s, 0.5 - s}};
                             },
                             {}};
  EXPECT_THROW(make_wing({20, 10}, crossing, {}), InputError);
}

}  // namespace
}  // namespace rankine::meshes
