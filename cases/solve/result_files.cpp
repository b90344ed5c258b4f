#include "cases/solve/result_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/read_case.hpp"
#include "cases/lift/lift_files.hpp"
#include "cases/output/view_script.hpp"
#include "cases/resources/processes.hpp"
#include "cases/solve/case_bodies.hpp"
#include "cases/solve/electrostatics.hpp"
#include "cases/solve/report.hpp"
#include "cases/solve/surface.hpp"
#include "cases/solve/views.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/vtk/surface_pieces.hpp"

namespace rankine::cases {
namespace {

constexpr auto surface_name = "surface.vtp", pieces_name = "surface.pvtp";

/// Several processes write a surface with more panels in pieces.
std::size_t most_panels_in_one_file() {
  constexpr std::size_t most = 5'000'000;
  const char* const text = std::getenv("RANKINE_PANELS_PER_FILE");
  return text == nullptr ? most : std::strtoull(text, nullptr, 10);
}

/// Every process writes its piece into the folder of the first one. False if this folder does not
/// exist on the machines of all.
bool write_pieces(const meshes::SurfaceMesh& mesh, const meshes::Fields& fields,
                  const meshes::Metadata& about, ResultsDirectory& results) {
  const auto rank = static_cast<std::size_t>(processes().rank()),
             ranks = static_cast<std::size_t>(processes().size()), panels = mesh.elements.size();
  std::vector<std::string> names;
  for (std::size_t r = 0; r < ranks; ++r) names.push_back("surface_" + std::to_string(r) + ".vtp");
  std::string folder;
  results.write(pieces_name, [&](const std::filesystem::path& path) {
    meshes::write_pieces_pvtp(path, fields, names);
    folder = path.parent_path().string();
  });
  folder = of_first_process(folder);
  double missing = std::filesystem::exists(folder) ? 0.0 : 1.0;
  processes().maximum(std::span(&missing, 1));
  if (missing > 0.0) {
    results.drop(pieces_name);
    return false;
  }
  agreed(processes(), [&] {
    const meshes::SurfacePiece piece =
        piece_of(mesh, fields, panels * rank / ranks, panels * (rank + 1) / ranks);
    write_surface_vtp(std::filesystem::path(folder) / names[rank], piece.mesh, piece.fields, about);
  });
  results.adopt(names);
  return true;
}

void write_surface(const meshes::SurfaceMesh& mesh, const meshes::Fields& fields,
                   const meshes::Metadata& about, ResultsDirectory& results) {
  if (is_shared() && mesh.elements.size() > most_panels_in_one_file() &&
      write_pieces(mesh, fields, about, results))
    return;
  results.write(surface_name, [&](const std::filesystem::path& path) {
    meshes::write_surface_vtp(path, mesh, fields, about);
  });
}

void write_lines(ResultsDirectory& results, const std::string& name,
                 const std::vector<Vec3d>& points, const std::vector<std::size_t>& sizes,
                 const meshes::Fields& fields, const meshes::Metadata& about) {
  throw_if_stopped();
  results.write(name + ".vtp", [&](const std::filesystem::path& path) {
    meshes::write_lines_vtp(path, points, sizes, fields, about);
  });
}

void write_sections(const SolvedCase& solved, const meshes::Fields& fields,
                    ResultsDirectory& results, Log& log) {
  const std::vector<SectionInput>& sections = solved.flow_case.output.sections;
  if (sections.empty()) return;
  const meshes::SurfaceMesh& mesh = solved.loaded.mesh;
  const CaseBodies bodies = find_case_bodies(solved.flow_case, mesh, solved.problem.panels);
  for (const SectionResult& section : cut_sections(sections, mesh, fields, bodies, log)) {
    results.write_text(section.name + ".csv", section_csv(section, mesh, bodies));
    write_lines(results, section.name, section.points, section.sizes, section.fields,
                metadata(solved.flow_case.title));
  }
}

}  // namespace

RunFiles files_of(const Case& flow_case, bool force) {
  const OutputInput& output = flow_case.output;
  RunFiles files{
      .inputs = {flow_case.path, flow_case.mesh.file, flow_case.problem.modes,
                 flow_case.lift.edges_file, flow_case.lift.wake_file, flow_case.lift.polars},
      .names = {surface_name, "residuals.csv", "case.resolved.toml", "view.py"},
      .force = force};
  if (is_shared()) {
    files.names.insert(pieces_name);
    files.series.insert(surface_name);
  }
  if (flow_case.problem.added_mass) files.names.insert({"added_mass.csv", "added_mass.json"});
  if (flow_case.problem.free_surface >= 0)
    files.names.insert({"added_mass_infinite.csv", "added_mass_infinite.json", "added_mass.nc"});
  if (flow_case.lift.has_wakes()) files.names.insert({"span_loading.csv", "wake.vtp"});
  if (flow_case.lift.has_wakes() && has_lines(flow_case.lift.wake))
    files.names.insert("wake_lines.csv");
  if (flow_case.lift.has_wakes() && flow_case.lift.derivatives)
    files.names.insert({derivatives_name, "derivatives.csv"});
  for (const BoundaryInput& each : flow_case.boundaries) files.inputs.push_back(each.file);
  for (const ProbeInput& probe : output.probes) {
    files.inputs.push_back(probe.file);
    files.names.insert(probe_file_name(probe));
  }
  for (const StreamlineInput& lines : output.streamlines) {
    files.inputs.push_back(lines.seeds.file);
    files.names.insert(lines.seeds.name + ".vtp");
  }
  for (const SectionInput& section : output.sections)
    files.names.insert({section.name + ".vtp", section.name + ".csv"});
  return files;
}

std::string surface_file(const ResultsDirectory& results) {
  const std::vector<std::string>& files = results.files();
  const bool pieces = std::find(files.begin(), files.end(), pieces_name) != files.end();
  return pieces ? pieces_name : surface_name;
}

void write_files(const SolvedCase& solved, ResultsDirectory& results, Log& log) {
  const Case& flow_case = solved.flow_case;
  const meshes::SurfaceMesh& mesh = solved.loaded.mesh;
  const meshes::Metadata about = metadata(flow_case.title);
  meshes::Fields fields = surface_fields(mesh, solved.problem, solved.solution, solved.errors);
  if (solved.media) add_fields(*solved.media, fields);
  write_surface(mesh, fields, about, results);
  if (solved.problem.lift) {
    results.write_text("span_loading.csv",
                       solved.rotor
                           ? rotor_loading_csv(solved.problem, solved.solution)
                           : span_loading_csv(solved.problem, solved.solution, *solved.lift));
    meshes::Fields on_wake;
    const meshes::SurfaceMesh wake = wake_mesh(solved.problem, solved.solution, on_wake);
    if (has_lines(solved.flow_case.lift.wake))
      results.write_text("wake_lines.csv", wake_lines_csv(*solved.problem.lift));
    results.write("wake.vtp", [&](const std::filesystem::path& path) {
      meshes::write_surface_vtp(path, wake, on_wake, about);
    });
  }
  if (solved.polar) {
    results.write_text(derivatives_name, derivatives_json(*solved.polar));
    results.write_text("derivatives.csv", derivatives_csv(*solved.polar));
  }
  for (const ProbeResult& probe : solved.views.probes) {
    throw_if_stopped();
    results.write(probe_file_name(probe.probe),
                  [&](const std::filesystem::path& path) { write_probe(path, probe, about); });
  }
  for (const StreamlineResult& lines : solved.views.streamlines)
    write_lines(results, lines.name, lines.points, lines.sizes, lines.fields, about);
  write_sections(solved, fields, results, log);
  const double density = solved.problem.density;
  for (const AddedMassMatrix& each : solved.added_mass) {
    results.write_text("added_mass" + each.limit + ".csv", added_mass_csv(each));
    results.write_text("added_mass" + each.limit + ".json", added_mass_json(each, density));
  }
  if (solved.added_mass.size() > 1)
    results.write_text("added_mass.nc", added_mass_netcdf(solved.added_mass, density));
  results.write_text("residuals.csv", residuals_csv(solved.solution));
  results.write_text("case.resolved.toml", write_case(flow_case, results.path()));
  results.write_text("view.py", view_script());
}

}  // namespace rankine::cases
