// Makes the checked and oriented surface mesh of a case.
#pragma once

#include <optional>
#include <string>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/edge_strip.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::cases {

/// The built-in shape, in metres. Throws InputError.
meshes::SurfaceMesh make_shape(const MeshInput& input);

/// The mesh file, read and scaled, or the built-in shape; not yet checked. Logs changes and
/// omissions of the reader. Throws MeshError, InputError.
meshes::SurfaceMesh read_or_make(const MeshInput& input, Log& log);

/// Repair options of the command line; they replace those of the case.
struct RepairArguments {
  std::optional<meshes::Repairs> repairs;  ///< --repair; the tolerance in it is ignored
  std::optional<double> merge_tolerance;   ///< --merge-tolerance, m
};

/// Sets the repairs of `input`. Throws InputError for a built-in shape, and for a tolerance without
/// a merge.
void apply(const RepairArguments& arguments, MeshInput& input);

struct LoadedMesh {
  meshes::SurfaceMesh mesh;
  meshes::MeshReport report;
  meshes::Inspection inspection = {};
  std::optional<meshes::EdgeStrip> strip = {};  ///< with lift.edge_strip
};

/// The meaning of bodies within others: walls of cavities; in cases with interfaces, separate
/// media.
meshes::Nested nested_in(const Case& flow_case);

/// The mesh last read, for cases that share it.
struct MeshStore {
  std::string input;  ///< its mesh_input_of(); empty: nothing is stored
  meshes::SurfaceMesh mesh;
};

/// The table [mesh] of a case and the patches named in its conditions. Cases with equal texts read
/// the same mesh.
std::string mesh_input_of(const Case& flow_case);

/// Reads, checks, orients and inspects the mesh. Logs which bodies were reoriented, and flaws that
/// reduce the accuracy. Throws MeshError for an invalid mesh and for one on which the equation has
/// no meaning. `store`: keeps the mesh as read for the next call; may be null.
LoadedMesh load_mesh(const Case& flow_case, Log& log, MeshStore* store = nullptr);
/// The same for a mesh that has been read.
LoadedMesh prepare_mesh(meshes::SurfaceMesh mesh, const Case& flow_case, Log& log);

/// Moves nodes near symmetry planes onto them. Omits panels in a plane, with a warning. Also warns
/// if the file declares half a body and the case has no plane. Throws MeshError, with the position
/// in the case file, if the mesh crosses a plane. Adds all images by rotation.
void meet_planes(meshes::SurfaceMesh& mesh, const ProblemInput& problem, Log& log);

/// The symmetry planes with which to check this mesh; none with a rotation.
meshes::Symmetry symmetry_of_checks(const ProblemInput& problem);
/// After the checks: removes the images by rotation, if there are any. The report remains that of
/// the whole body, except for connections and the numbers of bodies, panels and nodes.
void keep_sector(LoadedMesh& loaded, const meshes::Symmetry& symmetry);

/// Connections and the numbers of bodies, panels and nodes of a mesh that was changed after its
/// checks.
void count_again(LoadedMesh& loaded);

/// Marks the patches with thin conditions, and splits quadrilaterals of thin walls into triangles.
/// Throws InputError as boundary_of_patch().
void mark_thin(meshes::SurfaceMesh& mesh, const Case& flow_case, Log& log);

/// Warns of all flaws that reduce the accuracy.
void warn_of_flaws(const meshes::SurfaceMesh& mesh, const meshes::Inspection& inspection, Log& log);

/// Chooses the angle above which edges are sharp, and logs which edges are sharp and which rounded.
void settle_edges(LoadedMesh& loaded, const Case& flow_case, Log& log);

/// Whether parts of one body cross: potentials on panels within it have no meaning.
bool passes_through_itself(const LoadedMesh& loaded);

/// Chooses sources for a body that passes through itself: Green's formula needs the fluid in front
/// of all panels and none behind (meshes/checks/turned_parts.hpp). With wakes Green's formula is
/// used nevertheless. Throws InputError if the case asks for Green's formula or for added masses of
/// such a body, or for sources on bodies that touch along edges.
void settle_formulation(const LoadedMesh& loaded, Case& flow_case, Log& log);

/// Warns if the mesh seems to be the domain of another flow solver (meshes/checks/flow_domain.hpp).
void warn_of_domain(const LoadedMesh& loaded, const Case& flow_case, Log& log);

/// Logs counts, patches and the bounding box in metres.
void describe_mesh(const LoadedMesh& loaded, const meshes::Symmetry& symmetry, Log& log);

/// The number of panels per patch, in the order of the patches.
std::vector<std::pair<std::string, std::int64_t>> panels_per_patch(const meshes::SurfaceMesh& mesh);

}  // namespace rankine::cases
