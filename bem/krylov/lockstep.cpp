#include "rankine/bem/krylov/lockstep.hpp"

#include <algorithm>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"

namespace rankine::bem {

Lockstep::Lockstep(Backend& backend, LinearOperator& matrix,
                   std::function<void(std::span<const ProductRequest>)> before_product,
                   LinearOperator* preconditioner)
    : backend_(backend),
      n_(matrix.rows()),
      before_product_(std::move(before_product)),
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
  for (const auto& solver : solvers_) waiting_.push_back(solver.get());
  const auto finished = [](const KrylovSolver* solver) { return solver->finished(); };
  try {
    while (std::erase_if(waiting_, finished), !waiting_.empty()) advance();
  } catch (const Stopped&) {
    if (!all_have_iterates()) throw;
    for (KrylovSolver* solver : waiting_) solver->abandon();
  }
  std::vector<GmresResult> results;
  for (const auto& solver : solvers_) results.push_back(solver->result());
  return results;
}

void Lockstep::advance() {
  throw_if_stopped();
  std::vector<Product> wanted;
  std::vector<ProductRequest> requests;
  for (const KrylovSolver* solver : waiting_) {
    wanted.push_back(solver->wanted());
    requests.push_back(solver->request());
  }
  if (before_product_) before_product_(requests);
  batch_.apply(wanted);
  for (KrylovSolver* solver : waiting_) solver->receive();
  if (stopped_) {
    for (KrylovSolver* solver : waiting_) solver->interrupt();
  }
}

bool Lockstep::all_have_iterates() const {
  return std::all_of(waiting_.begin(), waiting_.end(), [](const KrylovSolver* solver) {
    return solver->finished() || solver->result().iterations > 0;
  });
}

}  // namespace rankine::bem
