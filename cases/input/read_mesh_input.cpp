#include "cases/input/read_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "cases/input/words.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::cases {
namespace {

void shape_keys(Keys& keys, MeshInput& mesh, const std::string& reason) {
  using enum Shape;
  const auto only = [&](std::initializer_list<Shape> shapes) {
    keys.only(std::count(shapes.begin(), shapes.end(), mesh.shape) > 0, reason);
  };
  keys.only(mesh.shape != none, reason);
  keys.key("panels", mesh.panels,
           {"At least so many; of a wing or a blade also [around a section, along it].", "",
            between(4, most_panels)});
  keys.check(!mesh.panels.second || mesh.shape == wing || mesh.shape == propeller, "panels",
             "is one number for this shape; two are for a wing or a propeller");
  keys.key("centre", mesh.centre, {"Of a built-in shape; of a wing the nose of its root.", "m"});
  only({sphere, disc, tube});
  keys.key("radius", mesh.radius, {"Sphere, disc, tube.", "m", positive()});
  only({plate, tube});
  keys.key("length", mesh.length, {"Plate along x, tube along z.", "m", positive()});
  only({plate});
  keys.key("width", mesh.width, {"Plate along y.", "m", positive()});
  only({ellipsoid});
  keys.key("semi_axes", mesh.semi_axes, {"Ellipsoid.", "m", positive()});
  only({torus});
  keys.key("major_radius", mesh.major_radius, {"Torus: of the centre line.", "m", positive()});
  keys.key("minor_radius", mesh.minor_radius, {"Torus: of the tube.", "m", positive()});
  keys.check(mesh.shape != torus || mesh.minor_radius < mesh.major_radius, "minor_radius",
             fmt::format("must be smaller than major_radius = {}, found {}", mesh.major_radius,
                         mesh.minor_radius));
  only({box});
  keys.key("size", mesh.size, {"Box: its edges.", "m", positive()});
  only({wing});
  keys.key("section", mesh.section,
           {"Wing: four digits of NACA's series, or a file of points (Selig, Lednicer)."});
  keys.key("span", mesh.wing.span,
           {"Wing along y, between the sections at its tips.", "m", positive()});
  keys.key("chord", mesh.chord, {"Wing: one, or [root, tip].", "m", positive()});
  keys.key("sweep", mesh.wing.sweep,
           {"Wing: of the quarter-chord line, aft.", "degrees", between(-75.0, 75.0)});
  keys.key("dihedral", mesh.wing.dihedral,
           {"Wing: of the quarter-chord line, up.", "degrees", between(-75.0, 75.0)});
  keys.key("twist", mesh.wing.twist,
           {"Wing: of the tip against the root, about the quarter chord, nose up; linear between.",
            "degrees", between(-75.0, 75.0)});
  keys.key("tip", mesh.wing.tip, tip_words,
           {"Wing: closed flat, or by the half-thickness revolved about the camber line."});
  only({propeller});
  keys.key(
      "blade", mesh.blade,
      {.text = "Propeller: a .csv table of sections from the hub to the tip with the columns r "
               "(over R), chord, pitch (over D), thickness, camber (over the chord), and, if "
               "any, skew (degrees) and rake (over D).",
       .example = mesh.shape == propeller ? "blade = \"blade.csv\"" : "",
       .written = mesh.shape == propeller});
  keys.key("blades", mesh.blades, {"Propeller: their number.", "", between(1, 100)});
  keys.key("diameter", mesh.diameter, {"Propeller: of its blades.", "m", positive()});
  only({box, disc, plate, tube});
  if (keys.reading() && is_sheet(mesh.shape)) mesh.grading = 3.0;
  keys.key("grading", mesh.grading,
           {"Box, disc, plate, tube: above 1, panels are smaller towards edges and rims.", "",
            between(1.0, meshes::most_grading), "1 of a box, 3 of the others"});
}

}  // namespace

void mesh_keys(Keys& keys, MeshInput& mesh) {
  keys.table("mesh", "The surface: a mesh file or a geometry, or a built-in shape.");
  keys.key("shape", mesh.shape, shape_words,
           {.text = "A built-in shape. Disc, plate and tube have no thickness.",
            .written = mesh.shape != Shape::none});
  const bool file = mesh.shape == Shape::none;
  const std::string reason =
      file ? "beside mesh.file: it belongs to a built-in shape"
           : fmt::format("for the shape \"{}\"", word(shape_words, mesh.shape));
  keys.only(file, reason);
  keys.key("file", mesh.file,
           {.text = "msh geo step stp brep iges igs unv stl obj ply off mesh su2 vtk vtp vtu gdf "
                    "dat mar pnl vspgeom.",
            .example = "file = \"body.msh\", or shape = \"sphere\""});
  keys.key("scale", mesh.scale,
           {"File units to metres. STEP and IGES name their unit and are in metres before it.", "",
            positive()});
  keys.key("scripts", mesh.scripts, {"Run a .geo file, which is a script of Gmsh."});
  keys.key(
      "panel_size", mesh.panel_size,
      {"Largest panel edge of a geometry that is meshed, or edge after \"remesh\". 0: automatic.",
       "m", at_least(0.0)});
  keys.key(
      "panel_budget", mesh.panel_budget,
      {"Panels that the automatic size may take for a CAD file.", "", between(4, most_panels)});
  keys.key("time_limit", mesh.time_limit,
           {"Processor time for meshing a geometry, \"union\" and \"remesh\".", "s", positive()});
  keys.key("patches", mesh.patches,
           {"Only these patches of the file, by name or \"face 12\" of a CAD file. Empty: all."});
  keys.key("exclude", mesh.exclude,
           {"All patches but these: [\"farfield\"] keeps the hull of a flow solver's mesh."});
  for (const std::string& name : mesh.exclude) {
    keys.check(std::count(mesh.patches.begin(), mesh.patches.end(), name) == 0, "exclude",
               fmt::format("names \"{}\", which patches keeps; remove it from one of them", name));
  }
  mesh.patches_at = keys.position("patches");
  mesh.exclude_at = keys.position("exclude");
  std::vector<std::string> repairs;
  for (const auto& [text, member] : repair_words) {
    if (mesh.repairs.*member) repairs.push_back(text);
  }
  keys.words("repair", repairs, words_of(repair_words),
             {"Repairs of the mesh, made in this order."});
  for (const auto& [text, member] : repair_words)
    mesh.repairs.*member = std::count(repairs.begin(), repairs.end(), text) > 0;
  double& tolerance = mesh.repairs.merge_tolerance;
  keys.key("merge_tolerance", tolerance,
           {"Merge nodes so close, after scale. 0: a millionth of the diagonal of the mesh's box.",
            "m", at_least(0.0)});
  keys.check(mesh.repairs.merge || tolerance == 0.0, "merge_tolerance",
             "needs repair = [\"merge\"]");
  shape_keys(keys, mesh, reason);
  keys.only();
  keys.key("orient", mesh.orient, orient_words,
           {"Panels with normals into the body: reverse them, refuse them, or keep them."});
  keys.key(
      "sharp_angle", mesh.sharp_angle,
      {"Edges are sharp above this angle between normals, others are rounded by curved panels.",
       "degrees", between(0.0, 90.0), "45, or less if edges between patches are true ones"});
}

}  // namespace rankine::cases
