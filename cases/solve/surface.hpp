// Cell and point data of a solution on the surface, for ParaView.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// The components of all vectors in one array, x y z of each vector in turn.
std::vector<double> flat(std::span<const Vec3d> vectors);

/// Values at the first `nodes` nodes: area-weighted means over the panels around each node and
/// their images, zero if there are none. `values`: panels x components; three are a vector.
/// `changes_sign`: values have the signs of the images.
std::vector<double> average_to_nodes(const bem::PanelNeighbourhood& around, std::size_t nodes,
                                     std::span<const double> values, int components,
                                     bool changes_sign);

/// Cp, the pressure over the reference pressure of the problem; empty without a pressure, or
/// without both stream and reference speed.
std::optional<std::vector<double>> pressure_coefficient(const bem::FlowProblem& problem,
                                                        const std::vector<double>& pressure,
                                                        const Vec3d& stream);

/// Cell data: phi, sigma if it exists, Cp if defined, U, p, Area, error_estimate (of U, relative to
/// the stream; of grad_phi, relative to its root mean square), and flux unless all conditions are
/// walls at rest. Point data: Cp, U, phi. In problems other than flows grad_phi replaces U, and
/// there is no p.
meshes::Fields surface_fields(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                              const bem::Solution& solution, const bem::ErrorEstimate& errors);

/// The field data of every file: title, program and version, units.
meshes::Metadata metadata(const std::string& title);

}  // namespace rankine::cases
