// The surface of a solution as cell and point data for ParaView.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Components one after the other.
std::vector<double> flat(std::span<const Vec3d> vectors);

/// Values at the first `nodes` nodes: means over the panels around each, weighted by area, zero
/// where there are none. `values` is panels x components.
std::vector<double> average_to_nodes(const bem::NodePanels& around, std::size_t nodes,
                                     std::span<const double> area, std::span<const double> values,
                                     int components);

/// Cp, the pressure over the reference pressure of the problem; empty if the problem has no
/// pressure, or neither a stream nor a reference speed.
std::optional<std::vector<double>> pressure_coefficient(const bem::FlowProblem& problem,
                                                        const std::vector<double>& pressure,
                                                        const Vec3d& stream);

/// Cell data phi, sigma (where there is one), Cp (where it is defined), U, p, Area, error_estimate
/// (of U, relative to the stream; of grad_phi, relative to its root mean square), flux (where
/// conditions are other than walls at rest); point data Cp, U, phi. Without a flow there is
/// grad_phi instead of U, and no p.
meshes::Fields surface_fields(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                              const bem::Solution& solution, const bem::ErrorEstimate& errors);

/// Field data of every file: title, program and version, units.
meshes::Metadata metadata(const std::string& title);

}  // namespace rankine::cases
