#include "rankine/bem/flow/streams.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

constexpr std::size_t most_in_basis = 3, most_together = 32;

/// int n n^T dA over the area, plus a small multiple of the identity, so that streams along a flat
/// plate also have a norm.
class FluxNorm {
 public:
  explicit FluxNorm(const Panels& panels) {
    double area = 0.0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const Vec3d& a = panels.vector_area[i];
      for (int j = 0; j < 3; ++j) rows_[j] += a[j] / panels.area[i] * a;
      area += panels.area[i];
    }
    constexpr double share = 1e-12;
    for (int j = 0; j < 3; ++j) {
      rows_[j] = (1.0 / area) * rows_[j];
      rows_[j][j] += share;
    }
  }

  double product(const Vec3d& a, const Vec3d& b) const {
    return a.x * dot(rows_[0], b) + a.y * dot(rows_[1], b) + a.z * dot(rows_[2], b);
  }
  double norm(const Vec3d& a) const { return std::sqrt(std::max(product(a, a), 0.0)); }

 private:
  std::array<Vec3d, 3> rows_{};
};

/// Replaces `vectors` by the principal axes of the flux norm in the space that they span: unit
/// vectors, orthogonal in both inner products. In Jacobi's method each rotation makes two of them
/// orthogonal.
void make_principal(const FluxNorm& flux, std::vector<Vec3d>& vectors) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) vectors[i] -= dot(vectors[i], vectors[j]) * vectors[j];
    vectors[i] = normalized(vectors[i]);
  }
  constexpr int sweeps = 8;  // the angles that are left are squared by each
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::size_t i = 0; i < vectors.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Vec3d a = vectors[i], b = vectors[j];
        const double angle =
            0.5 * std::atan2(2.0 * flux.product(a, b), flux.product(a, a) - flux.product(b, b));
        vectors[i] = std::cos(angle) * a + std::sin(angle) * b;
        vectors[j] = std::cos(angle) * b - std::sin(angle) * a;
      }
    }
  }
}

template <class Value, class Vector>
void add(double share, const Vector& from, Vector& into) {
  if (into.size() < from.size()) into.resize(from.size(), Value{});
  parallel_for(from.size(), [&](std::size_t i) { into[i] += share * from[i]; });
}

void add(double share, const Solution& from, Solution& into) {
  add<double>(share, from.phi, into.phi);
  add<double>(share, from.flux, into.flux);
  add<double>(share, from.charge, into.charge);
  add<double>(share, from.doublet, into.doublet);
  add<double>(share, from.unknown, into.unknown);
  add<Vec3d>(share, from.gradient, into.gradient);
  for (std::size_t k = 0; k < from.edge_slopes.size(); ++k) {  // of the same panels
    const EdgeSlope& each = from.edge_slopes[k];
    if (k == into.edge_slopes.size())
      into.edge_slopes.push_back({each.panel, {}, {}, each.in_corner, each.is_between});
    into.edge_slopes[k].slope += share * each.slope;
    into.edge_slopes[k].difference += share * each.difference;
  }
  into.constant += share * from.constant;
  into.removed_flux += share * from.removed_flux;
}

/// The residuals of a combination. A solve that has ended contributes its last one.
GmresResult sum_of(std::span<const Solution> solutions, std::span<const double> weights) {
  GmresResult sum;
  std::size_t length = 0;
  for (const Solution& each : solutions) {
    const GmresResult& one = each.gmres;
    if (sum.status == GmresStatus::converged) sum.status = one.status;
    sum.iterations = std::max(sum.iterations, one.iterations);
    length = std::max(length, one.history.size());
  }
  sum.history.assign(length, 0.0);
  for (std::size_t k = 0; k < solutions.size(); ++k) {
    const GmresResult& one = solutions[k].gmres;
    sum.residual += weights[k] * one.residual;
    sum.true_residual += weights[k] * one.true_residual;
    for (std::size_t i = 0; i < length && !one.history.empty(); ++i)
      sum.history[i] += weights[k] * one.history[std::min(i, one.history.size() - 1)];
  }
  return sum;
}

}  // namespace

StreamBasis stream_basis(const Panels& panels, std::span<const Vec3d> streams) {
  const FluxNorm flux(panels);
  StreamBasis basis;
  std::vector<Vec3d> rest(streams.begin(), streams.end());
  const auto remains = [&](std::size_t k) {
    const double whole = flux.norm(streams[k]);
    return whole > 0.0 ? flux.norm(rest[k]) / whole : 0.0;
  };
  while (basis.streams.size() < most_in_basis) {
    std::size_t next = 0;
    for (std::size_t k = 1; k < rest.size(); ++k) {
      if (remains(k) > remains(next)) next = k;
    }
    constexpr double rounding = 1e-10;
    if (rest.empty() || !(remains(next) > rounding)) break;
    const Vec3d chosen = rest[next];
    for (Vec3d& each : rest)
      each = each - (flux.product(each, chosen) / flux.product(chosen, chosen)) * chosen;
    rest[next] = {};
    basis.streams.push_back(chosen);
  }
  make_principal(flux, basis.streams);
  for (const Vec3d& stream : streams) {
    auto& shares = basis.shares.emplace_back();
    auto& weights = basis.weights.emplace_back();
    const double whole = flux.norm(stream);
    for (std::size_t k = 0; k < basis.streams.size(); ++k) {
      const Vec3d& b = basis.streams[k];
      shares[k] = dot(stream, b);
      weights[k] = whole > 0.0 ? std::abs(shares[k]) * flux.norm(b) / whole : 0.0;
    }
  }
  return basis;
}

bool is_linear_in_stream(const FlowProblem& problem) {
  const auto zero = [](double value) { return value == 0.0; };
  return !problem.lift && problem.motions.empty() && problem.onset.empty() &&
         !has_thin_walls(problem) && problem.thin.empty() &&
         problem.conditions.everywhere(Known::flux) &&
         std::all_of(problem.normal_velocity.begin(), problem.normal_velocity.end(), zero);
}

std::size_t streams_together(const FlowProblem& problem, std::size_t streams) {
  return std::min(streams, is_linear_in_stream(problem) ? most_in_basis : most_together);
}

SolvedStreams::SolvedStreams(const FlowProblem& problem, std::span<const Vec3d> streams,
                             const FlowOptions& options, Backend& backend)
    : density_(problem.density), streams_(streams.begin(), streams.end()) {
  if (is_linear_in_stream(problem)) basis_ = stream_basis(problem.panels, streams);
  if (basis_.streams.empty() || basis_.streams.size() >= streams.size()) {
    basis_ = {};
    for (std::size_t k = 0; k < streams.size(); k += most_together) {
      const std::size_t count = std::min(most_together, streams.size() - k);
      for (Solution& each : solve(problem, streams.subspan(k, count), options, backend))
        solutions_.push_back(std::move(each));
      throw_if_stopped();
    }
    return;
  }
  double largest = 1.0;  // sum_k w_k, at most the root of the number of streams
  for (const auto& weights : basis_.weights)
    largest = std::max(largest, weights[0] + weights[1] + weights[2]);
  FlowOptions closer = options;
  closer.gmres.tolerance /= largest;
  for (const auto& weights : basis_.weights) {
    closer.combined_errors.weights.emplace_back(weights.begin(),
                                                weights.begin() + basis_.streams.size());
  }
  solutions_ = solve(problem, basis_.streams, closer, backend);
}

Solution SolvedStreams::at(std::size_t k) const {
  if (basis_.streams.empty()) return solutions_[k];
  Solution sum;
  static_cast<SolveRecord&>(sum) = solutions_.front();
  sum.gmres = sum_of(solutions_, basis_.weights[k]);
  sum.stream = streams_[k];
  sum.fmm_sampled_error = 0.0;
  for (std::size_t b = 0; b < solutions_.size(); ++b) {
    add(basis_.shares[k][b], solutions_[b], sum);
    sum.fmm_sampled_error += basis_.weights[k][b] * solutions_[b].fmm_sampled_error;
  }
  sum.velocity.resize(sum.gradient.size());
  sum.pressure.resize(sum.gradient.size());
  parallel_for(sum.gradient.size(), [&](std::size_t i) {
    sum.velocity[i] = sum.stream + sum.gradient[i];
    sum.pressure[i] = steady_pressure(density_, sum.stream, sum.velocity[i]);
  });
  return sum;
}

GreenResiduals SolvedStreams::residuals(std::size_t k,
                                        std::span<const GreenResiduals> of_solved) const {
  if (basis_.streams.empty()) return of_solved[k];
  GreenResiduals sum;
  for (std::size_t b = 0; b < of_solved.size(); ++b) sum.add(basis_.shares[k][b], of_solved[b]);
  return sum;
}

std::vector<PotentialField> SolvedStreams::basis_at(const FlowProblem& problem,
                                                    std::span<const Vec3d> points,
                                                    const FieldOptions& options,
                                                    Backend& backend) const {
  std::vector<const BoundaryFields*> fields;
  for (const Solution& each : solutions_) fields.push_back(&each);
  return PotentialEvaluator(problem.region(), solutions_.front(), options, backend)
      .at(points, fields);
}

Field SolvedStreams::field(std::size_t k, std::span<const PotentialField> of_basis) const {
  const std::size_t count = of_basis.front().phi.size();
  Field sum{std::vector<double>(count), std::vector<Vec3d>(count), std::vector<double>(count),
            of_basis.front().inside};
  for (const PotentialField& each : of_basis)
    sum.sum_error = std::max(sum.sum_error, each.sum_error);
  parallel_for(count, [&](std::size_t i) {
    if (sum.inside[i] != 0) return;
    sum.velocity[i] = streams_[k];
    for (std::size_t b = 0; b < of_basis.size(); ++b) {
      sum.phi[i] += basis_.shares[k][b] * of_basis[b].phi[i];
      sum.velocity[i] += basis_.shares[k][b] * of_basis[b].gradient[i];
    }
    sum.pressure[i] = steady_pressure(density_, streams_[k], sum.velocity[i]);
  });
  return sum;
}

}  // namespace rankine::bem
