// The interface between Rankine and its module rankine-petsc.so, the only code that contains PETSc.
// The program loads the module when it is asked for, because PETSc depends on a hundred libraries.
#pragma once

extern "C" {

/// A x = b with n unknowns. Each process passes all of b and x; the vectors of PETSc are divided
/// among the processes. The callbacks return 0, or another number to end the solve.
struct RankinePetscSystem {
  int n;
  const double* b;
  double* x;  ///< the initial guess, replaced by the solution
  double tolerance;
  int max_iterations, restart;

  void* context;
  /// y = A x.
  int (*multiply)(void* context, const double* x, double* y);
  /// y = M^-1 x; null: none.
  int (*precondition)(void* context, const double* x, double* y);
  /// Called after each iteration, 0 included, with the estimate of |b - A x|.
  int (*observe)(void* context, int iteration, double residual);
};

enum RankinePetscEnd {
  rankine_petsc_failed,
  rankine_petsc_converged,
  rankine_petsc_out_of_iterations,
  rankine_petsc_broken_down
};

/// Starts PETSc, with the options of the environment variable PETSC_OPTIONS, and MPI if it is not
/// running. `shared`: the processes of MPI_COMM_WORLD solve together, otherwise each solves for
/// itself. Returns null, or the reason why it failed.
const char* rankine_petsc_start(int shared);
void rankine_petsc_finish();

/// Solves by FGMRES, or by what PETSC_OPTIONS chooses. If a callback ended the solve, x is the last
/// iterate. After a failure rankine_petsc_error() is the message of PETSc.
RankinePetscEnd rankine_petsc_solve(const RankinePetscSystem* system);
const char* rankine_petsc_error();
}
