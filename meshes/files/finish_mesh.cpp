#include "rankine/meshes/files/finish_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/repair/stitch.hpp"

namespace rankine::meshes {
namespace {

void require_finite(const SurfaceMesh& mesh) {
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k) {
      const Vec3d& x = mesh.nodes[mesh.elements[e][k]];
      if (is_finite(x)) continue;
      throw MeshError(text_of(mesh.source, ": corner ", k, " of element ", e, " is at ", x,
                              ", which is not a place; repair the file"));
    }
  }
  for (std::size_t e = 0; e < mesh.mid_nodes.size(); ++e) {
    const MidNodes& middle = mesh.mid_nodes[e];
    if (std::all_of(middle.begin(), middle.end(), is_finite)) continue;
    throw MeshError(mesh.source + ": a node between the corners of element " + std::to_string(e) +
                    " has a coordinate that is not finite, which is not a place; repair the file");
  }
}

void join_faces(SurfaceMesh& mesh) {
  const Stitches made = stitch(mesh);
  if (made.open_after < made.open_before)
    mesh.notes.push_back("faces joined along " +
                         std::to_string(made.open_before - made.open_after) + " open edges");
}

}  // namespace

void require_options(const ReadOptions& options) {
  if (!std::isfinite(options.scale) || options.scale <= 0.0) {
    throw InputError("the mesh scale is " + text_of(options.scale) +
                     "; it turns file units into metres and must be positive");
  }
  if (!std::isfinite(options.size) || options.size < 0.0) {
    throw InputError("the panel size is " + text_of(options.size) +
                     " m; it must be positive, or 0 for an automatic size");
  }
  if (!(options.panel_budget >= 4.0) || !std::isfinite(options.panel_budget)) {
    throw InputError("the panel budget is " + text_of(options.panel_budget) +
                     "; it must be at least 4 panels");
  }
  if (!(options.time_limit > 0.0) || !std::isfinite(options.time_limit)) {
    throw InputError("the time limit is " + text_of(options.time_limit) +
                     " s; it must be positive");
  }
  const double tolerance = options.repairs.merge_tolerance;
  if (!std::isfinite(tolerance) || tolerance < 0.0) {
    throw InputError("the merge tolerance is " + text_of(tolerance) +
                     " m; it must be positive, or 0 for one that follows the size of the mesh");
  }
}

SurfaceMesh finish_mesh(SurfaceMesh mesh, const ReadOptions& options, const ReaderRepairs& reader) {
  if (mesh.elements.empty()) {
    throw MeshError(mesh.source +
                    " has no surface elements (triangles or quadrilaterals); is it a mesh in the "
                    "format of its extension, and was its surface meshed and saved?");
  }
  for (std::string& name : mesh.patch_names) name = as_utf8(name);
  PatchChoice choice = options.patches;
  leave_out_faces(mesh, choice);
  const bool named = !mesh.patch_names.empty();
  if (named) {
    separate_faces(mesh, choice);
    choose_patches(mesh, choice);
  }
  drop_unused_nodes(mesh);
  for (Vec3d& node : mesh.nodes) node *= options.scale;
  for (MidNodes& middle : mesh.mid_nodes) {
    for (Vec3d& node : middle) node *= options.scale;
  }
  for (NamedCurve& curve : mesh.curves) {
    for (Vec3d& end : curve.ends) end *= options.scale;
  }
  require_finite(mesh);
  if (const std::size_t merged = merge_coincident_nodes(mesh); merged > 0) {
    mesh.warnings.push_back(std::to_string(merged) + " nodes at the place of another are merged");
  }
  if (const std::size_t collapsed = collapse_quadrilaterals(mesh); collapsed > 0) {
    mesh.warnings.push_back(std::to_string(collapsed) +
                            " quadrilaterals with two corners in one place become triangles");
  }
  if (reader.join) join_faces(mesh);
  repair(mesh, options.repairs);
  const auto apply = [&](const auto& of_reader) {
    const std::string note = of_reader ? of_reader(mesh) : "";
    if (!note.empty()) mesh.warnings.push_back(note);
  };
  apply(reader.unite);
  if (!named) patches_from_bodies(mesh);
  separate_faces(mesh, choice);
  if (!named) choose_patches(mesh, choice);
  apply(reader.wrap);
  apply(reader.remesh);
  return mesh;
}

}  // namespace rankine::meshes
