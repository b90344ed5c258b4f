#include "rankine/bem/flow/field.hpp"

#include <utility>

#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

FieldEvaluator::FieldEvaluator(const FlowProblem& problem, const Solution& solution,
                               const FieldOptions& options, Backend& backend)
    : problem_(problem),
      solution_(solution),
      options_(options),
      backend_(backend),
      perturbation_(problem.region(), solution, options, backend),
      onset_(problem.onset, problem.panels.symmetry) {}

void FieldEvaluator::add_rate(std::span<const Vec3d> points, Field& field) {
  const auto frame = common_frame(problem_);
  if (!frame && !solution_.rate) return;
  std::vector<double> rate;
  if (solution_.rate) {
    if (!rate_) rate_.emplace(problem_.region(), *solution_.rate, options_, backend_);
    rate = rate_->at(points).phi;
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (field.inside[i] != 0) continue;
    if (frame) {
      field.pressure[i] +=
          problem_.density * dot(frame->at(points[i]), field.velocity[i] - solution_.stream);
    }
    if (!rate.empty()) field.pressure[i] -= problem_.density * rate[i];
  }
}

Field FieldEvaluator::at(std::span<const Vec3d> points) {
  PotentialField perturbation = perturbation_.at(points);
  Field field{std::move(perturbation.phi), std::move(perturbation.gradient),
              std::vector<double>(points.size()), std::move(perturbation.inside),
              perturbation.sum_error};
  parallel_for(points.size(), [&](std::size_t i) {
    if (field.inside[i] != 0) return;
    field.phi[i] += onset_.potential(points[i]);
    field.velocity[i] += solution_.stream + onset_.velocity(points[i]);
    field.pressure[i] = steady_pressure(problem_.density, solution_.stream, field.velocity[i]);
  });
  add_rate(points, field);
  return field;
}

Field evaluate_field(const FlowProblem& problem, const Solution& solution,
                     std::span<const Vec3d> points, const FieldOptions& options, Backend& backend) {
  return FieldEvaluator(problem, solution, options, backend).at(points);
}

}  // namespace rankine::bem
