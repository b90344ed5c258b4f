// rankine check for particles: checks everything except the time steps, and times one of them.
#include <fmt/format.h>

#include <algorithm>
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

/// Bytes of the files of an output step, uncompressed.
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

struct Duration {
  double step = 0.0, least = 0.0, most = 0.0;  ///< s: one step now; bounds for all steps
};

/// Duration of `steps` steps if the present step takes `step` seconds. The upper bound assumes
/// direct sums, whose cost is proportional to the square of the number of particles.
Duration duration_of(int steps, const Simulation& simulation, double step) {
  Duration found{step, step * steps, 0.0};
  for (int k = 0; k < steps; ++k) {
    const double growth = static_cast<double>(simulation.size_after(std::max(0, k - 2))) /
                          static_cast<double>(simulation.size());
    found.most += step * growth * growth;
  }
  return found;
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
  describe_sum(given, *simulation, *backend, log);
  const std::size_t first_size = simulation->size();
  simulation->advance();  // the first step allocates
  const Stopwatch watch;
  simulation->advance();
  const Snapshot snapshot = simulation->observe();  // also waits for the device
  const Duration time = duration_of(given.time.steps, *simulation, watch.seconds());
  const auto particles = static_cast<long long>(first_size),
             most =
                 static_cast<long long>(simulation->size_after(std::max(0, given.time.steps - 2)));
  const double growth = static_cast<double>(most) / static_cast<double>(simulation->size());
  const int files = given.time.steps / given.output.every + 1;
  if (arguments.json) {
    const nlohmann::ordered_json json{{"particles", particles},
                                      {"particles_most", most},
                                      {"estimate",
                                       {{"backend", backend->name()},
                                        {"threads", thread_count()},
                                        {"step", time.step},
                                        {"seconds", time.most},
                                        {"seconds_least", time.least},
                                        {"bytes", peak_host_bytes()}}},
                                      {"warnings", log.warnings()}};
    print(dump(json, -1) + "\n");
  } else if (!arguments.quiet) {
    const bool grows = growth > 1.0, far = given.particles.redistributes();
    print(fmt::format(
        "{} particles{}; {} {} a step, {} for {} steps; {} output steps, whose files take {} {} "
        "together\nthe case can be solved\n",
        show_count(particles),
        grows ? fmt::format(", at most {} at the end", show_count(most)) : "",
        grows ? "now" : "at most", show_seconds(time.step),
        far     ? "at least " + show_duration(time.least)
        : grows ? fmt::format("{} to {}", show_duration(time.least), show_duration(time.most))
                : show_duration(time.most),
        show_count(given.time.steps), show_count(files),
        far     ? "at least"
        : grows ? "at most"
                : "about",
        show_bytes(files * (far ? 1.0 : growth) * bytes_of(snapshot))));
  }
  return exit_solved;
}

}  // namespace rankine::cases
