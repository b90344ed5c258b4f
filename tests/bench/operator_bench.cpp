// Times CUDA operators on this device, also where points move between applies, and measures their
// error against direct sums at sampled targets.
//
// Each line of standard input is one case:
//   distribution points method precision tolerance order leaf_capacity gradient dipoles
//   [rhs [softening [core]]]
// where a softening makes it gravity of positive masses, a core radius Gaussian vortices, and 0
// lets the operator choose order and leaf capacity. Errors are those of the last right-hand side.
// Points are those of fmm/distributions.hpp, or half of a sphere ("hemisphere").
// Example: sphere 1000000 fmm double 1e-6 0 0 0 0
//
// gpu_operator_bench DRAWS repeats each case with that many random sets of points and strengths.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"

namespace rankine::gpu {
namespace {

constexpr std::size_t samples = 1000;

struct Case {
  std::string distribution, method, precision;
  std::size_t points = 0;
  double core = 0.0;
  fmm::Options options;
};

bool read_case(std::istream& in, Case& c) {
  std::string text;
  if (!std::getline(in, text)) return false;
  std::istringstream line(text);
  if (!(line >> c.distribution >> c.points >> c.method >> c.precision >> c.options.tolerance >>
        c.options.order >> c.options.leaf_capacity >> c.options.gradient >> c.options.dipoles)) {
    return false;
  }
  if (!(line >> c.options.rhs)) c.options.rhs = 1;
  if (line >> c.options.softening) c.options.kernel = fmm::Kernel::plummer;
  if (line >> c.core) {
    c.options.kernel = fmm::Kernel::vortex_gaussian;
    c.options.softening = 0.0;
  }
  c.options.method = c.method == "direct"     ? fmm::Method::direct
                     : c.method == "treecode" ? fmm::Method::treecode
                                              : fmm::Method::fmm;
  c.options.precision = c.precision == "float" ? fmm::Precision::float32 : fmm::Precision::float64;
  return true;
}

std::vector<Vec3d> make_points(const std::string& distribution, std::size_t n, std::uint64_t seed) {
  if (distribution != "hemisphere") return fmm::make_points(distribution, n, seed);
  std::vector<Vec3d> points = fmm::make_points("sphere", n, seed);
  for (Vec3d& point : points) point.z = std::abs(point.z);
  return points;
}

/// Points and strengths of one distribution, and exact sums at sampled targets for charges, and for
/// charges and dipoles.
struct Data {
  double core;
  double softening2;
  std::vector<Vec3d> points;
  std::vector<double> charges, dipoles;
  std::vector<std::size_t> sampled;
  std::vector<double> potential[2], gradient[2], velocity, velocity_gradient;

  Data(const std::string& distribution, std::size_t n, const fmm::Options& options,
       double core_radius, std::uint64_t draw)
      : core(core_radius),
        softening2(options.softening * options.softening),
        points(make_points(distribution, n, 3 * draw + 1)),
        charges(fmm::make_strengths(n, 3 * draw + 2)),
        dipoles(fmm::make_strengths(3 * n, 3 * draw + 3)) {
    for (double& value : dipoles) value *= 1e-3;
    for (double& value : charges) value = options.softening > 0.0 ? std::abs(value) : value;
    for (std::size_t i = 0; i < std::min(samples, n); ++i)
      sampled.push_back(i * (n / std::min(samples, n)));
    for (int with_dipoles = 0; with_dipoles < 2; ++with_dipoles) {
      potential[with_dipoles].resize(sampled.size());
      gradient[with_dipoles].resize(3 * sampled.size());
    }
    velocity.resize(3 * sampled.size());
    velocity_gradient.resize(9 * sampled.size());
    parallel_chunks(sampled.size(), 1,
                    [&](std::size_t s) { core > 0.0 ? sum_vortices(s) : sum_exactly(s); });
  }

  void sum_vortices(std::size_t s) {
    using Term = fmm::Vortex<fmm::GaussianCore>;
    constexpr fmm::PairTerms terms{
        .charges = false, .dipoles = false, .derivatives = 2, .vortices = true};
    double sum[fmm::running_sums(terms)] = {};
    for (std::size_t j = 0; j < points.size(); ++j) {
      const Vec3d r = points[sampled[s]] - points[j];
      const double r2 = dot(r, r);
      if (r2 == 0.0) continue;
      Term::add<terms>(Term::pair(r.x, r.y, r.z, 1.0 / std::sqrt(r2), 1.0 / core), 0.0,
                       dipoles.data() + 3 * j, sum);
    }
    Term::finish<terms>(sum);
    std::copy_n(sum, 3, velocity.begin() + static_cast<std::ptrdiff_t>(3 * s));
    std::copy_n(sum + 3, 9, velocity_gradient.begin() + static_cast<std::ptrdiff_t>(9 * s));
  }

  void sum_exactly(std::size_t s) {
    const Vec3d x = points[sampled[s]];
    double phi_q = 0.0, phi_d = 0.0;
    Vec3d grad_q, grad_d;
    for (std::size_t j = 0; j < points.size(); ++j) {
      const Vec3d r = x - points[j], mu{dipoles[3 * j], dipoles[3 * j + 1], dipoles[3 * j + 2]};
      const double r2 = dot(r, r);
      if (r2 == 0.0) continue;
      const double u = 1.0 / std::sqrt(r2 + softening2), u3 = u * u * u, along = dot(mu, r);
      phi_q += charges[j] * u;
      grad_q -= r * (charges[j] * u3);
      phi_d += along * u3;
      grad_d += mu * u3 - r * (3.0 * along * u3 * u * u);
    }
    potential[0][s] = phi_q;
    potential[1][s] = phi_q + phi_d;
    for (int axis = 0; axis < 3; ++axis) {
      gradient[0][3 * s + axis] = grad_q[axis];
      gradient[1][3 * s + axis] = grad_q[axis] + grad_d[axis];
    }
  }

  /// `values` for the last of `rhs` right-hand sides; the others hold other values.
  static std::vector<double> as_last(const std::vector<double>& values, int rhs) {
    std::vector<double> all = fmm::make_strengths(values.size() * (rhs - 1), 4);
    all.insert(all.end(), values.begin(), values.end());
    return all;
  }

  /// `result` holds all right-hand sides, `exact` the last.
  double error(const std::vector<double>& result, const std::vector<double>& exact,
               int width) const {
    const std::size_t first = result.size() - width * points.size();
    double difference = 0.0, size = 0.0;
    for (std::size_t s = 0; s < sampled.size(); ++s) {
      for (int i = 0; i < width; ++i) {
        const double d = result[first + width * sampled[s] + i] - exact[width * s + i];
        difference += d * d;
        size += exact[width * s + i] * exact[width * s + i];
      }
    }
    return std::sqrt(difference / size);
  }
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The points after a part `share` of a motion: a smooth flow inside the unit cube, a turn about z
/// in radians, or an expansion.
std::vector<Vec3d> moved(std::span<const Vec3d> points, const std::string& motion, double share) {
  std::vector<Vec3d> at(points.begin(), points.end());
  if (motion == "rest") return at;
  for (Vec3d& x : at) {
    if (motion == "drift") {
      const Vec3d wave{std::sin(5.0 * x.y + 1.0), std::sin(4.0 * x.z + 2.0), std::sin(6.0 * x.x)};
      x += share * wave;
    } else if (motion == "rotation") {
      x = {std::cos(share) * x.x - std::sin(share) * x.y,
           std::sin(share) * x.x + std::cos(share) * x.y, x.z};
    } else {
      x *= 1.0 + share;
    }
  }
  return at;
}

/// The middle one of the targets' own relative errors of the gradient, of the last right-hand side.
double median_gradient_error(const Data& data, const std::vector<double>& gradient, int dipoles) {
  const std::size_t first = gradient.size() - 3 * data.points.size();
  std::vector<double> errors;
  for (std::size_t s = 0; s < data.sampled.size(); ++s) {
    const double *const found = gradient.data() + first + 3 * data.sampled[s],
                        *const exact = data.gradient[dipoles].data() + 3 * s;
    const Vec3d e{exact[0], exact[1], exact[2]};
    errors.push_back(norm(Vec3d{found[0], found[1], found[2]} - e) / norm(e));
  }
  return median(errors);
}

void run(const Case& c, const Data& data, const std::shared_ptr<const Stream>& stream) {
  const std::span<const Vec3d> points(data.points);
  const bool vortices = c.core > 0.0;
  const std::vector<double> cores(vortices ? c.points : 0, c.core);
  const auto op = make_cuda_operator({.sources = points, .targets = points, .core_radii = cores},
                                     c.options, stream);
  const double setup = op->info().setup_seconds;
  const int rhs = c.options.rhs;
  const std::vector<double> given = Data::as_last(data.charges, rhs);
  DeviceBuffer<double> charges(given, *stream);
  const DeviceBuffer<double> dipoles(Data::as_last(data.dipoles, rhs), *stream);
  DeviceBuffer<double> potential(rhs * c.points, *stream),
      gradient(c.options.gradient ? 3 * c.points * rhs : 0, *stream);
  DeviceBuffer<double> velocity(vortices ? 3 * c.points * rhs : 0, *stream),
      velocity_gradient(vortices && c.options.gradient ? 9 * c.points * rhs : 0, *stream);
  fmm::Strengths strengths{.charges = charges.span()};
  if (c.options.dipoles) strengths.dipoles = dipoles.span();
  fmm::Results results{potential.span(), gradient.span()};
  if (vortices) {
    strengths = {.vortices = dipoles.span()};
    results = {.velocity = velocity.span(), .velocity_gradient = velocity_gradient.span()};
  }
  for (int warm = 0; warm < 3; ++warm) op->apply(strengths, results, rhs);
  std::vector<double> seconds;
  const Event begin(Event::Timing::on), end(Event::Timing::on);
  for (int repeat = 0; repeat < 15; ++repeat) {
    begin.record(*stream);
    op->apply(strengths, results, rhs);
    end.record(*stream);
    seconds.push_back(seconds_between(begin, end));
  }
  std::sort(seconds.begin(), seconds.end());
  // As a caller does who keeps strengths and results on the host.
  std::vector<double> host_potential(potential.size()), host_gradient(gradient.size()), with_copies;
  for (int repeat = 0; repeat < 5; ++repeat) {
    stream->synchronize();
    const Stopwatch watch;
    charges.upload(given, *stream);
    op->apply(strengths, results, rhs);
    download_bytes(host_potential.data(), potential.data(), potential.bytes(), *stream);
    if (c.options.gradient)
      download_bytes(host_gradient.data(), gradient.data(), gradient.bytes(), *stream);
    stream->synchronize();
    with_copies.push_back(watch.seconds());
  }
  // Points that move, and the first apply after them. At last they are where they were.
  const DeviceBuffer<double> device_cores(cores, *stream);
  std::map<std::string, std::pair<double, double>> of_motion;
  for (const std::string motion : {"drift", "rotation", "expansion", "rest"}) {
    std::vector<double> moves, steps;
    for (int repeat = 1; repeat <= 7; ++repeat) {
      const DeviceBuffer<Vec3d> on_device(moved(points, motion, 0.002 * repeat), *stream);
      stream->synchronize();
      const Stopwatch watch;
      op->move({.sources = on_device.span(),
                .targets = on_device.span(),
                .core_radii = device_cores.span()},
               MemorySpace::device);
      moves.push_back(watch.seconds());
      op->apply(strengths, results, rhs);
      stream->synchronize();
      steps.push_back(watch.seconds());
    }
    of_motion[motion] = {1e3 * median(moves), 1e3 * median(steps)};
  }
  double error = data.error(potential.download(*stream), data.potential[c.options.dipoles], 1);
  double gradient_error = 0.0, of_single = 0.0;
  if (c.options.gradient) {
    const std::vector<double> found = gradient.download(*stream);
    gradient_error = data.error(found, data.gradient[c.options.dipoles], 3);
    if (!vortices) of_single = median_gradient_error(data, found, c.options.dipoles);
  }
  if (vortices) {
    error = data.error(velocity.download(*stream), data.velocity, 3);
    if (c.options.gradient)
      gradient_error = data.error(velocity_gradient.download(*stream), data.velocity_gradient, 9);
  }
  const fmm::OperatorInfo& info = op->info();
  std::printf(
      "%-8s %8zu %-8s %-6s tol %.1e p %2d leaf %4d depth %2d %s%srhs %d | apply %8.3f ms (min "
      "%.3f, from host to host %.3f) err %.2e %.2e (median %.2e) | setup %.1f ms | %.2f GB, pairs "
      "%.2e m2l %.2e leaves %ld\n   ",
      c.distribution.c_str(), c.points, c.method.c_str(), c.precision.c_str(), c.options.tolerance,
      info.order, info.leaf_capacity, info.depth, c.options.gradient ? "grad " : "",
      c.options.dipoles ? "dip " : "", rhs, 1e3 * seconds[seconds.size() / 2], 1e3 * seconds[0],
      1e3 * median(with_copies), error, gradient_error, of_single, 1e3 * setup,
      1e-9 * static_cast<double>(info.device_bytes), static_cast<double>(info.near_pairs),
      static_cast<double>(info.m2l), static_cast<long>(info.leaves));
  for (const auto& [motion, ms] : of_motion)
    std::printf(" %s: move %.2f, and apply %.2f;", motion.c_str(), ms.first, ms.second);
  std::printf("\n   ");
  for (const fmm::PassTime& pass : op->breakdown(strengths, results, rhs)) {
    std::printf(" %s %.3f", pass.name.c_str(), 1e3 * pass.seconds);
  }
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace
}  // namespace rankine::gpu

int main(int argc, char** argv) {
  using namespace rankine;
  try {
    const std::uint64_t draws = argc > 1 ? std::stoul(argv[1]) : 1;
    const gpu::Device device = gpu::current_device();
    std::printf("%s, %d multiprocessors\n", device.name.c_str(), device.multiprocessors);
    const auto stream = std::make_shared<const gpu::Stream>();
    std::map<std::string, gpu::Data> data;
    for (gpu::Case c; gpu::read_case(std::cin, c); c = {}) {
      for (std::uint64_t draw = 0; draw < draws; ++draw) {
        const std::string key = c.distribution + " " + std::to_string(c.points) + " " +
                                std::to_string(c.options.softening) + " " + std::to_string(c.core) +
                                " " + std::to_string(draw);
        auto found = data.find(key);
        if (found == data.end())
          found = data.try_emplace(key, c.distribution, c.points, c.options, c.core, draw).first;
        try {
          gpu::run(c, found->second, stream);
        } catch (const Error& error) {
          std::printf("%s: %s\n", key.c_str(), error.what());
        }
      }
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
