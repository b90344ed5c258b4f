#include "cases/solve/load_mesh.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include "cases/input/read_problem.hpp"
#include "cases/output/show.hpp"
#include "cases/solve/case_bodies.hpp"
#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/flow_domain.hpp"
#include "rankine/meshes/checks/sharp_edges.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/repair/clean.hpp"
#include "rankine/meshes/repair/separate.hpp"
#include "rankine/meshes/shapes/propeller.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"

namespace rankine::cases {

namespace {

meshes::SurfaceMesh make_wing(const MeshInput& input) {
  meshes::WingPlan plan = input.wing;
  plan.root_chord = input.chord.first;
  plan.tip_chord = input.chord.second.value_or(input.chord.first);
  const auto [around, along] = input.panels;
  return meshes::make_wing(
      along ? meshes::WingPanels{around, *along} : meshes::wing_panels(around, plan),
      input.section.file.empty() ? meshes::naca_section(input.section.digits)
                                 : meshes::read_section(input.section.file),
      plan, input.centre);
}

/// A propeller from a table of sections. By default there are twice as many panels around a section
/// as along the blade.
meshes::SurfaceMesh make_propeller(const MeshInput& input) {
  if (input.blade.empty())
    throw InputError("a propeller needs a table of the sections of its blades; give blade");
  const std::vector<Column> columns = read_columns(input.blade);
  const auto values = [&](const std::string& name, bool needed) {
    const auto at = std::find_if(columns.begin(), columns.end(),
                                 [&](const Column& each) { return each.name == name; });
    if (at != columns.end()) return at->values;
    if (needed) return pick_column(input.blade, name).values;  // its error lists the columns
    return std::vector<double>(columns.front().values.size(), 0.0);
  };
  const std::vector<double> r = values("r", true), chord = values("chord", true),
                            pitch = values("pitch", true), thickness = values("thickness", true),
                            camber = values("camber", true), skew = values("skew", false),
                            rake = values("rake", false);
  meshes::PropellerPlan plan{
      .diameter = input.diameter, .blades = input.blades, .sections = {}, .sector = input.sector};
  for (std::size_t i = 0; i < r.size(); ++i)
    plan.sections.push_back({r[i], chord[i], pitch[i], thickness[i], camber[i], skew[i], rake[i]});
  const auto [around, along] = input.panels;
  const int half = static_cast<int>(std::ceil(std::sqrt(0.5 * around / input.blades)));
  return meshes::make_propeller(along
                                    ? meshes::WingPanels{around, *along}
                                    : meshes::WingPanels{std::max(8, 2 * half), std::max(4, half)},
                                plan, input.centre);
}

void describe_reading(const meshes::SurfaceMesh& mesh, Log& log) {
  for (const std::string& note : mesh.notes) log.fact("read", note);
  for (const std::string& warning : mesh.warnings) log.warning(warning);
}

}  // namespace

meshes::SurfaceMesh make_shape(const MeshInput& input) {
  const int panels = input.panels.first;
  switch (input.shape) {
    case Shape::ellipsoid:
      return meshes::make_ellipsoid(panels, input.semi_axes, input.centre);
    case Shape::torus:
      return meshes::make_torus(panels, input.major_radius, input.minor_radius, input.centre);
    case Shape::box:
      return meshes::make_box(panels, input.size, input.centre, meshes::PanelKind::quadrilaterals,
                              input.grading);
    case Shape::disc:
      return meshes::make_disc(panels, input.radius, input.centre, input.grading);
    case Shape::plate:
      return meshes::make_plate(panels, input.length, input.width, input.centre, input.grading);
    case Shape::tube:
      return meshes::make_tube(panels, input.radius, input.length, input.centre, input.grading);
    case Shape::wing:
      return make_wing(input);
    case Shape::propeller:
      return make_propeller(input);
    default:
      return meshes::make_sphere(panels, input.radius, input.centre);
  }
}

meshes::SurfaceMesh read_or_make(const MeshInput& input, Log& log) {
  const meshes::ReadOptions options{
      .scale = input.scale,
      .scripts = input.scripts,
      .size = input.panel_size,
      .panel_budget = static_cast<double>(input.panel_budget),
      .time_limit = input.time_limit,
      .progress = [&](const std::string& text) { log.progress(text); },
      .repairs = input.repairs,
      .sharp_angle = input.sharp_angle * std::numbers::pi / 180.0,
      .patches = {input.patches, input.exclude, input.with_conditions}};
  meshes::SurfaceMesh mesh;
  try {
    mesh = input.shape == Shape::none ? meshes::read_mesh(input.file, options) : make_shape(input);
  } catch (const meshes::NoSuchPatch& unknown) {
    const std::string& at = unknown.kept ? input.patches_at : input.exclude_at;
    throw InputError(fmt::format("{}: {}", at, unknown.what()));
  }
  describe_reading(mesh, log);
  return mesh;
}

void apply(const RepairArguments& arguments, MeshInput& input) {
  if (!arguments.repairs && !arguments.merge_tolerance) return;
  if (input.shape != Shape::none)
    throw InputError("--repair has no meaning for a built-in shape; leave it out");
  if (arguments.repairs) {
    const double tolerance = input.repairs.merge_tolerance;
    input.repairs = *arguments.repairs;
    input.repairs.merge_tolerance = tolerance;
  }
  if (arguments.merge_tolerance) input.repairs.merge_tolerance = *arguments.merge_tolerance;
  if (arguments.merge_tolerance && !input.repairs.merge)
    throw InputError("--merge-tolerance needs --repair merge");
}

namespace {

/// Warns of a file that declares part of a body if the case has no such symmetry.
void warn_of_halves(const meshes::SurfaceMesh& mesh, const meshes::Symmetry& symmetry, Log& log) {
  std::string words;
  for (const char axis : mesh.half_about) {
    bool given = false;
    for (const meshes::SymmetryPlane& plane : symmetry.planes())
      given = given || "xyz"[plane.axis] == axis;
    if (!given) words += fmt::format("{}\"{}\"", words.empty() ? "" : ", ", axis);
  }
  if (words.empty()) return;
  log.warning(
      fmt::format("{} says to hold {} of a body that is symmetric about {}, and is taken as it is; "
                  "problem.symmetry with {} adds the other part",
                  mesh.source, mesh.half_about.size() == 2 ? "a quarter" : "half",
                  mesh.half_about == "x"   ? "x = 0"
                  : mesh.half_about == "y" ? "y = 0"
                                           : "x = 0 and y = 0",
                  words));
}

}  // namespace

void meet_planes(meshes::SurfaceMesh& mesh, const ProblemInput& problem, Log& log) {
  warn_of_halves(mesh, problem.symmetry, log);
  if (problem.symmetry.empty()) return;
  const meshes::MeshReport report = meshes::check_mesh(mesh);
  if (report.bad_indices.count > 0 || report.non_finite_nodes.count > 0)
    meshes::require_sound(mesh, report);
  if (problem.symmetry.rotation()) {
    mesh = meshes::with_halo(mesh, problem.symmetry).mesh;
    return;
  }
  try {
    for (const std::string& note : meshes::meet_planes(mesh, problem.symmetry)) log.warning(note);
  } catch (const MeshError& error) {
    throw MeshError(fmt::format("{}: {}", problem.symmetry_at, error.what()));
  }
}

meshes::Symmetry symmetry_of_checks(const ProblemInput& problem) {
  return problem.symmetry.rotation() ? meshes::Symmetry{} : problem.symmetry;
}

void keep_sector(LoadedMesh& loaded, const meshes::Symmetry& symmetry) {
  if (!symmetry.rotation()) return;
  const std::size_t all = loaded.mesh.elements.size(),
                    own = all / static_cast<std::size_t>(symmetry.images());
  std::vector<bool> gone(all, true);
  std::fill_n(gone.begin(), own, false);
  meshes::drop_elements(loaded.mesh, gone);
  meshes::drop_unused_nodes(loaded.mesh);
  count_again(loaded);
}

void count_again(LoadedMesh& loaded) {
  const meshes::SurfaceMesh& mesh = loaded.mesh;
  meshes::MeshReport& report = loaded.report;
  report.connections = std::make_shared<const meshes::Connections>(mesh);
  report.bodies.resize(static_cast<std::size_t>(report.connections->bodies.count));
  report.triangles = static_cast<std::size_t>(std::count_if(
      mesh.elements.begin(), mesh.elements.end(),
      [](const meshes::Element& element) { return meshes::corner_count(element) == 3; }));
  report.quadrilaterals = mesh.elements.size() - report.triangles;
  report.nodes = mesh.nodes.size();
}

meshes::Nested nested_in(const Case& flow_case) {
  return has_media(flow_case) ? meshes::Nested::bodies : meshes::Nested::cavities;
}

void mark_thin(meshes::SurfaceMesh& mesh, const Case& flow_case, Log& log) {
  if (!any_is_thin(flow_case.boundaries)) return;
  for (const std::size_t boundary : boundary_of_patch(flow_case, mesh.patch_names))
    mesh.thin.push_back(flow_case.boundaries[boundary].thin ? 1 : 0);
  if (walls_are_thin(flow_case.problem.kind, flow_case.boundaries)) {
    if (const std::size_t cut = meshes::cut_quadrilaterals(mesh); cut > 0) {
      log.fact("read", fmt::format("{} quadrilaterals of walls without thickness cut in two",
                                   show_count(cut)));
    }
  }
}

std::string mesh_input_of(const Case& flow_case) {
  std::string text = write_keys(flow_case.path.parent_path(), mesh_keys, flow_case.mesh);
  for (const std::string& patch : flow_case.mesh.with_conditions) text += patch + "\n";
  if (flow_case.mesh.sector) text += "sector\n";
  return text;
}

LoadedMesh load_mesh(const Case& flow_case, Log& log, MeshStore* store) {
  if (store == nullptr) return prepare_mesh(read_or_make(flow_case.mesh, log), flow_case, log);
  const std::string input = mesh_input_of(flow_case);
  if (store->input == input) {
    describe_reading(store->mesh, log);
  } else {
    store->input.clear();
    store->mesh = read_or_make(flow_case.mesh, log);
    store->input = input;
  }
  return prepare_mesh(store->mesh, flow_case, log);
}

LoadedMesh prepare_mesh(meshes::SurfaceMesh mesh, const Case& flow_case, Log& log) {
  LoadedMesh loaded{std::move(mesh), {}};
  const meshes::Symmetry symmetry = symmetry_of_checks(flow_case.problem);
  mark_thin(loaded.mesh, flow_case, log);
  meet_planes(loaded.mesh, flow_case.problem, log);
  meshes::Orientation orientation =
      meshes::orient(loaded.mesh, flow_case.mesh.orient, symmetry, nested_in(flow_case));
  for (const std::string& note : orientation.notes) log.warning(note);
  loaded.report = std::move(orientation.report);
  settle_edges(loaded, flow_case, log);
  loaded.inspection = meshes::inspect(loaded.mesh, *loaded.report.connections, symmetry);
  warn_of_flaws(loaded.mesh, loaded.inspection, log);
  warn_of_domain(loaded, flow_case, log);
  meshes::require_meaningful(loaded.mesh, loaded.inspection);
  keep_sector(loaded, flow_case.problem.symmetry);
  return loaded;
}

void warn_of_flaws(const meshes::SurfaceMesh& mesh, const meshes::Inspection& inspection,
                   Log& log) {
  for (const meshes::Flaw& flaw : inspection.flaws) {
    if (flaw.severity == meshes::Severity::warning) log.warning(meshes::describe(mesh, flaw));
  }
}

void settle_edges(LoadedMesh& loaded, const Case& flow_case, Log& log) {
  constexpr double degrees = 180.0 / std::numbers::pi;
  const meshes::SharpEdges edges = meshes::choose_sharp_angle(
      loaded.mesh, loaded.report.connections->edges, flow_case.mesh.sharp_angle / degrees);
  if (edges.kept > 0) {
    log.fact("edges", fmt::format("{} edges of {:.3g} .. {:.3g} degrees {}stay sharp",
                                  show_count(edges.kept), degrees * edges.least_kept,
                                  degrees * edges.most_kept,
                                  flow_case.mesh.sharp_angle > 0.0 ? "" : "between patches "));
  }
  if (edges.rounded > 0 && flow_case.solver.panels == bem::PanelGeometry::curved) {
    log.fact("edges", fmt::format("{} edges of 15 .. {:.3g} degrees are rounded by curved panels; "
                                  "mesh.sharp_angle keeps those above it",
                                  show_count(edges.rounded), degrees * edges.most_rounded));
  }
}

bool passes_through_itself(const LoadedMesh& loaded) {
  return std::ranges::any_of(loaded.inspection.flaws, [](const meshes::Flaw& flaw) {
    return flaw.kind == meshes::FlawKind::surface_crosses;
  });
}

void settle_formulation(const LoadedMesh& loaded, Case& flow_case, Log& log) {
  SolverInput& solver = flow_case.solver;
  const bool conductors =
      flow_case.problem.kind == ProblemKind::electrostatics && !has_media(flow_case);
  if (solver.formulation == bem::Formulation::source && !conductors) {
    const std::size_t edges = meshes::touching_edges(loaded.mesh);
    if (edges > 0) {
      throw InputError(fmt::format(
          "solver.formulation: bodies touch along {} edges, through which \"source\" lets the "
          "fluid pass; use \"green\", or leave a gap of a panel",
          show_count(edges)));
    }
  }
  const bool crosses = passes_through_itself(loaded);
  if (crosses && flow_case.problem.added_mass) {
    throw InputError(
        "problem.added_mass: the surface passes through itself, and potentials on its panels "
        "within the body have no meaning; mesh its outside alone");
  }
  if (!crosses || solver.formulation != bem::Formulation::green ||
      flow_case.problem.domain != bem::Domain::exterior || flow_case.lift.has_wakes())
    return;
  if (solver.formulation_is_given) {
    throw InputError(
        "solver.formulation: \"green\" is wrong where a surface passes through itself, as this "
        "one does; leave it out, or use \"source\"");
  }
  solver.formulation = bem::Formulation::source;
  log.fact("equation", "sources, since the surface passes through itself");
}

void warn_of_domain(const LoadedMesh& loaded, const Case& flow_case, Log& log) {
  const ProblemInput& problem = flow_case.problem;
  if (problem.kind != ProblemKind::flow || problem.domain != bem::Domain::exterior) return;
  if (const auto domain = meshes::find_flow_domain(loaded.mesh, loaded.report))
    log.warning(meshes::describe(loaded.mesh, *domain));
}

void describe_mesh(const LoadedMesh& loaded, const meshes::Symmetry& symmetry, Log& log) {
  const meshes::MeshReport& report = loaded.report;
  log.fact("mesh", fmt::format("{}: {} panels, {} nodes, {} {}", loaded.mesh.source,
                               show_count(loaded.mesh.elements.size()),
                               show_count(loaded.mesh.nodes.size()), report.bodies.size(),
                               report.bodies.size() == 1 ? "body" : "bodies"));
  std::string patches;
  for (const auto& [name, count] : panels_per_patch(loaded.mesh)) {
    patches += fmt::format("{}{} ({})", patches.empty() ? "" : ", ", name, show_count(count));
  }
  log.fact("patches", patches);
  log.fact("box", show_box(report.box));
  if (symmetry.rotation()) {
    log.fact("images", fmt::format("{} by rotation about ({:.4g}); volume and area are those of "
                                   "all, results.force that of the part that is modelled",
                                   symmetry.images(), symmetry.rotation()->axis));
  } else if (!symmetry.empty()) {
    std::string planes;
    for (const meshes::SymmetryPlane& plane : symmetry.planes())
      planes += fmt::format("{}{} m ({})", planes.empty() ? "" : ", ", meshes::name(plane),
                            plane.sign > 0.0 ? "symmetric" : "zero potential");
    log.fact("planes",
             fmt::format("{}; {} edges end there; volume, area and forces are those of the "
                         "part that is modelled",
                         planes, show_count(report.plane_edges)));
  }
  log.fact("body", fmt::format("volume {:.6g} m^3, area {:.6g} m^2", report.volume, report.area));
}

std::vector<std::pair<std::string, std::int64_t>> panels_per_patch(
    const meshes::SurfaceMesh& mesh) {
  std::vector<std::pair<std::string, std::int64_t>> counts;
  for (const std::string& name : mesh.patch_names) counts.emplace_back(name, 0);
  for (const std::int32_t patch : mesh.patch) ++counts[static_cast<std::size_t>(patch)].second;
  return counts;
}

}  // namespace rankine::cases
