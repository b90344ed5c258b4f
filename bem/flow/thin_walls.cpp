#include "rankine/bem/flow/thin_walls.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/layers/doublet_sheet.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// Points at a small distance from the wall, in panel widths, which causes a relative error of its
/// own size.
std::vector<Vec3d> beside(const Panels& panels, double side) {
  constexpr double beside_wall = 1e-4;
  std::vector<Vec3d> points(panels.size());
  parallel_for(points.size(), [&](std::size_t i) {
    const double width = panels.area[i] / panels.radius[i];
    points[i] = panels.centroid[i] + side * beside_wall * width * panels.normal[i];
  });
  return points;
}

/// Velocities on both sides, and the difference of pressures. The mean of the two tangential
/// velocities comes from the sums; their difference is the gradient of the jump, from fits to the
/// neighbouring panels. The normal velocity is the given one.
void evaluate_walls(const FlowProblem& problem, const FlowOptions& options, Backend& backend,
                    std::span<Solution> solutions) {
  const Panels& panels = problem.panels;
  const std::size_t n = panels.size();
  const PanelNeighbourhood neighbourhood(panels);
  std::vector<Vec3d> points = beside(panels, 1.0);
  const std::vector<Vec3d> behind = beside(panels, -1.0);
  points.insert(points.end(), behind.begin(), behind.end());
  const QuadratureOptions quadrature{options.quadrature.tolerance > 0.0
                                         ? options.quadrature.tolerance
                                         : field_quadrature_share *
                                               discretization_error_estimate(panels)};
  for (Solution& solution : solutions) {
    const OffSurfaceValues made =
        ThinWallField(panels, solution, points, options.fmm, quadrature, backend).evaluate();
    const SurfaceGradient jump = backend.gradient(neighbourhood, solution.phi);
    const std::vector<Vec3d> onset_velocities = onset_velocity(problem, solution.stream);
    AlignedVector<Vec3d> velocity(n), other(n);
    std::vector<double> pressure(n);
    parallel_for(n, [&](std::size_t i) {
      const Vec3d& normal = panels.normal[i];
      const double w = problem.normal_velocity.empty() ? 0.0 : problem.normal_velocity[i];
      const Vec3d mean = onset_velocities[i] + 0.5 * (made.gradient[i] + made.gradient[n + i]);
      const Vec3d both = mean + (w - dot(mean, normal)) * normal;
      velocity[i] = both + 0.5 * jump.gradient[i];
      other[i] = both - 0.5 * jump.gradient[i];
      pressure[i] = steady_pressure(problem.density, solution.stream, velocity[i]) -
                    steady_pressure(problem.density, solution.stream, other[i]);
    });
    solution.velocity = std::move(velocity);
    solution.velocity_behind = std::move(other);
    solution.pressure = std::move(pressure);
  }
}

}  // namespace

bool has_thin_walls(const FlowProblem& problem) {
  return !problem.thin.empty() && problem.conditions.everywhere(Known::flux);
}

void require_thin_walls(const FlowProblem& problem) {
  const bool all_thin =
      !problem.thin.empty() && std::all_of(problem.thin.begin(), problem.thin.end(),
                                           [](std::uint8_t thin) { return thin != 0; });
  const auto refuse = [](const char* found, const char* advice) {
    throw InputError(std::string("the formulation doublet solves the flow past walls without "
                                 "thickness alone, and ") +
                     found + "; " + advice);
  };
  if (!all_thin)
    refuse("there are bodies beside them", "give each a mesh of its own, or thickness");
  if (!has_thin_walls(problem))
    refuse("potentials are given", "use the formulation source for these");
  if (!problem.motions.empty())
    refuse("they move", "give the stream that they meet in place of a motion");
  if (!problem.panels.symmetry.empty())
    refuse("there are symmetry planes", "mesh the other part, too");
  if (problem.domain == Domain::interior)
    refuse("the domain is inside a surface", "solve for the outside");
}

std::vector<Solution> solve_thin_walls(const FlowProblem& problem, std::span<const Vec3d> streams,
                                       const FlowOptions& options, Backend& backend) {
  require_thin_walls(problem);
  const std::size_t n = problem.panels.size();
  std::vector<double> wanted;
  for (const Vec3d& stream : streams) {
    const std::vector<double> q = flux(problem, stream);
    wanted.insert(wanted.end(), q.begin(), q.end());
  }
  const DoubletSheet sheet(problem.panels, options.quadrature);
  BoundarySolution solved =
      solve({sheet, sheet_formulation(), sheet.test(wanted), static_cast<int>(streams.size())},
            options, backend);
  const Stopwatch stopwatch;
  const std::vector<double> jumps = sheet.means(solved.unknown);
  std::vector<Solution> solutions;
  for (std::size_t k = 0; k < streams.size(); ++k) {
    Solution& solution = solutions.emplace_back();
    const auto part = [&](const std::vector<double>& values, std::size_t size) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k * size);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(size));
    };
    solution.stream = streams[k];
    solution.unknown = part(solved.unknown, sheet.unknowns());
    solution.phi = solution.doublet = part(jumps, n);
    solution.flux = part(wanted, n);
    solution.vorticity = sheet.vorticity(solution.unknown);
    static_cast<SolveRecord&>(solution) = record_of(solved, k);
  }
  options.begin("surface velocity");
  try {
    throw_if_stopped();
    evaluate_walls(problem, options, backend, solutions);
  } catch (const Stopped&) {  // the remaining vectors are empty
  }
  solved.seconds.evaluate += stopwatch.seconds();
  for (Solution& solution : solutions) solution.seconds = solved.seconds;
  return solutions;
}

}  // namespace rankine::bem
