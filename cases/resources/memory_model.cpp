#include "cases/resources/memory_model.hpp"

#include <algorithm>

namespace rankine::cases {
namespace {

constexpr double real = sizeof(double), vector = 3.0 * real;

/// What passes in set-up and what allocators keep, measured on spheres.
constexpr double host_margin = 1.3, device_margin = 1.1;

double operator_host_bytes(const gpu::OperatorSize& size) {
  const double own = size.precision == fmm::Precision::float64 ? sizeof(double) : sizeof(float);
  const double source = 4.0 + 6.0 * own + size.rhs * own * (size.dipoles ? 4.0 : 1.0);
  const double target = 4.0 + 3.0 * own;
  // Boxes, lists and schedules of translations, and two expansions.
  const double box = 1000.0 + 2.0 * size.rhs * size.order * size.order * own;
  return size.sources * source + size.targets * target + (size.order > 0 ? size.boxes * box : 0.0);
}

/// Mesh, panels and solution.
double described_bytes(const SolveSize& size) {
  const double mesh = 40.0;
  const double panel =
      sizeof(bem::PanelShape<double>) + sizeof(meshes::Element) + 2.0 * vector + 2.0 * real;
  const double solution = 3.0 * real + vector;
  return size.panels * (mesh + panel + solution);
}

double discretization_bytes(double panels, int nodes) {
  return panels * (nodes * (2.0 * vector + real) + 2.0 * real);
}

double right_hand_sides(const SolveSize& size) { return size.far.on_host.rhs; }

/// The boundary operator's own arrays and GMRES' vectors.
double vector_bytes(const SolveSize& size) {
  const double gradients = size.formulation == bem::Formulation::source ? 2.0 * vector : 0.0;
  return size.panels * (real * size.nodes + right_hand_sides(size) * (real * size.nodes + real +
                                                                      gradients + 3.0 * real));
}

double krylov_bytes(const SolveSize& size) {
  return right_hand_sides(size) * size.panels * real * size.columns;
}

/// Weights and strengths of the evaluation's nodes.
double probe_vector_bytes(const SolveSize& size) {
  return 3.0 * real * size.panels * size.probe_nodes;
}

double device_bytes(const SolveSize& size) {
  double operators = gpu::operator_bytes(size.far.on_device) + vector_bytes(size);
  if (size.inner) operators += gpu::operator_bytes(size.inner->on_device);
  const double near = gpu::near_field_bytes(size.panels, size.near_entries);
  const double integrating = gpu::integration_bytes(size.panels, size.nodes);
  const double solving = operators + near + std::max(integrating, krylov_bytes(size));
  const double evaluating =
      size.probes ? gpu::operator_bytes(size.probes->on_device) + probe_vector_bytes(size) : 0.0;
  return std::max(solving, evaluating);
}

double host_bytes(const SolveSize& size, Place place) {
  const bool here = place == Place::host;
  double solving = discretization_bytes(size.panels, size.nodes);
  double evaluating = 0.0;
  if (size.probes) {
    constexpr double per_point = 800.0, neighbours_per_panel = 300.0;
    evaluating = discretization_bytes(size.panels, size.probe_nodes) +
                 neighbours_per_panel * size.panels + per_point * size.probes->on_host.targets;
  }
  if (here) {
    solving += operator_host_bytes(size.far.on_host) + vector_bytes(size) + krylov_bytes(size) +
               gpu::near_field_bytes(size.panels, size.near_entries);
    if (size.inner) solving += operator_host_bytes(size.inner->on_host);
    if (size.probes)
      evaluating += operator_host_bytes(size.probes->on_host) + probe_vector_bytes(size);
  } else {
    // Order and lists of the device's tree pass through the host.
    solving += 8.0 * size.far.on_device.sources + 1000.0 * size.far.on_device.boxes;
    if (size.probes)
      evaluating += 8.0 * size.probes->on_device.sources + 1000.0 * size.probes->on_device.boxes;
  }
  return described_bytes(size) + std::max(solving, evaluating);
}

}  // namespace

Memory memory_of(const SolveSize& size, Place place) {
  constexpr double program = 80e6, device_context = 400e6;
  if (place == Place::host) return {program + host_margin * host_bytes(size, place), 0.0};
  return {program + device_context + host_margin * host_bytes(size, place),
          device_margin * device_bytes(size)};
}

}  // namespace rankine::cases
