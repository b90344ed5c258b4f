#include "rankine/bem/fields/region_solver.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/edge_corrections.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/fmm/core/error.hpp"
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

RegionSolver::RegionSolver(RegionProblem problem, const RegionOptions& options, Backend& backend,
                           Uses uses)
    : problem_(std::move(problem)),
      options_(options),
      held_(backend.memory_space(), mirrors(problem_.region.panels)) {
  require_thin_by_sources(problem_.region, options.formulation);
  const Stopwatch stopwatch;
  const QuadratureOptions quadrature = quadrature_of(problem_.region, options);
  BoundaryFormulation formulation;
  if (const SourceSet* const sources = problem_.region.sources) {
    auto panels = std::make_unique<SourcePanels>(*sources, quadrature, backend);
    formulation = green_with_sheets(problem_.conditions, *problem_.sheet_rows);
    if (problem_.conditions.everywhere(Known::flux)) correct_at_sheets(formulation, *panels);
    discretization_ = std::move(panels);
  } else {
    auto panels = std::make_unique<CollocatedPanels>(problem_.region.panels, quadrature, backend);
    formulation = formulate(options.formulation, problem_.region, problem_.conditions);
    if (options.formulation == Formulation::green && problem_.conditions.everywhere(Known::flux))
      edges_ = correct_at_edges(formulation, *panels);
    discretization_ = std::move(panels);
  }
  seconds_ = stopwatch.seconds();
  solver_ =
      std::make_unique<BoundarySolver>(*discretization_, std::move(formulation),
                                       static_cast<int>(problem_.rhs), options, backend, uses);
}

/// Per right-hand side the known values of the boundary, then those of the sheets.
std::vector<double> RegionSolver::known() const {
  const std::size_t n = problem_.known.size() / problem_.rhs,
                    sheets = problem_.sheet_known.size() / problem_.rhs;
  std::vector<double> all;
  for (std::size_t k = 0; k < problem_.rhs; ++k) {
    const auto boundary = std::span(problem_.known).subspan(k * n, n),
               sheet = std::span(problem_.sheet_known).subspan(k * sheets, sheets);
    all.insert(all.end(), boundary.begin(), boundary.end());
    all.insert(all.end(), sheet.begin(), sheet.end());
  }
  return all;
}

std::vector<RegionSolution> RegionSolver::solve() {
  const std::size_t rhs = problem_.rhs;
  BoundarySolution solved =
      problem_.sheet_known.empty() ? solver_->solve(problem_.known) : solver_->solve(known());
  solver_->evaluate(solved);
  solved.seconds.setup += seconds_;
  std::vector<RegionSolution> solutions(rhs);
  // Across a trailing edge, and from one side of a thin wall to the other, the potential jumps.
  std::vector<std::int32_t> between;
  if (solved.complete() && problem_.region.sources == nullptr && problem_.region.thin.empty())
    between = panels_between_edges(PanelNeighbourhood(problem_.region.panels));
  for (std::size_t k = 0; k < rhs; ++k) {
    RegionSolution& solution = solutions[k];
    static_cast<SolveRecord&>(solution) = record_of(solved, k);
    solution.mixed_precision = options_.mixed_precision;
    solution.unknown = part(solved.unknown, k, rhs);
    solution.phi = part(solved.potential, k, rhs);
    solution.flux = part(solved.flux, k, rhs);
    solution.charge = part(solved.charge, k, rhs);
    solution.doublet = part(solved.doublet, k, rhs);
    if (problem_.region.sources != nullptr) split_sheets(*problem_.region.sources, solution);
    if (solution.complete()) find_edge_slopes(between, solution);
    choose_constant(problem_, solution);
  }
  return solutions;
}

std::vector<RegionSolution> RegionSolver::solve_with_added(std::span<const double> sheet_known) {
  for (std::size_t i = 0; i < sheet_known.size(); ++i) problem_.sheet_known[i] += sheet_known[i];
  return solve();
}

void RegionSolver::find_edge_slopes(std::span<const std::int32_t> between,
                                    RegionSolution& solution) const {
  const PanelNeighbourhood around(problem_.region.panels);
  std::vector<EdgeSlope>& slopes = solution.edge_slopes;
  if (!edges_.empty()) slopes = slopes_at_edges(around, edges_, solution.doublet, solution.phi);
  const std::vector<EdgeSlope> across = slopes_between_edges(around, between, solution.phi);
  slopes.insert(slopes.end(), across.begin(), across.end());
}

std::vector<double> RegionSolver::sheets_of(std::span<const double> sheet_known, double tolerance) {
  std::fill(problem_.known.begin(), problem_.known.end(), 0.0);
  problem_.sheet_known.assign(sheet_known.begin(), sheet_known.end());
  solver_->estimate_with(tolerance);
  BoundarySolution solved = solver_->solve(known());
  const std::size_t each = solved.doublet.size() / problem_.rhs,
                    boundary = problem_.known.size() / problem_.rhs;
  std::vector<double> sheets;
  for (std::size_t k = 0; k < problem_.rhs; ++k) {
    const auto own = std::span(solved.doublet).subspan(k * each, each).subspan(boundary);
    sheets.insert(sheets.end(), own.begin(), own.end());
  }
  return sheets;
}

std::vector<RegionSolution> solve(RegionProblem problem, const RegionOptions& options,
                                  Backend& backend) {
  return RegionSolver(std::move(problem), options, backend, Uses::one).solve();
}

}  // namespace rankine::bem
