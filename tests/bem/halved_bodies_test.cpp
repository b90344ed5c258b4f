// Added mass of whole bodies from the part on one side of planes that halve them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;
using meshes::SymmetryPlane;

/// A body that is symmetric across planes normal to y and z alone, its part at positive coordinates
/// of `axes`.
meshes::SurfaceMesh part_of_body(const std::vector<int>& axes) {
  meshes::SurfaceMesh mesh = testing::positive_part(testing::cubed_sphere(384), axes);
  for (Vec3d& p : mesh.nodes) p = {1.6 * p.x + 0.3 * p.x * p.x, 0.8 * p.y, 0.6 * p.z};
  return mesh;
}

AddedMass mass_of(const meshes::SurfaceMesh& mesh, std::vector<SymmetryPlane> planes,
                  std::vector<int> halved, Formulation formulation) {
  const FlowProblem problem{.panels = make_panels(mesh, {}, Symmetry(std::move(planes))),
                            .density = 1025.0};
  const RigidBodies bodies{
      std::vector<std::int32_t>(problem.panels.size(), 0), {{0.2, 0.0, 0.0}}, std::move(halved)};
  FlowOptions options;
  options.formulation = formulation;
  options.gmres.tolerance = 1e-11;
  options.fmm.tolerance = 1e-11;
  return added_mass(problem, bodies, {}, options, *make_cpu_backend());
}

/// Relative to the larger of the two masses: the far fields differ by 1e-11, the residuals too, and
/// both are multiplied by the condition of the equation.
void expect_same(const AddedMass& part, const AddedMass& whole) {
  ASSERT_EQ(part.modes, whole.modes);
  for (int i = 0; i < whole.modes; ++i) {
    for (int j = 0; j < whole.modes; ++j) {
      const double scale = std::sqrt(whole(i, i) * whole(j, j));
      EXPECT_NEAR(part(i, j), whole(i, j), 1e-8 * scale) << i << ' ' << j;
    }
  }
  EXPECT_NEAR(part.asymmetry, whole.asymmetry, 1e-8);
}

class HalvedBodies : public ::testing::TestWithParam<Formulation> {};

TEST_P(HalvedBodies, HaveTheMassOfTheWholeBody) {
  const SymmetryPlane y{.axis = 1}, z{.axis = 2};
  const meshes::SurfaceMesh half = part_of_body({1}), quarter = part_of_body({1, 2});
  const AddedMass whole = mass_of(testing::with_images(half, Symmetry({y})), {}, {}, GetParam());
  expect_same(mass_of(half, {y}, {1}, GetParam()), whole);
  expect_same(mass_of(quarter, {y, z}, {2, 1}, GetParam()), whole);
  // The sign of a plane that halves a body has no meaning.
  expect_same(mass_of(half, {{.axis = 1, .sign = -1.0}}, {1}, GetParam()), whole);
}

TEST_P(HalvedBodies, HaveTheMassOfTheWholeBodyBesideOtherPlanes) {
  // Under a lid and under a surface of zero potential, the limits of slow and of fast motions.
  const SymmetryPlane y{.axis = 1};
  const meshes::SurfaceMesh quarter = part_of_body({1, 2});
  const meshes::SurfaceMesh half = testing::with_images(quarter, Symmetry({y}));
  for (const double sign : {1.0, -1.0}) {
    const SymmetryPlane z{.axis = 2, .sign = sign};
    expect_same(mass_of(quarter, {y, z}, {1}, GetParam()), mass_of(half, {z}, {}, GetParam()));
  }
}

INSTANTIATE_TEST_SUITE_P(By, HalvedBodies,
                         ::testing::Values(Formulation::green, Formulation::source),
                         [](const auto& test) { return std::string(to_string(test.param)); });

TEST(HalvedBodies, NeedCentresOnThePlaneAndRigidModes) {
  const FlowProblem problem{
      .panels = make_panels(part_of_body({1}), {}, Symmetry({SymmetryPlane{.axis = 1}}))};
  const std::size_t n = problem.panels.size();
  const std::vector<std::int32_t> one(n, 0);
  const auto backend = make_cpu_backend();
  const auto message = [&](const RigidBodies& bodies, const std::vector<double>& displacements) {
    return testing::message_of<InputError>(
        [&] { added_mass(problem, bodies, displacements, {}, *backend); });
  };
  EXPECT_NE(message({one, {{0.0, 0.1, 0.0}}, {1}}, {}).find("y = 0.1 m"), std::string::npos);
  EXPECT_NE(message({one, {Vec3d{}}, {2}}, {}).find("no symmetry plane is normal to z"),
            std::string::npos);
  EXPECT_NE(message({one, {Vec3d{}}, {1}}, std::vector<double>(n, 1.0)).find("mesh the whole body"),
            std::string::npos);
}

}  // namespace
}  // namespace rankine::bem
