// The arguments of each verb, one struct per verb, and the function that runs it. Each function
// returns the exit code of the program (cases/exit_code.hpp) and throws errors
// (fmm/core/error.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cases/exit_code.hpp"
#include "cases/input/case.hpp"
#include "cases/input/case_file.hpp"
#include "cases/solve/load_mesh.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/device.hpp"

namespace rankine::cases {

/// Common arguments of `rankine solve` and `rankine check`.
struct CaseArguments {
  CaseFile file;                                ///< a case file; for check also a mesh file
  std::vector<std::string> overrides;           ///< --set key=value
  std::optional<std::filesystem::path> output;  ///< instead of output.directory
  std::optional<BackendChoice> backend;         ///< instead of solver.backend
  RepairArguments repair;                       ///< instead of mesh.repair
  bool quiet = false;
  bool json = false;   ///< print one JSON object to standard output
  bool force = false;  ///< replace files that no earlier run has listed
};

/// `rankine solve`: solves a case.
struct SolveArguments : CaseArguments {
  std::string resume_command;  ///< this command line with --resume, quoted for a shell
  bool dry_run = false, resume = false;
  bool silent = false;  ///< without log and warnings, for solves of rankine verify
};

/// `rankine sweep`: solves the cases of [sweep].
struct SweepArguments : CaseArguments {
  std::string command;  ///< this command line without --resume, --slurm and --part, quoted
  bool dry_run = false, resume = false;
  int part = 0;                 ///< only this part, counted from 1; 0: all
  std::filesystem::path slurm;  ///< write a Slurm script to this file; empty: solve
};

/// `rankine check`: inspects a case file or a mesh file without solving.
struct CheckArguments : CaseArguments {
  double scale = 1.0;    ///< for a mesh file without a case
  bool scripts = false;  ///< a .geo file without a case may be run
  bool dry_run = false;  ///< set by solve --dry-run: writes nothing
};

/// `rankine mesh`: writes a built-in shape as a mesh file.
struct MeshArguments {
  MeshInput shape;
  std::filesystem::path output;
};

/// `rankine bench`: times one operator on this machine.
struct BenchArguments {
  fmm::Options options;  ///< without the options of the kernel
  BackendChoice backend = BackendChoice::automatic;
  std::string kernel = "laplace", points = "cube";
  std::optional<double> softening;  ///< of gravity, m
  std::optional<double> sigma;      ///< core radius of vortices, m
  std::optional<fmm::Kernel> core;  ///< of vortices
  std::int64_t count = 1000000;
  std::int64_t samples = 1000;  ///< targets at which the error is measured
  std::uint64_t seed = 1;
  int repeat = 5;
  bool other_targets = false, breakdown = false, json = false;
  bool moving = false;  ///< also time steps with moving points
};

/// `rankine verify`: runs the built-in analytic suite.
struct VerifyArguments {
  BackendChoice backend = BackendChoice::automatic;
  bool all = false;  ///< include the checks that take minutes
  bool json = false;
};

/// `rankine polar`: coefficients of a wing from derivatives.json.
struct PolarArguments {
  std::filesystem::path results;
  std::vector<double> alpha{0.0}, beta{0.0};            ///< degrees
  double p = 0.0, q = 0.0, r = 0.0;                     ///< p b/(2 V), q c/(2 V), r b/(2 V)
  std::map<std::string, std::vector<double>> controls;  ///< deflections, degrees
  bool json = false;
};

/// `rankine report`: an HTML page, written by the Python package.
struct ReportArguments {
  std::filesystem::path results, output;  ///< empty: report.html in the results directory
};

/// `rankine view`: a picture, drawn by cases/view.py.
struct ViewArguments {
  std::vector<std::string> words;  ///< arguments of the script
};

/// `rankine info`: version and machine, for bug reports.
struct InfoArguments {
  bool json = false;
};

/// The pages docs/reference/case.md, case-wings.md, ...
enum class KeysPage { surface, wings, output, particles };

/// `rankine keys`: the keys of a case file.
struct KeysArguments {
  bool markdown = false;  ///< as a documentation page
  KeysPage page = KeysPage::surface;
  bool json = false;  ///< as a JSON schema
};

/// The command line needs no further work (--help, --version, a usage error).
struct Answered {
  int exit_code = exit_solved;
};

struct Command {
  std::variant<Answered, SolveArguments, SweepArguments, CheckArguments, MeshArguments,
               BenchArguments, VerifyArguments, PolarArguments, ReportArguments, ViewArguments,
               InfoArguments, KeysArguments>
      verb;
  Execution execution;  ///< --threads
};

/// Throws InputError if several processes share this run and the verb cannot be shared.
void require_shareable(const Command& command);

int run(const SolveArguments& arguments);
int run(const SweepArguments& arguments);
int run(const CheckArguments& arguments);
int run(const MeshArguments& arguments);
int run(const BenchArguments& arguments);
int run(const VerifyArguments& arguments);
int run(const PolarArguments& arguments);
int run(const ReportArguments& arguments);
int run(const ViewArguments& arguments);
int run(const InfoArguments& arguments);
int run(const KeysArguments& arguments);
inline int run(const Answered& answered) { return answered.exit_code; }

/// The same for particle cases.
int run_particles(const SolveArguments& arguments);
int run_particles(const CheckArguments& arguments);
class Log;
class SignalWatch;
/// A case of a sweep, with the log and watch of the sweep.
int run_particles(const SolveArguments& arguments, Log& log, SignalWatch& watch);

/// The output of `rankine info` on a machine with these devices.
std::string info_text(const std::vector<gpu::Device>& devices, bool json);

}  // namespace rankine::cases
