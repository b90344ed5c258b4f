#include "cases/particles/particle_memory.hpp"

#include <fmt/format.h>

#include "cases/case_constants.hpp"
#include "cases/input/case.hpp"
#include "cases/output/show.hpp"
#include "cases/particles/simulation.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// Bytes per particle, panel and probe point.
struct ParticleBytes {
  double particle, panel, probe;
};

// Fitted to peaks of the program on two threads, `peak_bytes.host` of
//   rankine solve cases/plummer/plummer.toml --set particles.n=N --json -
// for N of 1e5 and 1e6 (0.17 and 0.62 GB; with 10^6 probe points and N of 1e5 0.33 GB), of
// cases/vortex-ring/core.toml with 3e5 particles (0.51 GB; with 10^6 probe points and 23 837
// particles 0.46 GB), and of cases/discoid/discoid.toml with 46 080 panels that shed once and five
// times (0.86 and 1.21 GB; with 512 000 probe points and 5 120 panels 0.53 GB).
constexpr ParticleBytes gravity_on_processor{500.0, 0.0, 160.0},
    vortices_on_processor{1360.0, 14000.0, 350.0};
constexpr double probe_beside_body = 330.0;  ///< additional host bytes per probe point with a body

// Arrays on the device plus a third, and the host memory of such runs.
constexpr ParticleBytes gravity_on_device{1000.0, 0.0, 100.0},
    vortices_on_device{1200.0, 6000.0, 250.0}, host_of_device{400.0, 10000.0, 200.0};

double bytes_of(const ParticleBytes& bytes, double particles, double panels, double probes) {
  return bytes.particle * particles + bytes.panel * panels + bytes.probe * probes;
}

std::string advice(const ParticleCase& given, bem::MemorySpace place) {
  return fmt::format(
      "use fewer particles{}{}, a looser fmm.tolerance{}",
      given.body ? " or panels, or fewer steps that shed" : "",
      given.output.probes.empty() ? "" : ", fewer points of probes",
      place == bem::MemorySpace::host ? ", or a machine with more memory" : ", or --backend cpu");
}

}  // namespace

std::size_t expected_particles(const ParticleCase& given) {
  const ParticleInput& input = given.particles;
  switch (input.generator) {
    case Generator::file:
    case Generator::none:
      return 0;
    case Generator::ring: {
      std::size_t count = 0;
      for (const bem::VortexRing& ring : input.rings)
        count +=
            bem::particles_of(ring, static_cast<std::size_t>(input.count), input.sigma, input.core);
      return count;
    }
    default:
      return static_cast<std::size_t>(input.count);
  }
}

Memory memory_of_run(const ParticleCase& given, std::size_t particles, std::size_t panels,
                     bem::MemorySpace place) {
  const auto surface = static_cast<double>(panels);
  double count = static_cast<double>(particles);
  // Redistribution adds shed strengths to existing particles.
  if (given.body && given.body->sheds && !given.particles.redistributes())
    count += surface * (given.time.steps + 1);
  const double points = probe_point_count(given.output.probes);
  const bool gravity = given.kind == ProblemKind::gravity;
  const double around = given.body ? probe_beside_body * points : 0.0;
  if (place == bem::MemorySpace::host) {
    const ParticleBytes& bytes = gravity ? gravity_on_processor : vortices_on_processor;
    return {fitted::program_bytes + bytes_of(bytes, count, surface, points) + around, 0.0};
  }
  return {fitted::bytes_beside_device + bytes_of(host_of_device, count, surface, points) + around,
          bytes_of(gravity ? gravity_on_device : vortices_on_device, count, surface, points)};
}

void require_memory(const ParticleCase& given, std::size_t particles, std::size_t panels,
                    bem::MemorySpace place, const FreeMemory& available, Log& log) {
  const Memory needed = memory_of_run(given, particles, panels, place);
  const auto judge = [&](double bytes, double free, double swap, const std::string& where) {
    if (bytes <= free) return;
    const std::string missing =
        fmt::format("a run of {} particles needs about {}, but {} has {} free: {} are missing",
                    show_count(particles), show_bytes(bytes), where, show_bytes(free),
                    show_bytes(bytes - free));
    if (bytes > fitted::forecast_margin * (free + swap))
      throw DeviceError(missing + "; " + advice(given, place));
    log.warning(missing + "; it may fit all the same. If not, " + advice(given, place));
  };
  if (place == bem::MemorySpace::device)
    judge(needed.device, available.device, 0.0, available.device_name);
  judge(needed.host, available.host, available.swap, "this machine");
}

}  // namespace rankine::cases
