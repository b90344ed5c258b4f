#include "cases/particles/particle_memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/input/probe_count.hpp"
#include "cases/output/show.hpp"
#include "cases/particles/simulation.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/operator_size.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/gpu/sums/device_sizes.hpp"

namespace rankine::cases {
namespace {

/// What passes in set-up and what allocators keep, and the program itself.
constexpr double margin = 1.3, program = 100e6, device_context = 400e6;
/// An estimate may be so many times too high.
constexpr double uncertainty = 1.3;
/// Of trees of points that fill space, on either backend.
constexpr double points_of_a_box = 15.0;
/// On the host, of looks, files and checkpoints: positions, point data, their copies for the writer.
constexpr double bytes_of_a_look = 220.0;
/// The same of a point of a probe, over what it has in the backend's memory, and what the field around a body takes there.
constexpr double looks_at_a_point = 1.7, bytes_beside_a_body = 230.0;
/// Of a body's near integrals, sums, preconditioner and GMRES, found with the discoid.
constexpr double bytes_of_a_panel = 8000.0;

/// Numbers of a particle in the backend's memory (bem/particles/).
double numbers_of(const ParticleCase& given) {
  return given.kind == ProblemKind::gravity ? 11.0 : 31.0;
}

/// The same of a point of a probe: velocity and its gradient, or potential and acceleration.
double numbers_of_a_point(const ParticleCase& given) {
  return given.kind == ProblemKind::gravity ? 4.0 : 12.0;
}

/// Of particles at so many points.
fmm::OperatorSize sum_size(const ParticleCase& given, double particles, double points) {
  const bool vortices = given.kind == ProblemKind::vortex;
  fmm::OperatorSize size{.sources = particles,
                         .targets = points,
                         .boxes = 0.0,
                         .order = 0,
                         .precision = given.fmm.precision,
                         .dipoles = false,
                         .gradient = true,
                         .shared = points == particles,
                         .vortices = vortices,
                         .rhs = 1};
  if (given.fmm.method == fmm::Method::direct) return size;
  size.boxes = particles / points_of_a_box;
  fmm::Options options =
      sum_options(given.fmm, vortices ? given.particles.core : fmm::Kernel::laplace);
  options.gradient = true;
  size.order = fmm::likely_orders(fmm::expansion_options(options)).order + 1;
  return size;
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
  if (given.body && given.body->sheds) count += surface * (given.time.steps + 1);
  const double points = probe_point_count(given.output.probes);
  const fmm::OperatorSize size = sum_size(given, count, count),
                          probes = sum_size(given, points > 0.0 ? count : 0.0, points);
  const double at_points = sizeof(double) * numbers_of_a_point(given) * points;
  const double state = sizeof(double) * numbers_of(given) * count + at_points;
  const double host = bytes_of_a_look * count + bytes_of_a_panel * surface +
                      looks_at_a_point * at_points +
                      (given.body ? bytes_beside_a_body : 0.0) * points;
  if (place == bem::MemorySpace::host)
    return {program + margin * (host + state + fmm::cpu_operator_bytes(size) +
                                fmm::cpu_operator_bytes(probes)),
            0.0};
  return {
      program + device_context +
          margin * (host + std::max(gpu::cuda_setup_bytes(size), gpu::cuda_setup_bytes(probes))),
      margin * (state + gpu::cuda_operator_bytes(size) + gpu::cuda_operator_bytes(probes))};
}

void require_room(const ParticleCase& given, std::size_t particles, std::size_t panels,
                  bem::MemorySpace place, const Room& room, Log& log) {
  const Memory needed = memory_of_run(given, particles, panels, place);
  const auto judge = [&](double bytes, double free, double swap, const std::string& where) {
    if (bytes <= free) return;
    const std::string missing =
        fmt::format("a run of {} particles needs about {}, but {} has {} free: {} are missing",
                    show_count(static_cast<long long>(particles)), show_bytes(bytes), where,
                    show_bytes(free), show_bytes(bytes - free));
    if (bytes > uncertainty * (free + swap))
      throw DeviceError(missing + "; " + advice(given, place));
    log.warning(missing + "; it may fit all the same. If not, " + advice(given, place));
  };
  if (place == bem::MemorySpace::device) judge(needed.device, room.device, 0.0, room.device_name);
  judge(needed.host, room.host, room.swap, "this machine");
}

}  // namespace rankine::cases
