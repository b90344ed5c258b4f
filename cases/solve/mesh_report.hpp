// The report of rankine check on a mesh.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rankine/meshes/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// Sizes, topology and quality in aligned columns, every finding with its first places.
std::string mesh_report_text(const meshes::SurfaceMesh& mesh, const meshes::MeshReport& report);

nlohmann::ordered_json mesh_report_json(const meshes::SurfaceMesh& mesh,
                                        const meshes::MeshReport& report);

}  // namespace rankine::cases
