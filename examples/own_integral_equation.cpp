// An integral equation of one's own, on the GPU where there is one: the charge density sigma that
// holds a conductor at potential 1,
//
//   S sigma = 1 ,   capacitance C = int sigma dA .
//
// For the spheroid of half axes a > b = b, C = 4 pi sqrt(a^2 - b^2) / arcosh(a/b).
#include <cmath>
#include <cstdio>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

int main() {
  using namespace rankine;
  const bem::Panels panels = bem::make_panels(meshes::make_ellipsoid(5120, {2.0, 1.0, 1.0}));
  const bem::CollocatedPanels discretization(panels);
  const auto backend = gpu::available() ? gpu::make_cuda_backend() : bem::make_cpu_backend();

  bem::LayerSet layers(*backend, discretization);
  bem::FarField far(layers, {.tolerance = 1e-6});
  bem::BoundaryOperator single_layer(far, {.terms = {{.layer = bem::Layer::single_layer}}});

  const std::size_t n = panels.size();
  const bem::Array potential = bem::uploaded(*backend, std::vector<double>(n, 1.0));
  bem::Array sigma = backend->allocate(n);
  const bem::GmresResult result =
      bem::gmres(*backend, single_layer, potential.data(), sigma.data(), {.tolerance = 1e-5});

  const std::vector<double> density = bem::downloaded(*backend, sigma, n);
  double capacitance = 0.0;
  for (std::size_t i = 0; i < n; ++i) capacitance += density[i] * panels.area[i];
  const double exact = 4.0 * std::numbers::pi * std::sqrt(3.0) / std::acosh(2.0);
  std::printf("capacitance %.4f, exact %.4f, %d iterations on %s\n", capacitance, exact,
              result.iterations, backend->device().c_str());
  return std::abs(capacitance / exact - 1.0) < 2e-3 ? 0 : 1;
}
