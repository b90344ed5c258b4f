// The surface of a body among vortices, as files have it.
#include "cases/particles/vortex_wall.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cases/particles/read_particle_case.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

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

}  // namespace
}  // namespace rankine::cases
