// The module rankine-petsc.so: KSP of PETSc with the products and the preconditioner of Rankine as
// shells.
#include <petscksp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "rankine/bem/petsc/module.hpp"

namespace {

MPI_Comm communicator = MPI_COMM_NULL;
std::string message;

/// The first error: PETSc calls this function again for each of its callers.
PetscErrorCode keep_message(MPI_Comm, int, const char* function, const char*, PetscErrorCode code,
                            PetscErrorType type, const char* text, void*) {
  if (type == PETSC_ERROR_INITIAL) message = std::string(text) + " (" + function + ")";
  return code;
}

class Solve {
 public:
  explicit Solve(const RankinePetscSystem& system) : system_(system) {}
  ~Solve() {
    KSPDestroy(&ksp_);
    if (default_test_ != nullptr) KSPConvergedDefaultDestroy(default_test_);
    MatDestroy(&matrix_);
    VecDestroy(&x_);
    VecDestroy(&b_);
  }
  Solve(const Solve&) = delete;
  Solve& operator=(const Solve&) = delete;

  PetscErrorCode make() {
    PetscFunctionBeginUser;
    PetscCall(VecCreateMPI(communicator, PETSC_DECIDE, system_.n, &b_));
    PetscCall(VecDuplicate(b_, &x_));
    PetscCall(divide());
    PetscCall(take_own(system_.b, b_));
    PetscCall(take_own(system_.x, x_));

    const PetscInt rows = counts_[static_cast<std::size_t>(rank_)];
    PetscCall(MatCreateShell(communicator, rows, rows, system_.n, system_.n, this, &matrix_));
    PetscCall(MatShellSetOperation(matrix_, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));

    PetscCall(KSPCreate(communicator, &ksp_));
    PetscCall(KSPSetOperators(ksp_, matrix_, matrix_));
    PetscCall(KSPSetType(ksp_, KSPFGMRES));
    PetscCall(KSPSetPCSide(ksp_, PC_RIGHT));
    PetscCall(KSPGMRESSetRestart(ksp_, system_.restart));
    PetscCall(KSPGMRESSetCGSRefinementType(ksp_, KSP_GMRES_CGS_REFINE_ALWAYS));
    PetscCall(
        KSPSetTolerances(ksp_, system_.tolerance, 0.0, PETSC_DEFAULT, system_.max_iterations));
    PetscCall(KSPSetInitialGuessNonzero(ksp_, PETSC_TRUE));
    PetscCall(KSPConvergedDefaultCreate(&default_test_));
    PetscCall(KSPSetConvergenceTest(ksp_, converged, this, nullptr));
    PC preconditioner = nullptr;
    PetscCall(KSPGetPC(ksp_, &preconditioner));
    PetscCall(PCSetType(preconditioner, system_.precondition != nullptr ? PCSHELL : PCNONE));
    if (system_.precondition != nullptr) {
      PetscCall(PCShellSetContext(preconditioner, this));
      PetscCall(PCShellSetApply(preconditioner, precondition));
    }
    PetscCall(KSPSetFromOptions(ksp_));
    PetscFunctionReturn(0);
  }

  PetscErrorCode run(RankinePetscEnd& end) {
    PetscFunctionBeginUser;
    PetscCall(KSPSolve(ksp_, b_, x_));
    PetscCall(give_all(x_, system_.x));
    KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
    PetscCall(KSPGetConvergedReason(ksp_, &reason));
    end = reason > 0                   ? rankine_petsc_converged
          : reason == KSP_DIVERGED_ITS ? rankine_petsc_out_of_iterations
                                       : rankine_petsc_broken_down;
    PetscFunctionReturn(0);
  }

 private:
  PetscErrorCode divide() {
    PetscFunctionBeginUser;
    PetscMPIInt ranks = 1;
    PetscCallMPI(MPI_Comm_size(communicator, &ranks));
    PetscCallMPI(MPI_Comm_rank(communicator, &rank_));
    const PetscInt* ranges = nullptr;
    PetscCall(VecGetOwnershipRanges(b_, &ranges));
    for (PetscMPIInt r = 0; r < ranks; ++r) {
      first_.push_back(static_cast<PetscMPIInt>(ranges[r]));
      counts_.push_back(static_cast<PetscMPIInt>(ranges[r + 1] - ranges[r]));
    }
    whole_x_.resize(static_cast<std::size_t>(system_.n));
    whole_y_.resize(whole_x_.size());
    PetscFunctionReturn(0);
  }

  /// The rows of this process from all values.
  PetscErrorCode take_own(const double* all, Vec own) const {
    PetscFunctionBeginUser;
    PetscScalar* values = nullptr;
    PetscCall(VecGetArrayWrite(own, &values));
    const auto rank = static_cast<std::size_t>(rank_);
    std::copy_n(all + first_[rank], counts_[rank], values);
    PetscCall(VecRestoreArrayWrite(own, &values));
    PetscFunctionReturn(0);
  }

  /// The values of all processes.
  PetscErrorCode give_all(Vec own, double* all) const {
    PetscFunctionBeginUser;
    const PetscScalar* values = nullptr;
    PetscCall(VecGetArrayRead(own, &values));
    PetscCallMPI(MPI_Allgatherv(values, counts_[static_cast<std::size_t>(rank_)], MPI_DOUBLE, all,
                                counts_.data(), first_.data(), MPI_DOUBLE, communicator));
    PetscCall(VecRestoreArrayRead(own, &values));
    PetscFunctionReturn(0);
  }

  using Callback = int (*)(void*, const double*, double*);
  PetscErrorCode apply(Callback callback, Vec x, Vec y) {
    PetscFunctionBeginUser;
    PetscCall(give_all(x, whole_x_.data()));
    if (callback(system_.context, whole_x_.data(), whole_y_.data()) != 0) {
      PetscCall(keep_iterate());
      PetscFunctionReturn(PETSC_ERR_USER);
    }
    PetscCall(take_own(whole_y_.data(), y));
    PetscFunctionReturn(0);
  }

  /// Before the first iteration x remains the initial guess.
  PetscErrorCode keep_iterate() const {
    PetscFunctionBeginUser;
    if (iteration_ == 0) PetscFunctionReturn(0);
    Vec iterate = nullptr;
    PetscCall(VecDuplicate(x_, &iterate));
    PetscCall(KSPBuildSolution(ksp_, iterate, nullptr));
    PetscCall(give_all(iterate, system_.x));
    PetscCall(VecDestroy(&iterate));
    PetscFunctionReturn(0);
  }

  static PetscErrorCode multiply(Mat matrix, Vec x, Vec y) {
    PetscFunctionBeginUser;
    Solve* self = nullptr;
    PetscCall(MatShellGetContext(matrix, &self));
    PetscCall(self->apply(self->system_.multiply, x, y));
    PetscFunctionReturn(0);
  }

  static PetscErrorCode precondition(PC preconditioner, Vec x, Vec y) {
    PetscFunctionBeginUser;
    Solve* self = nullptr;
    PetscCall(PCShellGetContext(preconditioner, &self));
    PetscCall(self->apply(self->system_.precondition, x, y));
    PetscFunctionReturn(0);
  }

  static PetscErrorCode converged(KSP ksp, PetscInt iteration, PetscReal residual,
                                  KSPConvergedReason* reason, void* context) {
    PetscFunctionBeginUser;
    auto* const self = static_cast<Solve*>(context);
    PetscCall(KSPConvergedDefault(ksp, iteration, residual, reason, self->default_test_));
    self->iteration_ = static_cast<int>(iteration);
    if (self->system_.observe(self->system_.context, self->iteration_, residual) != 0 &&
        *reason == KSP_CONVERGED_ITERATING)
      *reason = KSP_DIVERGED_ITS;
    PetscFunctionReturn(0);
  }

  const RankinePetscSystem& system_;
  Vec b_ = nullptr, x_ = nullptr;
  Mat matrix_ = nullptr;
  KSP ksp_ = nullptr;
  void* default_test_ = nullptr;
  int iteration_ = 0;  ///< the last one that was completed
  PetscMPIInt rank_ = 0;
  std::vector<PetscMPIInt> first_, counts_;  ///< rows of the processes
  std::vector<double> whole_x_, whole_y_;
};

}  // namespace

const char* rankine_petsc_start(int shared) {
  if (PetscInitializeNoArguments() != 0) return "PetscInitialize failed";
  PetscPopSignalHandler();
  PetscPushErrorHandler(keep_message, nullptr);
  communicator = shared != 0 ? PETSC_COMM_WORLD : PETSC_COMM_SELF;
  return nullptr;
}

void rankine_petsc_finish() { PetscFinalize(); }

RankinePetscEnd rankine_petsc_solve(const RankinePetscSystem* system) {
  message.clear();
  Solve solve(*system);
  RankinePetscEnd end = rankine_petsc_failed;
  if (solve.make() != 0 || solve.run(end) != 0) return rankine_petsc_failed;
  return end;
}

const char* rankine_petsc_error() { return message.c_str(); }
