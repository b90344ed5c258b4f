// rankine check of particles: checks everything but the steps, and times one of them.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/particle_report.hpp"
#include "cases/particles/series.hpp"
#include "cases/particles/simulation.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/machine.hpp"
#include "cases/verbs/given_case.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {

namespace {

/// Bytes of the files of an output step, before they are compressed.
double bytes_of(const Snapshot& snapshot) {
  std::size_t values = 3 * snapshot.positions.size();
  const auto add = [&](const meshes::Fields& fields) {
    for (const meshes::Field& each : fields.point) values += each.values.size();
    for (const meshes::Field& each : fields.cell) values += each.values.size();
  };
  add(snapshot.fields);
  add(snapshot.surface);
  for (const ProbeResult& probe : snapshot.probes) add(probe.fields);
  return static_cast<double>(values * sizeof(double));
}

}  // namespace

int run_particles(const CheckArguments& arguments) {
  Log log(arguments.quiet ? Log::Level::quiet : Log::Level::normal);
  const ParticleCase given = given_particles(arguments);
  describe_particle_case(given, log);
  require_writable(given.output.directory, files_of(given, arguments.force));
  warn_of_unfinished(given.output.directory, log);

  const auto backend = make_backend(given.backend, log);
  const auto simulation = begin_simulation(given, *backend, log);
  describe_sum(simulation->size(), simulation->info(), *backend, log);
  simulation->advance();  // the first one allocates
  const Stopwatch watch;
  simulation->advance();
  const Snapshot snapshot = simulation->observe();  // waits for a device
  const double step = watch.seconds();
  const auto particles = static_cast<long long>(simulation->size());
  const int files = given.time.steps / given.output.every + 1;
  if (arguments.json) {
    const nlohmann::ordered_json json{{"particles", particles},
                                      {"estimate",
                                       {{"backend", backend->name()},
                                        {"threads", thread_count()},
                                        {"step", step},
                                        {"seconds", step * given.time.steps},
                                        {"bytes", peak_host_bytes()}}},
                                      {"warnings", log.warnings()}};
    print(dump(json, -1) + "\n");
  } else if (!arguments.quiet) {
    print(fmt::format(
        "{} particles; at most {} a step, {} for {} steps; {} output steps, whose files take about "
        "{} together\nthe case can be solved\n",
        show_count(particles), show_seconds(step), show_duration(step * given.time.steps),
        show_count(given.time.steps), show_count(files), show_bytes(files * bytes_of(snapshot))));
  }
  return exit_solved;
}

}  // namespace rankine::cases
