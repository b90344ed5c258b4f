// From what a case says about its mesh to a sound, oriented surface.
#pragma once

#include <optional>
#include <string>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// The built-in shape, its file units metres. Throws InputError.
meshes::SurfaceMesh make_shape(const MeshInput& input);

/// The mesh file read and scaled, or the built-in shape; not yet checked. Says in the log what the
/// reader changed or left out. Throws MeshError, InputError.
meshes::SurfaceMesh read_or_make(const MeshInput& input, Log& log);

/// What the command line says about repairs; it replaces what a case says.
struct RepairArguments {
  std::optional<meshes::Repairs> repairs;  ///< --repair; its tolerance is not looked at
  std::optional<double> merge_tolerance;   ///< --merge-tolerance, m
};

/// Throws InputError for a built-in shape, and for a tolerance without a merge.
void apply(const RepairArguments& arguments, MeshInput& input);

struct LoadedMesh {
  meshes::SurfaceMesh mesh;
  meshes::MeshReport report;
  meshes::Inspection inspection = {};
};

/// Bodies within others are walls of cavities; beside interfaces they are media of their own.
meshes::Nested nested_in(const Case& flow_case);

/// The mesh that was read last, for cases that share it.
struct MeshStore {
  std::string input;  ///< what it was read from: the table [mesh]; empty: nothing is stored
  meshes::SurfaceMesh mesh;
};

/// The table [mesh] of a case, and the patches that its conditions name: cases that agree in it
/// read the same mesh.
std::string mesh_input_of(const Case& flow_case);

/// Reads, checks, orients and inspects the mesh. Logs which bodies were turned round, and what
/// makes the answer inaccurate. Throws MeshError for a mesh that is not sound, and for one on which
/// the equation has no meaning.
/// `store`: holds the mesh, as it was read, for the next call; or null.
LoadedMesh load_mesh(const Case& flow_case, Log& log, MeshStore* store = nullptr);
/// The same for one that has been read.
LoadedMesh prepare_mesh(meshes::SurfaceMesh mesh, const Case& flow_case, Log& log);

/// Moves nodes onto the symmetry planes of the problem. Leaves out panels that lie in a plane, with
/// a warning. Also warns if the file says that it holds half a body and the case has no plane.
/// Throws MeshError, with the place in the case file, where the mesh reaches across a plane.
void meet_planes(meshes::SurfaceMesh& mesh, const ProblemInput& problem, Log& log);

/// Marks the patches that the case's conditions call thin, and cuts quadrilaterals of thin walls in
/// two. Throws InputError as boundary_of_patch does.
void mark_thin(meshes::SurfaceMesh& mesh, const Case& flow_case, Log& log);

/// Warns of everything that makes the answer inaccurate.
void warn_of_flaws(const meshes::SurfaceMesh& mesh, const meshes::Inspection& inspection, Log& log);

/// Chooses the angle above which edges are sharp, and logs which are and which are rounded.
void settle_edges(LoadedMesh& loaded, const Case& flow_case, Log& log);

/// Chooses sources for a body that passes through itself: Green's formula needs the fluid in front
/// of all panels and none of it behind (meshes/checks/turned_parts.hpp). Wakes need it all the
/// same. Throws InputError if the case asks for Green's formula.
void settle_formulation(const LoadedMesh& loaded, Case& flow_case, Log& log);

/// Warns if the mesh seems to be the domain of another flow solver (meshes/checks/flow_domain.hpp).
void warn_of_domain(const LoadedMesh& loaded, const Case& flow_case, Log& log);

/// Counts, patches and the bounding box in metres, for the log.
void describe_mesh(const LoadedMesh& loaded, const meshes::Symmetry& symmetry, Log& log);

/// Panels per patch, in the order of the patches.
std::vector<std::pair<std::string, std::int64_t>> panels_per_patch(const meshes::SurfaceMesh& mesh);

}  // namespace rankine::cases
