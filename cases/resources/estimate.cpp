#include "cases/resources/estimate.hpp"

#include <algorithm>
#include <vector>

#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

struct FarSeconds {
  double setup = 0.0, apply = 0.0;
};

/// Builds and applies the far field of part of the panels.
FarSeconds try_far_field(const bem::Panels& some, const bem::FlowOptions& options,
                         bem::Backend& backend) {
  const bem::PanelNodes nodes = bem::place_nodes(some, options.quadrature);
  fmm::Options far = options.fmm;
  far.dipoles = true;
  const Stopwatch building;
  const auto op = backend.make_operator({nodes.points, some.centroid, nodes.normals}, far);
  FarSeconds seconds{.setup = building.seconds(), .apply = 1e30};
  bem::Array dipoles = backend.allocate(nodes.points.size()),
             potential = backend.allocate(some.size());
  backend.upload(fmm::make_strengths(nodes.points.size(), 1), dipoles.data());
  constexpr double enough = 0.05;  // seconds of products; the shortest one counts
  const Stopwatch products;
  for (int i = 0; i < 3 && (i == 0 || products.seconds() < enough); ++i) {
    const Stopwatch watch;
    op->apply({.normal_dipoles = dipoles.all()}, {.potential = potential.all()});
    op->synchronize();
    seconds.apply = std::min(seconds.apply, watch.seconds());
  }
  return seconds;
}

/// Of all panels. On a device the time is extrapolated from two sizes, so that its latency, which
/// many panels hide, does not count; it is at least half of that of the larger size, scaled.
FarSeconds far_field_seconds(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                             const SolveSize& size, bem::Backend& backend) {
  const bool device = backend.memory_space() == bem::MemorySpace::device;
  // Enough panels for the operator to recognise a surface, whose orders are lower.
  const bem::Panels some = sample(problem.panels, device ? 240000 : 60000);
  const auto count = static_cast<double>(some.size());
  const double ratio = size.panels / count;
  const FarSeconds mean = try_far_field(some, options, backend);
  if (options.fmm.method == fmm::Method::direct)
    return {ratio * mean.setup, ratio * ratio * mean.apply};
  FarSeconds latency;
  if (device) {
    const bem::Panels fewer = sample(some, some.size() / 4);
    const double share = static_cast<double>(fewer.size()) / count;
    const FarSeconds part = try_far_field(fewer, options, backend);
    const auto constant = [share](double whole, double of_part) {
      return std::clamp((of_part - share * whole) / (1.0 - share), 0.0, 0.5 * whole);
    };
    latency = {constant(mean.setup, part.setup), constant(mean.apply, part.apply)};
  }
  return {ratio * (mean.setup - latency.setup), ratio * (mean.apply - latency.apply)};
}

/// Measured on the panels of spheres.
struct Rates {
  double integral;  ///< seconds of a panel integral
  double entry;     ///< of a near entry in a product
  double panel;     ///< of the mesh, surface velocities and files
};

Rates rates(const bem::Backend& backend) {
  const double threads = thread_count();
  if (backend.memory_space() == bem::MemorySpace::host)
    return {1.5e-7 / threads, 1e-9, 1e-5 / threads};
  return {4e-10, 6e-12, 1e-5 / threads};
}

}  // namespace

Estimate estimate(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                  const SolveSize& size, bem::Backend& backend) {
  const FarSeconds far = far_field_seconds(problem, options, size, backend);
  const Rates rate = rates(backend);
  Estimate result;
  result.matvec = far.apply + size.near_entries * rate.entry;
  // Two layers are integrated: that of the system,
  // and that of the right-hand side or the potential.
  result.seconds = (size.second_operator ? 1.5 : 1.0) * far.setup +
                   2.0 * size.near_entries * rate.integral + size.panels * rate.panel +
                   (result.iterations + 2) * result.matvec;
  if (size.probe_points > 0.0) {
    // Potential, gradient and winding number.
    const double ratio = size.probe_sources / size.sources;
    result.seconds += ratio * (far.setup + 3.0 * far.apply);
  }
  return result;
}

}  // namespace rankine::cases
