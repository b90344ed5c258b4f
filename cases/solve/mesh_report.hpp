// The report of rankine check on a mesh.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cases/lift/named_edges.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Sizes, topology and quality in aligned columns, every finding with its first places.
std::string mesh_report_text(const meshes::SurfaceMesh& mesh, const meshes::MeshReport& report,
                             const meshes::Symmetry& symmetry);

nlohmann::ordered_json mesh_report_json(const meshes::SurfaceMesh& mesh,
                                        const meshes::MeshReport& report,
                                        const meshes::Symmetry& symmetry);

/// What spoils an answer: severity, count, first panels, worst value, what to do. Empty if nothing.
std::string flaws_text(const meshes::Inspection& inspection);

nlohmann::ordered_json flaws_json(const meshes::Inspection& inspection);

/// The largest faces of a geometry and the holes that were closed: panels, area, centre. Empty if
/// there are none.
std::string faces_text(const meshes::SurfaceMesh& mesh);

/// The panels with cell arrays: `finding`, 0 or a number that the field data names; `face`, as in
/// SurfaceMesh, if the mesh has faces. And sharp edges, if there are any, as lines.
void write_flaws(const std::filesystem::path& path, const meshes::SurfaceMesh& mesh,
                 const meshes::Inspection& inspection, meshes::Metadata about,
                 const EdgeMarks& edges = {});

}  // namespace rankine::cases
