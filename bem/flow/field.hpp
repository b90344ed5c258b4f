// A solved flow at any point off the surface (bem/fields/potential_field.hpp).
//
//   u = U + v + grad phi                  v: velocity of sources, doublets and vortices
//   p = rho (|U|^2 - |u|^2) / 2 - rho dphi/dt
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/fields/potential_field.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

struct Field {
  std::vector<double> phi;           ///< without the potentials of stream and vortices, m^2/s
  std::vector<Vec3d> velocity;       ///< total, m/s
  std::vector<double> pressure;      ///< Pa, relative to the stream
  std::vector<std::uint8_t> inside;  ///< 1 inside a body, where the other values are zero
  double sum_error = 0.0;            ///< of the perturbation's sums (PotentialField)
};

/// The field of one solution at any number of sets of points.
class FieldEvaluator {
 public:
  /// All of these must outlive the object.
  FieldEvaluator(const FlowProblem& problem, const Solution& solution, const FieldOptions& options,
                 Backend& backend);

  /// Throws InputError for points that are not finite.
  Field at(std::span<const Vec3d> points);

 private:
  /// Adds the unsteady pressure of moving walls (bem/flow/unsteady.hpp).
  void add_rate(std::span<const Vec3d> points, Field& field);

  const FlowProblem& problem_;
  const Solution& solution_;
  FieldOptions options_;
  Backend& backend_;
  PotentialEvaluator perturbation_;
  std::optional<PotentialEvaluator> rate_;  ///< of the solution's rate; none before its first use
  OnsetField onset_;
};

/// Evaluates the flow at `points`. Throws InputError for points that are not finite.
Field evaluate_field(const FlowProblem& problem, const Solution& solution,
                     std::span<const Vec3d> points, const FieldOptions& options, Backend& backend);

}  // namespace rankine::bem
