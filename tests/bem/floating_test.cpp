// Added mass of bodies that float: under a rigid lid, the limit of slow oscillations, and under a
// plane of zero potential, that of fast ones.
//
// The half sphere r = 1, z < 0, moving with the velocity q into the fluid, which continues to z > 0
// with the sign of the plane. Of q = sum_n c_n P_n^m(cos theta) cos(m phi)
//
//   phi = - sum_n c_n/(n + 1) r^-(n+1) P_n^m cos(m phi) ,    M = -int phi q dA
//
// with even n + m under the lid and odd ones under phi = 0 (Hulme, J. Fluid Mech. 121 (1982), has
// the limits: heave 0.831 and 1/2, surge 1/2 and 0.273 of the displaced mass).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/meshes/halo.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::Symmetry;
using meshes::SymmetryPlane;
using std::numbers::pi;

/// int_0^1 f P_n^m dx by Simpson's rule in the angle.
template <class F>
double half_integral(int n, int m, F f) {
  const int steps = 1000;
  double sum = 0.0;
  for (int k = 0; k <= steps; ++k) {
    const double angle = 0.5 * pi * k / steps, x = std::cos(angle);
    const double weight = (k == 0 || k == steps) ? 1.0 : (k % 2 == 1 ? 4.0 : 2.0);
    sum += weight * f(x) * std::assoc_legendre(n, m, x) * std::sin(angle);
  }
  return sum * 0.5 * pi / (3.0 * steps);
}

/// M over the mass of the water that the half sphere displaces; m = 0: heave, 1: surge.
double half_sphere(int m, bool lid) {
  const auto q = [m](double x) { return m == 0 ? x : std::sqrt(1.0 - x * x); };
  double sum = 0.0;
  for (int n = m; n < 200; ++n) {
    if (((n + m) % 2 == 0) != lid) continue;
    double square = 1.0 / (2 * n + 1);  // int_0^1 (P_n^m)^2
    if (m == 1) square *= n * (n + 1.0);
    if (square == 0.0) continue;
    const double overlap = half_integral(n, m, q);
    sum += overlap * overlap / (square * (n + 1));
  }
  return sum * (m == 0 ? 2.0 * pi : pi) / (2.0 / 3.0 * pi);
}

/// The matrix of the part below z = 0, of a mesh without a pattern inside its rims.
AddedMass of_part(const std::vector<int>& axes, std::vector<SymmetryPlane> planes,
                  std::int64_t panels) {
  meshes::SurfaceMesh mesh = testing::positive_part(testing::cubed_sphere(panels), axes);
  std::mt19937 random(11);
  std::uniform_real_distribution<double> by(-0.2, 0.2);
  const double size = std::sqrt(4.0 * pi / static_cast<double>(panels));
  for (Vec3d& x : mesh.nodes) {
    bool inner = true;
    for (const int axis : axes) inner = inner && x[axis] > 0.5 * size;
    if (inner) x = normalized(x + size * Vec3d{by(random), by(random), by(random)});
    x.z = -x.z;
  }
  for (meshes::Element& element : mesh.elements) element = meshes::reversed(element);
  const Symmetry symmetry(std::move(planes));
  meshes::meet_planes(mesh, symmetry);
  const FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::curved, symmetry)};
  const RigidBodies bodies{std::vector<std::int32_t>(problem.panels.size(), 0), {{}}};
  const AddedMass found = added_mass(problem, bodies, {}, {}, *make_cpu_backend());
  EXPECT_TRUE(found.converged());
  return found;
}

TEST(FloatingHalfSphere, HasTheLimitsOfItsSeries) {
  EXPECT_NEAR(half_sphere(0, true), 0.8310, 1e-4);
  EXPECT_NEAR(half_sphere(1, true), 0.5, 1e-4);
  EXPECT_NEAR(half_sphere(0, false), 0.5, 1e-4);
  EXPECT_NEAR(half_sphere(1, false), 0.2732, 1e-4);
}

TEST(FloatingHalfSphere, UnderALidAndUnderZeroPotential) {
  const double displaced = 2.0 / 3.0 * pi;
  for (const bool lid : {true, false}) {
    const AddedMass found = of_part({2}, {{2, 0.0, lid ? 1.0 : -1.0}}, 3456);
    // Second order on 1728 panels of size 0.06; next to the rim fluxes jump where the plane's sign
    // is not theirs.
    EXPECT_NEAR(found(0, 0) / displaced, half_sphere(1, lid), 3e-3) << lid;
    EXPECT_NEAR(found(1, 1) / displaced, half_sphere(1, lid), 3e-3) << lid;
    EXPECT_NEAR(found(2, 2) / displaced, half_sphere(0, lid), 3e-3) << lid;
    // Turning about its centre moves nothing.
    for (int k = 3; k < 6; ++k) EXPECT_NEAR(found(k, k), 0.0, 1e-4);
  }
}

/// Half of the half: the modes that the plane y = 0 allows are half of those of the whole.
TEST(FloatingHalfSphere, IsTwiceItsHalf) {
  const AddedMass half = of_part({2}, {{2, 0.0, 1.0}}, 864),
                  quarter = of_part({1, 2}, {{1, 0.0, 1.0}, {2, 0.0, 1.0}}, 864);
  // Both meshes are of the second order, and not the same.
  for (const int mode : {0, 2})
    EXPECT_NEAR(2.0 * quarter(mode, mode) / half(mode, mode), 1.0, 5e-3);
}

/// A body under a lid is a part of a whole, mirrored one: its matrix is half of that of the modes
/// that mirror images share.
TEST(FloatingDrum, UnderALidIsHalfOfItsMirroredWhole) {
  meshes::SurfaceMesh mesh;
  const int around = 24, high = 6;
  for (int k = 0; k <= high; ++k) {
    for (int i = 0; i < around; ++i) {
      const double angle = 2.0 * pi * i / around;
      mesh.nodes.push_back({std::cos(angle), std::sin(angle), -1.2 * k / high});
    }
  }
  const auto node = [&](int i, int k) { return k * around + (i + around) % around; };
  for (int k = 0; k < high; ++k) {
    for (int i = 0; i < around; ++i)
      mesh.elements.push_back({node(i, k + 1), node(i + 1, k + 1), node(i + 1, k), node(i, k)});
  }
  const auto middle = static_cast<std::int32_t>(mesh.nodes.size());
  mesh.nodes.push_back({0.0, 0.0, -1.2});
  for (int i = 0; i < around; ++i)
    mesh.elements.push_back({middle, node(i + 1, high), node(i, high), -1});
  mesh.patch.assign(mesh.elements.size(), 0);
  const Symmetry lid({{2, 0.0, 1.0}});
  const meshes::SurfaceMesh whole_mesh = testing::with_images(mesh, lid);
  FlowOptions options;
  options.gmres.tolerance = 1e-9;
  options.fmm.tolerance = 1e-10;
  options.quadrature.tolerance = 1e-7;  // else it follows the size of what is modelled
  const auto backend = make_cpu_backend();
  const auto matrix = [&](const meshes::SurfaceMesh& of, const Symmetry& symmetry, bool opposed) {
    const FlowProblem problem{.panels = make_panels(of, PanelGeometry::curved, symmetry)};
    std::vector<double> heave;  // of the upper half against the lower one
    for (std::size_t i = 0; i < problem.panels.size(); ++i) {
      const double up = problem.panels.vector_area[i].z / problem.panels.area[i];
      heave.push_back(opposed && i >= mesh.elements.size() ? -up : up);
    }
    const RigidBodies bodies{std::vector<std::int32_t>(problem.panels.size(), 0), {{}}};
    return added_mass(problem, bodies, heave, options, *backend);
  };
  const AddedMass half = matrix(mesh, lid, false), whole = matrix(whole_mesh, {}, true);
  // Images of quadrilaterals are divided along their other diagonal. Surge of the whole has images
  // that surge with it; its heave is the further mode.
  EXPECT_NEAR(2.0 * half(0, 0) / whole(0, 0), 1.0, 1e-4);
  EXPECT_NEAR(2.0 * half(1, 1) / whole(1, 1), 1.0, 1e-4);
  EXPECT_NEAR(2.0 * half(2, 2) / whole(6, 6), 1.0, 1e-4);
  EXPECT_NEAR(2.0 * half(6, 6) / whole(6, 6), 1.0, 1e-4);
  EXPECT_GT(std::abs(whole(2, 2) / whole(6, 6) - 1.0), 0.1);
}

}  // namespace
}  // namespace rankine::bem
