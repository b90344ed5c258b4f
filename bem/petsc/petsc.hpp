// The Krylov solvers of PETSc instead of bem/krylov: the same system, products and preconditioner.
// PETSc has no entries of the matrix (it is a shell), so only options that choose and tune a method
// are useful (-ksp_type, -ksp_gmres_restart, -ksp_monitor, -ksp_view ...).
#pragma once

#include "rankine/bem/krylov/gmres.hpp"

namespace rankine::bem {

/// PETSc, while the object exists; one at a time. It comes from the module rankine-petsc.so: the
/// file named by the environment variable RANKINE_PETSC, or that installed with the program.
class Petsc {
 public:
  /// `shared`: all processes of MPI solve together, each with all values of the vectors; an
  /// MpiSession must exist longer than this object. Otherwise this process solves alone. Throws
  /// InputError if there is no module.
  explicit Petsc(bool shared);
  ~Petsc();
  Petsc(const Petsc&) = delete;
  Petsc& operator=(const Petsc&) = delete;

  /// Solves as gmres() does, one right-hand side after the other, by FGMRES or the method that the
  /// environment variable PETSC_OPTIONS chooses; the tolerance and the number of iterations are
  /// those of `options` unless PETSC_OPTIONS has others. A copy of this object's function may be
  /// GmresOptions::method. Throws InputError with PETSc's message if PETSc fails.
  KrylovMethod method() const;

 private:
  struct Module;
  const Module& module_;
};

}  // namespace rankine::bem
