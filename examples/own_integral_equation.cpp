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

#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/meshes/geodesic.hpp"

int main() {
  using namespace rankine;
  const bem::Panels panels = bem::make_panels(meshes::make_ellipsoid(5120, {2.0, 1.0, 1.0}));
  const std::size_t n = panels.size();
  const auto backend = gpu::available() ? gpu::make_cuda_backend() : bem::make_cpu_backend();
  const bem::Discretization discretization = bem::discretize(panels);
  bem::BoundaryOperator boundary(*backend, panels, discretization, {.tolerance = 1e-6});

  const bem::LinearMap matrix = [&](const double* x, double* y, int count) {
    backend->scale(count * n, 0.0, y);
    boundary.add(bem::Layer::single_layer, 1.0, x, y, bem::FarField::accurate, count);
  };
  bem::Array potential = backend->allocate(n), sigma = backend->allocate(n);
  backend->upload(std::vector<double>(n, 1.0), potential.data());
  const bem::GmresResult result =
      bem::gmres(*backend, n, matrix, potential.data(), sigma.data(), {.tolerance = 1e-5});

  std::vector<double> density(n);
  backend->download(sigma.data(), density);
  double charge = 0.0;
  for (std::size_t i = 0; i < n; ++i) charge += density[i] * panels.area[i];
  const double exact = 4.0 * std::numbers::pi * std::sqrt(3.0) / std::acosh(2.0);
  std::printf("capacitance %.4f, exact %.4f, %d iterations on %s\n", charge, exact,
              result.iterations, backend->device().c_str());
  return std::abs(charge / exact - 1.0) < 2e-3 ? 0 : 1;
}
