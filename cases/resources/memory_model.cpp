#include "cases/resources/memory_model.hpp"

#include <algorithm>

#include "rankine/bem/krylov/krylov_basis.hpp"
#include "rankine/bem/layers/layer_sizes.hpp"
#include "rankine/gpu/sums/device_sizes.hpp"

namespace rankine::cases {
namespace {

/// What passes in set-up and what allocators keep, measured on spheres.
constexpr double host_margin = 1.3, device_margin = 1.1;

/// Mesh, panels and solution.
double described_bytes(const SolveSize& size) {
  constexpr double mesh = 40.0;
  return size.panels * mesh + bem::panel_bytes(size.panels) + bem::solution_bytes(size.panels);
}

/// The boundary operator's own arrays and GMRES' vectors.
double vector_bytes(const SolveSize& size) {
  const bool gradients = size.formulation == bem::Formulation::source;
  return bem::layer_vector_bytes(size.panels, size.nodes, size.far.on_host.rhs, gradients);
}

double krylov_bytes(const SolveSize& size) {
  return size.far.on_host.rhs * bem::krylov_bytes(size.panels, size.columns);
}

double near_field_bytes(const SolveSize& size, int layers) {
  return bem::near_field_bytes(size.panels, size.near_entries, layers);
}

/// While near corrections are integrated: with `green` those of the right-hand side, too, which go
/// before the sums are planned.
double assembling_bytes(const SolveSize& size) {
  return near_field_bytes(size, size.formulation == bem::Formulation::green ? 2 : 1);
}

double probe_vector_bytes(const SolveSize& size) {
  return bem::evaluation_vector_bytes(size.panels, size.probe_nodes);
}

double device_bytes(const SolveSize& size) {
  double operators = gpu::cuda_operator_bytes(size.far.on_device) + vector_bytes(size) +
                     bem::local_inverse_bytes(size.panels, size.patch);
  if (size.inner) operators += gpu::cuda_operator_bytes(size.inner->on_device);
  const double integrating = gpu::integration_bytes(size.panels, size.nodes, size.balls);
  const double solving = std::max(assembling_bytes(size) + integrating,
                                  near_field_bytes(size, 1) + operators + krylov_bytes(size));
  const double evaluating =
      size.probes ? gpu::cuda_operator_bytes(size.probes->on_device) + probe_vector_bytes(size)
                  : 0.0;
  return gpu::held_panel_bytes(size.panels) + std::max(solving, evaluating);
}

double host_bytes(const SolveSize& size, bem::MemorySpace place) {
  const bool here = place == bem::MemorySpace::host;
  double solving = bem::panel_node_bytes(size.panels, size.nodes, size.balls), evaluating = 0.0;
  if (here) {
    double operators = fmm::cpu_operator_bytes(size.far.on_host) + vector_bytes(size) +
                       bem::local_inverse_bytes(size.panels, size.patch);
    if (size.inner) operators += fmm::cpu_operator_bytes(size.inner->on_host);
    solving += std::max(assembling_bytes(size),
                        near_field_bytes(size, 1) + operators + krylov_bytes(size));
  } else {
    solving += gpu::cuda_setup_bytes(size.far.on_device) +
               bem::local_inverse_bytes(size.panels, size.patch);
  }
  if (size.probes) {
    evaluating = bem::panel_node_bytes(size.panels, size.probe_nodes, size.probe_balls) +
                 bem::evaluation_bytes(size.panels, size.probes->on_host.targets);
    evaluating += here ? fmm::cpu_operator_bytes(size.probes->on_host) + probe_vector_bytes(size)
                       : gpu::cuda_setup_bytes(size.probes->on_device);
  }
  return described_bytes(size) + std::max(solving, evaluating);
}

}  // namespace

Memory memory_of(const SolveSize& size, bem::MemorySpace place) {
  constexpr double program = 80e6, device_context = 400e6;
  if (place == bem::MemorySpace::host)
    return {program + host_margin * host_bytes(size, place), 0.0};
  return {program + device_context + host_margin * host_bytes(size, place),
          device_margin * device_bytes(size)};
}

}  // namespace rankine::cases
