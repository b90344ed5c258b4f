#include "cases/input/read_problem.hpp"

#include <algorithm>

#include "cases/input/words.hpp"

namespace rankine::cases {

void lift_keys(Keys& keys, LiftInput& lift) {
  keys.table("lift", "Wakes behind the sharp trailing edges of wings, and coefficients.");
  keys.key("wakes", lift.wakes,
           {"Without them a wing has no lift; false says that none is wanted, and ends warnings."});
  keys.names(
      "edges", lift.edges,
      {"Trailing edges: auto, a physical curve of the mesh, a file of points (.csv, or one of "
       "VTK) along them, or the two patches that meet there."});
  keys.check(lift.edges.size() == 1 || lift.edges.size() == 2, "edges",
             "is \"auto\", a curve, a file, or two patches");
  keys.key("direction", lift.direction, wake_direction_words,
           {"Of the wakes: along the stream, or along x, the axis of the body."});
  keys.key("derivatives", lift.derivatives,
           {"Also solve for translations and rotations along all axes: derivatives.json, for "
            "rankine polar."});
  keys.holds({"reference"});
}

void reference_keys(Keys& keys, ReferenceInput& reference) {
  keys.table("lift.reference",
             "To what coefficients refer: the whole wing, with its image in a symmetry plane "
             "normal to y.");
  keys.key("area", reference.area,
           {"Of the wing seen along z.", "m^2", positive(), "half the surface seen along z"});
  keys.key("span", reference.span,
           {"Of the wing.", "m", positive(), "of the trailing edges, along y"});
  keys.key("chord", reference.chord, {"For pitching moments.", "m", positive(), "area over span"});
  keys.key("centre", reference.centre,
           {.text = "Of moments.", .unit = "m", .otherwise = "problem.moment_centre"});
}

LiftInput read_lift(const Section& root) {
  LiftInput lift;
  lift.given = root.has("lift");
  if (!lift.given) return lift;
  const Section section = root.table("lift");
  read_keys(section, lift_keys, lift);
  const std::filesystem::path file = section.beside(lift.edges.front());
  if (lift.edges.size() == 1 && lift.names_edges() && std::filesystem::is_regular_file(file))
    lift.edges_file = file;
  if (section.has("reference"))
    read_keys(section.table("reference"), reference_keys, lift.reference);
  return lift;
}

void check_lift(const Section& root, const Case& flow_case) {
  if (!flow_case.lift.has_wakes()) return;
  const ProblemInput& problem = flow_case.problem;
  const Section section = root.table("lift");
  const bool walls = std::all_of(
      flow_case.boundaries.begin(), flow_case.boundaries.end(), [](const BoundaryInput& each) {
        const bool flux_given =
            each.type == BoundaryType::wall || each.type == BoundaryType::normal_velocity;
        return flux_given && !each.thin;
      });
  if (problem.kind != ProblemKind::flow || problem.domain != bem::Domain::exterior || !walls) {
    section.fail("wakes",
                 "are those of bodies at rest that have thickness, in a flow around them; leave "
                 "[lift] out, or the other conditions");
  }
  if (problem.velocity == Vec3d{})
    section.fail("wakes", "need a stream; give problem.velocity, or problem.alpha and speed");
  if (flow_case.solver.formulation != bem::Formulation::green)
    section.fail("wakes", "need solver.formulation = \"green\", which has potentials");
  if (problem.added_mass)
    section.fail("wakes", "do not go with problem.added_mass; solve for it in a case of its own");
  if (flow_case.verify.exact != ExactFlow::none)
    section.fail("wakes", "do not go with [verify], whose flows have none; leave one of them out");
}

std::string write_lift(const LiftInput& lift, const std::filesystem::path& folder) {
  if (!lift.given) return {};
  if (!lift.edges_file.empty()) {  // whose place is another from that folder
    LiftInput there = lift;
    there.edges = {std::filesystem::proximate(lift.edges_file, folder).generic_string()};
    there.edges_file.clear();
    return write_lift(there, folder);
  }
  const ReferenceInput& of = lift.reference;
  const bool refers = of.area || of.span || of.chord || of.centre;
  return write_keys(folder, lift_keys, lift) +
         (refers ? write_keys(folder, reference_keys, of) : "");
}

}  // namespace rankine::cases
