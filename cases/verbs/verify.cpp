// rankine verify: this build against exact solutions, one table,
// exit code 5 where a limit is exceeded.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/exit_code.hpp"
#include "cases/output/log.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/output/table.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/verbs/verbs.hpp"
#include "cases/verification/conditions_suite.hpp"
#include "cases/verification/electric_suite.hpp"
#include "cases/verification/flow_checks.hpp"
#include "cases/verification/onset_suite.hpp"
#include "cases/verification/suite.hpp"
#include "rankine/fmm/core/parallel.hpp"
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

}  // namespace

int run(const VerifyArguments& arguments) {
  const ThreadScope threads(arguments.threads);
  Log log;
  const Stopwatch watch;
  const auto backend = make_backend(arguments.backend, arguments.threads);
  std::vector<SuiteCheck> checks;
  const auto group = [&](const std::string& name, const auto& work) {
    log.progress(name + " ...");
    for (SuiteCheck& each : work()) checks.push_back(std::move(each));
  };
  group("sphere", [&] { return check_sphere_refinement(*backend, arguments.threads); });
  group("eigenvalues", [&] { return check_sphere_eigenvalues(*backend, arguments.threads); });
  group("ellipsoid", [&] { return check_ellipsoid_added_mass(*backend, arguments.threads); });
  group("flows", [&] { return check_flows(*backend, arguments.threads); });
  group("operator", [&] { return check_operator_errors(*backend, arguments.threads); });
  if (arguments.all) {
    group("added mass", [&] { return check_added_mass(*backend, arguments.threads); });
    group("two spheres", [&] { return check_two_spheres(*backend, arguments.threads); });
    group("motion", [&] { return check_moving_bodies(*backend, arguments.threads); });
    group("onset", [&] { return check_onset(*backend, arguments.threads); });
    group("inside", [&] { return check_inside(*backend, arguments.threads); });
    group("capacitances", [&] { return check_capacitances(*backend, arguments.threads); });
    group("dielectrics", [&] { return check_dielectrics(*backend, arguments.threads); });
    group("thin walls", [&] { return check_thin_walls(*backend, arguments.threads); });
    group("sheets", [&] { return check_sheets(*backend, arguments.threads); });
  }

  const auto failed = std::count_if(checks.begin(), checks.end(),
                                    [](const SuiteCheck& each) { return !each.pass(); });
  if (arguments.json) {
    print(nlohmann::ordered_json{{"pass", failed == 0},
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
  return failed == 0 ? exit_solved : exit_limit_exceeded;
}

}  // namespace rankine::cases
