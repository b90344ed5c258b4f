// Cases of particles: what is read and written back, what is refused and how.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "cases/particles/particle_checkpoint.hpp"
#include "cases/particles/particle_file.hpp"
#include "cases/particles/particle_report.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;
using testing::message_of;

const std::string cluster = R"(version = 1
[problem]
kind = "gravity"
[particles]
generator = "plummer"
n = 500
[time]
step = 0.01
steps = 20
)";

TEST(ParticleCase, IsKnownByItsKindOrItsParticles) {
  const TemporaryFolder folder;
  EXPECT_TRUE(is_particle_case(folder.write("a.toml", cluster), {}));
  const auto flow = folder.write("b.toml", "version = 1\n[mesh]\nshape = \"sphere\"\n");
  EXPECT_FALSE(is_particle_case(flow, {}));
  EXPECT_TRUE(is_particle_case(flow, {"problem.kind=gravity"}));
  EXPECT_FALSE(is_particle_case(flow, {"problem.kind=laplace"}));
}

TEST(ParticleCase, WrittenBackIsTheSameCase) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", cluster);
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{},
        {"particles.generator=cube", "particles.mass=3", "particles.scale=2", "particles.seed=9",
         "particles.softening=0.5", "problem.gravitational_constant=6.7e-11", "output.every=7",
         "output.checkpoint_every=14", "solver.backend=cpu", "fmm.tolerance=1e-3",
         "fmm.precision=float", "fmm.method=treecode", "fmm.order=5", "fmm.leaf_capacity=40"}}) {
    const ParticleCase read = read_particle_case(file, overrides);
    const std::string text = write_particle_case(read, folder.path());
    const ParticleCase again = read_particle_case(folder.write("again.toml", text));
    EXPECT_EQ(write_particle_case(again, folder.path()), text);
    EXPECT_EQ(trajectory_hash(again), trajectory_hash(read));
  }
}

TEST(ParticleCase, OfVorticesWrittenBackIsTheSameCase) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", replaced(cluster, "gravity", "vortex"));
  const std::string rings =
      "particles.ring=[{radius=2, circulation=-1, core_radius=0.3, centre=[1,2,3], axis=[0,1,1]}, "
      "{}]";
  for (const std::vector<std::string>& overrides :
       {std::vector<std::string>{"particles.generator=ring", rings, "particles.sigma=0.1"},
        {"particles.generator=ring", "particles.sigma=0.1", "particles.core=gaussian",
         "time.scheme=rk2", "time.stretching=classic", "problem.velocity=[1, 2, 3]"},
        {"particles.generator=cube", "particles.sigma=0.2", "particles.scale=3"}}) {
    const ParticleCase read = read_particle_case(file, overrides);
    const std::string text = write_particle_case(read, folder.path());
    const ParticleCase again = read_particle_case(folder.write("again.toml", text));
    EXPECT_EQ(write_particle_case(again, folder.path()), text);
    EXPECT_EQ(trajectory_hash(again), trajectory_hash(read));
  }
}

TEST(ParticleCase, HashChangesWithWhatMovesParticlesAlone) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", cluster);
  const auto hash = [&](const std::string& change) {
    return trajectory_hash(read_particle_case(file, {change}));
  };
  const std::string as_it_is = hash("title=other");
  for (const char* same : {"time.steps=30", "output.every=3", "solver.backend=cpu"})
    EXPECT_EQ(hash(same), as_it_is) << same;
  for (const char* other :
       {"time.step=0.02", "particles.seed=2", "particles.softening=0.1", "fmm.tolerance=1e-6",
        "output.checkpoint_every=10", "problem.gravitational_constant=2"})
    EXPECT_NE(hash(other), as_it_is) << other;
}

struct Refusal {
  std::string change, message;  ///< `message` without the folder
};

TEST(ParticleCase, RefusesWithTheLineAndWhatToDo) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", cluster);
  const std::string at = file.string();
  for (const Refusal& each : std::vector<Refusal>{
           {"time.steps=0", "time.steps must be at least 1, found 0"},
           {"time.step=0", "time.step must be greater than 0, found 0"},
           {"time.scheme=rk5", "time.scheme cannot be \"rk5\""},
           {"particles.n=0", "particles.n must be between 1 and"},
           {"particles.softening=-0.1", "particles.softening must be at least 0"},
           {"particles.mass=-1", "particles.mass must be greater than 0"},
           {"particles.generator=plumer", "did you mean \"plummer\"?"},
           {"particles.generator=file", "particles.file is missing"},
           {"particles.file=a.csv", "particles.file has no meaning for the generator \"plummer\""},
           {"particles.sofening=1", "unknown key \"sofening\" in [particles]; did you mean"},
           {"problem.kind=gravty", "problem.kind cannot be \"gravty\""},
           {"problem.velocity=[1, 0, 0]",
            "problem.velocity has no meaning for the kind \"gravity\""},
           {"mesh.shape=sphere", "mesh has no meaning for the kind \"gravity\""},
           {"verify.exact=sphere-flow", "verify has no meaning for the kind \"gravity\""},
           {"solver.tolerance=1e-3", "solver.tolerance has no meaning without [mesh]"},
           {"particles.sigma=1", "particles.sigma has no meaning for the kind \"gravity\""},
           {"time.stretching=none", "time.stretching has no meaning for the kind \"gravity\""},
           {"particles.generator=ring", "particles.generator cannot be \"ring\""},
           {"output.every=0", "output.every must be at least 1"},
           {"output.section=[{}]",
            "output.section has no meaning for the kind \"gravity\", whose series"},
           {"fmm.tolerance=1", "fmm.tolerance must be between"}}) {
    const std::string answer =
        answer_of<InputError>([&] { read_particle_case(file, {each.change}); });
    EXPECT_TRUE(says(answer, each.message)) << each.change;
  }
  const auto rings = folder.write("rings.toml", replaced(replaced(cluster, "gravity", "vortex"),
                                                         "\"plummer\"", "\"ring\"\nsigma = 0.1"));
  for (const Refusal& each : std::vector<Refusal>{
           {"particles.sigma=0", "particles.sigma must be greater than 0, found 0"},
           {"particles.softening=1", "particles.softening has no meaning for the kind \"vortex\""},
           {"particles.core=gausian", "did you mean \"gaussian\"?"},
           {"particles.seed=2", "particles.seed has no meaning for the generator \"ring\""},
           {"particles.ring=[{radius=0}]", "particles.ring.radius must be greater than 0"},
           {"particles.ring=[{axis=[0, 0, 0]}]", "particles.ring.axis has no direction"},
           {"particles.ring=[{radus=1}]", "did you mean \"radius\"?"},
           {"time.scheme=leapfrog", "time.scheme cannot be \"leapfrog\""},
           {"time.stretching=transposed", "did you mean \"transpose\"?"},
           {"problem.gravitational_constant=1", "has no meaning for the kind \"vortex\""},
           {"particles.generator=plummer", "particles.generator cannot be \"plummer\""}}) {
    const std::string answer =
        answer_of<InputError>([&] { read_particle_case(rings, {each.change}); });
    EXPECT_TRUE(says(answer, each.message)) << each.change;
  }
  const auto bare = folder.write("bare.toml", replaced(read_text(rings), "sigma = 0.1", ""));
  EXPECT_TRUE(says(answer_of<InputError>([&] { read_particle_case(bare); }),
                   "particles.sigma is missing; give for example"));
  for (const std::string key : {"generator", "step ", "steps", "kind"}) {
    const auto lacking = folder.write("lacking.toml", replaced(cluster, key, "# "));
    EXPECT_TRUE(says(answer_of<InputError>([&] { read_particle_case(lacking); }),
                     "is missing; give for example"))
        << key;
  }
}

TEST(ParticleFile, HoldsPositionsMassesAndVelocities) {
  const TemporaryFolder folder;
  const auto csv = folder.write("bodies.csv",
                                "x, y, z, mass, vx, vy, vz\n1, 2, 3, 0.5, 4, 5, 6\n-1,0,0,2,0,0,1");
  const bem::Bodies bodies = read_bodies(csv);
  EXPECT_EQ(bodies.positions, (std::vector<Vec3d>{{1, 2, 3}, {-1, 0, 0}}));
  EXPECT_EQ(bodies.velocities, (std::vector<Vec3d>{{4, 5, 6}, {0, 0, 1}}));
  EXPECT_EQ(bodies.masses, (std::vector<double>{0.5, 2}));
  const bem::Bodies resting = read_bodies(folder.write("rest.csv", "mass x y z\n0.5 1 2 3\n"));
  EXPECT_EQ(resting.positions, (std::vector<Vec3d>{{1, 2, 3}}));
  EXPECT_EQ(resting.velocities, (std::vector<Vec3d>{{}}));

  const auto vtp = folder.path() / "bodies.vtp";
  meshes::write_points_vtp(
      vtp, bodies.positions,
      {.cell = {}, .point = {{"mass", 1, {0.5, 2}}, {"velocity", 3, {4, 5, 6, 0, 0, 1}}}});
  const bem::Bodies same = read_bodies(vtp);
  EXPECT_EQ(same.positions, bodies.positions);
  EXPECT_EQ(same.velocities, bodies.velocities);
  EXPECT_EQ(same.masses, bodies.masses);
}

/// A .tipsy file of one body of each kind, `swapped` in the order of the other processors.
std::string tipsy(bool swapped, std::size_t unused) {
  std::string bytes;
  const auto add = [&](auto value) {
    std::array<char, sizeof value> part;
    std::memcpy(part.data(), &value, sizeof value);
    if (swapped) std::reverse(part.begin(), part.end());
    bytes.append(part.data(), part.size());
  };
  add(0.25);
  for (const std::int32_t count : {3, 3, 1, 1, 1}) add(count);
  bytes.append(unused, '\0');
  for (const int values : {12, 9, 11}) {
    for (int k = 0; k < values; ++k) add(static_cast<float>(values + 0.5 * k));
  }
  return bytes;
}

TEST(ParticleFile, HoldsBodiesOfTipsy) {
  const TemporaryFolder folder;
  for (const bool swapped : {false, true}) {
    for (const std::size_t unused : {0, 4}) {
      const bem::Bodies bodies = read_bodies(folder.write("galaxy.tipsy", tipsy(swapped, unused)));
      EXPECT_EQ(bodies.masses, (std::vector<double>{12, 9, 11}));
      EXPECT_EQ(bodies.positions,
                (std::vector<Vec3d>{{12.5, 13, 13.5}, {9.5, 10, 10.5}, {11.5, 12, 12.5}}));
      EXPECT_EQ(bodies.velocities,
                (std::vector<Vec3d>{{14, 14.5, 15}, {11, 11.5, 12}, {13, 13.5, 14}}));
    }
  }
  const auto answer = [&](const std::string& bytes) {
    return message_of<InputError>([&] { read_bodies(folder.write("bad.tipsy", bytes)); });
  };
  const std::string whole = tipsy(false, 4);
  EXPECT_TRUE(says(answer(whole.substr(0, whole.size() - 1)), "has 159 bytes where its header"));
  EXPECT_TRUE(says(answer(whole.substr(0, 20)), "is too short"));
  EXPECT_TRUE(says(answer("x y z mass\n0 0 0 1\n1 1 1 1\n2 2 2 2\n"), "is no .tipsy file"));
}

TEST(ParticleFile, HoldsVortices) {
  const TemporaryFolder folder;
  const auto csv =
      folder.write("vortices.csv", "x y z gx gy gz sigma\n1 2 3 4 5 6 0.5\n0 0 1 0 1 0 0.25\n");
  const bem::VortexParticles read = read_vortices(csv, 0.0);
  EXPECT_EQ(read.positions, (std::vector<Vec3d>{{1, 2, 3}, {0, 0, 1}}));
  EXPECT_EQ(read.strengths, (std::vector<Vec3d>{{4, 5, 6}, {0, 1, 0}}));
  EXPECT_EQ(read.core_radii, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(read_vortices(csv, 2.0).core_radii, (std::vector<double>{2.0, 2.0}));
  const auto vtp = folder.path() / "vortices.vtp";
  meshes::write_points_vtp(
      vtp, read.positions,
      {.cell = {}, .point = {{"strength", 3, {4, 5, 6, 0, 1, 0}}, {"sigma", 1, {0.5, 0.25}}}});
  EXPECT_EQ(read_vortices(vtp, 0.0).strengths, read.strengths);
  EXPECT_EQ(read_vortices(vtp, 0.0).core_radii, read.core_radii);
  const auto bad = folder.write("bad.csv", "x y z gx gy gz sigma\n1 2 3 4 5 6 0\n");
  EXPECT_TRUE(says(message_of<InputError>([&] { read_vortices(bad, 0.0); }),
                   "\"sigma\" must be greater than 0, found 0"));
}

TEST(ParticleFile, IsRefusedWithTheReason) {
  const TemporaryFolder folder;
  const auto answer = [&](const std::string& name, const std::string& text) {
    return message_of<InputError>([&] { read_bodies(folder.write(name, text)); });
  };
  EXPECT_TRUE(says(answer("a.csv", "x y z mass\n0 0 0 -1\n"), "must be greater than 0, found -1"));
  EXPECT_TRUE(says(answer("a.csv", "x y z\n0 0 0\n"), "has no column \"mass\""));
  EXPECT_TRUE(says(answer("a.csv", "x y z mass vx vy\n0 0 0 1 1 1\n"), "has no column \"vz\""));
  EXPECT_TRUE(says(answer("a.csv", "x y z mass\n0 0 nan 1\n"), "not a finite number"));
  EXPECT_TRUE(says(answer("a.txt", "x y z mass\n"), "read from .csv, .vtp and .tipsy files"));
  EXPECT_TRUE(says(message_of<InputError>([] { read_bodies("/nowhere.csv"); }), "no such file"));
  EXPECT_TRUE(says(message_of<InputError>([] { read_bodies("/nowhere.vtp"); }), "no such file"));
}

TEST(ParticleReport, WarnsOfSumsThatErrByMoreThanWasPromised) {
  Log log(Log::Level::quiet, std::tmpfile());
  const fmm::OperatorInfo sum{.tolerance = 1e-4, .kept_tolerance = 2e-4};
  EXPECT_FALSE(warn_of_sums(10, sum, {{"energy", 1.0}, {"sum_error", 2e-4}}, log));
  EXPECT_TRUE(log.warnings().empty());
  EXPECT_TRUE(warn_of_sums(20, sum, {{"energy", 1.0}, {"sum_error", 3e-4}}, log));
  ASSERT_EQ(log.warnings().size(), 1u);
  EXPECT_TRUE(says(log.warnings()[0], "step 20: sums err by 3.0e-04")) << log.warnings()[0];
  EXPECT_TRUE(says(log.warnings()[0], "their tolerance 2.0e-04")) << log.warnings()[0];
  EXPECT_TRUE(says(log.warnings()[0], "checkpoint_every")) << log.warnings()[0];
  // Of an order that was given nothing is promised.
  EXPECT_FALSE(warn_of_sums(20, {.tolerance = 1e-4}, {{"sum_error", 1.0}}, log));
}

TEST(ParticleReport, WarnsOnceOfFiguresBeyondTheirLimits) {
  Log log(Log::Level::quiet, std::tmpfile());
  ParticleCase given;
  std::set<std::string> warned;
  const std::vector<Figure> good{{"energy_drift", 0.04},
                                 {spacing_name, 1.4},
                                 {rotation_name, 1.7},
                                 {impulse_change_name, 0.04}};
  warn_of_figures(0, given, good, warned, log);
  EXPECT_TRUE(log.warnings().empty());
  std::vector<Figure> bad = good;
  for (Figure& each : bad) each.second *= 2.0;
  warn_of_figures(10, given, bad, warned, log);
  warn_of_figures(20, given, bad, warned, log);
  ASSERT_EQ(log.warnings().size(), 4u);
  for (const std::string& each : log.warnings()) EXPECT_TRUE(says(each, "step 10: ")) << each;
  EXPECT_TRUE(says(log.warnings()[1], "particles are 2.8 core radii apart")) << log.warnings()[1];
  // A body takes impulse from vortices.
  given.body.emplace();
  warned.clear();
  warn_of_figures(30, given, {{impulse_change_name, 1.0}, {rotation_name, 9.0}}, warned, log);
  EXPECT_TRUE(warned.empty());
}

TEST(ParticleCheckpoint, HoldsEveryBit) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "checkpoint.bin";
  const ParticleCheckpoint written{"abc",
                                   7,
                                   {{"position", {0.1, 0.2, 1e-300}}, {"empty", {}}},
                                   {{0, {1.0, 2.0}}, {5, {3.0, 4.0}}}};
  write_particle_checkpoint(file, written);
  const ParticleCheckpoint read = read_particle_checkpoint(file, "abc");
  EXPECT_EQ(read.step, 7);
  EXPECT_EQ(state_values(read.state, "position"), written.state[0].values);
  EXPECT_TRUE(state_values(read.state, "empty").empty());
  ASSERT_EQ(read.rows.size(), 2u);
  EXPECT_EQ(read.rows[1].step, 5);
  EXPECT_EQ(read.rows[1].values, written.rows[1].values);

  const auto answer = [&](const std::string& hash = "abc") {
    return message_of<InputError>([&] { read_particle_checkpoint(file, hash); });
  };
  EXPECT_TRUE(says(answer("abd"), "of another case"));
  EXPECT_TRUE(says(message_of<InputError>([&] { state_values(read.state, "mass"); }), "lacks"));
  std::filesystem::resize_file(file, std::filesystem::file_size(file) - 1);
  EXPECT_TRUE(says(answer(), "cut short"));
  folder.write("checkpoint.bin", "rankine-checkpoint 1\nformulation green\n");
  EXPECT_TRUE(says(answer(), "not a checkpoint of this kind of case"));
  std::filesystem::remove(file);
  EXPECT_TRUE(says(answer(), "no checkpoint to resume from; run without --resume"));
}

}  // namespace
}  // namespace rankine::cases
