#include "cases/input/read_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

#include "cases/input/words.hpp"

namespace rankine::cases {

void lift_keys(Keys& keys, LiftInput& lift) {
  keys.table("lift", "Wakes behind the sharp trailing edges of wings, and coefficients.");
  keys.key("wakes", lift.wakes,
           {"Without them a wing has no lift; false says that none is wanted, and ends warnings."});
  keys.names(
      "edges", lift.edges,
      {"Trailing edges: auto, a physical curve of the mesh, the wakes of a .vspgeom file, a file "
       "of points (.csv, or one of VTK) along them, or the two patches that meet there."});
  keys.check(lift.edges.size() == 1 || lift.edges.size() == 2, "edges",
             "is \"auto\", a curve, a file, or two patches");
  keys.key("wake", lift.wake, wake_words,
           {"Form of the wakes: straight, relaxed, so that they follow the flow, helical behind a "
            "[rotor], or of a file."});
  keys.only(lift.wake == WakeForm::file, "without wake = \"file\"");
  keys.key("wake_file", lift.wake_file,
           {.text = "Points of lines that go downstream, .csv with the columns line, x, y, z; all "
                    "lines have as many points. As wake_lines.csv of a relaxed wake.",
            .example = "wake_file = \"wake_lines.csv\""});
  keys.only();
  keys.key("direction", lift.direction, wake_direction_words,
           {"Of the wakes: along the stream, or along x, the axis of the body."});
  keys.key("kutta", lift.kutta, kutta_words,
           {"Condition at trailing edges: linear (finite velocities), or pressure (equal on both "
            "sides, 1 % of the chord in front of them). auto: linear."});
  keys.key(
      "edge_strip", lift.edge_strip,
      {"Cut the panels that touch trailing edges at one distance from them, so that panels there "
       "are equally deep on both sides."});
  keys.key("derivatives", lift.derivatives,
           {"Also solve for translations and rotations along all axes: derivatives.json, for "
            "rankine polar."});
  keys.check(lift.kutta != KuttaCondition::pressure || !lift.derivatives, "kutta",
             "is \"pressure\", but derivatives are those of the linear condition; leave one out");
  keys.key(
      "polars", lift.polars,
      {.text = "Drag of sections, .csv with the columns cl and cd, and y for several sections: "
               "the viscous drag of all strips.",
       .otherwise = "none"});
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

void rotor_keys(Keys& keys, RotorInput& rotor) {
  keys.table("rotor",
             "Bodies that turn about an axis along the stream, with helical wakes behind their "
             "trailing edges. Its presence asks for [lift].");
  keys.key("axis", rotor.axis,
           {.text = "Along the stream, or against it.", .otherwise = "that of the stream"});
  keys.key("centre", rotor.centre, {"A point on the axis.", "m"});
  keys.key("angular_velocity", rotor.angular_velocity,
           {.text = "As a right-hand screw about the axis.",
            .unit = "rad/s",
            .example = keys.gives("rpm") ? "" : "angular_velocity = 62.8, or rpm = 600.0"});
  keys.check(rotor.angular_velocity != 0.0, "angular_velocity",
             "is zero; leave [rotor] out, or give another");
  keys.key("rpm", rotor.rpm, {"Turns per minute, instead.", "1/min", {}, {}, {}, false});
  keys.check(!keys.gives("angular_velocity") && rotor.rpm != 0.0, "rpm",
             "is zero, or there beside angular_velocity; give one of the two that is not zero");
  if (rotor.rpm) rotor.angular_velocity = *rotor.rpm * std::numbers::pi / 30.0;
  keys.key("diameter", rotor.diameter,
           {"To which coefficients refer.", "m", positive(), "twice the largest radius"});
  keys.key("pitch", rotor.pitch,
           {"Of the wakes, along the axis per turn.", "m", positive(),
            "that of the flow at the blades"});
  keys.key("blades", rotor.blades,
           {"Their number, which is checked against the trailing edges of the mesh.", "",
            between(1, 1000), "what is found"});
  keys.key("images", rotor.images,
           {"The mesh is one blade with its part of the hub, open where the next part begins; the "
            "others are images by rotation. Needs blades."});
  keys.check(!rotor.images || rotor.blades.value_or(1) > 1, "images", "needs blades, 2 or more");
}

void control_keys(Keys& keys, ControlInput& control) {
  keys.table("control", "A control surface of a body with [lift], deflected by transpiration.",
             true);
  keys.key("name", control.name,
           {.text = "In derivatives.json and for rankine polar --control.",
            .example = "name = \"flap\""});
  const std::string& name = control.name;
  keys.check(name.size() > 1 && file_name_letters.find(name[0]) < 52 &&
                 name.find_first_not_of(file_name_letters) == std::string::npos,
             "name",
             fmt::format("needs two letters or more, digits, '-' and '_', found \"{}\"", name));
  keys.key("patch", control.patch,
           {.text = "Its panels are those of the patch aft of the hinge and, seen along x, between "
                    "the hinge's ends.",
            .example = "patch = \"body\""});
  keys.key(
      "hinge", control.hinge,
      {.text = "Two points. About the direction from the first to the second the surface turns "
               "as a right-hand screw: to starboard, its trailing edge goes down.",
       .unit = "m",
       .example = "hinge = [[0.7, -1.0, 0.0], [0.7, 1.0, 0.0]]"});
  keys.check(control.hinge.size() == 2 &&
                 norm(cross(control.hinge[1] - control.hinge[0], {1, 0, 0})) > 0.0,
             "hinge", "needs two points on a line that is not along x");
  keys.key("deflection", control.deflection, {"Angle.", "degrees", between(-90.0, 90.0)});
  control.where = keys.position("patch");
}

RotorInput read_rotor(const Section& root) {
  RotorInput rotor;
  rotor.given = root.has("rotor");
  if (rotor.given) read_keys(root.table("rotor"), rotor_keys, rotor);
  return rotor;
}

void turn_images(Case& flow_case) {
  const RotorInput& rotor = flow_case.rotor;
  flow_case.problem.symmetry = meshes::Symmetry::by_rotation(
      {flow_case.problem.velocity, rotor.centre, rotor.blades.value()});
  flow_case.mesh.sector = flow_case.mesh.shape == Shape::propeller;
}

LiftInput read_lift(const Section& root) {
  LiftInput lift;
  for (const Section& each : root.tables("control")) {
    read_keys(each, control_keys, lift.controls.emplace_back());
    const auto has_name = [&](const ControlInput& c) {
      return c.name == lift.controls.back().name;
    };
    if (std::count_if(lift.controls.begin(), lift.controls.end(), has_name) > 1 ||
        lift.controls.back().name == "alpha" || lift.controls.back().name == "beta")
      each.fail("name", fmt::format("\"{}\" is taken; give another", lift.controls.back().name));
  }
  const bool turns = root.has("rotor");
  if (turns) lift.wake = WakeForm::helical;
  lift.given = turns || root.has("lift");
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

namespace {

/// Throws InputError for a case whose flow is not steady in the frame of the rotor.
void check_rotor(const Section& root, const Case& flow_case) {
  const LiftInput& lift = flow_case.lift;
  const RotorInput& rotor = flow_case.rotor;
  if (!rotor.given) {
    if (lift.wake == WakeForm::helical)
      root.table("lift").fail("wake", "is helical behind a rotor; give [rotor]");
    return;
  }
  const Section section = root.table("rotor");
  const ProblemInput& problem = flow_case.problem;
  if (!lift.wakes || lift.wake != WakeForm::helical || lift.direction != WakeDirection::stream ||
      lift.kutta == KuttaCondition::pressure || lift.derivatives || !lift.controls.empty()) {
    root.table("lift").fail("wake",
                            "behind a rotor is helical, without direction, kutta = \"pressure\", "
                            "derivatives and [[control]]");
  }
  if (!all_of_type(flow_case.boundaries, BoundaryType::wall) || !problem.symmetry.empty() ||
      !problem.onset.flow.empty() || problem.mach > 0.0) {
    section.fail(
        "angular_velocity",
        "is that of walls that let no fluid through, in a uniform stream, without symmetry "
        "planes and mach; leave the rest out");
  }
  constexpr double parallel = 1e-6;
  const Vec3d axis = rotor.axis.value_or(problem.velocity);
  if (!(norm(cross(axis, problem.velocity)) < parallel * norm(axis) * norm(problem.velocity))) {
    section.fail("axis",
                 fmt::format("({:.6g}, {:.6g}, {:.6g}) is not along the stream: the flow would "
                             "change with time as blades turn; turn one of the two",
                             axis.x, axis.y, axis.z));
  }
}

}  // namespace

void check_lift(const Section& root, const Case& flow_case) {
  const std::vector<ControlInput>& controls = flow_case.lift.controls;
  const bool at_rest = all_of_type(flow_case.boundaries, BoundaryType::wall);
  if (!controls.empty() &&
      (!flow_case.lift.has_wakes() || !at_rest || flow_case.problem.mach > 0.0)) {
    root.tables("control").front().fail(
        "patch",
        "is a control surface, which needs [lift] with wakes, walls that let no fluid through and "
        "no mach; leave it out, or give these");
  }
  check_rotor(root, flow_case);
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
  const auto planes = problem.symmetry.planes();
  if (flow_case.lift.derivatives &&
      std::any_of(planes.begin(), planes.end(), [](const auto& plane) { return plane.sign < 0.0; }))
    section.fail("derivatives",
                 "are those of motions, which a plane of zero potential along the stream does not "
                 "allow; leave one of them out");
  if (problem.added_mass)
    section.fail("wakes", "do not go with problem.added_mass; solve for it in a case of its own");
  if (flow_case.verify.exact != ExactFlow::none)
    section.fail("wakes", "do not go with [verify], whose flows have none; leave one of them out");
}

std::string write_lift(const LiftInput& lift, const std::filesystem::path& folder) {
  if (!lift.given) return {};
  if (!lift.edges_file.empty()) {  // rewritten relative to `folder`
    LiftInput there = lift;
    there.edges = {std::filesystem::proximate(lift.edges_file, folder).generic_string()};
    there.edges_file.clear();
    return write_lift(there, folder);
  }
  const ReferenceInput& of = lift.reference;
  const bool refers = of.area || of.span || of.chord || of.centre;
  std::string text =
      write_keys(folder, lift_keys, lift) + (refers ? write_keys(folder, reference_keys, of) : "");
  for (const ControlInput& each : lift.controls) text += write_keys(folder, control_keys, each);
  return text;
}

}  // namespace rankine::cases
