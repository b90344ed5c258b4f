#include "cases/particles/particle_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/build_info.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"
#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/particles/splitting.hpp"

namespace rankine::cases {
namespace {

constexpr double seconds_between_progress = 0.2;
constexpr int column = 14;

double figure(const std::vector<Figure>& figures, const std::string& name) {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const Figure& each) { return each.first == name; });
  return found == figures.end() ? 0.0 : found->second;
}

std::string words_of(std::string name) {
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

/// A message without its advice.
std::string reason_of(const std::string& message) { return message.substr(0, message.find(';')); }

std::string origin_of(const ParticleInput& particles) {
  if (particles.generator == Generator::file) return particles.file.string();
  if (particles.generator == Generator::ring && particles.rings.size() > 1)
    return fmt::format("{} rings", particles.rings.size());
  return word(generator_words, particles.generator);
}

std::string physics_of(const ParticleCase& given) {
  const ParticleInput& particles = given.particles;
  if (given.kind == ProblemKind::gravity)
    return fmt::format(", softening {:.6g} m, G = {:.6g}", particles.softening,
                       given.gravitational_constant);
  const std::string viscous =
      particles.viscosity > 0.0 ? fmt::format(", viscosity {:.6g} m^2/s by {}", particles.viscosity,
                                              word(diffusion_words, particles.diffusion))
                                : "";
  return fmt::format(
      ", {} cores{}, stretching {}{}{}", word(core_words, particles.core),
      particles.sigma > 0.0 ? fmt::format(" of {:.6g} m", particles.sigma) : "",
      word(stretching_words, given.time.stretching), viscous,
      given.velocity == Vec3d{} ? "" : fmt::format(", stream {:.6g} m/s", given.velocity));
}

}  // namespace

void describe_particle_case(const ParticleCase& given, Log& log) {
  log.title(given.title);
  log.fact("rankine", fmt::format("{} ({})", build_info().version, build_info().git));
  log.fact("case", given.path.string());
  log.fact("particles", origin_of(given.particles) + physics_of(given));
  log.fact("time", fmt::format("{} steps of {:.6g} s, {}", show_count(given.time.steps),
                               given.time.step, word(scheme_words, given.time.scheme)));
}

void describe_sum(const ParticleCase& given, const Simulation& simulation,
                  const bem::Backend& backend, Log& log) {
  if (const int parts = simulation.parts_of_step(); parts > 1)
    log.fact("diffusion", fmt::format("in {} parts of each step, because time.step is long for "
                                      "particles.spacing",
                                      show_count(parts)));
  const fmm::OperatorInfo& sum = simulation.info();
  log.fact("backend", show_backend(backend));
  const std::string expansions =
      sum.method == fmm::Method::direct
          ? ""
          : fmt::format(", order {}, depth {}, {} a leaf", sum.order, sum.depth, sum.leaf_capacity);
  log.fact("sums", fmt::format("of {} particles: {}, {}{}; tolerance {:.1e}",
                               show_count(simulation.size()), word(method_words, sum.method),
                               word(precision_words, sum.precision), expansions, sum.tolerance));
  if (!simulation.refusal().empty()) {
    const std::string reason = "sums are direct: " + reason_of(simulation.refusal());
    if (given.fmm.method) {
      log.warning(fmt::format("fmm.method is \"{}\", but {}", word(method_words, *given.fmm.method),
                              reason));
    } else {
      log.fact("", reason);
    }
  }
  if (sum.kept_tolerance > sum.tolerance)
    log.warning(fmt::format("sums keep a tolerance of {:.1e}, fmm.tolerance asks for {:.1e}",
                            sum.kept_tolerance, sum.tolerance));
}

void MethodLog::add(int step, const Simulation& simulation) {
  const fmm::Method method = simulation.info().method;
  if (!known_.insert(method).second) return;
  const std::string& refusal = simulation.refusal();
  log_.line(fmt::format("  step {}: sums of {} particles by method {}{}", step,
                        show_count(simulation.size()), word(method_words, method),
                        refusal.empty() ? "" : ": " + reason_of(refusal)));
}

bool warn_of_sums(int step, const fmm::OperatorInfo& sum, const std::vector<Figure>& figures,
                  Log& log) {
  const double found = figure(figures, sum_error_name);
  if (sum.kept_tolerance == 0.0 || found <= bem::fitted::kept_factor * sum.kept_tolerance)
    return false;
  log.warning(fmt::format(
      "step {}: sums err by {:.1e} at some particles, more than their tolerance {:.1e}: use a "
      "smaller output.checkpoint_every, which tunes them again, or a smaller fmm.tolerance",
      step, found, sum.kept_tolerance));
  return true;
}

void warn_of_figures(int step, const ParticleCase& given, const std::vector<Figure>& figures,
                     std::set<std::string>& warned, Log& log) {
  struct Limit {
    std::string name;
    double most;
    std::string meaning, advice;  ///< `meaning` has a placeholder for the value
  };
  // Rings of particles 1.5, 2 and 3 core radii apart are 1, 8 and 18 % too slow.
  std::vector<Limit> limits{
      {"energy_drift", 0.05, "the energy has changed by {:.3g} of its first value",
       "use a smaller time.step, or a larger particles.softening"},
      {spacing_name, bem::longest_piece,
       "particles are {:.3g} core radii apart, too far for a smooth vorticity",
       "use more particles, or a larger particles.sigma"}};
  limits.push_back({limited_name, 0.0, "the growth of strengths was limited {:.3g} times",
                    "use larger cores or more panels, or a smaller time.step"});
  limits.push_back({"slip", 1.0, "the slip at the wall has grown to {:.3g} of that at the start",
                    "use a smaller time.step, more particles, or particles.smagorinsky"});
  limits.push_back({sheet_spread_name, 1.0, "a sheet spreads over {:.3g} spacings in a step",
                    "use a smaller time.step, about a quarter of the square of the spacing over "
                    "twice the viscosity"});
  limits.push_back({force_difference_name, 0.05,
                    "the forces from the impulse and on the wall differ by {:.3g} of their size",
                    "use smaller cores and a smaller shedding.distance with more panels"});
  limits.push_back({undiffused_name, 0.01, "{:.3g} of the particles could not diffuse in a step",
                    "use a larger particles.most; a larger particles.spacing if particles are "
                    "crowded, a smaller one beside gaps and corners"});
  limits.push_back({unsplit_name, 0.01, "{:.3g} of the particles became long and were not split",
                    "use a larger particles.most, or a smaller time.step"});
  if (!given.body) {  // a body takes up impulse, and its layers shear the fluid
    limits.push_back({rotation_name, bem::most_rotation, "the fluid turns by {:.3g} rad in a step",
                      "use a smaller time.step"});
    limits.push_back({impulse_change_name, 0.05, "the impulse has changed by {:.3g} of its scale",
                      "use a smaller time.step, or more particles"});
  }
  for (const Limit& limit : limits) {
    const double found = figure(figures, limit.name);
    if (found <= limit.most || !warned.insert(limit.name).second) continue;
    log.warning(fmt::format("step {}: {}, results are not meaningful: {}", step,
                            fmt::format(fmt::runtime(limit.meaning), found), limit.advice));
  }
}

void StepTable::progress(int step) {
  if (since_shown_.seconds() < seconds_between_progress) return;
  since_shown_ = {};
  log_.progress(
      fmt::format("step {} of {}, {:.3g} steps/s", step, given_.time.steps, steps_per_second(step)),
      left(step));
}

void StepTable::add(int step, const std::vector<std::string>& headlines,
                    const std::vector<Figure>& figures) {
  if (!begun_) {
    std::string heading = fmt::format("  {:>8}  {:>10}", "step", "time");
    for (const std::string& each : headlines)
      heading += fmt::format("  {:>{}}", words_of(each), column);
    log_.blank();
    log_.line(heading + "   steps/s  left");
    begun_ = true;
  }
  std::string line = fmt::format("  {:>8}  {:>10.6g}", step, step * given_.time.step);
  for (const std::string& each : headlines)
    line += fmt::format("  {:>{}.4e}", figure(figures, each), column);
  if (step > first_)
    line += fmt::format("  {:>8.3g}  {}", steps_per_second(step), show_duration(left(step)));
  log_.line(line);
}

void summarize(const ParticleCase& given, const Simulation& simulation, int step,
               const std::vector<Figure>& figures, const std::string& backend, Summary& summary) {
  const fmm::OperatorInfo& sum = simulation.info();
  Json problem{{"kind", word(kind_words, given.kind)}, {"particles", simulation.size()}};
  Json time{{"step", given.time.step},
            {"steps", given.time.steps},
            {"steps_done", step},
            {"scheme", word(scheme_words, given.time.scheme)}};
  if (given.kind == ProblemKind::gravity) {
    problem["gravitational_constant"] = given.gravitational_constant;
    problem["softening"] = given.particles.softening;
  } else {
    problem["velocity"] = to_array(given.velocity);
    problem["sigma"] = given.particles.sigma;
    problem["core"] = word(core_words, given.particles.core);
    problem["viscosity"] = given.particles.viscosity;
    time["stretching"] = word(stretching_words, given.time.stretching);
    time["relaxation"] = given.relaxation();
  }
  summary.groups = {{"problem", problem},
                    {"time", time},
                    {"fmm",
                     {{"backend", backend},
                      {"method", word(method_words, sum.method)},
                      {"precision", word(precision_words, sum.precision)},
                      {"tolerance", sum.tolerance},
                      {"tolerance_kept", sum.kept_tolerance},
                      {"order", sum.order},
                      {"leaf_capacity", sum.leaf_capacity},
                      {"depth", sum.depth},
                      {"near_pairs", sum.near_pairs}}}};
  for (const auto& [name, value] : figures) {
    summary.results.push_back({.key = name,
                               .value = value,
                               .name = summary.results.empty() ? "results" : "",
                               .text = fmt::format("{} {:.6g}", words_of(name), value)});
  }
}

}  // namespace rankine::cases
