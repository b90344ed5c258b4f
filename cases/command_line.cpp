#include "cases/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "cases/build_info.hpp"
#include "cases/exit_code.hpp"
#include "cases/input/suggest.hpp"
#include "cases/input/words.hpp"
#include "cases/option_kinds.hpp"
#include "cases/output/log.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/particles/particle_case.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

constexpr auto help_footer = R"(
Examples:
  rankine solve cases/sphere/sphere.toml              solve; results in cases/sphere/results
  rankine solve cases/vortex-ring/leapfrog.toml       particles that move, for ParaView
  rankine solve wing.toml --set solver.tolerance=1e-8 --output /data/wing
  rankine check wing.msh                              is this mesh closed, oriented and well shaped?
  rankine mesh sphere --panels 20480 -o sphere.msh    make a mesh
  rankine bench --points sphere --n 1e6               how fast is this machine?
  rankine bench --kernel vortex --gradient --moving   and for vortex particles that move?
  rankine polar wing/results --alpha -4:12:1          lift and moments of a wing, at once
  rankine verify                                      does this build give the right answers?

The smallest case file:
  version = 1
  [mesh]
  file = "body.msh"       # or: shape = "sphere"
  [problem]
  velocity = [1.0, 0.0, 0.0]

Exit codes: 0 solved, 1 internal error, 2 usage or case file, 3 mesh, 4 not converged,
5 verification limit exceeded, 6 device missing or out of memory, 130 interrupted.)";

void add_json(CLI::App* app, bool& json,
              const std::string& help = "Print one JSON object to standard output") {
  app->add_flag("--json", json, help);
}

void add_threads(CLI::App* app, Command& command) {
  constexpr int most_threads = 4096;
  app->add_option("--threads", command.execution.threads, "CPU threads; 0: all")
      ->check(whole(0, most_threads))
      ->type_name("N");
}

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

/// Repairs of a mesh file, which replace those of the case.
void add_repair(CLI::App* app, RepairArguments& arguments) {
  const std::vector<std::string> known = words_of(repair_words);
  const auto all_known = [known](const std::string& text) {
    for (const std::string& word : split_at_commas(text)) {
      if (std::find(known.begin(), known.end(), word) == known.end())
        return fmt::format("\"{}\" is not known{}", word, did_you_mean(word, known));
    }
    return std::string{};
  };
  const auto assign = [&arguments](const std::string& text) {
    arguments.repairs = meshes::Repairs{};
    for (const std::string& word : split_at_commas(text)) {
      for (const auto& [each, member] : repair_words) {
        if (each == word) (*arguments.repairs).*member = true;
      }
    }
  };
  app->add_option_function<std::string>(
         "--repair", assign, fmt::format("Repair the mesh: a list of {}", fmt::join(known, ", ")))
      ->check(CLI::Validator(all_known, ""))
      ->type_name("WORD,...");
  app->add_option_function<double>(
         "--merge-tolerance", [&arguments](const double& m) { arguments.merge_tolerance = m; },
         "Merge nodes that are closer than this, m")
      ->check(above_zero())
      ->type_name("M");
}

CLI::Option* add_file(CLI::App* app, const std::string& name, CaseFile& target,
                      const std::string& help) {
  const auto assign = [&target](const std::string& path) { target = CaseFile(path); };
  return app->add_option_function<std::string>(name, assign, help)->required();
}

void add_output(CLI::App* verb, CaseArguments& a, const std::string& help) {
  verb->add_option_function<std::string>(
          "-o,--output", [&a](const std::string& path) { a.output = path; }, help)
      ->type_name("DIR");
}

void add_case_options(CLI::App* verb, CaseArguments& a, Command& command) {
  verb->add_option("--set", a.overrides,
                   "Override a key of the case, e.g. --set solver.tolerance=1e-8")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_choice(verb, "--backend", a.backend, backend_words, "Where to compute");
  add_repair(verb, a.repair);
  add_threads(verb, command);
  add_json(verb, a.json);
}

void add_solve(CLI::App& app, SolveArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("solve", "Solve a case and write its results for ParaView");
  add_file(verb, "case", a.file, "Case file (TOML), or a pipe")->type_name("CASE.toml");
  add_output(verb, a, "Results directory");
  add_case_options(verb, a, command);
  verb->add_flag("--resume", a.resume, "Start from the checkpoint that an earlier run left");
  verb->add_flag("--force", a.force,
                 "Replace files in the results directory that no earlier run has written");
  verb->add_flag("--dry-run", a.dry_run,
                 "Check everything and estimate memory and time; solve nothing");
  verb->add_flag("-q,--quiet", a.quiet, "No log; warnings and errors only");
  verb->callback([&] { command.verb = a; });
}

void add_check(CLI::App& app, CheckArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("check", "Check a case file or a mesh; solve nothing");
  add_file(verb, "file", a.file, "Case file (.toml, or a pipe) or mesh file")
      ->type_name("CASE.toml|MESH");
  verb->add_option("--scale", a.scale, "File units to metres, for a mesh file")
      ->check(above_zero())
      ->type_name("S");
  verb->add_flag("--scripts", a.scripts,
                 "Run a .geo file, which is a script, given as the mesh file");
  add_output(verb, a, "Write check.vtp there, in which faulty panels are marked");
  add_case_options(verb, a, command);
  verb->callback([&] { command.verb = a; });
}

void add_mesh(CLI::App& app, MeshArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("mesh", "Write a built-in shape as a mesh file");
  verb->option_defaults()->always_capture_default();
  MeshInput& m = a.shape;
  add_choice(verb, "shape", m.shape, shape_words,
             "sphere, ellipsoid, torus, box, disc, plate, tube or wing")
      ->required()
      ->type_name("SHAPE");
  add_one_or_two(verb, "--panels", m.panels, "Least number; of a wing around and along")
      ->check(whole(4, most_panels))
      ->type_name("N[,N]");
  verb->add_option("--radius", m.radius, "Sphere, disc, tube: radius, m")
      ->check(above_zero())
      ->type_name("R");
  verb->add_option("--length", m.length, "Plate, tube: length, m")
      ->check(above_zero())
      ->type_name("L");
  verb->add_option("--width", m.width, "Plate: width, m")->check(above_zero())->type_name("W");
  verb->add_option("--grading", m.grading,
                   "Disc, plate, tube: grading of panels towards the rim; 1: none")
      ->type_name("G");
  add_vector(verb, "--semi-axes", m.semi_axes, "Ellipsoid: semi-axes, m");
  verb->add_option("--major-radius", m.major_radius, "Torus: radius of the centre line, m")
      ->check(above_zero())
      ->type_name("R");
  verb->add_option("--minor-radius", m.minor_radius, "Torus: radius of the tube, m")
      ->check(above_zero())
      ->type_name("R");
  add_vector(verb, "--size", m.size, "Box: edge lengths, m");
  verb->add_option_function<std::string>(
          "--section",
          [&m](const std::string& text) {
            const bool digits = meshes::names_naca_section(text);
            m.section = {digits ? text : "", digits ? "" : text};
          },
          "Wing: NACA's four digits, or a file of points")
      ->default_str(m.section.digits)
      ->type_name("DIGITS|FILE");
  verb->add_option("--span", m.wing.span, "Wing: along y, m")->check(above_zero())->type_name("B");
  add_one_or_two(verb, "--chord", m.chord, "Wing: one, or those of root and tip, m")
      ->check(above_zero())
      ->type_name("C[,C]");
  verb->add_option("--sweep", m.wing.sweep, "Wing: of the quarter-chord line, aft, degrees")
      ->type_name("A");
  verb->add_option("--dihedral", m.wing.dihedral, "Wing: of the quarter-chord line, up, degrees")
      ->type_name("A");
  verb->add_option("--twist", m.wing.twist, "Wing: of the tip against the root, nose up, degrees")
      ->type_name("A");
  add_choice(verb, "--tip", m.wing.tip, tip_words, "Wing: how its tips are closed");
  add_vector(verb, "--centre", m.centre, "Centre; of a wing the nose of its root, m");
  verb->add_option("-o,--output", a.output, "Mesh file to write (.msh)")
      ->required()
      ->type_name("FILE");
  verb->callback([&] { command.verb = a; });
}

void add_bench(CLI::App& app, BenchArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("bench", "Time one operator on this machine");
  verb->option_defaults()->always_capture_default();
  add_choice(verb, "--method", a.options.method, method_words, "Summation method");
  add_choice<std::string>(
      verb, "--kernel", a.kernel,
      {{"laplace", "laplace"}, {"gravity", "gravity"}, {"vortex", "vortex"}},
      "1/r, gravity of masses with a softening, or velocities of vortices with cores");
  verb->add_option("--softening", a.softening, "Gravity: softening length, m; default: 1e-4")
      ->check(above_zero())
      ->type_name("EPS");
  verb->add_option("--sigma", a.sigma,
                   "Vortices: core radius, m; default: the spacing of points that fill a cube")
      ->check(above_zero())
      ->type_name("S");
  add_choice(verb, "--core", a.core, core_words, "Vortices: core; default: exponential");
  Choices<std::string> names;
  for (const std::string_view each : fmm::distribution_names()) names.emplace_back(each, each);
  add_choice(verb, "--points", a.points, names, "Distribution of the points");
  add_count(verb, "--n,-n", a.count, "Number of points");
  verb->add_option("--tolerance", a.options.tolerance, "Relative L2 error allowed")->type_name("T");
  add_choice(verb, "--precision", a.options.precision, precision_words, "Arithmetic");
  verb->add_option("--order", a.options.order, "Expansion order; 0: from the tolerance")
      ->check(whole(0, most))
      ->type_name("P");
  verb->add_option("--leaf-capacity", a.options.leaf_capacity,
                   "Largest number of points in a leaf; 0: tuned")
      ->check(whole(0, most))
      ->type_name("N");
  verb->add_flag("--gradient", a.options.gradient,
                 "Also gradients of potentials, or of velocities");
  verb->add_flag("--dipoles", a.options.dipoles, "Also dipoles along fixed normals");
  verb->add_flag("--other-targets", a.other_targets,
                 "Use targets of their own instead of the sources");
  verb->add_flag("--moving", a.moving,
                 "Also time steps: move the points of the operator, then apply it");
  verb->add_option("--rhs", a.options.rhs, "Number of right-hand sides in one application")
      ->check(whole(1, 1024))
      ->type_name("K");
  verb->add_option("--seed", a.seed, "Seed of random points and strengths")->type_name("S");
  verb->add_option("--repeat", a.repeat, "Number of timed applications and steps")
      ->check(whole(1, 1000000))
      ->type_name("R");
  add_count(verb, "--samples", a.samples, "Targets at which the error is measured (at least 1000)");
  verb->add_flag("--breakdown", a.breakdown, "Seconds of every pass");
  add_choice(verb, "--backend", a.backend, backend_words, "Where to compute");
  add_threads(verb, command);
  add_json(verb, a.json);
  verb->callback([&] { command.verb = a; });
}

void add_verify(CLI::App& app, VerifyArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("verify", "Compare this build with exact solutions");
  verb->option_defaults()->always_capture_default();
  add_choice(verb, "--backend", a.backend, backend_words, "Where to compute");
  verb->add_flag("--all", a.all, "Also added mass, moving bodies and interiors; takes minutes");
  add_threads(verb, command);
  add_json(verb, a.json);
  verb->callback([&] { command.verb = a; });
}

/// "a", "a:b" in steps of 1, or "a:b:step", both ends included.
void add_angles(CLI::App* app, const std::string& name, std::vector<double>& target,
                const std::string& help) {
  const auto parse = [](const std::string& text) {
    std::vector<double> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ':');) {
      double value = 0.0;
      if (!CLI::detail::lexical_cast(part, value) || !(std::abs(value) <= 90.0))
        return std::vector<double>{};
      parts.push_back(value);
    }
    if (parts.size() == 1) return parts;
    if (parts.size() == 2) parts.push_back(1.0);
    std::vector<double> angles;
    if (parts.size() != 3 || !(parts[2] >= 1e-3)) return angles;
    const double steps = std::floor((parts[1] - parts[0]) / parts[2] + 1e-9);
    for (double k = 0.0; k <= steps; ++k) angles.push_back(parts[0] + k * parts[2]);
    return angles;
  };
  app->add_option_function<std::string>(
         name, [&target, parse](const std::string& text) { target = parse(text); }, help)
      ->check(CLI::Validator(
          [parse](const std::string& text) {
            return parse(text).empty() ? fmt::format(
                                             "\"{}\" is not an angle from -90 to 90 or "
                                             "FIRST:LAST:STEP",
                                             text)
                                       : std::string{};
          },
          ""))
      ->type_name("A[:B[:STEP]]");
}

void add_polar(CLI::App& app, PolarArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand(
      "polar", "Coefficients of a wing at other angles, from results with lift.derivatives");
  verb->add_option_function<std::string>(
          "results", [&a](const std::string& path) { a.results = path; }, "Results directory")
      ->required()
      ->type_name("DIR");
  add_angles(verb, "--alpha", a.alpha, "Angles of attack, degrees");
  add_angles(verb, "--beta", a.beta, "Angles of sideslip, degrees");
  verb->add_option("-p", a.p, "Rate of roll, p b/(2 V)")->type_name("P");
  verb->add_option("-q", a.q, "Rate of pitch, q c/(2 V)")->type_name("Q");
  verb->add_option("-r", a.r, "Rate of yaw, r b/(2 V)")->type_name("R");
  add_json(verb, a.json);
  verb->callback([&] { command.verb = a; });
}

void add_info(CLI::App& app, InfoArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("info", "Version, build, libraries and devices, for reports");
  add_json(verb, a.json);
  verb->callback([&] { command.verb = a; });
}

void add_keys(CLI::App& app, KeysArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("keys", "Print every key of a case file with its default");
  verb->add_flag("--markdown", a.markdown, "As the page docs/reference/case.md");
  add_json(verb, a.json, "As a JSON schema, for editors");
  verb->callback([&] { command.verb = a; });
}

/// The arguments without the "-", standard output, that may follow --json; the last comes first, as
/// CLI11 takes them.
std::vector<std::string> without_dash(int argc, char** argv) {
  std::vector<std::string> words;
  for (int k = 1; k < argc; ++k) {
    const std::string word = argv[k] == std::string("--json=-") ? "--json" : argv[k];
    if (word != "-" || words.empty() || words.front() != "--json")
      words.insert(words.begin(), word);
  }
  return words;
}

/// CLI11 would only report that a verb is required.
void refuse_unknown_verb(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  std::vector<std::string> verbs;
  for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
  if (std::find(verbs.begin(), verbs.end(), argv[1]) != verbs.end()) return;
  throw CLI::ValidationError(
      fmt::format("there is no verb \"{}\"{}", argv[1], did_you_mean(argv[1], verbs)));
}

}  // namespace

Command parse_command_line(int argc, char** argv) {
  CLI::App app(
      "Rankine: Laplace boundary elements with a fast multipole operator.\n"
      "From a mesh file to a picture of the flow past it.",
      "rankine");
  app.set_version_flag("--version", "rankine " + build_info().version);
  app.require_subcommand(1);
  app.get_formatter()->column_width(34);

  Command command;
  SolveArguments solve;
  CheckArguments check;
  MeshArguments mesh;
  BenchArguments bench;
  VerifyArguments verify;
  PolarArguments polar;
  InfoArguments info;
  KeysArguments keys;
  std::vector<std::string> words(argv, argv + argc);
  std::erase(words, "--resume");
  words.emplace_back("--resume");
  solve.resume_command = show_command(words);
  add_solve(app, solve, command);
  add_check(app, check, command);
  add_mesh(app, mesh, command);
  add_bench(app, bench, command);
  add_verify(app, verify, command);
  add_polar(app, polar, command);
  add_info(app, info, command);
  add_keys(app, keys, command);
  app.footer(help_footer);  // After the verbs, which would inherit it.
  try {
    refuse_unknown_verb(app, argc, argv);
    app.parse(without_dash(argc, argv));
  } catch (const CLI::ParseError& error) {
    std::ostringstream answer, complaint;
    const int code = app.exit(error, answer, complaint);
    print(answer.str());
    if (code == 0) return {Answered{exit_solved}, {}};
    const std::string text = complaint.str();
    Log().error(text.substr(0, text.find_last_not_of('\n') + 1));
    return {Answered{exit_usage}, {}};
  }
  return command;
}

}  // namespace rankine::cases
