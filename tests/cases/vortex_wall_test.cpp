// The surface of a body among vortices, as files have it.
#include "cases/particles/vortex_wall.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "cases/particles/read_particle_case.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

TEST(VortexWall, HasVorticesOnOneSideOfASymmetryPlane) {
  const testing::TemporaryFolder folder;
  const ParticleCase given = read_particle_case(folder.write("case.toml", R"(version = 1
[problem]
kind = "vortex"
symmetry = ["x"]
[particles]
generator = "ring"
n = 20
sigma = 0.5
[[particles.ring]]
axis = [0.0, 0.0, 1.0]
[time]
step = 0.02
steps = 2
)"));
  const auto backend = bem::make_cpu_backend();
  Log log(Log::Level::quiet);
  EXPECT_TRUE(
      testing::says(testing::answer_of<InputError>([&] { begin_vortices(given, *backend, log); }),
                    "lie on both sides of the symmetry plane x = 0"));
}

// The sphere in a stream U along x: phi = U a cos / 2 of what it does, |u| = 3/2 U sin.
TEST(VortexWall, SaysTheVelocityAlongASphere) {
  const testing::TemporaryFolder folder;
  const ParticleCase given = read_particle_case(folder.write("case.toml", R"(version = 1
[problem]
kind = "vortex"
velocity = [2.0, 0.0, 0.0]
[mesh]
shape = "sphere"
panels = 1280
radius = 0.5
[particles]
generator = "none"
sigma = 0.1
[shedding]
[time]
step = 0.02
steps = 2
)"));
  const auto backend = bem::make_cpu_backend();
  VortexWall wall(given, *backend);
  const meshes::Fields fields = wall.surface_fields({});
  ASSERT_EQ(fields.cell.size(), 4u);
  const std::vector<double>&u = fields.cell[0].values, &speed = fields.cell[1].values,
        &phi = fields.cell[2].values, &area = fields.cell[3].values;
  const bem::Panels& panels = wall.body().panels();
  ASSERT_EQ(wall.mesh().elements.size(), panels.size());
  double total = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const Vec3d along = normalized(panels.centroid[i]), at{u[3 * i], u[3 * i + 1], u[3 * i + 2]};
    const double sine = std::hypot(along.y, along.z);
    EXPECT_NEAR(speed[i], 3.0 * sine, 0.03) << i;
    EXPECT_NEAR(norm(at), speed[i], 1e-14);
    EXPECT_LE(std::abs(dot(at, along)), 0.03);
    EXPECT_NEAR(phi[i], 0.5 * along.x, 0.01);
    total += area[i];
  }
  EXPECT_NEAR(total, 3.14159265358979, 0.01);
}

constexpr auto two_spheres = R"(version = 1
[problem]
kind = "vortex"
[mesh]
file = "two.off"
[[motion]]
patch = "body2"
file = "way.csv"
centre = [3.0, 0.0, 0.0]
[particles]
generator = "none"
sigma = 0.4
[shedding]
[time]
step = 0.25
steps = 2
stretching = "classic"
[output]
every = 1
checkpoint_every = 1
)";

/// Octahedra about the origin and about (3, 0, 0), of which the second moves along y and turns
/// about z.
fs::path two_bodies(const testing::TemporaryFolder& folder) {
  std::string nodes, faces;
  for (const int body : {0, 1}) {
    for (const Vec3d& x : {Vec3d{1, 0, 0}, Vec3d{-1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, -1, 0},
                           Vec3d{0, 0, 1}, Vec3d{0, 0, -1}})
      nodes += fmt::format("{} {} {}\n", x.x + 3 * body, x.y, x.z);
    for (const int side : {4, 5}) {
      const int turn[]{0, 2, 1, 3};
      for (int k = 0; k < 4; ++k) {
        const int a = turn[k], b = turn[(k + 1) % 4];
        faces += fmt::format("3 {} {} {}\n", 6 * body + (side == 4 ? a : b),
                             6 * body + (side == 4 ? b : a), 6 * body + side);
      }
    }
  }
  folder.write("two.off", "OFF\n12 16 0\n" + nodes + faces);
  folder.write("way.csv", "time,y,rz\n0,0,0\n1,2,1.5707963267948966\n");
  return folder.write("case.toml", two_spheres);
}

TEST(VortexWall, MovesTheBodiesThatMotionsName) {
  const testing::TemporaryFolder folder;
  const ParticleCase given = read_particle_case(two_bodies(folder));
  const auto backend = bem::make_cpu_backend();
  VortexWall wall(given, *backend);
  wall.body().move_to(1.0);
  wall.body().solve(bem::VortexParticles{});
  wall.surface_fields({});
  EXPECT_EQ(wall.mesh().nodes[0], (Vec3d{1.0, 0.0, 0.0}));
  EXPECT_LE(norm(wall.mesh().nodes[6] - Vec3d{3.0, 3.0, 0.0}), 1e-14);
  EXPECT_LE(norm(wall.mesh().nodes[10] - Vec3d{3.0, 2.0, 1.0}), 1e-14);
  // Along the straight line of two samples both rates stay; the octahedron has the volume 4/3.
  wall.body().move_to(0.5);
  EXPECT_LE(norm(wall.body().solid_vorticity() - Vec3d{0.0, 0.0, 4.0 / 3.0 * 3.14159265358979}),
            1e-10);
  const std::string resolved = write_particle_case(given, folder.path());
  EXPECT_TRUE(testing::says(resolved, "[[motion]]"));
  EXPECT_TRUE(testing::says(resolved, "way.csv"));
}

TEST(VortexWall, RefusesMotionsThatDoNotFit) {
  const testing::TemporaryFolder folder;
  const fs::path file = two_bodies(folder);
  const auto answer = [&](const std::string& from, const std::string& to) {
    const fs::path changed =
        folder.write("changed.toml", testing::replaced(testing::read_text(file), from, to));
    return testing::answer_of<InputError>([&] {
      const auto backend = bem::make_cpu_backend();
      VortexWall(read_particle_case(changed), *backend);
    });
  };
  EXPECT_TRUE(testing::says(answer("\"body2\"", "\"tail\""), "no patch \"tail\""));
  EXPECT_TRUE(
      testing::says(answer("file = \"way.csv\"", "file = \"way.csv\"\nvelocity = [1, 0, 0]"),
                    "motion.velocity has no meaning with a file"));
  EXPECT_TRUE(testing::says(answer("\"classic\"", "\"transpose\""), "give stretching"));
  folder.write("way.csv", "time,y\n1,0\n0,2\n");
  EXPECT_TRUE(testing::says(answer("", ""), "do not rise"));
  folder.write("way.csv", "t,y\n0,0\n1,2\n");
  EXPECT_TRUE(testing::says(answer("", ""), "the column \"t\" is none of a motion"));
  folder.write("way.csv", "x,y\n0,0\n1,2\n");
  EXPECT_TRUE(testing::says(answer("", ""), "there is no column \"time\""));
}

// The half of an octahedron above the plane moves along it and turns about its normal.
TEST(VortexWall, MovesBodiesBesideSymmetryPlanes) {
  const testing::TemporaryFolder folder;
  folder.write("half.off",
               "OFF\n5 4 0\n1 0 0\n0 1 0\n-1 0 0\n0 -1 0\n0 0 1\n"
               "3 0 1 4\n3 1 2 4\n3 2 3 4\n3 3 0 4\n");
  const fs::path file = folder.write("case.toml", R"(version = 1
[problem]
kind = "vortex"
symmetry = ["z"]
[mesh]
file = "half.off"
[particles]
generator = "none"
sigma = 0.3
[shedding]
[time]
step = 0.02
steps = 2
stretching = "classic"
)");
  const auto backend = bem::make_cpu_backend();
  const auto wall_that = [&](const std::string& motion) {
    return std::make_unique<VortexWall>(
        read_particle_case(file, {"motion=[{patch=\"*\", " + motion + "}]"}), *backend);
  };
  const auto wall = wall_that("velocity=[1, 2, 0], angular_velocity=[0, 0, 3]");
  wall->body().move_to(0.5);
  wall->body().solve(bem::VortexParticles{});
  wall->surface_fields({});
  EXPECT_LE(norm(wall->mesh().nodes[4] - Vec3d{0.5, 1.0, 1.0}), 1e-14);
  EXPECT_EQ(wall->mesh().nodes[0].z, 0.0);
  EXPECT_LE(norm(wall->body().solid_vorticity() - Vec3d{0.0, 0.0, 4.0}), 1e-12);  // 2 Omega 2/3
  const auto answer = [&](const std::string& motion) {
    return testing::answer_of<InputError>([&] { wall_that(motion)->body().move_to(0.5); });
  };
  const auto left = "after 0.5 s a body has left the symmetry plane z = 0";
  EXPECT_TRUE(testing::says(answer("velocity=[0, 0, 0.1]"), left));
  EXPECT_TRUE(testing::says(answer("angular_velocity=[0.1, 0, 0]"), left));
  folder.write("case.toml",
               testing::replaced(testing::replaced(testing::read_text(file), "file = \"half.off\"",
                                                   "shape = \"sphere\"\npanels = 80"),
                                 "[mesh]", "symmetry_origin = [0.0, 0.0, -1.2]\n[mesh]"));
  EXPECT_TRUE(testing::says(answer("velocity=[0, 0, -1]"),
                            "after 0.5 s a body has crossed the symmetry plane z = -1.2"));
}

// The smaller one of two rings lies inside the sphere. A sheet spreads over (2 nu h)^(1/2) = 0.2.
TEST(VortexWall, WarnsOfVorticesInsideABodyAndOfLongSteps) {
  const testing::TemporaryFolder folder;
  const ParticleCase given = read_particle_case(folder.write("case.toml", R"(version = 1
[problem]
kind = "vortex"
[mesh]
shape = "sphere"
panels = 80
[particles]
generator = "ring"
n = 20
sigma = 0.1
viscosity = 0.02
[[particles.ring]]
radius = 0.5
[[particles.ring]]
radius = 2.0
[shedding]
[time]
step = 1.0
steps = 2
)"));
  const auto backend = bem::make_cpu_backend();
  Log log(Log::Level::quiet);
  const auto simulation = begin_vortices(given, *backend, log);
  VortexWall wall(given, *backend);
  const std::size_t of_rings = simulation->size() - wall.mesh().elements.size();
  ASSERT_EQ(log.warnings().size(), 1u);
  EXPECT_TRUE(testing::says(log.warnings().front(),
                            fmt::format("of {} vortices lie inside a body", of_rings)));
  EXPECT_FALSE(testing::says(log.warnings().front(), fmt::format("{0} of {0}", of_rings)));
  const std::vector<Figure> figures = wall.figures();
  EXPECT_EQ(figures.back().first, sheet_spread_name);
  EXPECT_NEAR(figures.back().second, 2.0, 1e-12);
}

// Two forces that are zero but for errors do not differ by their whole size.
TEST(VortexWall, ComparesForcesThatTheRunResolves) {
  std::vector<MonitorRow> rows{{0, {0, 0, 0, 0, 0, 0}}, {1, {1.1, 0, 0, 1.0, 0, 0}}};
  EXPECT_NEAR(force_difference(rows, 0, 3, 0.01, {}), 0.1, 1e-14);
  rows[1].values = {1.1e-6, 0, 0, 1e-6, 0, 0};
  EXPECT_NEAR(force_difference(rows, 0, 3, 0.01, {}), 1e-5, 1e-14);
  EXPECT_NEAR(force_difference(rows, 0, 3, 0.0, {}), 0.1, 1e-14);
}

// A run in two parts has the bits of one, although its bodies have moved when it is resumed.
TEST(VortexWall, ResumesBodiesThatMove) {
  const testing::TemporaryFolder folder;
  const fs::path file = two_bodies(folder);
  const auto backend = bem::make_cpu_backend();
  Log log(Log::Level::quiet);
  for (const char* patch : {"body2", "*"}) {  // one of two bodies, and both as one
    const ParticleCase given = read_particle_case(
        folder.write("changed.toml", testing::replaced(testing::read_text(file), "body2", patch)));
    const auto whole = begin_simulation(given, *backend, log);
    whole->advance();
    const auto second = resume_simulation(given, whole->state(), *backend);
    whole->advance();
    second->advance();
    const State there = whole->state(), here = second->state();
    ASSERT_EQ(here.size(), there.size());
    for (std::size_t k = 0; k < there.size(); ++k) {
      if (there[k].name == "solve_seconds") continue;
      EXPECT_EQ(here[k].values, there[k].values) << patch << " " << there[k].name;
    }
  }
}

}  // namespace
}  // namespace rankine::cases
