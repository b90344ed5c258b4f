#include "rankine/bem/fields/boundary_fields.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <sstream>
#include <utility>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

/// The values of right-hand side k; each right-hand side has equally many. Moved if there is only
/// one.
std::vector<double> part(std::vector<double>& values, std::size_t k, std::size_t rhs) {
  if (rhs == 1) return std::move(values);
  const std::size_t n = values.size() / rhs;
  const auto begin = values.begin() + static_cast<std::ptrdiff_t>(k * n);
  return {begin, begin + static_cast<std::ptrdiff_t>(n)};
}

/// Makes the mean of phi zero if its constant is undetermined.
void choose_constant(const RegionProblem& problem, RegionSolution& solution) {
  const Panels& panels = problem.region.panels;
  if (!leaves_constant(problem.region, problem.conditions)) return;
  double mean = 0.0;
  for (std::size_t i = 0; i < solution.phi.size(); ++i) mean += panels.area[i] * solution.phi[i];
  mean /= total_area(panels);
  for (double& phi : solution.phi) phi -= mean;
  if (solution.doublet.empty()) solution.constant = -mean;
  for (double& doublet : solution.doublet) doublet -= mean;
}

/// Per right-hand side the known values of the boundary, then those of the sheets.
std::vector<double> with_sheets(const RegionProblem& problem) {
  const std::size_t n = problem.known.size() / problem.rhs,
                    sheets = problem.sheet_known.size() / problem.rhs;
  std::vector<double> all;
  for (std::size_t k = 0; k < problem.rhs; ++k) {
    const auto boundary = std::span(problem.known).subspan(k * n, n),
               sheet = std::span(problem.sheet_known).subspan(k * sheets, sheets);
    all.insert(all.end(), boundary.begin(), boundary.end());
    all.insert(all.end(), sheet.begin(), sheet.end());
  }
  return all;
}

/// Separates the values of the boundary from those of the sheets, and assigns the latter to panels.
void split_sheets(const SourceSet& sources, RegionSolution& solution) {
  if (solution.doublet.empty()) return;
  solution.sheets.assign(solution.doublet.begin() + static_cast<std::ptrdiff_t>(sources.boundary),
                         solution.doublet.end());
  solution.doublet = sources.of_panels(solution.doublet);
  for (std::vector<double>* const each : {&solution.phi, &solution.flux})
    each->resize(std::min(each->size(), sources.boundary));
  if (!solution.charge.empty()) solution.charge.resize(sources.boundary);
  if (!solution.charge.empty()) solution.charge.resize(sources.panels.size(), 0.0);
}

void require_thin_by_sources(const Region& region, Formulation formulation) {
  const bool any = std::any_of(region.thin.begin(), region.thin.end(),
                               [](std::uint8_t thin) { return thin != 0; });
  if (!any || formulation == Formulation::source) return;
  throw InputError(
      "a surface without thickness is solved for by sources on it where its potential is given, by "
      "doublets where its flux is; use the formulation source or doublet");
}

}  // namespace

SolveRecord record_of(const BoundarySolution& solved, std::size_t k) {
  SolveRecord record{.gmres = solved.gmres[k],
                     .seconds = solved.seconds,
                     .fmm = solved.far_field,
                     .preconditioner = solved.preconditioner,
                     .accuracy = solved.accuracy,
                     .near_entries = solved.near_entries,
                     .near_bytes = solved.near_bytes};
  if (k < solved.sampled_error.size()) record.fmm_sampled_error = solved.sampled_error[k];
  return record;
}

bool leaves_constant(const Region& region, const BoundaryConditions& conditions) {
  return region.domain == Domain::interior && conditions.everywhere(Known::flux) &&
         region.panels.symmetry.even();
}

QuadratureOptions quadrature_of(const Region& region, const RegionOptions& options) {
  constexpr double of_sheets = 1e-6;
  const bool sheets = !region.thin.empty() || region.sources != nullptr;
  QuadratureOptions quadrature = options.quadrature;
  if (sheets && quadrature.tolerance == 0.0) quadrature.tolerance = of_sheets;
  return quadrature;
}

BoundaryFormulation formulate(Formulation formulation, const Region& region,
                              const BoundaryConditions& conditions) {
  if (formulation == Formulation::doublet)
    throw InputError("the formulation doublet is for walls without thickness; use green or source");
  BoundaryFormulation result = formulation == Formulation::green ? green_formulation(conditions)
                                                                 : source_formulation(conditions);
  if (leaves_constant(region, conditions)) fix_constant(result, region.panels.area);
  return result;
}

void require_compatible(const meshes::Symmetry& symmetry, const Vec3d& uniform,
                        std::string_view what, std::string_view unit) {
  for (const meshes::SymmetryPlane& plane : symmetry.planes()) {
    const bool wall = plane.sign > 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      if ((axis == plane.axis) != wall || uniform[axis] == 0.0) continue;
      std::ostringstream text;
      text << what << " (" << uniform.x << ", " << uniform.y << ", " << uniform.z << ") " << unit
           << " has the component "
           << "xyz"[axis] << " = " << uniform[axis]
           << (wall ? " through the symmetry plane " : " along the plane of zero potential ")
           << name(plane) << "; set it to zero, or leave the plane out"
           << (wall ? " (or make it one of zero potential)" : " (or make it one of symmetry)");
      throw InputError(text.str());
    }
  }
  if (!symmetry.rotation()) return;
  const Vec3d across =
      uniform - dot(uniform, symmetry.rotation()->axis) * symmetry.rotation()->axis;
  if (!(norm(across) > 1e-9 * norm(uniform))) return;
  std::ostringstream text;
  text << what << " (" << uniform.x << ", " << uniform.y << ", " << uniform.z << ") " << unit
       << " is not along the axis of the images by rotation; turn it, or mesh the whole body";
  throw InputError(text.str());
}

std::vector<RegionSolution> solve(RegionProblem problem, const RegionOptions& options,
                                  Backend& backend) {
  require_thin_by_sources(problem.region, options.formulation);
  const Panels& panels = problem.region.panels;
  const MirrorHold held(backend.memory_space(), mirrors(panels));
  Stopwatch stopwatch;
  const QuadratureOptions quadrature = quadrature_of(problem.region, options);
  const SourceSet* const sources = problem.region.sources;
  std::unique_ptr<const Discretization> discretization;
  BoundaryFormulation formulation;
  if (sources != nullptr) {
    discretization = std::make_unique<SourcePanels>(*sources, quadrature, backend);
    formulation = green_with_sheets(problem.conditions, *problem.sheet_rows);
    problem.known = with_sheets(problem);
  } else {
    discretization = std::make_unique<CollocatedPanels>(panels, quadrature, backend);
    formulation = formulate(options.formulation, problem.region, problem.conditions);
  }
  const double placed = stopwatch.lap();
  BoundarySolution solved = solve({*discretization, std::move(formulation),
                                   std::move(problem.known), static_cast<int>(problem.rhs)},
                                  options, backend);
  solved.seconds.setup += placed;
  std::vector<RegionSolution> solutions(problem.rhs);
  for (std::size_t k = 0; k < problem.rhs; ++k) {
    RegionSolution& solution = solutions[k];
    static_cast<SolveRecord&>(solution) = record_of(solved, k);
    solution.mixed_precision = options.mixed_precision;
    solution.unknown = part(solved.unknown, k, problem.rhs);
    solution.phi = part(solved.potential, k, problem.rhs);
    solution.flux = part(solved.flux, k, problem.rhs);
    solution.charge = part(solved.charge, k, problem.rhs);
    solution.doublet = part(solved.doublet, k, problem.rhs);
    if (sources != nullptr) split_sheets(*sources, solution);
    choose_constant(problem, solution);
  }
  return solutions;
}

std::string_view to_string(Formulation formulation) {
  constexpr std::array words{"green", "source", "doublet"};
  return words[static_cast<std::size_t>(formulation)];
}

}  // namespace rankine::bem
