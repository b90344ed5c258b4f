#include "rankine/meshes/checks/defects.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/boundary_loops.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/repair/stitch.hpp"

namespace rankine::meshes {
namespace {

std::string first_at(const Finding& finding) { return "the first at " + at(finding.where); }

/// "; they make 2 rims: 24 edges, 3.1 m long, flat, around (0, 0, 1) m; …"
std::string rims(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  constexpr std::size_t most_named = 3;
  const std::vector<BoundaryLoop> loops = boundary_loops(mesh, symmetry);
  std::string text = "; they make " + counted(loops.size(), "rim");
  for (std::size_t k = 0; k < loops.size() && k < most_named; ++k) {
    char length[32];
    std::snprintf(length, sizeof(length), "%.4g", loops[k].length);
    text += (k == 0 ? ": " : "; ") + counted(loops[k].edges, "edge") + ", " + length + " m long" +
            (loops[k].flat ? ", flat" : "") + ", around " + at(loops[k].centre);
  }
  return loops.size() > most_named ? text + "; …" : text;
}

std::string shown_place(double place) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.7g", place);
  return text;
}

/// "y = 0 and z = 1.5"
std::string names_of(const std::vector<CutPlane>& planes) {
  std::string text;
  for (const CutPlane& each : planes)
    text += (text.empty() ? "" : " and ") + std::string(1, "xyz"[each.axis]) + " = " +
            shown_place(each.place);
  return text;
}

/// One plane of each direction. Of parallel planes it is the one in `kept`, else the one through
/// the origin, else the first. The result does not contain the planes in `kept`.
std::vector<CutPlane> without_parallels(const std::vector<CutPlane>& planes,
                                        std::vector<CutPlane> kept = {}) {
  const auto given = static_cast<std::ptrdiff_t>(kept.size());
  for (const CutPlane& plane : planes) {
    const auto parallel = std::ranges::find(kept, plane.axis, &CutPlane::axis);
    if (parallel == kept.end()) {
      kept.push_back(plane);
    } else if (plane.place == 0.0 && parallel >= kept.begin() + given) {
      *parallel = plane;
    }
  }
  return {kept.begin() + given, kept.end()};
}

/// The case key of symmetry planes whose images close the openings in `planes`, added to those
/// given; empty if the given planes already do.
std::string remedy(const std::vector<CutPlane>& planes, const Symmetry& symmetry) {
  std::string words;
  Vec3d origin;
  bool moved = false;  // a given plane is not where its rim is
  for (const SymmetryPlane& plane : symmetry.planes()) origin[plane.axis] = plane.place;
  for (const CutPlane& plane : planes) {
    if (std::ranges::count(symmetry.planes(), plane.axis, &SymmetryPlane::axis) > 0)
      moved = moved || origin[plane.axis] != plane.place;
    else
      words += (words.empty() ? "\"" : ", \"") + std::string(1, "xyz"[plane.axis]) + '"';
    origin[plane.axis] = plane.place;
  }
  if (words.empty() && !moved) return {};
  const std::string key = "symmetry_origin = [" + shown_place(origin.x) + ", " +
                          shown_place(origin.y) + ", " + shown_place(origin.z) + "]";
  if (words.empty()) return "set problem." + key + ", ";
  return (symmetry.empty() ? "set problem.symmetry = [" + words + "]"
                           : "add " + words + " to problem.symmetry") +
         (moved || origin != Vec3d{} ? ", " + key : "") + ", ";
}

/// Advice for rims that run along each other, which are joined; empty if there are none.
std::string stitch_advice(SurfaceMesh& mesh) {
  const Stitches made = stitch(mesh);
  if (made.open_after == made.open_before) return {};
  const std::string edges = "; " + counted(made.open_before - made.open_after, "edge") +
                            " of rims run along each other, where ";
  if (made.inserted == 0) {
    return edges +
           "nodes lie almost at the same place: repair = [\"merge\"], with a "
           "merge_tolerance as wide as they are apart, or repair = [\"stitch\"] joins them";
  }
  return edges + "parts meet with different panels: repair = [\"stitch\"] joins them";
}

/// Advice for an open surface. Seams in a plane are no cut, so rims are joined first.
std::string advice(SurfaceMesh mesh, std::size_t open_edges, const Symmetry& symmetry) {
  std::string text = stitch_advice(mesh);
  const bool seams = !text.empty();
  const CutPlanes cut = cut_planes(mesh, symmetry);
  const std::vector<CutPlane> all = cut_planes(mesh).planes;
  std::vector<CutPlane> mirrored;  // by the planes given
  std::ranges::copy_if(all, std::back_inserter(mirrored), [&](const CutPlane& plane) {
    return std::ranges::count(cut.planes, plane) == 0;
  });
  if (!cut.planes.empty()) {
    text += "; " + std::to_string(cut.edges) +
            " of the edges lie at the border of the mesh, where " + names_of(cut.planes) +
            ": it seems to be part of a symmetric body or a cut one; " +
            remedy(without_parallels(cut.planes, mirrored), symmetry) +
            "mirror it, or close it there (repair = [\"fill\"])";
    if (all.size() > without_parallels(all).size())
      text += "; of two parallel planes only one is a symmetry plane: close the other opening";
  }
  if (cut.edges == open_edges || seams) return text;
  return text + "; close the " + (cut.planes.empty() ? "gap" : "other gaps") +
         ", merge nodes that lie almost at the same place (repair = [\"merge\"], with a "
         "merge_tolerance as wide as they are apart), close flat and small holes (repair = "
         "[\"fill\"]), "
         "or wrap all panels in one closed surface (repair = [\"wrap\", \"remesh\"])";
}

}  // namespace

std::vector<std::string> defects(const SurfaceMesh& mesh, const MeshReport& report,
                                 const Symmetry& symmetry) {
  const std::string source = mesh.source.empty() ? "the mesh" : mesh.source;
  if (mesh.elements.empty()) {
    return {source + " has no surface elements (triangles or quadrilaterals)"};
  }
  std::vector<std::string> found;
  const auto add = [&](const Finding& finding, const std::string& text) {
    if (finding.count > 0) found.push_back(source + ": " + text);
  };
  add(report.bad_indices, counted(report.bad_indices.count, "element") +
                              " with a node outside 0 … " +
                              std::to_string(static_cast<long>(report.nodes) - 1) + " (" +
                              numbered("element", report.bad_indices) + "); repair the file");
  add(report.non_finite_nodes, counted(report.non_finite_nodes.count, "node") +
                                   " with a coordinate that is not a finite number (" +
                                   numbered("node", report.non_finite_nodes) +
                                   "); repair the file");
  add(report.degenerate,
      counted(report.degenerate.count, "panel") +
          " without area, on which nothing can be integrated (" +
          numbered("element", report.degenerate) + ", " + first_at(report.degenerate) +
          "); remove them by merging the nodes of their short edges (repair = [\"degenerate\"])");
  add(report.duplicates,
      counted(report.duplicates.count, "panel") + " with the same corners as an earlier one (" +
          numbered("element", report.duplicates) + ", " + first_at(report.duplicates) +
          "); keep one of each (repair = [\"duplicates\"])");
  if (!found.empty()) return found;  // further findings may only be consequences

  if (report.boundary_edges.count > 0)
    add(report.boundary_edges,
        "the surface is open: " + counted(report.boundary_edges.count, "edge") +
            " of one panel only (" + numbered("element", report.boundary_edges) + ", " +
            first_at(report.boundary_edges) + ")" + rims(mesh, symmetry) +
            advice(mesh, report.boundary_edges.count, symmetry));
  add(report.non_manifold_edges,
      "not a simple surface: " + counted(report.non_manifold_edges.count, "edge") +
          " shared by three panels or more (" + numbered("element", report.non_manifold_edges) +
          ", " + first_at(report.non_manifold_edges) +
          "); remove inner walls, separate bodies that touch along an edge, or wrap all panels in "
          "one closed surface (repair = [\"wrap\", \"remesh\"])");
  return found;
}

void require_sound(const SurfaceMesh& mesh, const MeshReport& report, const Symmetry& symmetry) {
  std::string message;
  for (const std::string& defect : defects(mesh, report, symmetry)) {
    message += (message.empty() ? "" : "\n") + defect;
  }
  if (!message.empty()) throw MeshError(message);
}

}  // namespace rankine::meshes
