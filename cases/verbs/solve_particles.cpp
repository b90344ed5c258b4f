// rankine solve for particles: from a case file to a series of files.
#include <fmt/format.h>

#include <exception>
#include <memory>
#include <optional>
#include <set>

#include "cases/exit_code.hpp"
#include "cases/output/checkpoint.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/particles/particle_report.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/particles/series.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/processes.hpp"
#include "cases/verbs/given_case.hpp"
#include "cases/verbs/run_to_end.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {
namespace {

/// A particle run.
struct ParticleRun {
  const SolveArguments& arguments;
  SignalWatch& watch;
  Log& log;
  Phases& phases;
  const ParticleCase given = given_particles(arguments);
  const std::string trajectory = trajectory_hash(given);
  std::unique_ptr<bem::Backend> backend{};
  std::unique_ptr<Simulation> simulation{};
  std::optional<int> saved_step{};
  ParticleCheckpoint last{};  ///< at the last output step or checkpoint
  bool warned_of_sums = false;
  std::set<std::string> warned{};
  double steps_per_second = 0.0, monitor_seconds = 0.0, write_seconds = 0.0;

  int solve();
  ParticleCheckpoint first_state(const ResultsDirectory& results) const;
  void observe(int step, Series& series, StepTable& table);
  void integrate(int first, Series& series);
  void take_steps(int first, Series& series, StepTable& table);
  void advance(int step, Series& series);
  Summary summarize(const std::string& status, int step, const Series& series) const;
  void keep_state(int step, const Series& series);
  void save(const std::string& status, int step, Series& series);
  void publish(int step, Series& series);
  void save_last(const std::string& status, int exit_code, Series& series);
  void save_failed(const std::exception& error, Series& series) noexcept;
  std::string advice() const;
};

/// The state of the checkpoint with --resume, unless the earlier run was killed before it could
/// save one; else an empty state.
ParticleCheckpoint ParticleRun::first_state(const ResultsDirectory& results) const {
  if (!arguments.resume) return {};
  if (results.follows_killed_run()) {
    log.line(
        fmt::format("{}: the earlier run was killed before its first checkpoint; this one "
                    "begins at step 0",
                    results.path().string()));
    return {};
  }
  const std::filesystem::path file = results.path() / checkpoint_name;
  ParticleCheckpoint from = read_particle_checkpoint(file, trajectory);
  if (from.step < given.time.steps) return from;
  throw InputError(fmt::format("{}: is of step {}, and time.steps is {}; raise it to go on",
                               file.string(), from.step, given.time.steps));
}

/// Calls `work`; adds the step number to the message of an InputError.
template <class Work>
auto at_step(int step, Work&& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw InputError(fmt::format("step {}: {}; a shorter time.step may help", step, error.what()));
  }
}

void ParticleRun::observe(int step, Series& series, StepTable& table) {
  const Stopwatch stopwatch;
  const Snapshot snapshot = at_step(step, [&] { return simulation->observe(); });
  const double computed = stopwatch.seconds();
  monitor_seconds += computed;
  series.add(step, snapshot, simulation->surface());
  write_seconds += stopwatch.seconds() - computed;
  const std::vector<Figure> figures = simulation->figures(series.rows(), step * given.time.step);
  table.add(step, simulation->headlines(), figures);
  if (!warned_of_sums) warned_of_sums = warn_of_sums(step, simulation->info(), figures, log);
  warn_of_figures(step, given, figures, warned, log);
  keep_state(step, series);
}

/// Runs the time steps. A signal completes and saves the current step, or saves the state before it
/// if the step is divided into parts; after an error the results up to it remain.
void ParticleRun::integrate(int first, Series& series) {
  StepTable table(given, first, log);
  if (series.rows().empty()) observe(first, series, table);
  const SignalWatch::Hold until_it_is_saved(watch);
  try {
    Execution::uninterrupted().run([&] { take_steps(first, series, table); });
  } catch (const Stopped&) {
    throw;
  } catch (const std::exception& error) {
    save_failed(error, series);
    throw;
  }
}

void ParticleRun::take_steps(int first, Series& series, StepTable& table) {
  MethodLog methods(simulation->info(), log);
  for (int step = first + 1; step <= given.time.steps; ++step) {
    advance(step, series);
    methods.add(step, *simulation);
    steps_per_second = table.steps_per_second(step);
    const bool last_step = step == given.time.steps,
               output = last_step || step % given.output.every == 0;
    if (output) observe(step, series, table);
    if (last_step) break;
    const bool checkpoint = step % given.output.checkpoint_every == 0, stop = stop_wanted(watch);
    if (checkpoint) at_step(step, [&] { simulation->renew(); });
    if (checkpoint || stop) {
      save(stop ? "interrupted" : "running", step, series);
    } else if (output) {
      publish(step, series);
    }
    if (stop) throw Stopped("interrupted");
    table.progress(step);
  }
}

void ParticleRun::advance(int step, Series& series) {
  const bool divided = simulation->parts_of_step() > 1;
  if (divided) keep_state(step - 1, series);
  try {
    at_step(step, [&] { simulation->advance(); });
  } catch (const Stopped&) {
    save_last("interrupted", exit_interrupted, series);
    throw;
  }
}

Summary ParticleRun::summarize(const std::string& status, int step, const Series& series) const {
  Summary summary{.status = status,
                  .exit_code = status == "interrupted" ? exit_interrupted : exit_solved,
                  .case_path = given.path,
                  .case_sha256 = given.sha256,
                  .device = backend->device(),
                  .threads = thread_count(),
                  .processes = processes().size(),
                  .seconds = {{"setup", phases.seconds("setup")},
                              {"steps", phases.total() - phases.seconds("setup") - monitor_seconds -
                                            write_seconds},
                              {"monitors", monitor_seconds},
                              {"write", write_seconds},
                              {"total", phases.total()}},
                  .peak_host_bytes = peak_host_bytes(),
                  .peak_device_bytes = backend->peak_device_bytes(),
                  .warnings = log.warnings()};
  std::vector<Figure> figures =
      simulation->figures(series.rows(), series.rows().back().step * given.time.step);
  figures.emplace_back("steps_per_second", steps_per_second);
  cases::summarize(given, *simulation, step, figures, backend->name(), summary);
  return summary;
}

void ParticleRun::keep_state(int step, const Series& series) {
  last = {trajectory, step, simulation->state(), series.rows()};
}

void ParticleRun::save(const std::string& status, int step, Series& series) {
  const Stopwatch stopwatch;
  keep_state(step, series);
  series.commit(simulation->monitor_names(), summarize(status, step, series), &last);
  write_seconds += stopwatch.seconds();
  saved_step = step;
}

/// Commits an output step. The first one also replaces the checkpoint of an earlier run.
void ParticleRun::publish(int step, Series& series) {
  if (!saved_step) return save("running", step, series);
  const Stopwatch stopwatch;
  series.commit(simulation->monitor_names(), summarize("running", step, series), nullptr);
  write_seconds += stopwatch.seconds();
}

/// Saves the state that was kept last, because the present one may be that of an incomplete step.
void ParticleRun::save_last(const std::string& status, int exit_code, Series& series) {
  Summary summary = summarize(status, last.step, series);
  summary.exit_code = exit_code;
  series.commit(simulation->monitor_names(), std::move(summary), &last);
  saved_step = last.step;
}

void ParticleRun::save_failed(const std::exception& error, Series& series) noexcept {
  try {
    save_last("failed", exit_code_of(error), series);
  } catch (const std::exception& second) {
    log.warning(fmt::format("the results so far cannot be saved: {}", second.what()));
  }
}

std::string ParticleRun::advice() const {
  if (!saved_step) return {};
  return fmt::format("; step {} is saved, go on with: {}", *saved_step, arguments.resume_command);
}

int ParticleRun::solve() {
  describe_particle_case(given, log);
  warn_of_unfinished(given.output.directory, log);
  RunFiles files = files_of(given, arguments.force);
  files.elsewhere = !is_first_process();
  ResultsDirectory results(given.output.directory, files);
  watch.clean_up_with(results.abandon());
  backend = make_backend(given.backend, log);
  const ParticleCheckpoint from = first_state(results);
  simulation = phases.time("setup", [&] {
    return from.state.empty() ? begin_simulation(given, *backend, log)
                              : resume_simulation(given, from.state, *backend);
  });
  throw_if_stopped();
  describe_sum(given, *simulation, *backend, log);

  Series series(given, results, from.rows);
  phases.time("time steps", [&] { integrate(from.step, series); });
  {
    const SignalWatch::Hold until_all_are_in_place(watch);
    series.commit(simulation->monitor_names(), summarize("finished", given.time.steps, series),
                  nullptr);
  }
  if (arguments.json && is_first_process()) print(to_json(series.summary(), -1) + "\n");
  log.blank();
  describe_results(series.summary(), results.path(), "particles.pvd", log);
  return exit_solved;
}

}  // namespace

int run_particles(const SolveArguments& arguments) { return run_to_end<ParticleRun>(arguments); }
int run_particles(const SolveArguments& arguments, Log& log, SignalWatch& watch) {
  return run_to_end<ParticleRun>(arguments, log, watch);
}

}  // namespace rankine::cases
