// Flow past the unit sphere, given as arrays of nodes and quadrilaterals. On it the potential is
// 3/2 x, hence the speed 3/2 where it is largest, and Cp = 2 p = 1 at the stagnation points.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"

int main() {
  using namespace rankine;
  // A cube of m x m squares a face, in equal angles, blown up to the sphere.
  const int m = 24;
  const Vec3d axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  meshes::SurfaceMesh mesh;
  for (int face = 0; face < 6; ++face) {
    const Vec3d u = axes[face % 3], v = axes[(face + 1) % 3], n = axes[(face + 2) % 3];
    const double side = face < 3 ? 1.0 : -1.0;
    const auto first = static_cast<std::int32_t>(mesh.nodes.size());
    const auto tangent = [&](int i) { return std::tan(std::numbers::pi / 4 * (2.0 * i / m - 1)); };
    for (int i = 0; i <= m; ++i)
      for (int j = 0; j <= m; ++j)
        mesh.nodes.push_back(normalized(n * side + u * (tangent(i) * side) + v * tangent(j)));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < m; ++j) {
        const std::int32_t corner = first + i * (m + 1) + j;
        mesh.elements.push_back({corner, corner + m + 1, corner + m + 2, corner + 1});
      }
  }

  const bem::FlowProblem problem{.panels = bem::make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
  const auto backend = bem::make_cpu_backend();
  const bem::Solution flow = bem::solve(problem, {}, *backend);

  double speed = 0.0;
  for (const Vec3d& velocity : flow.velocity) speed = std::max(speed, norm(velocity));
  const double cp = 2.0 * *std::max_element(flow.pressure.begin(), flow.pressure.end());
  std::printf("%zu panels: largest speed %.4f, largest Cp %.4f\n", flow.pressure.size(), speed, cp);
  return flow.converged() && std::abs(speed - 1.5) < 0.01 && std::abs(cp - 1.0) < 0.01 ? 0 : 1;
}
