// Cases of vortices with a body: what is read and written back, what is refused.
#include <gtest/gtest.h>

#include "cases/particles/read_particle_case.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

const std::string discoid = R"(version = 1
[problem]
kind = "vortex"
velocity = [0.5, 0.0, 0.8]
[mesh]
shape = "ellipsoid"
panels = 320
semi_axes = [0.5, 0.5, 0.05]
[particles]
generator = "none"
sigma = 0.1
[shedding]
[time]
step = 0.02
steps = 2
)";

TEST(BodyCase, WrittenBackIsTheSameCase) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", discoid);
  const auto sphere = folder.write(
      "sphere.toml", testing::replaced(testing::replaced(discoid, "ellipsoid", "sphere"),
                                       "semi_axes = [0.5, 0.5, 0.05]", "radius = 2.0"));
  using Overrides = std::vector<std::string>;
  for (const auto& [from, overrides] :
       {std::pair(file, Overrides{}),
        std::pair(sphere, Overrides{"shedding.distance=0.2", "solver.tolerance=1e-6"}),
        std::pair(file, Overrides{"problem.symmetry=[\"y\"]"}),
        std::pair(file, Overrides{"particles.generator=ring"})}) {
    const ParticleCase read = read_particle_case(from, overrides);
    const std::string text = write_particle_case(read, folder.path());
    const ParticleCase again = read_particle_case(folder.write("again.toml", text));
    EXPECT_EQ(write_particle_case(again, folder.path()), text);
    EXPECT_EQ(trajectory_hash(again), trajectory_hash(read));
  }
}

TEST(BodyCase, HasDefaultsThatFollowItsParticlesAndItsTolerance) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", discoid);
  const ParticleCase read = read_particle_case(file);
  ASSERT_TRUE(read.body);
  EXPECT_TRUE(read.body->sheds);
  EXPECT_EQ(read.body->shedding_distance, 0.1);
  EXPECT_EQ(read.body->tolerance, 1e-4);
  EXPECT_DOUBLE_EQ(read_particle_case(file, {"solver.tolerance=1e-3"}).fmm.tolerance, 1e-4);
  for (const char* other : {"mesh.panels=80", "shedding.distance=0.3", "solver.tolerance=1e-3"})
    EXPECT_NE(trajectory_hash(read_particle_case(file, {other})), trajectory_hash(read)) << other;
}

TEST(BodyCase, RefusesWhatDoesNotFit) {
  const TemporaryFolder folder;
  const auto file = folder.write("case.toml", discoid);
  for (const auto& [change, message] : std::vector<std::pair<std::string, std::string>>{
           {"shedding.distance=0", "shedding.distance must be greater than 0, found 0"},
           {"shedding.distanse=1", "did you mean \"distance\"?"},
           {"mesh.shape=disc", "mesh.semi_axes has no meaning for the shape \"disc\""},
           {"solver.tolerance=1", "solver.tolerance must be between"},
           {"problem.symmetry=[\"-y\"]", "problem.symmetry is a list of x, y, z"},
           {"problem.symmetry=[\"z\"]", "problem.velocity has a part through a symmetry plane"},
           {"particles.n=10", "particles.n has no meaning for the generator \"none\""},
           {"boundary=[{patch=\"*\", type=\"wall\"}]", "boundary has no meaning"}}) {
    EXPECT_TRUE(says(answer_of<InputError>([&] { read_particle_case(file, {change}); }), message))
        << change;
  }
  const auto disc =
      folder.write("disc.toml", testing::replaced(testing::replaced(discoid, "ellipsoid", "disc"),
                                                  "semi_axes = [0.5, 0.5, 0.05]", ""));
  EXPECT_TRUE(says(answer_of<InputError>([&] { read_particle_case(disc); }), "without thickness"));
  const auto falling = folder.write(
      "falling.toml", testing::replaced(testing::replaced(discoid, "vortex", "gravity"),
                                        "velocity = [0.5, 0.0, 0.8]", ""));
  EXPECT_TRUE(says(answer_of<InputError>([&] { read_particle_case(falling); }),
                   "mesh has no meaning for the kind \"gravity\""));
  const auto bare = folder.write("bare.toml", testing::replaced(discoid, "[shedding]", ""));
  EXPECT_TRUE(says(answer_of<InputError>([&] { read_particle_case(bare); }),
                   "nothing else makes particles; add [mesh] and [shedding]"));
}

}  // namespace
}  // namespace rankine::cases
