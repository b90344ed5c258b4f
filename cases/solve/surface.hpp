// The surface of a solution as ParaView sees it.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk_writer.hpp"

namespace rankine::cases {

/// Values at the nodes: means over the panels around each, weighted by area.
/// `values` is panels x components.
std::vector<double> average_to_nodes(const meshes::SurfaceMesh& mesh, std::span<const double> area,
                                     std::span<const double> values, int components);

/// Cp = p / (rho |U|^2 / 2). Throws InputError where there is no stream, and Cp not defined.
std::vector<double> pressure_coefficient(const std::vector<double>& pressure, double density,
                                         const Vec3d& stream);

/// Cell data phi, sigma (where there is one), Cp, U, p, Area; point data Cp, U, phi.
meshes::Fields surface_fields(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                              const bem::Solution& solution);

/// Field data of every file: title, program and version, units.
meshes::Metadata metadata(const std::string& title);

}  // namespace rankine::cases
