#include "cases/resources/fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_constants.hpp"
#include "cases/output/show.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

/// A number of panels that fits, rounded down to two digits. Fewer panels need less memory per
/// panel.
std::string panels_for(const SolveSize& size, double needed, double free) {
  const double panels = size.panels * free / needed;
  if (panels < 100.0) return "";
  const double unit = std::pow(10.0, std::floor(std::log10(panels)) - 1.0);
  return fmt::format(" (about {} fit)", show_count(std::floor(panels / unit) * unit));
}

/// Whether the evaluation at probe points needs more memory than the solve.
bool probes_take_most(const SolveSize& size, bem::MemorySpace place) {
  SolveSize alone = size;
  alone.probe_points = alone.probe_sources = 0.0;
  const Memory with = memory_of(size, place), without = memory_of(alone, place);
  return with.host + with.device > 2.0 * (without.host + without.device);
}

std::string shortage(const SolveSize& size, bem::MemorySpace place, const std::string& where,
                     double needed, double free) {
  const std::string what =
      probes_take_most(size, place)
          ? fmt::format("the evaluation at {} probe points", show_count(size.probe_points))
          : "the solve";
  return fmt::format("{} needs about {}, but {} has {} free: {} are missing", what,
                     show_bytes(needed), where, show_bytes(free), show_bytes(needed - free));
}

std::string advice(const SolveSize& size, bem::MemorySpace place, double needed, double free) {
  if (probes_take_most(size, place)) return "use fewer cells or points in [[output.probe]]";
  std::string text =
      "use fewer panels" + panels_for(size, needed, free) + ", a looser fmm.tolerance";
  if (size.second_operator) text += ", solver.precision = \"float\" or no relaxation";
  if (size.probe_sources > size.sources) text += ", no probes";
  return text;
}

/// Judges the host memory of a solve at verdict.place.
void judge_host(Verdict& verdict, const SolveSize& size, const FreeMemory& available) {
  const double needed = memory_of(size, verdict.place).host;
  if (needed <= available.host) return;
  const std::string missing = shortage(size, verdict.place, "this machine", needed, available.host),
                    change = advice(size, verdict.place, needed, available.host) +
                             ", or a machine with more memory";
  if (needed <= fitted::forecast_margin * (available.host + available.swap)) {
    verdict.warning = missing + "; it may fit all the same. If not, " + change;
  } else {
    verdict.refusal = missing + "; " + change;
  }
}

void judge_device(Verdict& verdict, const SolveSize& size, BackendChoice choice,
                  const FreeMemory& available) {
  constexpr auto device = bem::MemorySpace::device;
  const double on_host = memory_of(size, bem::MemorySpace::host).host,
               needed = memory_of(size, device).device;
  if (needed <= available.device) return;
  const std::string missing =
                        shortage(size, device, available.device_name, needed, available.device),
                    change = advice(size, device, needed, available.device);
  if (needed <= fitted::forecast_margin * available.device) {
    verdict.warning = missing + "; it may fit all the same. If not, " + change;
  } else if (choice == BackendChoice::automatic && on_host <= available.host) {
    verdict.place = bem::MemorySpace::host;
    verdict.warning = missing + "; solving on the processor instead";
  } else {
    verdict.refusal = fmt::format("{}; {}, or --backend cpu, which needs {} of the host's {}",
                                  missing, change, show_bytes(on_host), show_bytes(available.host));
  }
}

struct FarSeconds {
  double setup = 0.0, apply = 0.0;
};

/// Times building and applying the far field of a sample of panels.
FarSeconds try_far_field(const bem::Panels& some, const bem::FlowOptions& options,
                         bem::Backend& backend) {
  const bem::PanelNodes nodes = bem::place_nodes(some, options.quadrature);
  fmm::Options far = options.fmm;
  far.dipoles = true;
  const Stopwatch building;
  const auto op = backend.make_operator({nodes.points, some.centroid, nodes.normals}, far);
  FarSeconds seconds{.setup = building.seconds(), .apply = 1e30};
  bem::Array dipoles = backend.allocate(nodes.points.size()),
             potential = backend.allocate(some.size());
  backend.upload(fmm::make_strengths(nodes.points.size(), 1), dipoles.data());
  constexpr double enough = 0.05;  // seconds of products; the shortest product counts
  const Stopwatch products;
  for (int i = 0; i < 3 && (i == 0 || products.seconds() < enough); ++i) {
    const Stopwatch watch;
    op->apply({.normal_dipoles = dipoles.all()}, {.potential = potential.all()});
    op->synchronize();
    seconds.apply = std::min(seconds.apply, watch.seconds());
  }
  return seconds;
}

/// Seconds for all panels. On a device they are extrapolated from two sizes, which removes the
/// latency that many panels hide; the result is at least half of the scaled time of the larger
/// size.
FarSeconds far_field_seconds(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                             const SolveSize& size, bem::Backend& backend) {
  const bool device = backend.memory_space() == bem::MemorySpace::device;
  // Enough panels for the operator to recognise a surface, for which orders are lower.
  const bem::Panels some = sample(problem.panels, device ? 240000 : 60000);
  const auto count = static_cast<double>(some.size());
  const double ratio = size.panels / count;
  const FarSeconds mean = try_far_field(some, options, backend);
  if (options.fmm.method == fmm::Method::direct)
    return {ratio * mean.setup, ratio * ratio * mean.apply};
  FarSeconds latency;
  if (device) {
    const bem::Panels fewer = sample(some, some.size() / 4);
    const double share = static_cast<double>(fewer.size()) / count;
    const FarSeconds part = try_far_field(fewer, options, backend);
    const auto constant = [share](double whole, double of_part) {
      return std::clamp((of_part - share * whole) / (1.0 - share), 0.0, 0.5 * whole);
    };
    latency = {constant(mean.setup, part.setup), constant(mean.apply, part.apply)};
  }
  return {ratio * (mean.setup - latency.setup), ratio * (mean.apply - latency.apply)};
}

/// Rates measured on spheres.
struct Rates {
  double integral;  ///< seconds per panel integral
  double entry;     ///< per near entry of a product
  double panel;     ///< per panel: mesh, surface velocities and files
};

Rates rates(const bem::Backend& backend) {
  const double threads = thread_count();
  if (backend.memory_space() == bem::MemorySpace::host)
    return {1.5e-7 / threads, 1e-9, 1e-5 / threads};
  return {4e-10, 6e-12, 1e-5 / threads};
}

}  // namespace

Verdict judge(const SolveSize& size, BackendChoice choice, bem::MemorySpace wanted,
              const FreeMemory& available) {
  Verdict verdict{.place = wanted, .warning = {}, .refusal = {}};
  if (wanted == bem::MemorySpace::device) judge_device(verdict, size, choice, available);
  if (verdict.warning.empty() && verdict.refusal.empty()) judge_host(verdict, size, available);
  return verdict;
}

Estimate estimate(const bem::FlowProblem& problem, const bem::FlowOptions& options,
                  const SolveSize& size, bem::Backend& backend) {
  const FarSeconds far = far_field_seconds(problem, options, size, backend);
  const Rates rate = rates(backend);
  Estimate result;
  result.matvec = far.apply + size.near_entries * rate.entry;
  // Two layers are integrated: that of the system and that of the right-hand side or the potential.
  result.seconds = (size.second_operator ? 1.5 : 1.0) * far.setup +
                   2.0 * size.near_entries * rate.integral + size.panels * rate.panel +
                   (result.iterations + 2) * result.matvec;
  if (size.probe_points > 0.0) {
    // One sum each for potential, gradient and winding number.
    const double ratio = size.probe_sources / size.sources;
    result.seconds += ratio * (far.setup + 3.0 * far.apply);
  }
  return result;
}

}  // namespace rankine::cases
