// The mesh report of rankine check.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cases/lift/named_edges.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Sizes, topology and quality in aligned columns, and the findings with their first positions.
/// `mesh` is the whole surface: `images` copies of the modelled part, by rotation.
std::string mesh_report_text(const meshes::SurfaceMesh& mesh, const meshes::MeshReport& report,
                             const meshes::Symmetry& symmetry, std::size_t images = 1);

nlohmann::ordered_json mesh_report_json(const meshes::SurfaceMesh& mesh,
                                        const meshes::MeshReport& report,
                                        const meshes::Symmetry& symmetry);

/// The flaws: severity, count, first panels, worst value, remedy. Empty if there are none.
std::string flaws_text(const meshes::Inspection& inspection);

nlohmann::ordered_json flaws_json(const meshes::Inspection& inspection);

/// The largest faces of a geometry and the closed holes: panels, area, centre. Empty if there are
/// none.
std::string faces_text(const meshes::SurfaceMesh& mesh);

/// Writes the panels with cell arrays: `finding`, 0 or a number explained in the field data; `face`
/// as in SurfaceMesh, if the mesh has faces. Sharp edges are added as lines.
void write_flaws(const std::filesystem::path& path, const meshes::SurfaceMesh& mesh,
                 const meshes::Inspection& inspection, meshes::Metadata about,
                 const EdgeMarks& edges = {});

}  // namespace rankine::cases
