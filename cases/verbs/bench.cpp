// rankine bench: one fmm::Operator timed on this machine, with its error against direct sums in
// double at sampled targets. The keys of the JSON object are a contract (README.md).
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/output/table.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/verbs/verbs.hpp"
#include "cases/verification/operator_trial.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

double median(std::vector<double> values) {
  const std::size_t half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half),
                   values.end());
  return values[half];
}

/// The operator, with the seconds its setup took:
/// once where that is long, else the median of three.
std::pair<std::unique_ptr<fmm::Operator>, double> timed_setup(bem::Backend& backend,
                                                              const TrialProblem& problem,
                                                              const fmm::Options& options) {
  std::unique_ptr<fmm::Operator> made;
  std::vector<double> seconds;
  do {
    made.reset();
    const Stopwatch watch;
    made = backend.make_operator({problem.sources, problem.targets, problem.normals}, options);
    made->synchronize();
    seconds.push_back(watch.seconds());
  } while (seconds.size() < 3 && seconds.front() < 3.0);
  return {std::move(made), median(seconds)};
}

void print_table(const Json& j) {
  Table table({"quantity", "value"});
  const auto row = [&](const std::string& name, const std::string& value) {
    table.add({name, value});
  };
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
  row("setup", show_seconds(j["seconds"]["setup"]));
  row("apply", fmt::format("{} (median of {}), {} (least)", show_seconds(j["seconds"]["apply"]),
                           j["repeat"].get<int>(), show_seconds(j["seconds"]["apply_min"])));
  row("points/s", fmt::format("{:.3e}", j["points_per_second"].get<double>()));
  row("error",
      fmt::format("potential {:.2e}{}, asked {:.1e}, at {} targets",
                  j["error"]["potential"].get<double>(),
                  j["error"]["gradient"].is_null()
                      ? ""
                      : fmt::format(", gradient {:.2e}", j["error"]["gradient"].get<double>()),
                  j["tolerance"].get<double>(), show_count(j["samples"])));
  row("memory", fmt::format("host {}, device {}", show_bytes(j["bytes"]["host"]),
                            show_bytes(j["bytes"]["device"])));
  if (j.contains("breakdown")) {
    for (const auto& [pass, seconds] : j["breakdown"].items()) row(pass, show_seconds(seconds));
  }
  print(table.text());
}

}  // namespace

int run(const BenchArguments& a) {
  const ThreadScope threads(a.options.threads);
  const TrialProblem problem(a.points, static_cast<std::size_t>(a.count), a.other_targets, a.seed,
                             a.options);
  const auto backend = make_backend(a.backend, a.options.threads);
  const auto [op, setup] = timed_setup(*backend, problem, a.options);
  TrialBuffers buffers(*backend, problem, problem.targets.size(), a.options);
  const auto apply = [&, &timed = *op] {
    timed.apply(buffers.strengths(), buffers.results(), a.options.rhs);
    timed.synchronize();
  };
  apply();  // The first touches fresh memory and records graphs; it is not timed.
  std::vector<double> seconds;
  for (int i = 0; i < a.repeat; ++i) {
    const Stopwatch watch;
    apply();
    seconds.push_back(watch.seconds());
  }
  const auto samples = static_cast<std::size_t>(std::max<std::int64_t>(a.samples, 1000));
  const TrialErrors errors = measure_errors(problem, buffers, a.options, samples, a.seed + 5);

  const fmm::OperatorInfo& info = op->info();
  Json json{{"method", word(method_words, info.method)},
            {"kernel", a.kernel},
            {"points", a.points},
            {"n", problem.sources.size()},
            {"targets", problem.targets.size()},
            {"precision", word(precision_words, info.precision)},
            {"backend", backend->name()},
            {"device", backend->device()},
            {"threads", thread_count()},
            {"tolerance", a.options.tolerance},
            {"order", info.order},
            {"leaf_capacity", info.leaf_capacity},
            {"depth", info.depth},
            {"rhs", a.options.rhs},
            {"dipoles", a.options.dipoles},
            {"seed", a.seed},
            {"seconds",
             {{"setup", setup},
              {"apply", median(seconds)},
              {"apply_min", *std::min_element(seconds.begin(), seconds.end())}}},
            {"repeat", a.repeat},
            {"error", {{"potential", errors.potential}, {"gradient", nullptr}}},
            {"samples", errors.samples},
            {"points_per_second", static_cast<double>(problem.targets.size()) / median(seconds)},
            {"near_pairs", info.near_pairs},
            {"m2l", info.m2l},
            {"bytes", {{"host", info.host_bytes}, {"device", info.device_bytes}}}};
  if (a.options.gradient) json["error"]["gradient"] = errors.gradient;
  if (a.breakdown) {
    Json passes = Json::object();
    for (const fmm::PassTime& pass :
         op->breakdown(buffers.strengths(), buffers.results(), a.options.rhs)) {
      passes[pass.name] = pass.seconds;
    }
    json["breakdown"] = passes;
  }
  if (a.json) {
    print(json.dump() + "\n");
  } else {
    print_table(json);
  }
  return exit_solved;
}

}  // namespace rankine::cases
