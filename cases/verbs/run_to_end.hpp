// Common to all kinds of solves: log, signals and error handling.
#pragma once

#include <fmt/format.h>

#include <new>
#include <string>

#include "cases/output/log.hpp"
#include "cases/output/phases.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/processes.hpp"
#include "cases/signal_watch.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"

namespace rankine::cases {

/// Runs a `Run`, a struct of {arguments, watch, log, phases}. Its `solve()` returns the exit code;
/// its `advice()` says how to continue from a saved state, or is empty, and is added to errors.
template <class Run, class... Further>
int run_to_end(const SolveArguments& arguments, Log& log, SignalWatch& watch, Further... further) {
  Phases phases(log);
  Run whole{arguments, watch, log, phases, further...};
  try {
    // The processes of a shared run stop together, at calls of stop_wanted().
    const std::stop_token token = is_shared() ? std::stop_token{} : watch.token();
    return Execution{.stop = token, .progress = &log.loops()}.run([&] { return whole.solve(); });
  } catch (const Stopped&) {
    const std::string advice = whole.advice();
    throw Stopped(fmt::format("interrupted ({}){}", phases.current(),
                              advice.empty() ? " before there was anything to save; earlier "
                                               "results are unchanged"
                                             : advice));
  } catch (const std::bad_alloc&) {
    throw DeviceError(out_of_memory(phases.current()) + whole.advice());
  } catch (const InputError& error) {
    throw InputError(error.what() + whole.advice());
  }
}

/// The same with its own log and watch.
template <class Run>
int run_to_end(const SolveArguments& arguments) {
  Log log(arguments.silent || !is_first_process() ? Log::Level::silent
          : arguments.quiet                       ? Log::Level::quiet
                                                  : Log::Level::normal);
  SignalWatch watch;
  return run_to_end<Run>(arguments, log, watch);
}

}  // namespace rankine::cases
