#include "cases/solve/mesh_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "cases/output/show.hpp"
#include "cases/solve/load_mesh.hpp"
#include "rankine/meshes/boundary_loops.hpp"
#include "rankine/meshes/patches.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

struct Named {
  const char* name;
  const meshes::Finding& finding;
};

std::vector<Named> findings(const meshes::MeshReport& report) {
  return {{"elements with a node that does not exist", report.bad_indices},
          {"nodes that are not finite", report.non_finite_nodes},
          {"degenerate panels", report.degenerate},
          {"duplicate panels", report.duplicates},
          {"open edges", report.boundary_edges},
          {"edges of more than two panels", report.non_manifold_edges},
          {"edges whose panels disagree on the normal", report.inconsistent_edges},
          {"unused nodes", report.unused_nodes}};
}

/// The rims of an open mesh; empty if it is closed or its topology is invalid.
std::vector<meshes::BoundaryLoop> rims(const meshes::SurfaceMesh& mesh,
                                       const meshes::MeshReport& report,
                                       const meshes::Symmetry& symmetry) {
  return report.boundary_edges.count > 0 ? meshes::boundary_loops(mesh, symmetry)
                                         : std::vector<meshes::BoundaryLoop>{};
}

std::string show(const meshes::BoundaryLoop& loop) {
  return fmt::format("{} edges, {:.4g} m long{}, around {:.4g} m", show_count(loop.edges),
                     loop.length, loop.flat ? ", flat" : "", loop.centre);
}

std::string show(const meshes::Finding& finding) {
  if (finding.count == 0) return "none";
  return fmt::format("{}: number {}{}, the first near {:.4g} m", show_count(finding.count),
                     fmt::join(finding.first, ", "),
                     finding.count > finding.first.size() ? ", ..." : "", finding.where);
}

/// The first panels, or fewer pairs of panels.
std::string show_first(const meshes::Flaw& flaw) {
  constexpr std::size_t most_pairs = 2;
  const bool pairs = !flaw.others.empty();
  const std::size_t shown = std::min(flaw.panels.first.size(), pairs ? most_pairs : std::size_t{5});
  std::string text;
  for (std::size_t k = 0; k < shown; ++k) {
    text += fmt::format("{}{}", k == 0 ? "" : ", ", flaw.panels.first[k]);
    if (pairs) text += fmt::format(" with {}", meshes::other_of(flaw, k));
  }
  return flaw.panels.count > shown ? text + ", ..." : text;
}

}  // namespace

std::string mesh_report_text(const meshes::SurfaceMesh& mesh, const meshes::MeshReport& report,
                             const meshes::Symmetry& symmetry, std::size_t images) {
  Table table({"quantity", "value"});
  table.add({"mesh", mesh.source});
  table.add({"panels",
             fmt::format("{} triangles, {} quadrilaterals", show_count(report.triangles / images),
                         show_count(report.quadrilaterals / images))});
  for (const auto& [name, count] : panels_per_patch(mesh))
    table.add({"patch " + name, show_count(count / images) + " panels"});
  if (images > 1) {
    table.add({"images by rotation",
               fmt::format("{}; the following lines are of the whole", images - 1)});
  }
  table.add({"nodes", show_count(report.nodes) + " "});
  table.add({"box", show_box(report.box)});
  table.add({"area", fmt::format("{:.6g} m^2", report.area)});
  table.add({"edges", fmt::format("{:.4g} .. {:.4g} m, mean {:.4g} m", report.min_edge,
                                  report.max_edge, report.mean_edge)});
  table.add({"largest aspect ratio", fmt::format("{:.3g} ", report.max_aspect)});
  for (std::size_t i = 0; i < report.bodies.size() && i < 10; ++i) {
    const meshes::Body& body = report.bodies[i];
    table.add({fmt::format("body {}", i + 1),
               fmt::format("{} panels, area {:.6g} m^2, signed volume {:.6g} m^3",
                           show_count(body.panels), body.area, body.volume)});
  }
  if (report.bodies.size() > 10)
    table.add({"more bodies", fmt::format("{} ", report.bodies.size() - 10)});
  table.add({"watertight", report.watertight() ? "yes" : "no"});
  if (report.plane_edges > 0)
    table.add({"edges in symmetry planes", show_count(report.plane_edges) + " "});
  const std::vector<meshes::BoundaryLoop> loops = rims(mesh, report, symmetry);
  for (std::size_t i = 0; i < loops.size() && i < 10; ++i)
    table.add({fmt::format("rim {}", i + 1), show(loops[i])});
  if (loops.size() > 10) table.add({"more rims", fmt::format("{} ", loops.size() - 10)});
  for (const auto& [name, finding] : findings(report)) table.add({name, show(finding)});
  return table.text();
}

Json mesh_report_json(const meshes::SurfaceMesh& mesh, const meshes::MeshReport& report,
                      const meshes::Symmetry& symmetry) {
  const auto array = [](const Vec3d& v) { return Json::array({v.x, v.y, v.z}); };
  Json patches = Json::object(), found = Json::object(), loops = Json::array();
  for (const meshes::BoundaryLoop& loop : rims(mesh, report, symmetry)) {
    loops.push_back({{"edges", loop.edges},
                     {"length", loop.length},
                     {"centre", array(loop.centre)},
                     {"closed", loop.closed},
                     {"flat", loop.flat}});
  }
  Json faces = Json::object();
  for (const meshes::FaceReport& face : meshes::report_faces(mesh)) {
    faces[meshes::face_name(face.face)] = {
        {"panels", face.panels}, {"area", face.area}, {"centre", array(face.centre)}};
  }
  for (const auto& [name, count] : panels_per_patch(mesh)) patches[name] = count;
  for (const auto& [name, finding] : findings(report)) found[name] = finding.count;
  return {
      {"path", mesh.source},
      {"panels", mesh.elements.size()},
      {"triangles", report.triangles},
      {"quadrilaterals", report.quadrilaterals},
      {"nodes", report.nodes},
      {"bodies", report.bodies.size()},
      {"patches", patches},
      {"faces", faces},
      {"box", {{"lower", array(report.box.lower)}, {"upper", array(report.box.upper)}}},
      {"volume", report.volume},
      {"area", report.area},
      {"edge", {{"min", report.min_edge}, {"mean", report.mean_edge}, {"max", report.max_edge}}},
      {"max_aspect", report.max_aspect},
      {"watertight", report.watertight()},
      {"plane_edges", report.plane_edges},
      {"rims", loops},
      {"findings", found}};
}

std::string faces_text(const meshes::SurfaceMesh& mesh) {
  constexpr std::size_t most_rows = 60;
  std::vector<meshes::FaceReport> faces = meshes::report_faces(mesh);
  if (faces.empty()) return {};
  const std::size_t count = faces.size();
  if (count > most_rows) {
    const auto larger = [](const auto& a, const auto& b) { return a.area > b.area; };
    std::stable_sort(faces.begin(), faces.end(), larger);
    faces.resize(most_rows);
  }
  Table table({"face", "panels", "area", "centre"});
  for (const meshes::FaceReport& face : faces) {
    table.add({meshes::face_name(face.face), show_count(face.panels),
               fmt::format("{:.4g} m^2", face.area), fmt::format("{:.4g} m", face.centre)});
  }
  if (count == faces.size()) return table.text();
  return fmt::format("{}the largest of {} faces; --json and check.vtp have all\n", table.text(),
                     show_count(count));
}

std::string flaws_text(const meshes::Inspection& inspection) {
  if (inspection.flaws.empty()) return {};
  Table table({"severity", "finding", "panels", "first", "worst"});
  std::string advices;
  for (const meshes::Flaw& flaw : inspection.flaws) {
    const std::string unit = meshes::measure(flaw.kind);
    table.add({to_string(flaw.severity), name(flaw.kind), show_count(flaw.panels.count),
               show_first(flaw), unit.empty() ? "" : fmt::format("{} {:.3g}", unit, flaw.worst)});
    advices += fmt::format("{}: {}\n", name(flaw.kind), advice(flaw.kind));
  }
  return table.text() + "\n" + advices;
}

Json flaws_json(const meshes::Inspection& inspection) {
  Json flaws = Json::array();
  for (const meshes::Flaw& flaw : inspection.flaws) {
    const Vec3d& where = flaw.panels.where;
    Json json{{"severity", to_string(flaw.severity)},
              {"finding", name(flaw.kind)},
              {"number", 1 + static_cast<int>(flaw.kind)},
              {"panels", flaw.panels.count},
              {"first", flaw.panels.first},
              {"where", Json::array({where.x, where.y, where.z})},
              {"advice", advice(flaw.kind)}};
    if (!flaw.others.empty()) json["with"] = flaw.others;
    const std::string unit = meshes::measure(flaw.kind);
    if (!unit.empty()) {
      json["worst"] = flaw.worst;
      json["worst_panel"] = flaw.worst_panel;
      json["measure"] = unit;
    }
    flaws.push_back(json);
  }
  return flaws;
}

void write_flaws(const std::filesystem::path& path, const meshes::SurfaceMesh& mesh,
                 const meshes::Inspection& inspection, meshes::Metadata about,
                 const EdgeMarks& edges) {
  meshes::Field finding{"finding", 1, {}};
  finding.values.assign(inspection.marked.begin(), inspection.marked.end());
  finding.values.resize(mesh.elements.size(), 0.0);
  std::vector<std::string> names;
  for (const meshes::Flaw& flaw : inspection.flaws)
    names.push_back(fmt::format("{} = {}", 1 + static_cast<int>(flaw.kind), name(flaw.kind)));
  about.emplace_back("findings", fmt::format("{}", fmt::join(names, ", ")));
  std::vector<meshes::Field> cells{std::move(finding)};
  if (!mesh.face.empty())
    cells.push_back({"face", 1, std::vector<double>(mesh.face.begin(), mesh.face.end())});
  for (meshes::Field& of_panels : cells)
    of_panels.values.insert(of_panels.values.begin(), edges.lines.size(), 0.0);
  for (meshes::Field field : edges.fields) {
    field.values.resize(edges.lines.size() + mesh.elements.size(), 0.0);
    cells.push_back(std::move(field));
  }
  if (!edges.lines.empty()) about.emplace_back("edges", edges.legend);
  meshes::write_surface_vtp(path, mesh, {cells, {}}, about, edges.lines);
}

}  // namespace rankine::cases
