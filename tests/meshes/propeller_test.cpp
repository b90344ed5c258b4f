// Propellers: closed surfaces with the sections of their table.
#include "rankine/meshes/shapes/propeller.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"

namespace rankine::meshes {
namespace {

PropellerPlan plan_of(int blades) {
  return {.diameter = 2.0,
          .blades = blades,
          .sections = {{0.2, 0.30, 1.0, 0.15, 0.02, 0.0, 0.0},
                       {0.6, 0.40, 1.2, 0.08, 0.02, 5.0, 0.01},
                       {1.0, 0.20, 1.1, 0.04, 0.01, 15.0, 0.03}}};
}

TEST(Propeller, IsClosedAndOriented) {
  for (const int blades : {1, 2, 3, 5}) {
    const MeshReport report = check_mesh(make_propeller({24, 8}, plan_of(blades)));
    EXPECT_TRUE(report.watertight()) << blades;
    EXPECT_GT(report.volume, 0.0) << blades;
  }
}

// Nodes of a blade are rings of 24 from the trailing edge; the nose is half a ring away. On its
// cylinder a section's chord has the length c and climbs by the pitch: the advance x between nose
// and trailing edge is c D sin(a), tan(a) = P/(pi r/R). Its middle is moved along the axis by the
// rake, and about the axis by the skew.
TEST(Propeller, HasTheSectionsOfItsTable) {
  const SurfaceMesh mesh = make_propeller({24, 8}, plan_of(3));
  for (const auto& [ring, section] : {std::pair{0, 0}, std::pair{8, 2}}) {
    const BladeSection at = plan_of(3).sections[static_cast<std::size_t>(section)];
    const Vec3d edge = mesh.nodes[static_cast<std::size_t>(24 * ring)],
                nose = mesh.nodes[static_cast<std::size_t>(24 * ring + 12)];
    EXPECT_NEAR(std::hypot(edge.y, edge.z), at.radius, 1e-12);
    const double angle = std::atan(at.pitch / (std::numbers::pi * at.radius));
    EXPECT_NEAR(edge.x - nose.x, 2.0 * at.chord * std::sin(angle), 1e-12);
    const double about = std::atan2(nose.z, nose.y) - std::atan2(edge.z, edge.y);
    EXPECT_NEAR(about * at.radius, 2.0 * at.chord * std::cos(angle), 1e-12);
    EXPECT_NEAR(0.5 * (edge.x + nose.x), 2.0 * at.rake, 1e-12);
    EXPECT_NEAR(0.5 * (std::atan2(nose.z, nose.y) + std::atan2(edge.z, edge.y)),
                -at.skew * std::numbers::pi / 180.0, 1e-12);
  }
}

// The mean line of a thin section that carries the load 1 up to 0.8 of its chord, and from there
// linearly less, has the height - int load(t) ln|s - t| dt, less the line through its ends.
TEST(Propeller, HasTheCamberOfItsLoad) {
  const auto potential = [](double s) {
    constexpr int points = 4000;
    double sum = 0.0;
    for (int i = 0; i < points; ++i) {
      const double t = (i + 0.5) / points;
      sum -= std::min(1.0, (1.0 - t) / 0.2) * std::log(std::abs(s - t)) / points;
    }
    return sum;
  };
  const double first = potential(0.0), last = potential(1.0);
  const auto height = [&](double s) { return potential(s) - first - s * (last - first); };
  double most = 0.0;
  for (int i = 1; i < 100; ++i) most = std::max(most, height(0.01 * i));
  const SurfaceMesh mesh = make_propeller({24, 8}, plan_of(3));
  const BladeSection at = plan_of(3).sections[0];
  const double radius = at.radius;  // m
  const auto on_cylinder = [&](int node) {
    const Vec3d& x = mesh.nodes[static_cast<std::size_t>(node)];
    return Vec3d{x.x, radius * std::atan2(x.z, x.y), 0.0};
  };
  const Vec3d tail = on_cylinder(0), nose = on_cylinder(12), chord = tail - nose;
  for (int k = 1; k < 12; ++k) {
    const Vec3d off = 0.5 * (on_cylinder(k) + on_cylinder(24 - k)) - nose;
    const double s = dot(off, chord) / dot(chord, chord),
                 camber = norm(cross(off, chord)) / dot(chord, chord);
    EXPECT_NEAR(camber / at.camber, height(s) / most, 2e-3) << s;
  }
}

// Blades are outside the cylinder through the first section, the hub is inside. Each end of the hub
// is as long as the hub is thick, and the part between them at most as long as a blade's root.
TEST(Propeller, HasItsBladesAndItsHubAsPatches) {
  const double radius = 0.2;
  const SurfaceMesh mesh = make_propeller({24, 8}, plan_of(3));
  ASSERT_EQ(mesh.patch_names, (std::vector<std::string>{"blade", "hub"}));
  double front = 0.0, rear = 0.0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    double outermost = 0.0;
    for (const std::int32_t node : mesh.elements[e]) {
      if (node < 0) continue;
      const Vec3d& x = mesh.nodes[static_cast<std::size_t>(node)];
      outermost = std::max(outermost, std::hypot(x.y, x.z));
      if (mesh.patch[e] == 1) front = std::min(front, x.x), rear = std::max(rear, x.x);
    }
    EXPECT_EQ(outermost > radius + 1e-12, mesh.patch[e] == 0) << e;
  }
  EXPECT_GT(rear - front, 4.0 * radius);
  EXPECT_LT(rear - front, 4.0 * radius + 2.0 * plan_of(3).sections.front().chord);
}

TEST(Propeller, RefusesTablesThatAreNoBlade) {
  PropellerPlan plan = plan_of(3);
  std::swap(plan.sections[0], plan.sections[1]);
  EXPECT_THROW(make_propeller({24, 8}, plan), InputError);
  plan = plan_of(3);
  plan.sections[1].chord = 0.0;
  EXPECT_THROW(make_propeller({24, 8}, plan), InputError);
  plan = plan_of(0);
  EXPECT_THROW(make_propeller({24, 8}, plan), InputError);
  plan = plan_of(3);
  plan.diameter = 0.0;
  EXPECT_THROW(make_propeller({24, 8}, plan), InputError);
}

}  // namespace
}  // namespace rankine::meshes
