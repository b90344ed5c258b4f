#include "cases/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>
#include <sstream>

#include "cases/build_info.hpp"
#include "cases/exit_code.hpp"
#include "cases/input/suggest.hpp"
#include "cases/input/words.hpp"
#include "cases/option_kinds.hpp"
#include "cases/output/log.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"

namespace rankine::cases {
namespace {

constexpr auto help_footer = R"(
Examples:
  rankine solve cases/sphere/sphere.toml              solve; results in cases/sphere/results
  rankine solve cases/vortex-ring/leapfrog.toml       particles that move, for ParaView
  rankine solve wing.toml --set solver.tolerance=1e-8 --output /data/wing
  rankine sweep wing.toml                             all cases of its table [sweep]
  rankine check wing.msh                              is this mesh closed, oriented and well shaped?
  rankine mesh sphere --panels 20480 -o sphere.msh    make a mesh
  rankine bench --points sphere --n 1e6               how fast is this machine?
  rankine bench --kernel vortex --gradient --moving   and for vortex particles that move?
  rankine polar wing/results --alpha -4:12:1          lift and moments of a wing, at once
  rankine report wing/results                         a page about the run, for any browser
  rankine view wing/results                           a picture of it
  rankine verify                                      does this build give the right answers?

The smallest case file:
  version = 1
  [mesh]
  file = "body.msh"       # or: shape = "sphere"
  [problem]
  velocity = [1.0, 0.0, 0.0]

Exit codes: 0 solved, 1 internal error, 2 usage or case file, 3 mesh, 4 not converged,
5 verification limit exceeded, 6 device missing or out of memory, 130 interrupted.)";

std::vector<std::string> split_at_commas(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) words.push_back(word);
  return words;
}

/// Options for repairs of a mesh file; they replace the repairs of the case.
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

void add_sweep(CLI::App& app, SweepArguments& a, Command& command) {
  CLI::App* verb = app.add_subcommand("sweep", "Solve the cases of the table [sweep] of a case");
  add_file(verb, "case", a.file, "Case file (TOML), or a pipe")->type_name("CASE.toml");
  add_output(verb, a, "Folder of the results, with one folder in it for each case");
  add_case_options(verb, a, command);
  verb->add_flag("--resume", a.resume, "Leave out cases that an earlier run has solved");
  verb->add_flag("--force", a.force,
                 "Replace files in results directories that no earlier run has written");
  verb->add_flag("--dry-run", a.dry_run, "List the cases; solve nothing");
  verb->add_option("--part", a.part, "Solve this part alone, and write no table")
      ->check(whole(1, most))
      ->type_name("K");
  verb->add_option_function<std::string>(
          "--slurm", [&a](const std::string& path) { a.slurm = path; },
          "Write a script for a Slurm array with a task for each part; solve nothing")
      ->type_name("FILE");
  verb->add_flag("-q,--quiet", a.quiet, "No log; cases that fail only");
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

/// The arguments without the "-" (standard output) that may follow --json, in reverse order, as
/// CLI11 expects them. None may be empty, as "$NAME" is if the shell has no such variable.
std::vector<std::string> without_dash(int argc, char** argv) {
  std::vector<std::string> words;
  for (int k = 1; k < argc; ++k) {
    if (std::string_view(argv[k]).empty()) {
      throw CLI::ValidationError(fmt::format(
          "the argument after \"{}\" is empty; give a value, or leave it out", argv[k - 1]));
    }
    const std::string word = argv[k] == std::string("--json=-") ? "--json" : argv[k];
    if (word != "-" || words.empty() || words.front() != "--json")
      words.insert(words.begin(), word);
  }
  return words;
}

/// The words without these options and their values.
std::vector<std::string> without_options(const std::vector<std::string>& words,
                                         const std::vector<std::string>& options) {
  std::vector<std::string> kept;
  for (std::size_t k = 0; k < words.size(); ++k) {
    const std::string name = words[k].substr(0, words[k].find('='));
    if (std::find(options.begin(), options.end(), name) == options.end())
      kept.push_back(words[k]);
    else if (name == words[k])
      ++k;
  }
  return kept;
}

/// Reports an unknown verb by name; CLI11 would only say that a verb is required.
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
  SweepArguments sweep;
  CheckArguments check;
  MeshArguments mesh;
  BenchArguments bench;
  VerifyArguments verify;
  PolarArguments polar;
  ReportArguments report;
  ViewArguments view;
  InfoArguments info;
  KeysArguments keys;
  std::vector<std::string> words(argv, argv + argc);
  std::erase(words, "--resume");
  sweep.command = show_command(without_options(words, {"--slurm", "--part"}));
  words.emplace_back("--resume");
  solve.resume_command = show_command(words);
  add_solve(app, solve, command);
  add_sweep(app, sweep, command);
  add_check(app, check, command);
  add_mesh(app, mesh, command);
  add_bench(app, bench, command);
  add_verify(app, verify, command);
  add_polar(app, polar, command);
  add_report(app, report, command);
  add_view(app, view, command);
  add_info(app, info, command);
  add_keys(app, keys, command);
  std::optional<ManualFormat> asked;
  CLI::App* verb =
      app.add_subcommand("manual", "Print the manual page, or completions for a shell");
  ManualFormat format = ManualFormat::man;
  add_choice(verb, "format", format, manual_words, "man, markdown, bash, zsh or fish")->required();
  verb->callback([&] { asked = format; });
  app.footer(help_footer);  // set after the verbs, which would inherit it
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
  if (asked) {
    print(manual(app, *asked, help_footer, build_info().version));
    return {Answered{exit_solved}, {}};
  }
  return command;
}

}  // namespace rankine::cases
