// The stages of a surface solve, from the mesh to the results directory. `rankine solve` runs them
// for one case, `rankine sweep` also for several cases together that differ only in their streams.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cases/output/phases.hpp"
#include "cases/output/results_directory.hpp"
#include "cases/output/summary.hpp"
#include "cases/signal_watch.hpp"
#include "cases/solve/checkpoints.hpp"
#include "cases/solve/solved_case.hpp"
#include "cases/verbs/given_case.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/green_errors.hpp"

namespace rankine::cases {

/// A solve: its stages and their common data.
struct SurfaceRun {
  const SolveArguments& arguments;
  SignalWatch& watch;
  Log& log;
  Phases& phases;
  MeshStore* meshes = nullptr;  ///< shared with further runs; null: not shared
  SolvedCase solved{given_case(arguments)};
  Checkpoints checkpoints{arguments.resume_command, watch};
  std::optional<ResultsDirectory> results{};
  std::future<std::unique_ptr<bem::Backend>> starting_backend{};
  std::unique_ptr<bem::Backend> backend{};
  bem::FlowOptions options{};
  std::size_t streams = 1;                  ///< number of streams solved together
  std::string hash{};                       ///< of the problem, for checkpoints
  std::optional<bem::Field> probed{};       ///< at the probes, if known from a common evaluation
  std::optional<bem::GreenSample> green{};  ///< for several streams; `residuals`: for this one
  bem::GreenResiduals residuals{};
  Summary summary{};

  int solve();
  /// Solves `members` together. They differ from the case of `arguments` only in the stream and the
  /// results directory. Calls `ended` for each with its index, exit code, and an error message if
  /// it has no results. Throws errors that concern all of them.
  void solve_streams(std::span<const Case> members,
                     const std::function<void(std::size_t, int, const std::string&)>& ended);
  std::string advice() const { return checkpoints.advice(); }

  void read_mesh();
  void begin_backend();
  void make_panels();
  void require_memory();
  void solve_equation();
  void solve_modes();
  void solve_motions();
  void evaluate_field();
  void evaluate_surface();
  void write();

  struct Stage {
    const char* phase;
    void (SurfaceRun::*run)();
  };
  void take(std::span<const Stage> stages);
  void open_results();
  /// The stages after the solve: from the field off the surface to the files in place.
  int finish();

  void solve_flow();
  /// Options of a further solve, named `what` in the log, which shows its stages but not its
  /// iterations.
  bem::FlowOptions further_options(const std::string& what);
  void put_in_place();
};

}  // namespace rankine::cases
