#include "rankine/bem/krylov/lockstep.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace rankine::bem {

Lockstep::Lockstep(Backend& backend, LinearOperator& matrix, std::function<void(double)> accuracy,
                   LinearOperator* preconditioner)
    : backend_(backend),
      n_(matrix.rows()),
      accuracy_(std::move(accuracy)),
      preconditioner_(preconditioner),
      batch_(backend, matrix) {}

void Lockstep::add(const double* b, double* x, GmresOptions options, int rhs) {
  if (options.callback) {
    options.callback = [this, ask = std::move(options.callback)](const GmresIteration& at) {
      stopped_ = stopped_ || !ask(at);
      return !stopped_;
    };
  }
  solvers_.push_back(
      std::make_unique<KrylovSolver>(backend_, n_, b, x, std::move(options), rhs, preconditioner_));
}

std::vector<GmresResult> Lockstep::run() {
  std::vector<KrylovSolver*> waiting;
  for (const auto& solver : solvers_) waiting.push_back(solver.get());
  std::vector<Product> wanted;
  while (true) {
    std::erase_if(waiting, [](const KrylovSolver* solver) { return solver->finished(); });
    if (waiting.empty()) break;
    wanted.clear();
    double accuracy = std::numeric_limits<double>::infinity();
    for (const KrylovSolver* solver : waiting) {
      wanted.push_back(solver->wanted());
      accuracy = std::min(accuracy, solver->accuracy());
    }
    if (accuracy_) accuracy_(accuracy);
    batch_.apply(wanted);
    for (KrylovSolver* solver : waiting) solver->receive();
    if (stopped_) {
      for (KrylovSolver* solver : waiting) solver->interrupt();
    }
  }
  std::vector<GmresResult> results;
  for (const auto& solver : solvers_) results.push_back(solver->result());
  return results;
}

}  // namespace rankine::bem
