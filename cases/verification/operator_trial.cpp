#include "cases/verification/operator_trial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <random>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/particles/particle_sum.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

/// `count` different indices below `n`, ascending; all indices if n <= count.
std::vector<std::size_t> sample_indices(std::size_t n, std::size_t count, std::uint64_t seed) {
  std::vector<std::size_t> all(n), some;
  std::iota(all.begin(), all.end(), std::size_t{0});
  std::mt19937_64 random(seed);
  std::sample(all.begin(), all.end(), std::back_inserter(some), static_cast<std::ptrdiff_t>(count),
              random);
  return some;
}

/// The entries of `values` (rhs x targets x width) at the sampled targets.
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

/// Components per target of the potential or velocity, and of its gradient.
std::array<std::size_t, 2> widths(const fmm::Options& options) {
  if (fmm::is_vortex(options.kernel)) return {3, 9};
  return {1, 3};
}

constexpr double step_of_edge = 0.01;

}  // namespace

TrialProblem::TrialProblem(const std::string& points, std::size_t count, bool targets_of_their_own,
                           std::uint64_t seed, const fmm::Options& options, double core_radius)
    : sources(fmm::make_points(points, count, seed)),
      targets(targets_of_their_own ? fmm::make_points(points, count, seed + 1) : sources),
      other_targets(targets_of_their_own) {
  BoundingBox box;
  for (const Vec3d& x : sources) box.add(x);
  centre_ = 0.5 * (box.lower + box.upper);
  edge_ = box.longest();
  const std::size_t strengths = sources.size() * static_cast<std::size_t>(options.rhs);
  if (fmm::is_vortex(options.kernel)) {
    vortices = fmm::make_strengths(3 * strengths, seed + 2);
    const double spacing = edge_ / std::cbrt(static_cast<double>(count));
    core_radii.assign(count, core_radius > 0.0 ? core_radius : spacing);
    return;
  }
  charges = fmm::make_strengths(strengths, seed + 2);
  if (options.kernel == fmm::Kernel::plummer) {
    for (double& mass : charges) mass = std::abs(mass);
  }
  if (!options.dipoles) return;
  dipoles = fmm::make_strengths(strengths, seed + 3);
  normals = fmm::make_points("sphere", sources.size(), seed + 4);
  for (Vec3d& each : normals) each = normalized(each);
}

void TrialProblem::advance() {
  const double wave = 2.0 * std::numbers::pi / edge_,
               distance = step_of_edge * edge_ / std::sqrt(3.0);
  const auto carry = [&](Vec3d& x) {
    const Vec3d at = wave * (x - centre_);
    x += distance * Vec3d{std::sin(at.z), std::sin(at.x), std::sin(at.y)};
  };
  if (!(edge_ > 0.0)) return;
  std::for_each(sources.begin(), sources.end(), carry);
  std::for_each(targets.begin(), targets.end(), carry);
}

TrialPlaces::TrialPlaces(bem::Backend& backend, const TrialProblem& problem)
    : backend_(backend),
      other_targets_(problem.other_targets),
      normals_(bem::uploaded(backend, problem.normals)),
      core_radii_(bem::uploaded(backend, problem.core_radii)) {
  sources_ = backend.allocate(3 * problem.sources.size());
  if (other_targets_) targets_ = backend.allocate(3 * problem.targets.size());
}

void TrialPlaces::upload(const TrialProblem& problem) {
  backend_.upload(as_doubles(std::span(problem.sources)), sources_.data());
  if (other_targets_) backend_.upload(as_doubles(std::span(problem.targets)), targets_.data());
  std::vector<double> waits(1);
  backend_.download(sources_.data(), waits);
}

fmm::Points TrialPlaces::points() const {
  return {.sources = bem::as_vectors(sources_),
          .targets = bem::as_vectors(other_targets_ ? targets_ : sources_),
          .normals = bem::as_vectors(normals_),
          .core_radii = core_radii_.all()};
}

TrialBuffers::TrialBuffers(bem::Backend& backend, const TrialProblem& problem, std::size_t targets,
                           const fmm::Options& options)
    : backend_(backend),
      charges_(bem::uploaded(backend, problem.charges)),
      dipoles_(bem::uploaded(backend, problem.dipoles)),
      vortices_(bem::uploaded(backend, problem.vortices)) {
  const std::size_t results = static_cast<std::size_t>(options.rhs) * targets;
  const auto [value, derivative] = widths(options);
  potential_ = backend.allocate(value * results);
  if (options.gradient) gradient_ = backend.allocate(derivative * results);
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
  const auto host = bem::make_cpu_backend();
  const auto direct = host->make_operator(
      {problem.sources, targets, problem.normals, problem.core_radii}, exact_options);
  TrialBuffers exact(*host, problem, targets.size(), options);
  direct->apply(exact.strengths(), exact.results(), options.rhs);

  const auto rhs = static_cast<std::size_t>(options.rhs);
  const auto error = [&](const std::vector<double>& found, const std::vector<double>& want,
                         std::size_t width) {
    return relative_error(pick(found, chosen, problem.targets.size(), rhs, width), want);
  };
  TrialErrors errors;
  errors.samples = chosen.size();
  const auto [value, derivative] = widths(options);
  errors.potential = error(buffers.potential(), exact.potential(), value);
  if (options.gradient) errors.gradient = error(buffers.gradient(), exact.gradient(), derivative);
  return errors;
}

}  // namespace rankine::cases
