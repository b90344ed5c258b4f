#include "rankine/bem/flow/error_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <numbers>
#include <utility>

#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

double square(double x) { return x * x; }

/// Area-weighted root mean square of value_of(panel).
template <class ValueOf>
double root_mean_square(const Panels& panels, ValueOf value_of) {
  const double sum = parallel_sum(
      panels.size(), [&](std::size_t i) { return panels.area[i] * square(value_of(i)); });
  return std::sqrt(sum / total_area(panels));
}

/// Errors relative to the values, as in relative_error, with estimates instead of differences.
template <class ErrorOf, class SizeOf>
FieldError relative(const Panels& panels, ErrorOf error_of, SizeOf size_of, double at_least = 0.0) {
  const double total = root_mean_square(panels, size_of);
  if (!(total > 0.0)) return {};
  return {
      root_mean_square(panels, error_of) / total,
      parallel_max(panels.size(), at_least, error_of) / parallel_max(panels.size(), 0.0, size_of)};
}

/// Of a panel at sharp edges.
struct AtEdges {
  /// The error d of the velocity at convex edges, the largest over the edges of the panel: the part
  /// of u that flows around the edge changes its direction with the wall. 0: no such edge.
  double error = 0.0;
  bool concave = false;  ///< an edge is concave in the fluid
};

AtEdges at_edges(const PanelNeighbourhood& neighbourhood, std::span<const Vec3d> vectors,
                 std::size_t panel) {
  const Panels& panels = neighbourhood.panels();
  const meshes::Element& own = panels.nodes[panel];
  const int corners = meshes::corner_count(own);
  const Vec3d& normal = panels.normal[panel];
  AtEdges found;
  for (int k = 0; k < corners; ++k) {
    neighbourhood.for_each_at_edge(own[k], own[(k + 1) % corners], [&](std::int32_t j) {
      const double cosine = dot(neighbourhood.normal(j), normal);
      if (cosine >= neighbourhood.least_cosine()) return;
      if (dot(neighbourhood.centroid(j) - panels.centroid[panel], normal) >= 0.0) {
        found.concave = true;
        return;
      }
      const double edge = std::acos(std::max(cosine, -1.0));
      const double around =
          norm(vectors[panel] - neighbourhood.value(vectors, j)) / (2.0 * std::sin(0.5 * edge));
      found.error = std::max(found.error, 0.5 * edge / (std::numbers::pi + edge) * around);
    });
  }
  return found;
}

/// The gradient g of the linear function that is closest, in energy, to the error of phi in an
/// interior. Green's identity of phi and x is
///
///   int (phi n - x q) dA = -V g     (0 if phi is exact),
///
/// where V is the volume of the fluid. g is 0 along axes excluded by symmetry, and in
/// exterior domains.
Vec3d uniform_error(const FlowProblem& problem, const Solution& solution, const SurfaceFits& fits,
                    const Vec3d& centre) {
  const Panels& panels = problem.panels;
  if (problem.domain != Domain::interior || !problem.conditions.everywhere(Known::flux)) return {};
  Vec3d sum = sum_of(fits.phi).normal;
  for (std::size_t i = 0; i < panels.size(); ++i)
    sum -= solution.flux[i] * panels.area[i] * (panels.centroid[i] - centre);
  Vec3d allowed{};
  for (const Vec3d& field : panels.symmetry.uniform_fields()) allowed += dot(sum, field) * field;
  return allowed / std::abs(enclosed_volume(panels));
}

Vec3d centre_of_area(const Panels& panels) {
  Vec3d sum{};
  for (std::size_t i = 0; i < panels.size(); ++i) sum += panels.area[i] * panels.centroid[i];
  return sum / total_area(panels);
}

double reference_speed(const FlowProblem& problem, const Solution& solution) {
  if (!problem.has_pressure) {
    return root_mean_square(problem.panels,
                            [&](std::size_t i) { return norm(solution.vectors()[i]); });
  }
  const double stream = norm(solution.stream);
  if (!problem.onset.empty()) {
    const std::vector<Vec3d> onset_velocities = onset_velocity(problem, solution.stream);
    return root_mean_square(problem.panels,
                            [&](std::size_t i) { return norm(onset_velocities[i]); });
  }
  if (problem.normal_velocity.empty()) return stream;
  return std::max(stream, root_mean_square(problem.panels, [&](std::size_t i) {
                    return problem.normal_velocity[i];
                  }));
}

/// Root of the sum of squares.
double root_of(std::initializer_list<double> parts) {
  double sum = 0.0;
  for (const double part : parts) sum += part * part;
  return std::sqrt(sum);
}

void estimate_on_panels(const FlowProblem& problem, const Solution& solution,
                        const SurfaceFits& fits, const GreenErrors& green,
                        ErrorEstimate& estimate) {
  const Panels& panels = problem.panels;
  const PanelNeighbourhood neighbourhood(panels);
  const Vec3d centre = centre_of_area(panels),
              uniform = uniform_error(problem, solution, fits, centre);
  const double stream = estimate.figures.speed,
               solver = solution.gmres.true_residual + solution.fmm_sampled_error;
  const double phi = root_mean_square(panels, [&](std::size_t i) { return solution.phi[i]; });
  // Next to edges whose singularity is fitted, the fit shows its error.
  std::vector<double> fitted(panels.size(), -1.0);
  std::vector<std::uint8_t> in_corner(panels.size(), 0);
  for (const EdgeSlope& each : solution.edge_slopes) {
    if (each.is_between) continue;
    fitted[static_cast<std::size_t>(each.panel)] = norm(each.difference);
    in_corner[static_cast<std::size_t>(each.panel)] = each.in_corner ? 1 : 0;
  }
  estimate.velocity.resize(panels.size());
  estimate.potential.resize(panels.size());
  parallel_for(panels.size(), [&](std::size_t i) {
    const PanelShape<double>& shape = panels.shape[i];
    const bool is_fitted = fitted[i] >= 0.0;
    PanelSigns signs = fits.signs[i];
    if (is_fitted) signs.difference = signs.deviation = 0.0;
    const AtEdges edges = at_edges(neighbourhood, solution.vectors(), i);
    const double at_edge = is_fitted && in_corner[i] == 0 ? fitted[i] : edges.error;
    estimate.velocity[i] = root_of({(edges.concave ? 1.0 : 0.5) * signs.difference,
                                    (shape.curved ? 0.4 : 1.0) * signs.tilt * stream,
                                    0.7 * (fits.flux.empty() ? 0.0 : fits.flux[i]), at_edge,
                                    green.gradient.mean, norm(uniform), solver * stream});
    estimate.potential[i] = solver * phi;
    if (problem.conditions.at(i) == Known::potential) return;
    const double mean_less_point =
        is_fitted ? 0.0 : fits.phi[i].plain / panels.area[i] - solution.phi[i];
    const double of_panels =
        root_of({0.2 * mean_less_point, signs.deviation / 3.0,
                 0.08 * (is_fitted ? fitted[i] : at_edge) * std::sqrt(panels.area[i])});
    estimate.potential[i] = root_of({green.amplification * of_panels, green.potential.mean,
                                     dot(uniform, panels.centroid[i] - centre), solver * phi});
  });
}

/// Per panel, the ratio of the pressure error to rho times the velocity error: |u|; with moving
/// walls |u - w| in their frame, or |u| + |w| if a rate is added.
std::vector<double> pressure_slopes(const FlowProblem& problem, const Solution& solution) {
  const bool moves = !problem.motions.empty(), steady = common_frame(problem).has_value();
  std::vector<double> slopes(problem.panels.size());
  parallel_for(slopes.size(), [&](std::size_t i) {
    const Vec3d& u = solution.vectors()[i];
    slopes[i] = norm(u);
    if (!moves) return;
    const RigidMotion& motion = problem.motions[static_cast<std::size_t>(problem.motion[i])];
    const Vec3d wall = motion.at(problem.panels.centroid[i]);
    slopes[i] = steady ? norm(u - wall) : norm(u) + norm(wall);
  });
  return slopes;
}

/// The error of the force from errors of the pressure. For bodies that move differently, in
/// interiors and with sources it is force_error(). The force on bodies with the same motion is
/// linear in their added mass [L32 sec. 124], and so is the attraction between bodies at rest and
/// their images; `relative` is the relative error of the added mass. Other forces on bodies at rest
/// must vanish (d'Alembert), and are errors.
template <class OfPressure>
double of_force(const FlowProblem& problem, const Vec3d& force, double relative,
                OfPressure of_pressure) {
  const Panels& panels = problem.panels;
  const bool at_rest = problem.normal_velocity.empty() && problem.domain == Domain::exterior &&
                       problem.onset.empty();
  if (at_rest || common_frame(problem)) {
    const Vec3d vanishing = at_rest ? panels.symmetry.common_part(force) : Vec3d{};
    // Along the short side of a long panel, errors of neighbours are alike: they are independent on
    // regular triangles as large as the panel.
    const double of_triangle = 0.75 * std::sqrt(3.0);
    const double independent = std::sqrt(parallel_sum(panels.size(), [&](std::size_t i) {
      return square(of_pressure(i)) * panels.area[i] *
             std::max(panels.area[i], of_triangle * square(panels.radius[i]));
    }));
    return std::max(std::hypot(independent, relative * norm(force - vanishing)), norm(vanishing));
  }
  std::vector<double> pressure;
  for (std::size_t i = 0; i < panels.size(); ++i) pressure.push_back(of_pressure(i));
  return force_error(panels, problem.motion, pressure);
}

/// Finds the panels with large velocity errors.
void find_doubtful(const Panels& panels, ErrorEstimate& estimate) {
  ErrorFigures& figures = estimate.figures;
  if (!(figures.speed > 0.0)) return;
  double area = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const double relative = estimate.velocity[i] / figures.speed;
    if (relative > doubtful_from) {
      area += panels.area[i];
      ++figures.doubtful_panels;
    }
    if (relative > figures.at_worst) {
      figures.at_worst = relative;
      figures.worst = i;
    }
  }
  figures.doubtful = area / total_area(panels);
}

}  // namespace

double force_error(const Panels& panels, std::span<const std::int32_t> part,
                   std::span<const double> pressure) {
  std::map<std::int32_t, std::pair<double, double>> sums;  // of squares, and area
  for (std::size_t i = 0; i < panels.size(); ++i) {
    auto& [squares, area] = sums[part.empty() ? 0 : part[i]];
    squares += panels.area[i] * square(pressure[i]);
    area += panels.area[i];
  }
  double most = 0.0;
  for (const auto& [key, sum] : sums)
    most = std::max(most, std::sqrt(sum.first * sum.second / 3.0));
  return most;
}

ErrorEstimate estimate_errors(const FlowProblem& problem, const Solution& solution,
                              const SurfaceFits& fits, const GreenErrors& green,
                              const Vec3d& force) {
  const Panels& panels = problem.panels;
  ErrorEstimate estimate;
  ErrorFigures& figures = estimate.figures;
  figures.speed = reference_speed(problem, solution);
  estimate_on_panels(problem, solution, fits, green, estimate);
  find_doubtful(panels, estimate);

  const auto speed = [&](std::size_t i) { return norm(solution.vectors()[i]); };
  const std::vector<double> slopes = pressure_slopes(problem, solution);
  // A part of the velocity error is normal to the velocity and does not change the pressure.
  const auto of_pressure = [&](std::size_t i) {
    return 0.65 * problem.density * slopes[i] * estimate.velocity[i];
  };
  figures.velocity = relative(
      panels, [&](std::size_t i) { return estimate.velocity[i]; }, speed, green.gradient.largest);
  figures.potential = relative(
      panels, [&](std::size_t i) { return estimate.potential[i]; },
      [&](std::size_t i) { return std::abs(solution.phi[i]); }, green.potential.largest);
  if (!solution.pressure.empty()) {
    figures.cp = relative(panels, of_pressure,
                          [&](std::size_t i) { return std::abs(solution.pressure[i]); });
  }
  figures.added_mass = figures.potential.l2;
  figures.force = of_force(problem, force, figures.added_mass, of_pressure);
  return estimate;
}

}  // namespace rankine::bem
