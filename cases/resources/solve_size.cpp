#include "cases/resources/solve_size.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "cases/case_constants.hpp"
#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/near_pairs.hpp"

namespace rankine::cases {
namespace {

/// Peak bytes of a solve per item of SolveSize.
struct Bytes {
  double program;
  double panel;        ///< mesh, panels, solution and Krylov vectors
  double source;       ///< tree and nodes
  double strength;     ///< per strength of a source: expansions and vectors
  double near_entry;   ///< two values, a column index and the pair, while S and D are integrated
  double patch_entry;  ///< of the preconditioner
  double evaluation;   ///< fixed part of an evaluation at probe points
  double probe;
};

// Fitted to peaks of the program on two threads, `peak_bytes.host` of
//   rankine solve cases/sphere/sphere.toml --set mesh.panels=N --set output.probe=[] --json -
// for N of 20 480, 81 920, 327 680 and 1 003 520 (0.12, 0.44, 1.52 and 4.4 GB); with
// problem.added_mass (0.19 and 0.96 GB for the first two), solver.formulation = "source" (0.43 GB
// for 81 920), and with box probes of 44^3 and 94^3 points (0.22 and 0.73 GB for 20 480). Further
// peaks: a conductor 0.53 GB, ellipsoids of semi-axes 50:5:0.5 0.93 GB and 500:5:0.5 0.31 GB, 200^3
// points 4.8 GB.
constexpr Bytes on_processor{30e6, 1000.0, 252.0, 228.0, 34.0, 16.0, 100e6, 540.0};

// Fitted to peaks on an H200, `gpu_solve_bench solve 1e6 green` and `source`: 3.52 and 3.23 GB.
// Those of `green` are now 3.61 GB, and 34.5 GB for 1e7, where 3.49 and 34.9 GB are forecast. The
// numbers for probes are sums of the arrays of an evaluation.
constexpr Bytes on_device{0.0, 1400.0, 100.0, 100.0, 22.0, 16.0, 0.0, 100.0};

// Host memory of the same runs: 0.9 to 1.2 GB for 10^6 panels.
constexpr Bytes beside_device{fitted::bytes_beside_device, 700.0, 0.0, 0.0, 0.0, 0.0, 0.0, 800.0};

double bytes_of(const SolveSize& size, const Bytes& bytes) {
  const double strengths = size.sources * (size.columns + (size.second_operator ? 1.0 : 0.0));
  const double solving = size.sources * bytes.source + strengths * bytes.strength +
                         size.near_entries * bytes.near_entry +
                         size.panels * size.patch * bytes.patch_entry;
  const double evaluating = size.probe_points == 0.0
                                ? 0.0
                                : bytes.evaluation +
                                      size.probe_sources * (bytes.source + bytes.strength) +
                                      size.probe_points * bytes.probe;
  return bytes.program + size.panels * bytes.panel + std::max(solving, evaluating);
}

/// Mean number of collocation points and images near a panel of `some`, estimated from a sample of
/// the collocation points.
double near_row(const bem::Panels& panels, const bem::Panels& some, const bem::NearBalls& balls) {
  constexpr std::size_t enough = 200000;
  const std::size_t thinning = std::max<std::size_t>(1, panels.size() / enough);
  std::vector<Vec3d> targets;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    // Pseudorandom, so that the sample is independent of patterns in the mesh numbering.
    const std::uint64_t scattered = (i * 0x9e3779b97f4a7c15ULL) >> 32;
    if (scattered % thinning == 0) targets.push_back(panels.centroid[i]);
  }
  const std::size_t points = targets.size();
  for (int image = 1; image < panels.symmetry.images(); ++image) {
    for (std::size_t k = 0; k < points; ++k)
      targets.push_back(panels.symmetry.point(image, targets[k]));
  }
  const bem::SparsityPattern near = bem::find_near_pairs(targets, balls);
  const double share = static_cast<double>(points) / static_cast<double>(panels.size());
  return static_cast<double>(near.columns.size()) / share / static_cast<double>(some.size());
}

}  // namespace

Memory memory_of(const SolveSize& size, bem::MemorySpace place) {
  if (place == bem::MemorySpace::host) return {bytes_of(size, on_processor), 0.0};
  return {bytes_of(size, beside_device), bytes_of(size, on_device)};
}

bem::Panels sample(const bem::Panels& panels, std::size_t count) {
  const std::size_t step =
      std::max<std::size_t>(1, panels.size() / std::max<std::size_t>(count, 1));
  std::vector<std::int64_t> chosen;
  for (std::size_t j = 0; j < panels.size(); j += step)
    chosen.push_back(static_cast<std::int64_t>(j));
  bem::Panels some;
  some.node_count = panels.node_count;
  some.symmetry = panels.symmetry;
  some.shape = panels.shape.gathered(chosen);
  some.centroid = panels.centroid.gathered(chosen);
  some.normal = panels.normal.gathered(chosen);
  some.area = panels.area.gathered(chosen);
  some.radius = panels.radius.gathered(chosen);
  some.nodes = panels.nodes.gathered(chosen);
  const double area = std::accumulate(some.area.begin(), some.area.end(), 0.0),
               factor = bem::total_area(panels) / area;
  for (double& each : some.area.changed()) each *= factor;
  return some;
}

SolveSize measure(const bem::Panels& panels, const bem::FlowOptions& options, double probe_points,
                  bool wakes) {
  constexpr std::size_t sample_size = 4000;
  const bem::Panels some = sample(panels, sample_size);
  const bem::PanelNodes nodes = bem::place_nodes(some, options.quadrature);
  const bool sheets = options.formulation == bem::Formulation::doublet;
  SolveSize size;
  size.panels = static_cast<double>(panels.size());
  size.sources = size.panels * nodes.per_panel();
  size.near_entries = size.panels * near_row(panels, some, nodes.balls);
  size.columns = options.fmm.rhs;
  if (sheets) {  // three single layers; near pairs in both directions
    size.columns *= 3.0;
    size.near_entries *= 2.0;
  }
  if (options.formulation == bem::Formulation::source) size.columns += 1.0;
  const bool patches = options.preconditioner == bem::Preconditioner::block ||
                       options.preconditioner == bem::Preconditioner::two_level;
  size.patch = wakes     ? bem::patches_beside_wakes.patch
               : patches ? bem::LocalInverseOptions{}.patch
                         : 0;
  size.second_operator = bem::has_inner_field(options, nodes.per_panel(), wakes);
  if (probe_points > 0.0) {
    const double tolerance = bem::field_quadrature(some);
    size.probe_points = probe_points * panels.symmetry.images();
    size.probe_sources = size.panels * bem::place_nodes(some, {tolerance}).per_panel();
  }
  return size;
}

double panels_that_fit(double bytes, bem::MemorySpace place) {
  constexpr double one = 1e6;
  const SolveSize sphere{.panels = one, .sources = 6.0 * one, .near_entries = 40.0 * one};
  const Memory million = memory_of(sphere, place), none = memory_of({}, place);
  const bool host = place == bem::MemorySpace::host;
  const double fixed = host ? none.host : none.device,
               each = ((host ? million.host : million.device) - fixed) / one;
  return std::max(0.0, (bytes - fixed) / each);
}

}  // namespace rankine::cases
