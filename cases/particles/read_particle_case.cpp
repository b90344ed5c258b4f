#include "cases/particles/read_particle_case.hpp"

#include <fmt/format.h>

#include "cases/input/case_writer.hpp"
#include "cases/input/read_fmm.hpp"
#include "cases/input/sha256.hpp"
#include "cases/input/words.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

/// Octrees number points in 32 bits.
constexpr double most_particles = 1e9;

constexpr double default_tolerance = 1e-5;

const Choices<ProblemKind> particle_kinds{{"gravity", ProblemKind::gravity}};

void read_problem(const Section& root, ParticleCase& given) {
  const Section section = root.table("problem", {"kind", "gravitational_constant"});
  section.require("kind", "kind = \"gravity\"");
  given.kind = section.choice("kind", given.kind, particle_kinds);
  given.gravitational_constant =
      section.number("gravitational_constant", given.gravitational_constant, positive());
}

ParticleInput read_particles(const Section& root, const fs::path& file) {
  const Section section =
      root.table("particles", {"generator", "file", "n", "seed", "mass", "scale", "softening"});
  section.require("generator", "generator = \"plummer\", or \"file\" with file = \"bodies.csv\"");
  ParticleInput input;
  input.generator = section.choice("generator", input.generator, generator_words);
  const std::string reason =
      fmt::format("for the generator \"{}\"", word(generator_words, input.generator));
  if (input.generator == Generator::file) {
    section.require("file", "file = \"bodies.csv\" (columns x y z mass vx vy vz), or a .vtp");
    input.file = path_beside(file, section.text("file", {}));
    refuse(section, {"n", "seed", "mass", "scale"}, reason);
  } else {
    refuse(section, {"file"}, reason);
  }
  input.count = section.integer("n", input.count, between(1, most_particles));
  input.seed = section.integer("seed", input.seed, at_least(0));
  input.mass = section.number("mass", input.mass, positive());
  input.scale = section.number("scale", input.scale, positive());
  input.softening = section.number("softening", input.softening, at_least(0.0));
  return input;
}

TimeInput read_time(const Section& root) {
  const Section section = root.table("time", {"step", "steps", "scheme"});
  section.require("step", "step = 0.01");
  section.require("steps", "steps = 1000");
  TimeInput time;
  time.step = section.number("step", time.step, positive());
  time.steps = section.integer("steps", time.steps, at_least(1));
  time.scheme = section.choice("scheme", time.scheme, scheme_words);
  return time;
}

SeriesInput read_output(const Section& root, const fs::path& file) {
  const Section section = root.table("output", {"directory", "every", "checkpoint_every"});
  SeriesInput output;
  output.directory = path_beside(file, section.text("directory", "results"));
  output.every = section.integer("every", output.every, at_least(1));
  output.checkpoint_every =
      section.integer("checkpoint_every", output.checkpoint_every, at_least(1));
  return output;
}

void write_trajectory(CaseWriter& out, const ParticleCase& given, const fs::path& folder) {
  out.header("[problem]");
  out.line("kind", kind_words, given.kind);
  out.line("gravitational_constant", value(given.gravitational_constant));
  const ParticleInput& particles = given.particles;
  out.header("[particles]");
  out.line("generator", generator_words, particles.generator);
  if (particles.generator == Generator::file) {
    out.line("file", value(particles.file, folder));
  } else {
    out.line("n", value<std::int64_t>(particles.count));
    out.line("seed", value<std::int64_t>(particles.seed));
    out.line("mass", value(particles.mass));
    out.line("scale", value(particles.scale));
  }
  out.line("softening", value(particles.softening));
  write_fmm(out, given.fmm);
  out.header("[time]");
  out.line("step", value(given.time.step));
  out.line("scheme", scheme_words, given.time.scheme);
}

}  // namespace

bool is_particle_case(const fs::path& file, const std::vector<std::string>& overrides) {
  const Section root = Section::parse_file(file, overrides);
  const std::string kind = root.peek("problem", "kind");
  if (root.has("particles")) return true;
  for (const auto& [text, each] : kind_words) {
    if (text == kind) return has_particles(each);
  }
  return false;
}

ParticleCase read_particle_case(const fs::path& file, const std::vector<std::string>& overrides) {
  const Section root =
      Section::parse_file(file, overrides,
                          {"version", "title", "problem", "particles", "time", "solver", "fmm",
                           "output", "mesh", "boundary", "verify"});
  root.require("version", "version = 1");
  const int version = root.integer("version", 1);
  if (version != 1) root.fail("version", fmt::format("must be 1, found {}", version));
  ParticleCase given;
  given.path = file;
  given.sha256 = sha256_of_file(file);
  given.title = root.text("title", file.stem().string());
  read_problem(root, given);
  refuse(root, {"mesh", "boundary", "verify"},
         fmt::format("for the kind \"{}\", which has particles and no surface",
                     word(kind_words, given.kind)));
  given.particles = read_particles(root, file);
  given.time = read_time(root);
  const Section solver = root.table("solver", {"backend"});
  given.backend = solver.choice("backend", given.backend, backend_words);
  SolverInput defaults;
  defaults.tolerance = 10.0 * default_tolerance;  // sums err by a tenth of it
  given.fmm = read_fmm(fmm_table(root), solver, defaults);
  given.output = read_output(root, file);
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
  out.header("[output]");
  out.line("directory", value(given.output.directory, folder));
  out.line("every", value<std::int64_t>(given.output.every));
  out.line("checkpoint_every", value<std::int64_t>(given.output.checkpoint_every));
  return out.take();
}

std::string trajectory_hash(const ParticleCase& given) {
  CaseWriter out;
  write_trajectory(out, given, given.path.parent_path());
  out.line("checkpoint_every", value<std::int64_t>(given.output.checkpoint_every));
  Sha256 hash;
  hash.add(out.take());
  return hash.digest();
}

}  // namespace rankine::cases
