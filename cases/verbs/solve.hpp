// A solve of a case of a surface, from its mesh to its results directory: the stages, which
// `rankine solve` takes for one case, and `rankine sweep` for several at once whose streams alone
// differ.
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

/// A solve in progress: its stages, and what they share.
struct SurfaceRun {
  const SolveArguments& arguments;
  SignalWatch& watch;
  Log& log;
  Phases& phases;
  MeshStore* meshes = nullptr;  ///< that further runs share; null: none
  SolvedCase solved{given_case(arguments)};
  Checkpoints checkpoints{arguments.resume_command, watch};
  std::optional<ResultsDirectory> results{};
  std::future<std::unique_ptr<bem::Backend>> starting_backend{};
  std::unique_ptr<bem::Backend> backend{};
  bem::FlowOptions options{};
  std::size_t streams = 1;                  ///< that are solved for
  std::string hash{};                       ///< of the problem, for checkpoints
  std::optional<bem::Field> probed{};       ///< at the probes, if it is known from other streams
  std::optional<bem::GreenSample> green{};  ///< of several streams; `residuals`: of this one
  bem::GreenResiduals residuals{};
  Summary summary{};

  int solve();
  /// Solves `members` at once. They differ from the case of `arguments` in the stream and the
  /// results directory alone. `ended` is called with the index of each, its exit code, and a
  /// message if it has no results. Throws what concerns all of them.
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
  /// What follows a solve: the stages from the field off the surface to files in their places.
  int finish();

  void solve_flow();
  /// Options of a further solve: the log has its stages, as those of `what`, but no iterations.
  bem::FlowOptions further_options(const std::string& what);
  void put_in_place();
};

}  // namespace rankine::cases
