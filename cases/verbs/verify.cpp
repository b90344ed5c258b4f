// rankine verify: compares this build with exact solutions, in one table; exit code 5 if a limit
// is exceeded.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "cases/exit_code.hpp"
#include "cases/output/log.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/processes.hpp"
#include "cases/verbs/verbs.hpp"
#include "cases/verification/suite.hpp"
#include "cases/verification/suite_cases.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {
namespace {

void print_table(const std::vector<SuiteCheck>& checks) {
  Table table({"group", "check", "value", "limit", "result"});
  for (const SuiteCheck& each : checks) {
    const std::string value =
        each.at_least ? fmt::format("{:.2f}", each.value) : fmt::format("{:.2e}", each.value);
    const std::string limit =
        each.at_least ? fmt::format(">= {:.2f}", each.limit) : fmt::format("<= {:.1e}", each.limit);
    table.add({each.group, each.name, value, limit, each.pass() ? "pass" : "FAIL"});
  }
  print(table.text());
}

nlohmann::ordered_json to_json(const std::vector<SuiteCheck>& checks) {
  auto list = nlohmann::ordered_json::array();
  for (const SuiteCheck& each : checks) {
    list.push_back({{"group", each.group},
                    {"name", each.name},
                    {"value", each.value},
                    {"comparison", each.at_least ? ">=" : "<="},
                    {"limit", each.limit},
                    {"pass", each.pass()}});
  }
  return list;
}

/// A temporary folder for a case and its results, which the first process makes and removes.
class ScratchFolder {
 public:
  explicit ScratchFolder(const std::string& case_text) {
    if (is_first_process()) {
      if (::mkdtemp(path_.data()) == nullptr)
        throw InputError("no temporary folder can be made at " + path_ + "; set TMPDIR");
      std::ofstream(*this / "case.toml") << case_text;
    }
    path_ = of_first_process(path_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (is_first_process()) std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  std::filesystem::path operator/(const char* name) const {
    return std::filesystem::path(path_) / name;
  }

 private:
  std::string path_ = (std::filesystem::temp_directory_path() / "rankine-XXXXXX").string();
};

/// The summary of a case solved with about `panels` panels; null if the solve fails, and empty in
/// processes other than the first.
nlohmann::json solve(const SuiteCase& given, int panels, const VerifyArguments& arguments) {
  const ScratchFolder folder("version = 1\n" + given.text + "\n");
  SolveArguments solve;
  solve.file = folder / "case.toml";
  solve.output = folder / "results";
  solve.overrides = {fmt::format("mesh.panels={}", panels)};
  solve.backend = arguments.backend;
  solve.silent = true;
  if (run(solve) != exit_solved) return {};
  if (!is_first_process()) return nlohmann::json::object();
  std::ifstream summary(folder / "results/summary.json");
  return nlohmann::json::parse(summary);
}

std::vector<SuiteCheck> check(const SuiteCase& given, const VerifyArguments& arguments) {
  const nlohmann::json fine = solve(given, given.panels, arguments);
  nlohmann::json coarse;
  std::vector<SuiteCheck> checks;
  for (const Quantity& each : given.quantities) {
    const std::string name = given.name.empty() ? each.name : given.name + ", " + each.name;
    const double error = error_of(each, fine);
    checks.push_back({given.group, name, error, each.limit});
    if (each.order == 0.0) continue;
    if (coarse.is_null()) coarse = solve(given, given.panels / 4, arguments);
    checks.push_back({given.group, name + ", order", std::log2(error_of(each, coarse) / error),
                      each.order, true});
  }
  return checks;
}

}  // namespace

int run(const VerifyArguments& arguments) {
  Log log;
  if (is_shared() && is_first_process()) log.fact("run", show_processes());
  const Stopwatch watch;
  const auto backend = make_backend(arguments.backend, log);
  std::vector<SuiteCheck> checks;
  const auto group = [&](const std::string& name, const auto& work) {
    log.progress(name);
    for (SuiteCheck& each : work()) checks.push_back(std::move(each));
  };
  group("sphere", [&] { return check_sphere_refinement(*backend); });
  group("layers", [&] { return check_layers(*backend); });
  group("operator", [&] { return check_operator_errors(*backend); });
  group("particles", [&] { return check_particles(*backend); });
  std::vector<SuiteCase> cases = quick_cases();
  if (arguments.all) {
    for (SuiteCase& each : long_cases()) cases.push_back(std::move(each));
  }
  for (const SuiteCase& each : cases)
    group(each.group + " " + each.name, [&] { return check(each, arguments); });

  double failed = 0.0;
  if (is_first_process()) {
    failed = static_cast<double>(
        std::ranges::count_if(checks, [](const SuiteCheck& each) { return !each.pass(); }));
  }
  processes().maximum(std::span(&failed, 1));
  const int exit_code = failed == 0.0 ? exit_solved : exit_limit_exceeded;
  if (!is_first_process()) return exit_code;
  if (arguments.json) {
    print(nlohmann::ordered_json{{"pass", exit_code == exit_solved},
                                 {"backend", backend->name()},
                                 {"device", backend->device()},
                                 {"threads", thread_count()},
                                 {"seconds", watch.seconds()},
                                 {"checks", to_json(checks)}}
              .dump() +
          "\n");
  } else {
    print_table(checks);
    print(fmt::format("\n{} of {} checks passed on {}, {}\n",
                      checks.size() - static_cast<std::size_t>(failed), checks.size(),
                      backend->device(), show_seconds(watch.seconds())));
  }
  return exit_code;
}

}  // namespace rankine::cases
