#include "cases/verbs/sweep_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>

#include "cases/input/read_case.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/show.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/particles/series.hpp"
#include "cases/solve/result_files.hpp"
#include "cases/verbs/given_case.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

/// A key that is equal for cases solved together and unique for others.
std::string part_key(const PlannedCase& planned, std::size_t k) {
  const bool solved_alone =
      !planned.surface || planned.surface->problem.kind != ProblemKind::flow ||
      planned.surface->lift.has_wakes() || planned.surface->problem.mach > 0.0 ||
      any_of_type(planned.surface->boundaries, BoundaryType::motion);
  if (solved_alone) return fmt::format("{}", k);
  Case without_stream = *planned.surface;
  without_stream.problem.velocity = {};
  without_stream.output.directory.clear();
  return write_case(without_stream, planned.arguments.output->parent_path()) +
         mesh_input_of(*planned.surface);
}

std::vector<std::vector<std::size_t>> parts_of(const std::vector<PlannedCase>& cases) {
  std::map<std::string, std::size_t> part_at, mesh_at;
  std::vector<std::pair<std::size_t, std::vector<std::size_t>>> parts;  ///< with the first part of
                                                                        ///< the same mesh
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const std::size_t part = part_at.try_emplace(part_key(cases[k], k), parts.size()).first->second;
    if (part == parts.size()) {
      const std::string mesh =
          cases[k].surface ? mesh_input_of(*cases[k].surface) : fmt::format("{}", k);
      parts.push_back({mesh_at.try_emplace(mesh, parts.size()).first->second, {}});
    }
    parts[part].second.push_back(k);
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::vector<std::size_t>> sorted;
  for (auto& [mesh, part] : parts) sorted.push_back(std::move(part));
  return sorted;
}

/// Reads the case from the arguments in `planned`.
void read(PlannedCase& planned) {
  const SolveArguments& arguments = planned.arguments;
  try {
    planned.has_particles = is_particle_case(arguments.file, arguments.overrides);
    if (planned.has_particles) {
      planned.resolved =
          write_particle_case(given_particles(arguments), fs::absolute(*arguments.output));
    } else {
      planned.surface = given_case(arguments);
      planned.resolved = write_case(*planned.surface, fs::absolute(*arguments.output));
    }
  } catch (const std::exception&) {
    planned.refused = std::current_exception();
  }
}

std::optional<std::string> text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return {};
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace

SweepPlan plan_sweep(const SweepArguments& arguments) {
  const Section root = Section::parse_file(arguments.file, arguments.overrides);
  const bool particles = is_particle_case(arguments.file, arguments.overrides);
  SweepPlan plan;
  plan.sweep = read_sweep(root, particles ? particle_tables() : surface_tables());
  if (plan.sweep.keys.empty()) {
    throw InputError(fmt::format(
        "{}: the case has no table [sweep]; give one, for example\n  [sweep]\n  alpha = [0, 2, 4]",
        arguments.file.string()));
  }
  std::string folder = "results";
  root.table("output").read("directory", folder);
  plan.folder = arguments.output.value_or(root.beside(folder));
  const std::size_t count = plan.sweep.size();
  const std::size_t digits = std::max<std::size_t>(3, fmt::format("{}", count).size());
  for (std::size_t k = 0; k < count; ++k) {
    PlannedCase planned;
    static_cast<CaseArguments&>(planned.arguments) = arguments;
    planned.arguments.quiet = planned.arguments.silent = true;
    planned.arguments.json = false;
    planned.arguments.output = plan.folder / fmt::format("case_{:0{}}", k + 1, digits);
    const std::vector<std::size_t> at = plan.sweep.values_of(k);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const SweptKey& key = plan.sweep.keys[i];
      planned.arguments.overrides.push_back(key.key + "=" + key.values[at[i]].text);
    }
    read(planned);
    plan.cases.push_back(std::move(planned));
  }
  plan.parts = parts_of(plan.cases);
  return plan;
}

std::optional<Json> summary_of(const PlannedCase& planned) {
  const std::optional<std::string> text = text_of(*planned.arguments.output / summary_name);
  if (!text) return {};
  Json summary = Json::parse(*text, nullptr, false);
  if (!summary.is_object() || !summary.contains("status") || !summary.contains("exit_code"))
    return {};
  return summary;
}

std::optional<Json> results_of(const PlannedCase& planned) {
  const fs::path folder = *planned.arguments.output;
  if (planned.refused || text_of(folder / "case.resolved.toml") != planned.resolved) return {};
  std::optional<Json> found = summary_of(planned);
  if (!found) return {};
  Json& summary = *found;
  if (planned.has_particles) {
    if (summary["status"] != "finished") return {};
    return summary;
  }
  std::error_code none;
  const auto written = fs::last_write_time(folder / summary_name, none);
  for (const fs::path& input : files_of(*planned.surface, false).inputs) {
    const bool case_file = input == planned.surface->path;  // its keys are compared instead of its
                                                            // time
    if (!case_file && !input.empty() && fs::last_write_time(input, none) > written && !none)
      return {};
  }
  return summary;
}

std::string slurm_script(const SweepPlan& plan, const std::string& command) {
  return fmt::format(
      "#!/bin/bash\n"
      "# {} cases in {} parts; cases of a part are solved at once. Submit with: sbatch SCRIPT\n"
      "# The options of a part, such as --time and --cpus-per-task, are yours to add.\n"
      "#SBATCH --job-name=rankine-sweep\n"
      "#SBATCH --array=1-{}\n"
      "{} --resume --part \"$SLURM_ARRAY_TASK_ID\"\n"
      "# When all have ended, the table, which solves what is missing:\n"
      "#   {} --resume\n",
      plan.cases.size(), plan.parts.size(), plan.parts.size(), command, command);
}

}  // namespace rankine::cases
