#include "cases/particles/read_particle_case.hpp"

#include <fmt/format.h>

#include <set>

#include "cases/input/read_case.hpp"
#include "cases/input/read_problem.hpp"
#include "cases/input/sha256.hpp"
#include "cases/input/sweep.hpp"
#include "cases/input/words.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

/// Octrees index points with 32 bits.
constexpr double most_particles = 1e9;

constexpr double default_tolerance = 1e-5;

const Choices<ProblemKind> particle_kinds{{"gravity", ProblemKind::gravity},
                                          {"vortex", ProblemKind::vortex}};

bool is_gravity(const ParticleCase& given) { return given.kind == ProblemKind::gravity; }
bool is_vortex(const ParticleCase& given) { return given.kind == ProblemKind::vortex; }

/// The generators of a kind; those of both kinds for any other.
Choices<Generator> generators_of(ProblemKind kind) {
  using enum Generator;
  if (kind == ProblemKind::gravity) {
    return {{"plummer", plummer},
            {"cube", cube},
            {"shell", shell},
            {"expanding", expanding},
            {"file", file}};
  }
  if (kind != ProblemKind::vortex) return generator_words;
  return {{"ring", ring}, {"cube", cube}, {"file", file}, {"none", none}};
}
Choices<TimeScheme> schemes_of(ProblemKind kind) {
  using enum TimeScheme;
  if (kind == ProblemKind::gravity) return {{"leapfrog", leapfrog}};
  if (kind != ProblemKind::vortex) return scheme_words;
  return {{"rk3", rk3}, {"rk2", rk2}};
}

std::string reason_of(ProblemKind kind) {
  return fmt::format("for the kind \"{}\"", word(kind_words, kind));
}

void particle_problem_keys(Keys& keys, ParticleCase& given) {
  keys.table("problem", "What moves.");
  keys.key("kind", given.kind, particle_kinds,
           {.text = "Bodies that attract each other, or vortex particles.",
            .example = "kind = \"gravity\", or \"vortex\""});
  keys.only(is_gravity(given), reason_of(given.kind));
  keys.key("gravitational_constant", given.gravitational_constant,
           {"Gravity: in the units of the case.", "", positive()});
  keys.only(is_vortex(given), reason_of(given.kind));
  keys.key("velocity", given.velocity, {"Vortex: of the stream that carries them.", "m/s"});
  symmetry_keys(keys, {{"x", {0, 1.0}}, {"y", {1, 1.0}}, {"z", {2, 1.0}}},
                "Vortex: planes normal to axes that end the model, walls without friction.",
                given.symmetry, given.symmetry_at);
  for (const meshes::SymmetryPlane& plane : given.symmetry.planes())
    keys.check(given.velocity[plane.axis] == 0.0, "velocity",
               "has a part through a symmetry plane; set it to zero, or leave the plane out");
}

void particle_keys(Keys& keys, ParticleCase& given) {
  using enum Generator;
  ParticleInput& input = given.particles;
  const Choices<Generator> generators = generators_of(given.kind);
  keys.table("particles", "The particles at the start.");
  keys.key(
      "generator", input.generator, generators,
      {.text = "Plummer's sphere; a cube at rest, or of random strengths; a shell of orbits; a "
               "sphere that expands at the speed of escape; rings; a file.",
       .example = fmt::format("generator = \"{}\", or \"file\"", generators.front().first)});
  const bool gravity = is_gravity(given),
             random = input.generator != ring && input.generator != file && input.generator != none;
  const std::string of_kind = reason_of(given.kind),
                    of_generator = fmt::format("for the generator \"{}\"",
                                               word(generator_words, input.generator));
  keys.only(input.generator == file, of_generator);
  keys.key(
      "file", input.file,
      {.text = "Columns x y z mass, perhaps vx vy vz; of vortices x y z gx gy gz sigma; a "
               ".vtp as in results; of bodies a .tipsy.",
       .example = gravity ? "file = \"bodies.csv\" (columns x y z mass vx vy vz), or a .vtp"
                          : "file = \"vortices.csv\" (columns x y z gx gy gz sigma), or a .vtp"});
  keys.only(random || input.generator == ring, of_generator);
  keys.key("n", input.count, {"At least so many in each ring.", "", between(1, most_particles)});
  keys.only(random, of_generator);
  keys.key("seed", input.seed, {"Of random numbers.", "", at_least(0)});
  keys.key("scale", input.scale,
           {"Scale length of Plummer's sphere; edge of the cube; radius of shell and sphere.", "m",
            positive()});
  keys.only(gravity && random, gravity ? of_generator : of_kind);
  keys.key("mass", input.mass, {"Gravity: of all bodies together.", "", positive()});
  keys.only(gravity, of_kind);
  keys.key("softening", input.softening,
           {"Gravity: Plummer's softening length.", "m", at_least(0.0)});
  keys.only(is_vortex(given), of_kind);
  keys.key("sigma", input.sigma,
           {.text = "Vortex: core radius of particles; of a file instead of its column.",
            .unit = "m",
            .range = positive(),
            .example = input.generator == file ? "" : "sigma = 0.05, the core radius, m",
            .written = input.sigma > 0.0});
  keys.key("core", input.core, core_words, {"Vortex."});
  keys.key("viscosity", input.viscosity,
           {"Vortex: kinematic. 0: they do not diffuse.", "m^2/s", at_least(0.0)});
  keys.key("diffusion", input.diffusion, diffusion_words,
           {"Vortex: strengths to neighbours and new particles, or larger cores."});
  keys.key("spacing", input.spacing,
           {"Vortex: of particles that redistribution adds. 0: sigma.", "m", at_least(0.0)});
  keys.key(
      "smagorinsky", input.smagorinsky,
      {"Vortex: C of an eddy viscosity (C spacing)^2 times the vorticity, about 0.2, for flows "
       "that particles do not resolve. 0: none.",
       "", at_least(0.0)});
  keys.key("most", input.most,
           {"Vortex: particles up to which redistribution or splitting adds some.", "",
            between(1, most_particles)});
  keys.key(
      "split", input.split,
      {.text = "Vortex: whether those that have become long are split, if none are redistributed.",
       .otherwise = "true without shedding"});
  keys.only();
  keys.holds({"ring"});
}

void ring_keys(Keys& keys, bem::VortexRing& ring) {
  keys.table("particles.ring", "A vortex ring. Without any, one with these values.", true);
  keys.key("radius", ring.radius, {"Of the ring.", "m", positive()});
  keys.key("circulation", ring.circulation, {"Right-handed about the axis.", "m^2/s"});
  keys.key("core_radius", ring.core_radius,
           {"a of exp(-s^2/a^2), filled with particles. 0: one line of them.", "m", at_least(0.0)});
  keys.key("centre", ring.centre, {"Of the ring.", "m"});
  keys.key("axis", ring.axis, {"Of any length."});
  keys.check(norm(ring.axis) > 0.0, "axis", "has no direction; give one, of any length");
}

void time_keys(Keys& keys, ParticleCase& given) {
  TimeInput& time = given.time;
  const Choices<TimeScheme> schemes = schemes_of(given.kind);
  keys.table("time", "Steps in time.");
  keys.key("step", time.step,
           {.text = "Length of one.", .unit = "s", .range = positive(), .example = "step = 0.01"});
  if (keys.reading()) time.scheme = schemes.front().second;
  keys.key(
      "scheme", time.scheme, schemes,
      {.text = "Of gravity leapfrog, of vortices rk3 or rk2.", .otherwise = "rk3 of vortices"});
  keys.only(is_vortex(given), reason_of(given.kind));
  keys.key("stretching", time.stretching, stretching_words, {"Vortex: form of that term."});
  keys.key("relaxation", time.relaxation,
           {.text = "Vortex: rate, over the vorticity, at which strengths turn towards it.",
            .range = at_least(0.0),
            .otherwise = "1 with shedding and redistribution, else 0"});
  keys.only();
  keys.key("steps", time.steps,
           {.text = "Number.",
            .range = at_least(1),
            .example = "steps = 1000",
            .written = time.steps > 0});
}

void shedding_keys(Keys& keys, BodyInput& body) {
  keys.table("shedding",
             "Vortex: the body sheds the vorticity of its slip, a particle per panel at the start "
             "and after every step.");
  keys.key("distance", body.shedding_distance,
           {"Of new particles from the wall.", "m", positive(), "particles.sigma"});
}

void motion_keys(Keys& keys, MotionInput& motion) {
  keys.table("motion", "Vortex: how bodies move. Without any, they are at rest.", true);
  keys.names("patch", motion.patches,
             {.text = "Patches of the mesh, of whole bodies; \"*\": all that are not named.",
              .example = "patch = \"body\", or \"*\" for every patch"});
  keys.key(
      "file", motion.file,
      {"Columns time, x, y, z, displacement, and rx, ry, rz, rotation by a vector; s, m, rad."});
  keys.only(motion.file.empty(), "with a file");
  keys.key("velocity", motion.steady.velocity, {"From the start on.", "m/s"});
  keys.key("angular_velocity", motion.steady.angular_velocity, {"From the start on.", "rad/s"});
  keys.only();
  keys.key("centre", motion.steady.centre, {"Of the rotation, at the start.", "m"});
  motion.where = keys.position("patch");
}

void particle_solver_keys(Keys& keys, ParticleCase& given) {
  BodyInput none;
  keys.table("solver", "How the equation of a body's panels is solved.");
  keys.key("backend", given.backend, backend_words, {"Where to compute."});
  keys.only(given.body.has_value(), "without [mesh], whose panels' equation it is of");
  keys.key("tolerance", given.body ? given.body->tolerance : none.tolerance,
           {"With a body: relative to the right-hand side.", "", between(1e-11, 0.1)});
}

void series_keys(Keys& keys, SeriesInput& output) {
  keys.table("output", "Where results go.");
  keys.key("directory", output.directory, {"Of the results."});
  keys.key("every", output.every,
           {"Steps between two output steps, each with a file of particles.", "", at_least(1)});
  keys.key("checkpoint_every", output.checkpoint_every,
           {"Steps between two checkpoints, at which sums are tuned again.", "", at_least(1)});
  keys.holds({"probe", "section", "streamlines"});
}

void read_particles(const Section& root, ParticleCase& given) {
  const Section section = root.table("particles");
  read_keys(section, particle_keys, given);
  const Generator generator = given.particles.generator;
  if (is_gravity(given)) section.refuse({"ring"}, reason_of(given.kind));
  if (generator != Generator::ring) {
    section.refuse({"ring"},
                   fmt::format("for the generator \"{}\"", word(generator_words, generator)));
  }
  if (given.particles.viscosity > 0.0 && !(given.particles.sigma > 0.0)) {
    section.fail("viscosity",
                 "is of particles that have one core radius at the start; add sigma, m, which a "
                 "file then need not have");
  }
  if (given.particles.spacing == 0.0) given.particles.spacing = given.particles.sigma;
  const std::vector<Section> rings = section.tables("ring");
  if (!rings.empty()) given.particles.rings.clear();
  Errors errors;
  for (const Section& each : rings)
    errors.collect([&] { read_keys(each, ring_keys, given.particles.rings.emplace_back()); });
  errors.raise();
}

/// Reads a body in the flow of vortices: [mesh] and [shedding].
void read_body(const Section& root, ParticleCase& given) {
  const bool sheds = root.has("shedding");
  if (given.particles.generator == Generator::none && !sheds) {
    root.fail("particles",
              "has the generator \"none\", and nothing else makes particles; add [mesh] and "
              "[shedding], or choose another generator");
  }
  if (!root.has("mesh")) {
    if (sheds) root.fail("shedding", "needs a wall; add [mesh]");
    if (root.has("motion")) root.fail("motion", "needs a body that moves; add [mesh]");
    return;
  }
  BodyInput& body = given.body.emplace();
  read_keys(root.table("mesh"), mesh_keys, body.mesh);
  if (is_sheet(body.mesh.shape))
    root.fail("mesh", "is a surface without thickness; vortices flow around closed bodies");
  body.sheds = sheds;
  if (sheds && !(given.particles.sigma > 0.0))
    root.fail("particles",
              "lacks sigma, the core radius of the particles that [shedding] makes, m");
  body.shedding_distance = given.particles.sigma;
  read_keys(root.table("shedding"), shedding_keys, body);
  Errors errors;
  for (const Section& each : root.tables("motion"))
    errors.collect([&] { read_keys(each, motion_keys, body.motions.emplace_back()); });
  errors.raise();
  const bool turns = std::any_of(body.motions.begin(), body.motions.end(),
                                 [](const MotionInput& each) { return each.turns(); });
  if (sheds && turns && given.time.stretching == bem::Stretching::transpose) {
    root.table("time").fail("stretching",
                            "is \"transpose\", which is wrong beside bodies that turn and shed; "
                            "give stretching = \"classic\"");
  }
}

void read_series(const Section& root, ParticleCase& given) {
  const Section section = root.table("output");
  section.refuse(
      {"section", "streamlines"},
      reason_of(given.kind) + ", whose series are of particles, of a body's surface and of probes");
  given.output.directory = root.beside(given.output.directory);
  std::set<std::string> names{"particles", "surface"};
  Errors errors;
  errors.collect([&] { read_keys(section, series_keys, given.output); });
  errors.collect([&] { given.output.probes = read_probes(section, names); });
  errors.raise();
}

/// All input that determines the trajectories, except checkpoints and the tolerance of the body.
std::string write_trajectory(const ParticleCase& given, const fs::path& folder) {
  std::string text =
      write_keys(folder, particle_problem_keys, given) + write_keys(folder, particle_keys, given);
  if (given.particles.generator == Generator::ring) {
    for (const bem::VortexRing& ring : given.particles.rings)
      text += write_keys(folder, ring_keys, ring);
  }
  if (given.body) text += write_keys(folder, mesh_keys, given.body->mesh);
  if (given.body && given.body->sheds) text += write_keys(folder, shedding_keys, *given.body);
  if (given.body) {
    for (const MotionInput& each : given.body->motions)
      text += write_keys(folder, motion_keys, each);
  }
  return text + write_keys(folder, fmm_keys, given.fmm) + write_keys(folder, time_keys, given);
}

}  // namespace

bool is_particle_case(const CaseFile& file, const std::vector<std::string>& overrides) {
  const Section root = Section::parse_file(file, overrides);
  const std::string kind = root.peek("problem", "kind");
  if (root.has("particles")) return true;
  for (const auto& [text, each] : kind_words) {
    if (text == kind) return has_particles(each);
  }
  return false;
}

ParticleCase read_particle_case(const CaseFile& file, const std::vector<std::string>& overrides) {
  const Section root = Section::parse_file(file, overrides);
  ParticleCase given;
  given.path = file;
  given.sha256 = sha256(file.text());
  given.title = file.place().stem().string();
  Errors errors;
  errors.collect([&] {
    read_keys(root, [&](Keys& keys) {
      head_keys(keys, given.title);
      keys.holds({"problem", "particles", "time", "solver", "fmm", "output", "mesh", "shedding",
                  "motion", "boundary", "verify", "sweep"});
    });
  });
  errors.collect([&] { read_keys(root.table("problem"), particle_problem_keys, given); });
  errors.raise();  // everything below depends on the kind
  const std::string reason = reason_of(given.kind) + ", which has particles";
  errors.collect([&] { root.refuse({"boundary", "verify"}, reason); });
  errors.collect([&] {
    if (is_gravity(given)) root.refuse({"mesh", "shedding", "motion"}, reason + " and no surface");
  });
  errors.collect([&] { static_cast<void>(read_sweep(root, particle_tables())); });
  errors.collect([&] { read_particles(root, given); });
  errors.collect([&] { read_keys(root.table("time"), time_keys, given); });
  errors.collect([&] { read_keys(root.table("fmm"), fmm_keys, given.fmm); });
  errors.collect([&] { read_series(root, given); });
  errors.raise();
  read_body(root, given);
  read_keys(root.table("solver"), particle_solver_keys, given);
  SolverInput defaults;  // the tolerance of sums is a tenth of its tolerance
  defaults.tolerance = given.body ? given.body->tolerance : 10.0 * default_tolerance;
  complete_fmm(root, defaults, given.fmm);
  return given;
}

std::string write_particle_case(const ParticleCase& given, const fs::path& folder) {
  return write_keys(folder,
                    [&](Keys& keys) {
                      std::string title = given.title;
                      head_keys(keys, title);
                    }) +
         write_trajectory(given, folder) + write_keys(folder, particle_solver_keys, given) +
         write_keys(folder, series_keys, given.output) + write_probes(given.output.probes, folder);
}

std::string trajectory_hash(const ParticleCase& given) {
  ParticleCase timeless = given;
  timeless.time.steps = 0;
  std::string text = write_trajectory(timeless, given.path.parent_path()) +
                     key_line("checkpoint_every", toml_text(given.output.checkpoint_every));
  if (given.body) text += key_line("tolerance", toml_text(given.body->tolerance));
  Sha256 hash;
  hash.add(text);
  return hash.digest();
}

std::vector<TableText> particle_tables() {
  ParticleCase any;
  any.kind = ProblemKind::flow;  // accepts the words of both kinds
  return {describe_keys(head_keys),
          describe_keys(particle_problem_keys),
          describe_keys(particle_keys, any),
          describe_keys(ring_keys),
          describe_keys(time_keys, any),
          describe_keys(mesh_keys),
          describe_keys(shedding_keys),
          describe_keys(motion_keys),
          describe_keys(particle_solver_keys, any),
          describe_keys(fmm_keys),
          describe_keys(series_keys),
          describe_keys(probe_keys),
          describe_keys(sweep_keys)};
}

}  // namespace rankine::cases
