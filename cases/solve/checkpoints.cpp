#include "cases/solve/checkpoints.hpp"

#include <fmt/format.h>

#include "cases/output/checkpoint.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

void Checkpoints::save(const bem::Solution& solution, ResultsDirectory& results, Log& log) {
  if (case_.solver.formulation == bem::Formulation::doublet) {  // solved from the beginning
    hold_.reset();
    return;
  }
  const Checkpoint checkpoint{std::string(bem::to_string(case_.solver.formulation)),
                              solution.gmres.iterations, solution.unknown};
  try {
    results.write_beside(checkpoint_name, [&](const std::filesystem::path& path) {
      write_checkpoint(path, checkpoint);
    });
    saved_iteration_ = checkpoint.iterations;
  } catch (const InputError& error) {
    log.warning(fmt::format("no checkpoint: {}", error.what()));
  }
  hold_.reset();
}

std::string Checkpoints::farewell(const std::string& phase) const {
  if (saved_iteration_) return fmt::format("interrupted ({}){}", phase, advice());
  return fmt::format(
      "interrupted ({}) before there was anything to save; earlier results are as they were",
      phase);
}

std::string Checkpoints::advice() const {
  if (!saved_iteration_) return {};
  return fmt::format("; iteration {} is saved, go on with: rankine solve {} --resume",
                     *saved_iteration_, case_.path.string());
}

}  // namespace rankine::cases
