#include "cases/verification/operator_trial.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

/// `count` different indices below `n`, ascending; all of them where there are not more.
std::vector<std::size_t> sample_indices(std::size_t n, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> all(n), some;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  std::sample(all.begin(), all.end(), std::back_inserter(some), static_cast<std::ptrdiff_t>(count),
              random);
  return some;
}

/// The entries of `values` (rhs x targets x width) that belong to the sampled targets.
std::vector<double> pick(const std::vector<double>& values, const std::vector<std::size_t>& samples,
                         std::size_t targets, std::size_t rhs, std::size_t width) {
  std::vector<double> picked;
  for (std::size_t k = 0; k < rhs; ++k) {
    for (const std::size_t i : samples) {
      for (std::size_t c = 0; c < width; ++c)
        picked.push_back(values[(k * targets + i) * width + c]);
    }
  }
  return picked;
}

}  // namespace

TrialProblem::TrialProblem(const std::string& points, std::size_t count, bool other_targets,
                           std::uint64_t seed, const fmm::Options& options)
    : sources(fmm::make_points(points, count, seed)),
      targets(other_targets ? fmm::make_points(points, count, seed + 1) : sources) {
  const std::size_t strengths = sources.size() * static_cast<std::size_t>(options.rhs);
  charges = fmm::make_strengths(strengths, seed + 2);
  if (!options.dipoles) return;
  dipoles = fmm::make_strengths(strengths, seed + 3);
  normals = fmm::make_points("sphere", sources.size(), seed + 4);
  for (Vec3d& each : normals) each = normalized(each);
}

TrialBuffers::TrialBuffers(bem::Backend& backend, const TrialProblem& problem, std::size_t targets,
                           const fmm::Options& options)
    : backend_(backend) {
  const auto rhs = static_cast<std::size_t>(options.rhs);
  charges_ = backend.allocate(problem.charges.size());
  backend.upload(problem.charges, charges_.data());
  if (options.dipoles) {
    dipoles_ = backend.allocate(problem.dipoles.size());
    backend.upload(problem.dipoles, dipoles_.data());
  }
  potential_ = backend.allocate(rhs * targets);
  if (options.gradient) gradient_ = backend.allocate(3 * rhs * targets);
}

std::vector<double> TrialBuffers::host(const bem::Array& array) const {
  std::vector<double> values(array.size());
  if (!values.empty()) backend_.download(array.data(), values);
  return values;
}

TrialErrors measure_errors(const TrialProblem& problem, const TrialBuffers& buffers,
                           const fmm::Options& options, std::size_t samples, std::uint64_t seed) {
  const std::vector<std::size_t> chosen = sample_indices(problem.targets.size(), samples, seed);
  std::vector<Vec3d> targets;
  for (const std::size_t i : chosen) targets.push_back(problem.targets[i]);

  fmm::Options exact_options = options;
  exact_options.method = fmm::Method::direct;
  exact_options.precision = fmm::Precision::float64;
  exact_options.tolerance = 1e-12;
  const auto host = bem::make_cpu_backend(options.threads);
  const auto direct =
      host->make_operator({problem.sources, targets, problem.normals}, exact_options);
  TrialBuffers exact(*host, problem, targets.size(), options);
  direct->apply(exact.strengths(), exact.results(), options.rhs);

  const auto rhs = static_cast<std::size_t>(options.rhs);
  const auto error = [&](const std::vector<double>& found, const std::vector<double>& want,
                         std::size_t width) {
    return relative_error(pick(found, chosen, problem.targets.size(), rhs, width), want);
  };
  TrialErrors errors;
  errors.samples = chosen.size();
  errors.potential = error(buffers.potential(), exact.potential(), 1);
  if (options.gradient) errors.gradient = error(buffers.gradient(), exact.gradient(), 3);
  return errors;
}

}  // namespace rankine::cases
