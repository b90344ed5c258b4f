#include "cases/input/read_case.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/input/read_problem.hpp"
#include "cases/input/sha256.hpp"
#include "cases/input/suggest.hpp"
#include "cases/input/sweep.hpp"
#include "cases/input/words.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

void limit_keys(Keys& keys, VerifyInput& verify) {
  keys.table("verify.max_error", "Largest errors allowed. Beyond them the exit code is 5.");
  keys.key("potential_l2", verify.potential_l2, {"Relative.", "", positive()});
  keys.key("velocity_l2", verify.velocity_l2, {"Relative.", "", positive()});
  keys.key("velocity_max", verify.velocity_max, {"Relative.", "", positive()});
  keys.key("added_mass", verify.added_mass, {"Relative.", "", positive()});
}

void verify_keys(Keys& keys, VerifyInput& verify) {
  keys.table("verify", "An exact flow past walls at rest in a stream, to compare with.");
  keys.key("exact", verify.exact, exact_words,
           {.text = "For any direction of the stream.", .example = "exact = \"sphere-flow\""});
  keys.only(verify.exact == ExactFlow::sphere, "for \"ellipsoid-flow\"");
  keys.key("radius", verify.semi_axes.x,
           {"Of the sphere.", "m", positive(), "that of the built-in shape"});
  keys.only(verify.exact == ExactFlow::ellipsoid, "for \"sphere-flow\"");
  keys.key("semi_axes", verify.semi_axes,
           {"Of the ellipsoid.", "m", positive(), "those of the built-in shape"});
  keys.only();
  keys.key("centre", verify.centre, {"Of the body.", "m", {}, "that of the built-in shape"});
  keys.holds({"max_error"});
}

/// Fills in the defaults that follow from a built-in shape.
void complete_verify(const Section& root, Case& flow_case) {
  const Section section = root.table("verify");
  VerifyInput& verify = flow_case.verify;
  const MeshInput& mesh = flow_case.mesh;
  if (!all_of_type(flow_case.boundaries, BoundaryType::wall) ||
      flow_case.problem.velocity == Vec3d{}) {
    section.fail("exact",
                 "is the flow past walls at rest in a stream; remove [verify], or give "
                 "problem.velocity and walls alone");
  }
  if (!flow_case.problem.onset.flow.empty()) {
    section.fail("exact", fmt::format("is the flow past walls at rest in a stream alone; remove "
                                      "[verify], or {}",
                                      flow_case.problem.onset.first_name()));
  }
  if (flow_case.problem.mach > 0.0)
    section.fail("exact", "is an incompressible flow; remove [verify], or problem.mach");
  if (!section.has("centre")) verify.centre = mesh.centre;
  if (verify.exact == ExactFlow::sphere) {
    double radius = verify.semi_axes.x;
    if (!section.has("radius") && mesh.shape == Shape::sphere) radius = mesh.radius;
    verify.semi_axes = {radius, radius, radius};
  } else if (!section.has("semi_axes")) {
    if (mesh.shape != Shape::ellipsoid) section.require("semi_axes", "semi_axes = [3.0, 2.0, 1.0]");
    verify.semi_axes = mesh.semi_axes;
  }
}

std::string write_verify(VerifyInput verify, const fs::path& folder) {
  if (verify.exact == ExactFlow::none) return {};
  const std::string limits = write_inline([&](Keys& keys) { limit_keys(keys, verify); });
  return write_keys(folder, verify_keys, verify) +
         (limits.empty() ? "" : key_line("max_error", limits));
}

}  // namespace

void head_keys(Keys& keys, std::string& title) {
  int version = 1;
  keys.key("version", version, {.text = "Of the case file.", .example = "version = 1"});
  keys.check(version == 1, "version", fmt::format("must be 1, found {}", version));
  keys.key("title", title, {.text = "In the results.", .otherwise = "the name of the file"});
}

Case read_case(const CaseFile& file, const std::vector<std::string>& overrides) {
  const Section root = Section::parse_file(file, overrides);
  Case flow_case;
  flow_case.path = file;
  flow_case.sha256 = sha256(file.text());
  flow_case.title = file.place().stem().string();
  Errors errors;
  errors.collect([&] {
    read_keys(root, [&](Keys& keys) {
      head_keys(keys, flow_case.title);
      keys.holds({"mesh"}, "[mesh] file = \"body.msh\", or shape = \"sphere\"");
      keys.holds({"problem", "boundary", "lift", "control", "rotor", "solver", "fmm", "output",
                  "verify", "sweep"});
    });
  });
  const auto read = [&](const std::string& table, auto keys, auto& value) {
    errors.collect([&] {
      if (root.has(table)) read_keys(root.table(table), keys, value);
    });
  };
  read("mesh", mesh_keys, flow_case.mesh);
  errors.collect([&] { flow_case.boundaries = read_boundaries(root); });
  errors.collect([&] { flow_case.problem = read_problem(root); });
  errors.collect([&] { flow_case.lift = read_lift(root); });
  errors.collect([&] { flow_case.rotor = read_rotor(root); });
  read("solver", solver_keys, flow_case.solver);
  read("fmm", fmm_keys, flow_case.fmm);
  errors.collect([&] { flow_case.output = read_output(root); });
  errors.collect([&] { static_cast<void>(read_sweep(root, surface_tables())); });
  errors.collect([&] {
    if (!root.has("verify")) return;
    read_keys(root.table("verify"), verify_keys, flow_case.verify);
    read_keys(root.table("verify").table("max_error"), limit_keys, flow_case.verify);
  });
  errors.raise();
  for (const BoundaryInput& boundary : flow_case.boundaries)
    for (const std::string& patch : boundary.patches)
      flow_case.mesh.with_conditions.push_back(patch);
  for (const ControlInput& control : flow_case.lift.controls)
    flow_case.mesh.with_conditions.push_back(control.patch);
  complete_problem(root, flow_case);
  errors.collect([&] { complete_solver(root, flow_case); });
  errors.collect([&] { complete_fmm(root, flow_case.solver, flow_case.fmm); });
  errors.collect([&] { check_lift(root, flow_case); });
  if (flow_case.rotor.images) turn_images(flow_case);
  errors.collect([&] {
    if (root.has("verify")) complete_verify(root, flow_case);
  });
  errors.raise();
  return flow_case;
}

std::string write_case(const Case& flow_case, const fs::path& folder) {
  return write_keys(folder,
                    [&](Keys& keys) {
                      std::string title = flow_case.title;
                      head_keys(keys, title);
                    }) +
         write_keys(folder, mesh_keys, flow_case.mesh) + write_problem(flow_case, folder) +
         write_lift(flow_case.lift, folder) +
         (flow_case.rotor.given ? write_keys(folder, rotor_keys, flow_case.rotor) : "") +
         write_keys(folder, solver_keys, flow_case.solver) +
         write_keys(folder, fmm_keys, flow_case.fmm) + write_output(flow_case.output, folder) +
         write_verify(flow_case.verify, folder);
}

std::vector<TableText> surface_tables() {
  return {
      describe_keys(head_keys),     describe_keys(mesh_keys),       describe_keys(problem_keys),
      describe_keys(source_keys),   describe_keys(doublet_keys),    describe_keys(vortex_line_keys),
      describe_keys(boundary_keys), describe_keys(lift_keys),       describe_keys(reference_keys),
      describe_keys(control_keys),  describe_keys(rotor_keys),      describe_keys(solver_keys),
      describe_keys(fmm_keys),      describe_keys(output_keys),     describe_keys(probe_keys),
      describe_keys(section_keys),  describe_keys(streamline_keys), describe_keys(verify_keys),
      describe_keys(limit_keys),    describe_keys(sweep_keys)};
}

void check_patches(const Case& flow_case, const std::vector<std::string>& patch_names) {
  const auto require = [&](const std::string& patch, const std::string& where) {
    if (std::find(patch_names.begin(), patch_names.end(), patch) != patch_names.end()) return;
    throw InputError(fmt::format("{}: the mesh has no patch \"{}\"{}", where, patch,
                                 did_you_mean(patch, patch_names)));
  };
  for (const BoundaryInput& boundary : flow_case.boundaries) {
    if (boundary.is_for_all()) continue;
    for (const std::string& patch : boundary.patches) require(patch, boundary.where);
  }
  for (const ControlInput& control : flow_case.lift.controls) require(control.patch, control.where);
}

}  // namespace rankine::cases
