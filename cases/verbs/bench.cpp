// rankine bench: times one fmm::Operator on this machine, with points at rest or moving, and
// measures its error against direct sums in double at sampled targets. The keys of the JSON object
// are stable (README.md).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>

#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/particle_case.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/processes.hpp"
#include "cases/verbs/verbs.hpp"
#include "cases/verification/operator_trial.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

constexpr double usual_softening = 1e-4;  // m

/// The options with those of the kernel. Throws InputError for contradictory options.
fmm::Options options_of(const BenchArguments& a) {
  const auto refuse = [&](bool given, const std::string& option, const std::string& kernel) {
    if (!given || a.kernel == kernel) return;
    throw InputError(
        fmt::format("{} has no meaning for the kernel \"{}\"; leave it out, or take "
                    "--kernel {}",
                    option, a.kernel, kernel));
  };
  refuse(a.softening.has_value(), "--softening", "gravity");
  refuse(a.sigma.has_value(), "--sigma", "vortex");
  refuse(a.core.has_value(), "--core", "vortex");
  fmm::Options options = a.options;
  if (a.kernel == "gravity") {
    options.kernel = fmm::Kernel::plummer;
    options.softening = a.softening.value_or(usual_softening);
  }
  if (a.kernel != "vortex") return options;
  options.kernel = a.core.value_or(fmm::Kernel::vortex_exponential);
  if (a.options.dipoles)
    throw InputError(
        "--dipoles has no meaning for the kernel \"vortex\"; leave it out, or take --kernel "
        "laplace");
  return options;
}

double median(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half),
                   values.end());
  return values[half];
}

/// The operator and the seconds of its set-up: of a single one if that is long, else the median of
/// three.
std::pair<std::unique_ptr<fmm::Operator>, double> timed_setup(bem::Backend& backend,
                                                              const TrialProblem& problem,
                                                              const fmm::Options& options) {
  std::unique_ptr<fmm::Operator> made;
  std::vector<double> seconds;
  do {
    made.reset();
    const Stopwatch watch;
    made = backend.make_operator(problem.points(), options);
    made->synchronize();
    seconds.push_back(watch.seconds());
    processes().maximum(std::span(&seconds.back(), 1));  // all make as many operators
  } while (seconds.size() < 3 && seconds.front() < 3.0);
  return {std::move(made), median(seconds)};
}

struct Seconds {
  std::vector<double> apply, move, step;  ///< a step is a move and an apply; empty for points at
                                          ///< rest
};

/// On return the buffers contain the sums at the points of `problem`.
Seconds timed(bem::Backend& backend, fmm::Operator& op, TrialProblem& problem,
              TrialBuffers& buffers, const BenchArguments& a) {
  const auto apply = [&] {
    op.apply(buffers.strengths(), buffers.results(), a.options.rhs);
    op.synchronize();
  };
  Seconds seconds;
  apply();  // Not timed: the first call touches new memory and records graphs.
  for (int i = 0; i < a.repeat; ++i) {
    const Stopwatch watch;
    apply();
    seconds.apply.push_back(watch.seconds());
  }
  if (!a.moving) return seconds;
  TrialPlaces places(backend, problem);
  for (int i = 0; i <= a.repeat; ++i) {
    problem.advance();
    places.upload(problem);
    const Stopwatch watch;
    op.move(places.points(), backend.memory_space());
    const double moved = watch.seconds();
    apply();
    if (i == 0) continue;
    seconds.move.push_back(moved);
    seconds.step.push_back(watch.seconds());
  }
  return seconds;
}

Json json_of(const Seconds& seconds, double setup) {
  const auto least = [](const std::vector<double>& each) {
    return *std::min_element(each.begin(), each.end());
  };
  Json json{
      {"setup", setup}, {"apply", median(seconds.apply)}, {"apply_min", least(seconds.apply)}};
  if (seconds.step.empty()) return json;
  json["move"] = median(seconds.move);
  json["step"] = median(seconds.step);
  json["step_min"] = least(seconds.step);
  return json;
}

Json json_of(const TrialErrors& errors, const fmm::Options& options) {
  const Json of_gradient = options.gradient ? Json(errors.gradient) : Json();
  if (fmm::is_vortex(options.kernel)) {
    return {{"potential", nullptr},
            {"gradient", nullptr},
            {"velocity", errors.potential},
            {"velocity_gradient", of_gradient}};
  }
  return {{"potential", errors.potential}, {"gradient", of_gradient}};
}

std::string show_errors(const Json& errors) {
  std::string text;
  for (const auto& [name, error] : errors.items()) {
    if (error.is_null()) continue;
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += fmt::format("{} {:.2e}, ", words, error.get<double>());
  }
  return text;
}

void print_table(const Json& j) {
  Table table({"quantity", "value"});
  const auto row = [&](const std::string& name, const std::string& value) {
    table.add({name, value});
  };
  const Json& seconds = j["seconds"];
  row("operator", fmt::format("{} {}, order {}, {} on {}", j["kernel"].get<std::string>(),
                              j["method"].get<std::string>(), j["order"].get<int>(),
                              j["precision"].get<std::string>(), j["device"].get<std::string>()));
  row("points", fmt::format("{} {}, {} targets, {} right-hand side{}", show_count(j["n"]),
                            j["points"].get<std::string>(), show_count(j["targets"]),
                            j["rhs"].get<int>(), j["rhs"].get<int>() == 1 ? "" : "s"));
  row("tree", fmt::format("depth {}, leaves of at most {} points", j["depth"].get<int>(),
                          j["leaf_capacity"].get<int>()));
  row("near pairs", fmt::format("{:.3e}", j["near_pairs"].get<double>()));
  row("M2L", fmt::format("{:.3e}", j["m2l"].get<double>()));
  row("setup", show_seconds(seconds["setup"]));
  row("apply", fmt::format("{} (median of {}), {} (least)", show_seconds(seconds["apply"]),
                           j["repeat"].get<int>(), show_seconds(seconds["apply_min"])));
  if (seconds.contains("step")) {
    row("step", fmt::format("{} (median of {}), {} (least), {} of it to move",
                            show_seconds(seconds["step"]), j["repeat"].get<int>(),
                            show_seconds(seconds["step_min"]), show_seconds(seconds["move"])));
  }
  row("points/s", fmt::format("{:.3e}", j["points_per_second"].get<double>()));
  row("error", fmt::format("{}asked {:.1e}, at {} targets", show_errors(j["error"]),
                           j["tolerance"].get<double>(), show_count(j["samples"])));
  row("memory", fmt::format("host {}, device {}", show_bytes(j["bytes"]["host"]),
                            show_bytes(j["bytes"]["device"])));
  if (j.contains("breakdown")) {
    for (const auto& [pass, each] : j["breakdown"].items()) row(pass, show_seconds(each));
  }
  print(table.text());
}

}  // namespace

int run(const BenchArguments& a) {
  const fmm::Options options = options_of(a);
  TrialProblem problem(a.points, static_cast<std::size_t>(a.count), a.other_targets, a.seed,
                       options, a.sigma.value_or(0.0));
  Log log;
  const auto backend = make_backend(a.backend, log);
  const auto [op, setup] = timed_setup(*backend, problem, options);
  TrialBuffers buffers(*backend, problem, problem.targets.size(), options);
  const Seconds seconds = timed(*backend, *op, problem, buffers, a);
  const auto samples = static_cast<std::size_t>(std::max<std::int64_t>(a.samples, 1000));
  const TrialErrors errors = measure_errors(problem, buffers, options, samples, a.seed + 5);

  const fmm::OperatorInfo& info = op->info();
  const double apply = median(a.moving ? seconds.step : seconds.apply);
  Json json{{"method", word(method_words, info.method)},
            {"kernel", a.kernel},
            {"points", a.points},
            {"n", problem.sources.size()},
            {"targets", problem.targets.size()},
            {"precision", word(precision_words, info.precision)},
            {"backend", backend->name()},
            {"device", backend->device()},
            {"threads", thread_count()},
            {"processes", processes().size()},
            {"tolerance", options.tolerance},
            {"order", info.order},
            {"leaf_capacity", info.leaf_capacity},
            {"depth", info.depth},
            {"rhs", options.rhs},
            {"dipoles", options.dipoles},
            {"seed", a.seed},
            {"moving", a.moving},
            {"seconds", json_of(seconds, setup)},
            {"repeat", a.repeat},
            {"error", json_of(errors, options)},
            {"samples", errors.samples},
            {"points_per_second", static_cast<double>(problem.targets.size()) / apply},
            {"near_pairs", info.near_pairs},
            {"m2l", info.m2l},
            {"bytes", {{"host", info.host_bytes}, {"device", info.device_bytes}}}};
  if (options.kernel == fmm::Kernel::plummer) json["softening"] = options.softening;
  if (fmm::is_vortex(options.kernel)) {
    json["core"] = word(core_words, options.kernel);
    json["sigma"] = problem.core_radii.front();
  }
  if (a.breakdown) {
    Json passes = Json::object();
    for (const fmm::PassTime& pass :
         op->breakdown(buffers.strengths(), buffers.results(), options.rhs)) {
      passes[pass.name] = pass.seconds;
    }
    json["breakdown"] = passes;
  }
  if (!is_first_process()) return exit_solved;
  if (a.json) {
    print(dump(json, -1) + "\n");
  } else {
    print_table(json);
  }
  return exit_solved;
}

}  // namespace rankine::cases
