#include "cases/input/read_mesh_input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

#include "cases/input/suggest.hpp"
#include "cases/input/words.hpp"
#include "rankine/meshes/shapes/sheets.hpp"

namespace rankine::cases {
namespace {

void read_shape(const Section& section, MeshInput& mesh) {
  mesh.shape = section.choice("shape", Shape::none, shape_words);
  mesh.panels = section.integer("panels", mesh.panels, between(4, most_panels));
  mesh.centre = section.vector("centre", mesh.centre);
  mesh.radius = section.number("radius", mesh.radius, positive());
  mesh.semi_axes = section.vector("semi_axes", mesh.semi_axes, positive());
  mesh.major_radius = section.number("major_radius", mesh.major_radius, positive());
  mesh.minor_radius = section.number("minor_radius", mesh.minor_radius, positive());
  mesh.size = section.vector("size", mesh.size, positive());
  mesh.length = section.number("length", mesh.length, positive());
  mesh.width = section.number("width", mesh.width, positive());
  mesh.grading = section.number("grading", is_sheet(mesh.shape) ? 3.0 : mesh.grading,
                                between(1.0, meshes::most_grading));
  const std::string reason = fmt::format("for the shape \"{}\"", word(shape_words, mesh.shape));
  refuse(section,
         {"file", "scale", "scripts", "panel_size", "panel_budget", "time_limit", "patches",
          "exclude", "repair", "merge_tolerance"},
         reason);
  const bool sheet = is_sheet(mesh.shape);
  if (mesh.shape != Shape::sphere && mesh.shape != Shape::disc && mesh.shape != Shape::tube)
    refuse(section, {"radius"}, reason);
  if (mesh.shape != Shape::plate && mesh.shape != Shape::tube) refuse(section, {"length"}, reason);
  if (mesh.shape != Shape::plate) refuse(section, {"width"}, reason);
  if (!sheet && mesh.shape != Shape::box) refuse(section, {"grading"}, reason);
  if (mesh.shape != Shape::ellipsoid) refuse(section, {"semi_axes"}, reason);
  if (mesh.shape != Shape::torus) refuse(section, {"major_radius", "minor_radius"}, reason);
  if (mesh.shape != Shape::box) refuse(section, {"size"}, reason);
  if (mesh.shape == Shape::torus && mesh.minor_radius >= mesh.major_radius) {
    section.fail("minor_radius", fmt::format("must be smaller than major_radius = {}, found {}",
                                             mesh.major_radius, mesh.minor_radius));
  }
}

meshes::Repairs read_repairs(const Section& section) {
  meshes::Repairs repairs;
  std::vector<std::string> known;
  for (const auto& each : repair_words) known.push_back(each.first);
  for (const std::string& found : section.texts("repair")) {
    const auto at = std::find(known.begin(), known.end(), found);
    if (at == known.end()) {
      section.fail("repair", fmt::format("is a list of {}, found \"{}\"{}", fmt::join(known, ", "),
                                         found, did_you_mean(found, known)));
    }
    repairs.*repair_words[static_cast<std::size_t>(at - known.begin())].second = true;
  }
  repairs.merge_tolerance =
      section.number("merge_tolerance", repairs.merge_tolerance, at_least(0.0));
  if (!repairs.merge && section.has("merge_tolerance") && repairs.merge_tolerance != 0.0)
    section.fail("merge_tolerance", "needs repair = [\"merge\"]");
  return repairs;
}

void read_patches(const Section& section, MeshInput& mesh) {
  for (const auto& [key, names, at] : {std::tuple{"patches", &mesh.patches, &mesh.patches_at},
                                       std::tuple{"exclude", &mesh.exclude, &mesh.exclude_at}}) {
    *names = section.texts(key);
    *at = section.position(key);
  }
  const std::set<std::string> kept(mesh.patches.begin(), mesh.patches.end());
  for (const std::string& name : mesh.exclude) {
    if (kept.count(name) == 0) continue;
    section.fail(
        "exclude",
        fmt::format("names \"{}\", which patches keeps; remove it from one of them", name));
  }
}

}  // namespace

MeshInput read_mesh_input(const Section& root, const std::filesystem::path& case_file) {
  root.require("mesh", "[mesh] file = \"body.msh\", or shape = \"sphere\"");
  const Section section = root.table(
      "mesh",
      {"file",         "shape",      "panels",          "radius",     "semi_axes", "major_radius",
       "minor_radius", "size",       "length",          "width",      "grading",   "centre",
       "scale",        "panel_size", "panel_budget",    "time_limit", "patches",   "exclude",
       "orient",       "repair",     "merge_tolerance", "scripts"});
  MeshInput mesh;
  mesh.scale = section.number("scale", mesh.scale, positive());
  mesh.scripts = section.boolean("scripts", mesh.scripts);
  mesh.panel_size = section.number("panel_size", mesh.panel_size, at_least(0.0));
  mesh.panel_budget = section.integer("panel_budget", mesh.panel_budget, between(4, most_panels));
  mesh.time_limit = section.number("time_limit", mesh.time_limit, positive());
  mesh.orient = section.choice("orient", mesh.orient, orient_words);
  mesh.repairs = read_repairs(section);
  read_patches(section, mesh);
  if (section.has("shape")) {
    read_shape(section, mesh);
  } else {
    section.require("file", "file = \"body.msh\", or shape = \"sphere\"");
    mesh.file = path_beside(case_file, section.text("file", {}));
    refuse(section,
           {"panels", "radius", "semi_axes", "major_radius", "minor_radius", "size", "length",
            "width", "grading", "centre"},
           "beside mesh.file: it belongs to a built-in shape");
  }
  return mesh;
}

}  // namespace rankine::cases
