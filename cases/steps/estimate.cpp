#include "cases/steps/estimate.hpp"

#include <algorithm>
#include <vector>

#include "bem/discretization.hpp"
#include "bem/neighbours.hpp"
#include "cases/output/log.hpp"
#include "fmm/distributions.hpp"

namespace rankine::cases {
namespace {

/// About `count` entries of `all`, evenly spread over its order.
template <class T>
std::vector<T> spread(const std::vector<T>& all, std::size_t count) {
  const std::size_t step = std::max<std::size_t>(1, all.size() / count);
  std::vector<T> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

struct FarField {
  double seconds = 0.0, setup = 0.0, bytes = 0.0;  ///< per source
};

FarField try_far_field(const bem::Discretization& discretization, fmm::Options options,
                       bem::Backend& backend) {
  constexpr std::size_t enough = 50000;
  const std::vector<Vec3d> points = spread(discretization.points, enough);
  const std::vector<Vec3d> normals = spread(discretization.normals, enough);
  const std::vector<double> strengths = fmm::make_strengths(points.size(), 1);
  options.dipoles = true;
  const Stopwatch building;
  const auto op = backend.make_operator({points, points, normals}, options);
  const double setup = building.seconds();
  bem::Array dipoles = backend.allocate(points.size()), potential = backend.allocate(points.size());
  backend.upload(strengths, dipoles.data());
  double best = 1e30;
  for (int i = 0; i < 3; ++i) {
    const Stopwatch watch;
    op->apply({.normal_dipoles = dipoles.data()}, {.potential = potential.data()});
    op->synchronize();
    best = std::min(best, watch.seconds());
  }
  const auto n = static_cast<double>(points.size());
  return {best / n, setup / n,
          static_cast<double>(op->info().host_bytes + op->info().device_bytes) / n};
}

}  // namespace

Estimate estimate(const bem::FlowProblem& problem, const bem::SolveOptions& options,
                  bem::Backend& backend) {
  // Measured on the panels of a sphere: one exact panel integral, and one stored entry of the
  // near-field matrix.
  constexpr double seconds_per_entry = 4e-7, bytes_per_entry = 12.0, bytes_per_panel = 500.0;
  const bem::Panels& panels = problem.panels;
  const bem::Discretization discretization = bem::discretize(panels, options.quadrature);
  const std::vector<Vec3d> targets = spread(panels.centroid, 2000);
  const bem::NearPairs near =
      bem::find_near_pairs(targets, panels.centroid, discretization.near_radius);
  const FarField far = try_far_field(discretization, options.fmm, backend);

  const auto n = static_cast<double>(panels.size()),
             sources = static_cast<double>(discretization.points.size());
  const double krylov =
      8.0 * n * (std::min(options.gmres.restart, options.gmres.max_iterations) + 4);
  Estimate result;
  result.near_entries =
      n * static_cast<double>(near.columns.size()) / static_cast<double>(targets.size());
  result.bytes = n * bytes_per_panel + result.near_entries * bytes_per_entry +
                 sources * (far.bytes + 56.0) + krylov;
  result.matvec = sources * far.seconds + result.near_entries * 1e-9;
  // Two layers are integrated: that of the system and that of the right-hand side.
  result.seconds = sources * far.setup + 2.0 * result.near_entries * seconds_per_entry +
                   (result.iterations + 2) * result.matvec;
  return result;
}

}  // namespace rankine::cases
