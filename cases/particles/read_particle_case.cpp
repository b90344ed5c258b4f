#include "cases/particles/read_particle_case.hpp"

#include <fmt/format.h>

#include <set>

#include "cases/input/case_writer.hpp"
#include "cases/input/read_fmm.hpp"
#include "cases/input/read_output.hpp"
#include "cases/input/sha256.hpp"
#include "cases/input/words.hpp"
#include "cases/input/write_case.hpp"
#include "cases/particles/read_body.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

/// Octrees number points in 32 bits.
constexpr double most_particles = 1e9;

constexpr double default_tolerance = 1e-5;

const Choices<ProblemKind> particle_kinds{{"gravity", ProblemKind::gravity},
                                          {"vortex", ProblemKind::vortex}};

/// What belongs to one of the kinds.
struct KindWords {
  Choices<Generator> generators;
  Choices<TimeScheme> schemes;
  std::vector<std::string> foreign_problem, foreign_particles, foreign_time;  ///< keys of the other
};

KindWords words_of(ProblemKind kind) {
  using enum Generator;
  using enum TimeScheme;
  if (kind == ProblemKind::gravity) {
    return {{{"plummer", plummer}, {"cube", cube}, {"file", file}},
            {{"leapfrog", leapfrog}},
            {"velocity"},
            {"sigma", "core", "ring"},
            {"stretching"}};
  }
  return {{{"ring", ring}, {"cube", cube}, {"file", file}, {"none", none}},
          {{"rk3", rk3}, {"rk2", rk2}},
          {"gravitational_constant"},
          {"mass", "softening"},
          {}};
}

std::string reason_of(ProblemKind kind) {
  return fmt::format("for the kind \"{}\"", word(kind_words, kind));
}

void read_problem(const Section& root, ParticleCase& given) {
  const Section section = root.table("problem", {"kind", "gravitational_constant", "velocity"});
  section.require("kind", "kind = \"gravity\", or \"vortex\"");
  given.kind = section.choice("kind", given.kind, particle_kinds);
  refuse(section, words_of(given.kind).foreign_problem, reason_of(given.kind));
  given.gravitational_constant =
      section.number("gravitational_constant", given.gravitational_constant, positive());
  given.velocity = section.vector("velocity", given.velocity);
}

bem::VortexRing read_ring(const Section& section) {
  bem::VortexRing ring;
  ring.radius = section.number("radius", ring.radius, positive());
  ring.circulation = section.number("circulation", ring.circulation);
  ring.core_radius = section.number("core_radius", ring.core_radius, at_least(0.0));
  ring.centre = section.vector("centre", ring.centre);
  ring.axis = section.vector("axis", ring.axis);
  if (!(norm(ring.axis) > 0.0)) section.fail("axis", "has no direction; give one, of any length");
  return ring;
}

void read_rings(const Section& section, ParticleInput& input) {
  const std::vector<Section> rings =
      section.tables("ring", {"radius", "circulation", "core_radius", "centre", "axis"});
  if (rings.empty()) return;
  input.rings.clear();
  for (const Section& each : rings) input.rings.push_back(read_ring(each));
}

/// Refuses what the generator does not take, and asks for what it needs.
void check_generator(const Section& section, const ParticleInput& input, ProblemKind kind) {
  const std::string reason =
      fmt::format("for the generator \"{}\"", word(generator_words, input.generator));
  if (input.generator == Generator::file) {
    section.require("file",
                    kind == ProblemKind::gravity
                        ? "file = \"bodies.csv\" (columns x y z mass vx vy vz), or a .vtp"
                        : "file = \"vortices.csv\" (columns x y z gx gy gz sigma), or a .vtp");
    refuse(section, {"n", "seed", "mass", "scale", "ring"}, reason);
    return;
  }
  refuse(section, {"file"}, reason);
  if (input.generator != Generator::ring) refuse(section, {"ring"}, reason);
  if (input.generator == Generator::ring) refuse(section, {"seed", "scale"}, reason);
  if (input.generator == Generator::none) refuse(section, {"n", "seed", "scale"}, reason);
  if (kind == ProblemKind::vortex) section.require("sigma", "sigma = 0.05, the core radius, m");
}

ParticleInput read_particles(const Section& root, const fs::path& file, ProblemKind kind) {
  const Section section = root.table("particles", {"generator", "file", "n", "seed", "mass",
                                                   "scale", "softening", "sigma", "core", "ring"});
  const KindWords words = words_of(kind);
  section.require("generator",
                  fmt::format("generator = \"{}\", or \"file\"", words.generators.front().first));
  refuse(section, words.foreign_particles, reason_of(kind));
  ParticleInput input;
  input.generator = section.choice("generator", input.generator, words.generators);
  check_generator(section, input, kind);
  if (section.has("file")) input.file = path_beside(file, section.text("file", {}));
  input.count = section.integer("n", input.count, between(1, most_particles));
  input.seed = section.integer("seed", input.seed, at_least(0));
  input.mass = section.number("mass", input.mass, positive());
  input.scale = section.number("scale", input.scale, positive());
  input.softening = section.number("softening", input.softening, at_least(0.0));
  input.sigma = section.number("sigma", input.sigma, positive());
  input.core = section.choice("core", input.core, core_words);
  read_rings(section, input);
  return input;
}

TimeInput read_time(const Section& root, ProblemKind kind) {
  const Section section = root.table("time", {"step", "steps", "scheme", "stretching"});
  const KindWords words = words_of(kind);
  section.require("step", "step = 0.01");
  section.require("steps", "steps = 1000");
  refuse(section, words.foreign_time, reason_of(kind));
  TimeInput time;
  time.step = section.number("step", time.step, positive());
  time.steps = section.integer("steps", time.steps, at_least(1));
  time.scheme = section.choice("scheme", words.schemes.front().second, words.schemes);
  time.stretching = section.choice("stretching", time.stretching, stretching_words);
  return time;
}

SeriesInput read_output(const Section& root, const fs::path& file, ProblemKind kind) {
  const Section section = root.table(
      "output", {"directory", "every", "checkpoint_every", "probe", "section", "streamlines"});
  refuse(section, {"section", "streamlines"},
         reason_of(kind) + ", whose series are of particles, of a body's surface and of probes");
  SeriesInput output;
  output.directory = path_beside(file, section.text("directory", "results"));
  output.every = section.integer("every", output.every, at_least(1));
  output.checkpoint_every =
      section.integer("checkpoint_every", output.checkpoint_every, at_least(1));
  std::set<std::string> names{"particles", "surface"};
  output.probes = read_probes(section, file, names);
  return output;
}

void write_particles(CaseWriter& out, const ParticleCase& given, const fs::path& folder) {
  const ParticleInput& particles = given.particles;
  const Generator generator = particles.generator;
  const bool gravity = given.kind == ProblemKind::gravity;
  out.header("[particles]");
  out.line("generator", generator_words, generator);
  if (generator == Generator::file) out.line("file", value(particles.file, folder));
  if (generator != Generator::file && generator != Generator::none)
    out.line("n", value<std::int64_t>(particles.count));
  if (generator == Generator::plummer || generator == Generator::cube) {
    out.line("seed", value<std::int64_t>(particles.seed));
    out.line("scale", value(particles.scale));
    if (gravity) out.line("mass", value(particles.mass));
  }
  if (gravity) {
    out.line("softening", value(particles.softening));
    return;
  }
  if (particles.sigma > 0.0) out.line("sigma", value(particles.sigma));
  out.line("core", core_words, particles.core);
  if (generator != Generator::ring) return;
  for (const bem::VortexRing& ring : particles.rings) {
    out.header("[[particles.ring]]");
    out.line("radius", value(ring.radius));
    out.line("circulation", value(ring.circulation));
    out.line("core_radius", value(ring.core_radius));
    out.line("centre", value(ring.centre));
    out.line("axis", value(ring.axis));
  }
}

/// Without the number of steps; [time] is last.
void write_trajectory(CaseWriter& out, const ParticleCase& given, const fs::path& folder) {
  const bool gravity = given.kind == ProblemKind::gravity;
  out.header("[problem]");
  out.line("kind", kind_words, given.kind);
  if (gravity) out.line("gravitational_constant", value(given.gravitational_constant));
  if (!gravity) out.line("velocity", value(given.velocity));
  write_particles(out, given, folder);
  if (given.body) write_body(out, *given.body, folder);
  write_fmm(out, given.fmm);
  out.header("[time]");
  out.line("step", value(given.time.step));
  out.line("scheme", scheme_words, given.time.scheme);
  if (!gravity) out.line("stretching", stretching_words, given.time.stretching);
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

ParticleCase read_particle_case(const CaseFile& source,
                                const std::vector<std::string>& overrides) {
  const fs::path file = source.place();
  const Section root =
      Section::parse_file(source, overrides,
                          {"version", "title", "problem", "particles", "time", "solver", "fmm",
                           "output", "mesh", "shedding", "boundary", "verify"});
  root.require("version", "version = 1");
  const int version = root.integer("version", 1);
  if (version != 1) root.fail("version", fmt::format("must be 1, found {}", version));
  ParticleCase given;
  given.path = source;
  given.sha256 = sha256(source.text());
  given.title = root.text("title", file.stem().string());
  read_problem(root, given);
  refuse(root, {"boundary", "verify"}, reason_of(given.kind) + ", which has particles");
  if (given.kind == ProblemKind::gravity)
    refuse(root, {"mesh", "shedding"},
           reason_of(given.kind) + ", which has particles and no surface");
  given.particles = read_particles(root, file, given.kind);
  given.time = read_time(root, given.kind);
  const Section solver = root.table("solver", {"backend", "tolerance"});
  given.backend = solver.choice("backend", given.backend, backend_words);
  given.body = read_body(root, solver, file, given.particles);
  SolverInput defaults;  // sums err by a tenth of its tolerance
  defaults.tolerance = given.body ? given.body->tolerance : 10.0 * default_tolerance;
  given.fmm = read_fmm(fmm_table(root), solver, defaults);
  given.output = read_output(root, file, given.kind);
  return given;
}

std::string write_particle_case(const ParticleCase& given, const fs::path& folder) {
  CaseWriter out;
  out.line("version", "1");
  out.line("title", value(given.title));
  write_trajectory(out, given, folder);
  out.line("steps", value<std::int64_t>(given.time.steps));
  out.header("[solver]");
  out.line("backend", backend_words, given.backend);
  if (given.body) out.line("tolerance", value(given.body->tolerance));
  out.header("[output]");
  out.line("directory", value(given.output.directory, folder));
  out.line("every", value<std::int64_t>(given.output.every));
  out.line("checkpoint_every", value<std::int64_t>(given.output.checkpoint_every));
  write_probes(out, given.output.probes, folder);
  return out.take();
}

std::string trajectory_hash(const ParticleCase& given) {
  CaseWriter out;
  write_trajectory(out, given, given.path.parent_path());
  out.line("checkpoint_every", value<std::int64_t>(given.output.checkpoint_every));
  if (given.body) out.line("tolerance", value(given.body->tolerance));
  Sha256 hash;
  hash.add(out.take());
  return hash.digest();
}

}  // namespace rankine::cases
