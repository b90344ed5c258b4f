// rankine sweep: solves each case of the table [sweep] as rankine solve does.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <optional>
#include <utility>

#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/output/sweep_table.hpp"
#include "cases/verbs/run_to_end.hpp"
#include "cases/verbs/solve.hpp"
#include "cases/verbs/sweep_plan.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/files/output_file.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto table_name = "sweep.json";

/// The results on the log line of a case.
std::string show_results(const Json& summary) {
  std::string text = summary["status"];
  if (summary.contains("solver"))
    text += fmt::format(", {} iterations", summary["solver"]["iterations"].get<int>());
  const Json& results = summary["results"];
  if (results.contains("lift"))
    text += fmt::format(", CL {:.4f}", results["lift"]["CL"].get<double>());
  else if (results.contains("rotor"))
    text += fmt::format(", KT {:.4f}", results["rotor"]["KT"].get<double>());
  else if (results.contains("force"))
    text += fmt::format(", force ({:.4g}) N",
                        fmt::join(results["force"].get<std::vector<double>>(), ", "));
  if (const std::size_t warnings = summary["warnings"].size(); warnings > 0)
    text += fmt::format(", {} {}", warnings, warnings == 1 ? "warning" : "warnings");
  return text;
}

struct SweepRun {
  const SweepArguments& arguments;
  SweepPlan plan;
  Log& log;
  SignalWatch& watch;
  MeshStore meshes{};
  std::vector<std::optional<SweptCase>> ended{};
  std::size_t lines = 0;

  int solve();

 private:
  void solve_part(const std::vector<std::size_t>& part);
  int solve_alone(const PlannedCase& planned);
  void end(std::size_t k, int exit_code, const std::string& message, bool earlier = false);
  void end(std::size_t k, const std::exception_ptr& error);
  void write_table();
};

void SweepRun::end(std::size_t k, int exit_code, const std::string& message, bool earlier) {
  SweptCase swept{plan.cases[k].arguments.output->filename().string(), "failed", message, exit_code,
                  Json::object()};
  std::string text = fmt::format("failed ({}): {}", exit_code, message);
  if (message.empty()) {
    if (auto summary = summary_of(plan.cases[k])) {
      swept.summary = std::move(*summary);
      swept.status = swept.summary["status"];
      swept.exit_code = swept.summary["exit_code"];
      text = show_results(swept.summary) + (earlier ? ", of an earlier run" : "");
    }
  }
  const std::string line = fmt::format("{} ({}/{}): {}: {}", swept.folder, ++lines,
                                       plan.cases.size(), show_values(plan.sweep, k), text);
  message.empty() ? log.line("  " + line) : log.error(line);
  ended[k] = std::move(swept);
}

void SweepRun::end(std::size_t k, const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& e) {
    end(k, exit_code_of(e), message_of(e, "solving the case"));
  }
}

int SweepRun::solve_alone(const PlannedCase& planned) {
  Log silent(Log::Level::silent);
  return planned.has_particles ? run_particles(planned.arguments, silent, watch)
                               : run_to_end<SurfaceRun>(planned.arguments, silent, watch, &meshes);
}

void SweepRun::solve_part(const std::vector<std::size_t>& part) {
  std::vector<std::size_t> open;
  for (const std::size_t k : part) {
    const PlannedCase& planned = plan.cases[k];
    if (planned.refused)
      end(k, planned.refused);
    else if (arguments.resume && results_of(planned))
      end(k, exit_solved, "", true);
    else
      open.push_back(k);
  }
  if (open.empty()) return;
  log.progress(show_values(plan.sweep, open.front()));
  const PlannedCase& first = plan.cases[open.front()];
  try {
    if (open.size() == 1) {
      const int exit_code = solve_alone(first);
      end(open.front(), exit_code, "");
      return;
    }
    Log silent(Log::Level::silent);
    Phases phases(silent);
    SurfaceRun run{first.arguments, watch, silent, phases, &meshes};
    std::vector<Case> members;
    for (const std::size_t k : open) members.push_back(*plan.cases[k].surface);
    run.solve_streams(members, [&](std::size_t k, int exit_code, const std::string& message) {
      end(open[k], exit_code, message);
    });
  } catch (const std::exception&) {
    for (const std::size_t k : open) {
      if (!ended[k]) end(k, std::current_exception());
    }
  }
}

void SweepRun::write_table() {
  std::vector<SweptCase> cases;
  std::vector<std::pair<double, fs::path>> surfaces;
  Json rows = Json::array();
  for (std::size_t k = 0; k < ended.size(); ++k) {
    const SweptCase& each = cases.emplace_back(*ended[k]);
    const char* const file = plan.cases[k].has_particles ? "particles.pvd" : "surface.vtp";
    if (!each.summary.empty())
      surfaces.emplace_back(static_cast<double>(k + 1), fs::path(each.folder) / file);
    Json row{{"folder", each.folder},
             {"values", show_values(plan.sweep, k)},
             {"status", each.status},
             {"exit_code", each.exit_code}};
    if (!each.message.empty()) row["message"] = each.message;
    rows.push_back(std::move(row));
  }
  const auto write = [&](const char* name, const std::string& text) {
    meshes::write_file(plan.folder / name, [&](std::ostream& stream) { stream << text; });
  };
  const MadeFolders made(plan.folder);
  write("sweep.csv", sweep_csv(plan.sweep, cases));
  write("sweep.nc", sweep_netcdf(plan.sweep, cases));
  meshes::write_collection_pvd(plan.folder / "sweep.pvd", surfaces);
  const Json table{{"schema", 1},
                   {"cases", rows},
                   {"files", Json::array({"sweep.csv", "sweep.nc", "sweep.pvd", table_name})}};
  write(table_name, dump(table, 2) + "\n");
  if (arguments.json) print(dump(table, -1) + "\n");
}

int SweepRun::solve() {
  ended.resize(plan.cases.size());
  log.title(fmt::format("{} cases in {} {}", plan.cases.size(), plan.parts.size(),
                        plan.parts.size() == 1 ? "part" : "parts"));
  for (std::size_t p = 0; p < plan.parts.size(); ++p) {
    if (arguments.part == 0 || arguments.part == static_cast<int>(p + 1)) solve_part(plan.parts[p]);
    throw_if_stopped();
  }
  if (arguments.part == 0) write_table();
  int exit_code = exit_solved;
  std::size_t failed = 0, count = 0;
  for (const auto& each : ended) {
    if (!each) continue;
    ++count;
    if (each->exit_code == exit_solved) continue;
    if (failed++ == 0) exit_code = each->exit_code;
  }
  log.fact("solved", fmt::format("{} of {} cases", count - failed, count));
  if (arguments.part == 0)
    log.fact("written", fmt::format("{}/: sweep.csv sweep.nc sweep.pvd", plan.folder.string()));
  return exit_code;
}

/// Throws InputError if the table of results would replace a file of the user.
void require_own_table(const fs::path& folder, bool force) {
  std::error_code none;
  if (force || fs::exists(folder / table_name, none)) return;
  for (const char* name : {"sweep.csv", "sweep.nc", "sweep.pvd"}) {
    if (!fs::exists(fs::symlink_status(folder / name, none))) continue;
    throw InputError(fmt::format(
        "{}: exists, and no sweep has written it; rename it, choose another results directory with "
        "--output DIR, or replace it with --force",
        (folder / name).string()));
  }
}

void print_plan(const SweepPlan& plan) {
  Table table({"part", "case", "values"});
  for (std::size_t p = 0; p < plan.parts.size(); ++p) {
    for (const std::size_t k : plan.parts[p])
      table.add({fmt::format("{}", p + 1), plan.cases[k].arguments.output->filename().string(),
                 show_values(plan.sweep, k)});
  }
  print(table.text());
}

}  // namespace

int run(const SweepArguments& arguments) {
  Log log(arguments.quiet ? Log::Level::quiet : Log::Level::normal);
  SweepPlan plan = plan_sweep(arguments);
  const auto parts = static_cast<int>(plan.parts.size());
  if (arguments.part > parts) {
    throw InputError(fmt::format("--part {}: the sweep has {} parts, see rankine sweep --dry-run",
                                 arguments.part, parts));
  }
  if (arguments.dry_run) {
    print_plan(plan);
    int exit_code = exit_solved;
    for (std::size_t k = 0; k < plan.cases.size(); ++k) {
      if (!plan.cases[k].refused) continue;
      try {
        std::rethrow_exception(plan.cases[k].refused);
      } catch (const std::exception& error) {
        log.error(message_of(error, "reading the case"));
        if (exit_code == exit_solved) exit_code = exit_code_of(error);
      }
    }
    return exit_code;
  }
  if (!arguments.slurm.empty()) {
    meshes::write_file(arguments.slurm, [&](std::ostream& stream) {
      stream << slurm_script(plan, arguments.command);
    });
    log.fact("written", fmt::format("{}: submit with sbatch", arguments.slurm.string()));
    return exit_solved;
  }
  if (arguments.part == 0) require_own_table(plan.folder, arguments.force);
  SignalWatch watch;
  SweepRun sweep{arguments, std::move(plan), log, watch};
  try {
    return Execution{.stop = watch.token(), .progress = &log.loops()}.run(
        [&] { return sweep.solve(); });
  } catch (const Stopped&) {
    std::size_t done = 0;
    for (const auto& each : sweep.ended) done += each ? 1 : 0;
    throw Stopped(fmt::format("interrupted after {} of {} cases; go on with: {} --resume", done,
                              sweep.ended.size(), arguments.command));
  }
}

}  // namespace rankine::cases
