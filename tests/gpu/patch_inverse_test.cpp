// Inverses of patches, made on the device and on the host.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/formulation.hpp"
#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/bem/lift/lifting_edges.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::gpu {
namespace {

class PatchInverses : public testing::DeviceTest {};

std::vector<double> random_values(std::size_t n) {
  std::mt19937 generator(5);
  std::normal_distribution<double> normal;
  std::vector<double> x(n);
  for (double& each : x) each = normal(generator);
  return x;
}

/// An operator's image of `x`, both on the host.
std::vector<double> image(bem::Backend& backend, bem::LinearOperator& of,
                          const std::vector<double>& x) {
  const bem::Array in = bem::uploaded(backend, x);
  bem::Array out = backend.allocate(of.rows());
  of.add(1.0, in.data(), out.data(), 1);
  return bem::downloaded(backend, out, of.rows());
}

/// Fluxes known on one half, potentials on the other: both layers between diagonals.
bem::BoundaryConditions halves(const bem::Panels& panels) {
  bem::BoundaryConditions conditions;
  for (const Vec3d& x : panels.centroid)
    conditions.known.push_back(x.x + 0.3 * x.y > 0.1 ? bem::Known::flux : bem::Known::potential);
  return conditions;
}

/// M x by one backend, and A M x.
struct Images {
  std::vector<double> inverse, back;
};
Images images(bem::Backend& backend, const bem::Discretization& discretization,
              const bem::Equation& equation, const bem::LocalInverseOptions& options) {
  bem::LayerSet layers(backend, discretization);
  const auto made = bem::local_inverse(layers, equation, options);
  fmm::Options direct{.method = fmm::Method::direct};
  direct.gradient = direct.dipoles = true;
  bem::FarField far(layers, direct);
  bem::BoundaryOperator whole(far, equation);
  Images found{image(backend, *made, random_values(layers.unknowns())), {}};
  found.back = image(backend, whole, found.inverse);
  return found;
}

TEST_F(PatchInverses, AreThoseOfTheHost) {
  const auto host = bem::make_cpu_backend(), device = make_cuda_backend();
  const bem::Panels panels =
      bem::make_panels(testing::stretched(testing::jittered_sphere(1500), {1.0, 0.8, 0.05}));
  const bem::CollocatedPanels discretization(panels);
  for (const auto& formulation : {bem::green_formulation, bem::source_formulation}) {
    for (const bem::BoundaryConditions& conditions : {bem::BoundaryConditions{}, halves(panels)}) {
      const bem::Equation equation = formulation(conditions).system;
      const Images a = images(*host, discretization, equation, {}),
                   b = images(*device, discretization, equation, {});
      // Both invert in single precision; the patches have conditions of some hundreds.
      EXPECT_LE(relative_error(b.inverse, a.inverse), 1e-4);
    }
  }
}

TEST_F(PatchInverses, BesideWakesAreThoseOfTheHost) {
  // Equal couplings on both halves of a wing: only a patch of all unknowns is certain to be that of
  // the host.
  const auto errors = [](const meshes::WingPanels& numbers,
                         const bem::LocalInverseOptions& options) {
    bem::Panels panels =
        bem::make_panels(meshes::make_wing(numbers, meshes::naca_section("0012"), {.span = 4.0}),
                         bem::PanelGeometry::flat);
    const bem::LiftingEdges edges = bem::lifting_edges(panels, {1.0, 0.0, 0.1});
    const bem::Equation equation = bem::green_with_sheets({}, edges.kutta).system;
    std::vector<Images> found;
    for (const bool on_device : {false, true}) {
      const auto backend = on_device ? make_cuda_backend() : bem::make_cpu_backend();
      const bem::SourcePanels discretization(edges.sources, {}, *backend);
      found.push_back(images(*backend, discretization, equation, options));
    }
    const std::vector<double> x = random_values(found[0].back.size());
    return std::array{relative_error(found[1].inverse, found[0].inverse),
                      relative_error(found[0].back, x), relative_error(found[1].back, x)};
  };
  EXPECT_LE(errors({10, 6}, {.cluster = 128, .patch = 128})[0], 1e-4);
  EXPECT_LE(errors({24, 12}, {.cluster = 512, .patch = 512})[0], 1e-4);
  for (const bem::LocalInverseOptions& options :
       {bem::LocalInverseOptions{}, bem::patches_beside_wakes}) {
    const auto [between, host, device] = errors({48, 24}, options);
    EXPECT_LE(device, 1.05 * host);
  }
}

}  // namespace
}  // namespace rankine::gpu
