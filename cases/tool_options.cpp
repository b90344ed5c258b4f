#include "cases/command_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "cases/input/words.hpp"
#include "cases/option_kinds.hpp"
#include "cases/particles/particle_case.hpp"
#include "rankine/fmm/distributions.hpp"

namespace rankine::cases {
namespace {

/// Parses "a", "a:b" (step 1) or "a:b:step", both ends included. Empty if the text is none of
/// these.
std::vector<double> range_of(const std::string& text) {
  std::vector<double> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ':');) {
    double value = 0.0;
    if (!CLI::detail::lexical_cast(part, value) || !(std::abs(value) <= 90.0)) return {};
    parts.push_back(value);
  }
  if (parts.size() == 1) return parts;
  if (parts.size() == 2) parts.push_back(1.0);
  if (parts.size() != 3 || !(parts[2] >= 1e-3)) return {};
  std::vector<double> angles;
  const double steps = std::floor((parts[1] - parts[0]) / parts[2] + 1e-9);
  for (double k = 0.0; k <= steps; ++k) angles.push_back(parts[0] + k * parts[2]);
  return angles;
}

/// Parses ranges separated by commas. Empty if one of them is invalid.
std::vector<double> angles_of(const std::string& text) {
  std::vector<double> angles;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    const std::vector<double> some = range_of(part);
    if (some.empty()) return {};
    angles.insert(angles.end(), some.begin(), some.end());
  }
  return angles;
}

void add_angles(CLI::App* app, const std::string& name, std::vector<double>& target,
                const std::string& help) {
  app->add_option_function<std::string>(
         name, [&target](const std::string& text) { target = angles_of(text); }, help)
      ->check(CLI::Validator(
          [](const std::string& text) {
            return angles_of(text).empty() ? fmt::format(
                                                 "\"{}\" is not an angle from -90 to 90 or "
                                                 "FIRST:LAST:STEP",
                                                 text)
                                           : std::string{};
          },
          ""))
      ->type_name("A[:B[:STEP]],...");
}

}  // namespace

void add_mesh(CLI::App& app, MeshArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("mesh", "Write a built-in shape as a mesh file");
  verb->option_defaults()->always_capture_default();
  MeshInput& m = a.shape;
  add_choice(verb, "shape", m.shape, shape_words, "Shape")->required();
  add_one_or_two(verb, "--panels", m.panels, "Least number; of a wing around and along")
      ->check(whole(4, most_panels))
      ->type_name("N[,N]");
  const auto add = [&](const std::string& name, double& value, const std::string& type,
                       const std::string& help) {
    return verb->add_option(name, value, help)->type_name(type);
  };
  const auto add_length = [&](const std::string& name, double& value, const std::string& type,
                              const std::string& help) {
    add(name, value, type, help)->check(above_zero());
  };
  add_length("--radius", m.radius, "R", "Sphere, disc, tube: radius, m");
  add_length("--length", m.length, "L", "Plate, tube: length, m");
  add_length("--width", m.width, "W", "Plate: width, m");
  add("--grading", m.grading, "G", "Disc, plate, tube: grading of panels towards the rim; 1: none");
  add_vector(verb, "--semi-axes", m.semi_axes, "Ellipsoid: semi-axes, m");
  add_length("--major-radius", m.major_radius, "R", "Torus: radius of the centre line, m");
  add_length("--minor-radius", m.minor_radius, "R", "Torus: radius of the tube, m");
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
  add_length("--span", m.wing.span, "B", "Wing: along y, m");
  add_one_or_two(verb, "--chord", m.chord, "Wing: one, or those of root and tip, m")
      ->check(above_zero())
      ->type_name("C[,C]");
  add("--sweep", m.wing.sweep, "A", "Wing: of the quarter-chord line, aft, degrees");
  add("--dihedral", m.wing.dihedral, "A", "Wing: of the quarter-chord line, up, degrees");
  add("--twist", m.wing.twist, "A", "Wing: of the tip against the root, nose up, degrees");
  add_choice(verb, "--tip", m.wing.tip, tip_words, "Wing: how its tips are closed");
  verb->add_option("--blade", m.blade, "Propeller: table of sections (.csv)")->type_name("FILE");
  verb->add_option("--blades", m.blades, "Propeller: number of blades")
      ->check(whole(1, 100))
      ->type_name("N");
  verb->add_flag("--sector", m.sector, "Propeller: one blade with its part of the hub");
  add_length("--diameter", m.diameter, "D", "Propeller: diameter of its blades, m");
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
  verb->add_option_function<std::vector<std::string>>(
          "--control",
          [&a](const std::vector<std::string>& all) {
            for (const std::string& text : all) {
              const std::size_t equals = text.find('=');
              std::vector<double> angles = angles_of(text.substr(equals + 1));
              if (equals == std::string::npos || angles.empty())
                throw CLI::ValidationError("--control", "\"" + text + "\" is not NAME=ANGLES");
              a.controls[text.substr(0, equals)] = std::move(angles);
            }
          },
          "Deflections of a control surface, degrees")
      ->allow_extra_args(false)
      ->type_name("NAME=A[:B[:STEP]],...");
  verb->add_option("-r", a.r, "Rate of yaw, r b/(2 V)")->type_name("R");
  add_json(verb, a.json);
  verb->callback([&] { command.verb = a; });
}

void add_report(CLI::App& app, ReportArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand(
      "report", "A page about a results directory for any browser, by the Python package");
  verb->add_option_function<std::string>(
          "results", [&a](const std::string& path) { a.results = path; }, "Results directory")
      ->required()
      ->type_name("DIR");
  verb->add_option_function<std::string>(
          "-o,--output", [&a](const std::string& path) { a.output = path; },
          "The page instead of report.html in the results directory")
      ->type_name("FILE");
  verb->callback([&] { command.verb = a; });
}

void add_view(CLI::App& app, ViewArguments& a, Command& command) {
  CLI::App* verb =
      app.add_subcommand("view", "A picture of a results directory, or a window, by VTK's Python");
  verb->add_option_function<std::string>(
          "results", [&a](const std::string& path) { a.words.push_back(path); },
          "Results directory")
      ->required()
      ->type_name("DIR");
  const auto add = [&](const std::string& name, const char* type, const char* what) {
    const auto pass = [&a, word = name.substr(name.find("--"))](const std::string& value) {
      a.words.push_back(word + "=" + value);
    };
    verb->add_option_function<std::string>(name, pass, what)->type_name(type);
  };
  add("-o,--output", "FILE", "The picture instead of view.png in the results directory");
  add("--array", "NAME", "Quantity of surface.vtp whose colours are shown");
  add("--azimuth", "DEGREES", "Of the eye, from broadside; negative to see more of the front");
  add("--elevation", "DEGREES", "Of the eye above the horizon");
  add("--zoom", "FACTOR", "Larger is closer");
  verb->add_flag_callback(
      "--window", [&a] { a.words.emplace_back("--window"); }, "A window to turn, no picture");
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
  const Choices<KeysPage> pages{{"surface", KeysPage::surface},
                                {"wings", KeysPage::wings},
                                {"output", KeysPage::output},
                                {"particles", KeysPage::particles}};
  add_choice(verb, "--page", a.page, pages, "With --markdown: which page, case.md or case-NAME.md");
  add_json(verb, a.json, "As a JSON schema, for editors");
  verb->callback([&] { command.verb = a; });
}

}  // namespace rankine::cases
