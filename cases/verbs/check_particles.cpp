// rankine check of particles: everything but the steps, and what a step takes.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cases/exit_code.hpp"
#include "cases/input/words.hpp"
#include "cases/output/log.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/particles/particle_report.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/particles/simulation.hpp"
#include "cases/resources/choose_backend.hpp"
#include "cases/resources/machine.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::cases {

int run_particles(const CheckArguments& arguments) {
  if (arguments.repair.repairs || arguments.repair.merge_tolerance)
    throw InputError("--repair and --merge-tolerance are of meshes, and particles have none");
  const ThreadScope threads(arguments.threads);
  Log log(arguments.quiet ? Log::Level::quiet : Log::Level::normal);
  ParticleCase given = read_particle_case(arguments.file, arguments.overrides);
  if (arguments.output) given.output.directory = *arguments.output;
  if (arguments.backend) given.backend = *arguments.backend;
  describe_particle_case(given, log);
  require_writable(given.output.directory);

  const auto backend = make_backend(given.backend, arguments.threads);
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
    print(json.dump() + "\n");
  } else if (!arguments.quiet) {
    print(fmt::format(
        "{} particles; at most {} a step, {} for {} steps; {} files of particles, about "
        "{} together\nthe case can be solved\n",
        show_count(particles), show_seconds(step), show_duration(step * given.time.steps),
        show_count(given.time.steps), show_count(files),
        show_bytes(static_cast<double>(files) * static_cast<double>(particles) * 8 *
                   static_cast<double>(3 + snapshot.fields.point.size() + 2))));
  }
  return exit_solved;
}

}  // namespace rankine::cases
