// rankine check: everything that can be known about a case or a mesh without solving it.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cases/input/read_case.hpp"
#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/steps/estimate.hpp"
#include "cases/steps/load_mesh.hpp"
#include "cases/steps/mesh_report.hpp"
#include "cases/steps/probes.hpp"
#include "cases/steps/report.hpp"
#include "cases/steps/set_up.hpp"
#include "cases/verbs/backend.hpp"
#include "cases/verbs/machine.hpp"
#include "cases/verbs/verbs.hpp"
#include "gpu/device.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

/// A mesh file alone is checked as a case with every default would take it.
Case case_of(const CheckArguments& arguments) {
  Case flow_case;
  if (arguments.file.extension() == ".toml") {
    flow_case = read_case(arguments.file, arguments.overrides);
  } else {
    flow_case.path = arguments.file;
    flow_case.mesh.file = arguments.file;
    flow_case.mesh.scale = arguments.scale;
  }
  if (arguments.output) flow_case.output.directory = *arguments.output;
  if (arguments.backend) flow_case.solver.backend = *arguments.backend;
  return flow_case;
}

/// Free memory where the solve would live.
double available_bytes(const bem::Backend& backend) {
  return static_cast<double>(backend.name() == "cuda" ? gpu::current_device().free_bytes
                                                      : available_host_bytes());
}

Json describe(const Estimate& need, const bem::Backend& backend) {
  return {{"backend", backend.name()}, {"near_entries", need.near_entries},
          {"bytes", need.bytes},       {"available_bytes", available_host_bytes()},
          {"matvec", need.matvec},     {"iterations", need.iterations},
          {"seconds", need.seconds}};
}

}  // namespace

int run(const CheckArguments& arguments) {
  Log log;
  const bool whole_case = arguments.file.extension() == ".toml";
  const Case flow_case = case_of(arguments);
  if (whole_case) {
    describe_case(flow_case, log);
    const ResultsDirectory writable(flow_case.output.directory);
  }
  const auto backend = make_backend(flow_case.solver.backend, 0);

  LoadedMesh loaded{read_or_make(flow_case.mesh), {}};
  loaded.report = meshes::check_mesh(loaded.mesh);
  if (!arguments.json) fmt::print("{}", mesh_report_text(loaded.mesh, loaded.report));
  const std::vector<std::string> defects = meshes::defects(loaded.mesh, loaded.report);
  if (arguments.json && !defects.empty()) {
    fmt::print(
        "{}\n",
        Json{{"mesh", mesh_report_json(loaded.mesh, loaded.report)}, {"defects", defects}}.dump());
  }
  meshes::require_sound(loaded.mesh, loaded.report);
  const meshes::Orientation orientation = meshes::orient(loaded.mesh, flow_case.mesh.orient);
  for (const std::string& note : orientation.notes) log.warning(note);
  loaded.report = orientation.report;

  const bem::FlowProblem problem = make_problem(flow_case, loaded.mesh);
  const Estimate need = estimate(problem, make_options(flow_case, 0, {}), *backend);
  const auto available = available_bytes(*backend);
  if (need.bytes > available) {
    log.warning(fmt::format(
        "about {} are needed and {} are free; use fewer panels or a machine with more memory",
        show_bytes(need.bytes), show_bytes(available)));
  }
  if (arguments.json) {
    const Json json{{"mesh", mesh_report_json(loaded.mesh, loaded.report)},
                    {"estimate", describe(need, *backend)},
                    {"warnings", log.warnings()}};
    fmt::print("{}\n", json.dump());
    return 0;
  }
  std::size_t probe_points_wanted = 0;
  for (const ProbeInput& probe : flow_case.output.probes)
    probe_points_wanted += probe_points(probe).size();
  fmt::print("\nestimate on {}: {} of memory, {} a product, about {} for {} iterations{}\n",
             backend->device(), show_bytes(need.bytes), show_seconds(need.matvec),
             show_seconds(need.seconds), need.iterations,
             probe_points_wanted == 0
                 ? ""
                 : fmt::format(", and {} probe points",
                               show_count(static_cast<long long>(probe_points_wanted))));
  fmt::print("{} can be solved\n", whole_case ? "the case" : "the mesh");
  return 0;
}

}  // namespace rankine::cases
