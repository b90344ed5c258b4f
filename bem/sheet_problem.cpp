#include "rankine/bem/sheet_problem.hpp"

#include <cmath>
#include <memory>
#include <utility>

#include "rankine/bem/layers/panel_means.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {
namespace {

void check(const SolveOptions& options) {
  const bool preconditioned = options.preconditioner != Preconditioner::automatic &&
                              options.preconditioner != Preconditioner::none;
  if (options.mixed_precision || options.relaxation || preconditioned) {
    throw InputError(
        "walls without thickness are solved for in double, scaled by the diagonal: leave out mixed "
        "precision, relaxation and preconditioners");
  }
  if (!options.initial_guess.empty()) {
    throw InputError(
        "walls without thickness are solved for from the beginning; leave out the initial guess");
  }
}

SparseRows inverse_diagonal(const std::vector<double>& diagonal) {
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  for (std::size_t i = 0; i < diagonal.size(); ++i) {
    pattern->columns.push_back(static_cast<std::int32_t>(i));
    pattern->offsets.push_back(static_cast<std::int64_t>(i + 1));
    values.push_back(1.0 / diagonal[i]);
  }
  return {diagonal.size(), std::move(pattern), std::move(values)};
}

/// The errors of the three components of every right-hand side as one.
std::vector<SampledError> joined(const std::vector<SampledError>& components) {
  std::vector<SampledError> whole(components.size() / 3);
  for (std::size_t k = 0; k < components.size(); ++k) {
    whole[k / 3].error += components[k].error;
    whole[k / 3].total += components[k].total;
    whole[k / 3].variance += components[k].variance;
  }
  return whole;
}

}  // namespace

BoundarySolution solve_sheet(const DoubletSheet& sheet, std::span<const double> flux, int rhs,
                             const SolveOptions& options, const QuadratureOptions& quadrature,
                             Backend& backend) {
  check(options);
  const ThreadScope threads(backend.threads());
  const StopScope stop(options.stop_token());
  const std::size_t n = sheet.panels().size(), unknowns = sheet.unknowns();
  const auto several = static_cast<std::size_t>(rhs);
  BoundarySolution solution;
  Stopwatch stopwatch;

  options.begin("far field");
  const PanelMeans discretization(sheet.panels(), quadrature);
  LayerSet layers(backend, discretization);
  fmm::Options sums = options.fmm;
  sums.rhs = 3 * rhs;
  FarField far(layers, first_options(sums, options.error_samples, layers.rows()));
  FarFieldCheck check(far, sums, options.error_samples);
  solution.seconds.setup = stopwatch.lap();
  options.begin("near field");
  SheetOperator matrix(sheet, discretization, far);
  solution.seconds.near_field = stopwatch.lap();

  options.begin("GMRES");
  const auto preconditioner = backend.make_sparse(inverse_diagonal(sheet.diagonal()));
  std::vector<double> tested;
  for (std::size_t k = 0; k < several; ++k) {
    for (const double each : sheet.test(flux.subspan(k * n, n))) tested.push_back(-each);
  }
  const Array b = uploaded(backend, tested);
  Array x = backend.allocate(tested.size());
  for (;;) {
    solution.gmres =
        gmres(backend, rhs, matrix, b.data(), x.data(), options.gmres, preconditioner.get());
    const std::span<const double> curls = matrix.curls_of(x.data(), rhs);
    const std::vector<SampledError> errors =
        joined(check.errors_of(matrix.single_layer(), curls.data(), 3 * rhs));
    solution.sampled_error.clear();
    for (const SampledError& each : errors) solution.sampled_error.push_back(each.relative());
    if (!check.raise_is_due(SolveVector::solution, errors)) break;
    check.raise();
  }
  int products = 0;
  for (const GmresResult& each : solution.gmres) products = std::max(products, each.iterations + 1);
  solution.seconds.solve = stopwatch.lap();
  solution.seconds.matvec = solution.seconds.solve / products;

  solution.unknown = downloaded(backend, x, x.size());
  for (std::size_t k = 0; k < several; ++k) {
    const std::vector<double> means =
        sheet.means(std::span(solution.unknown).subspan(k * unknowns, unknowns));
    solution.potential.insert(solution.potential.end(), means.begin(), means.end());
  }
  solution.doublet = solution.potential;
  solution.flux.assign(flux.begin(), flux.end());
  solution.accuracy = check.accuracy();
  solution.far_field = far.info();
  solution.near_entries = matrix.near_entries();
  solution.near_bytes = matrix.near_bytes();
  solution.seconds.check = check.seconds();
  solution.seconds.raise = check.raise_seconds();
  return solution;
}

}  // namespace rankine::bem
