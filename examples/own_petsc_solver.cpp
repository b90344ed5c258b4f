// A program of one's own with PETSc, which has the vectors and the Krylov solver; its matrix is an
// operator of Rankine. The equation is that of own_integral_equation.cpp, S sigma = 1.
//
//   mpirun -n 4 own_petsc_solver -ksp_monitor -ksp_type gmres
#include <petscksp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/distributed_backend.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/fmm/distributed/mpi.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

using namespace rankine;

namespace {

/// y = S x. Every process of the operator passes all values, PETSc divides its vectors.
PetscErrorCode multiply(Mat matrix, Vec x, Vec y) {
  PetscFunctionBeginUser;
  bem::LinearOperator* single_layer = nullptr;
  PetscCall(MatShellGetContext(matrix, &single_layer));

  VecScatter to_all = nullptr;
  Vec whole = nullptr;
  PetscCall(VecScatterCreateToAll(x, &to_all, &whole));
  PetscCall(VecScatterBegin(to_all, x, whole, INSERT_VALUES, SCATTER_FORWARD));
  PetscCall(VecScatterEnd(to_all, x, whole, INSERT_VALUES, SCATTER_FORWARD));

  std::vector<double> product(single_layer->rows());
  const PetscScalar* from = nullptr;
  PetscCall(VecGetArrayRead(whole, &from));
  single_layer->add(1.0, from, product.data());
  PetscCall(VecRestoreArrayRead(whole, &from));
  PetscCall(VecDestroy(&whole));
  PetscCall(VecScatterDestroy(&to_all));

  PetscInt first = 0, end = 0;
  PetscCall(VecGetOwnershipRange(y, &first, &end));
  PetscScalar* to = nullptr;
  PetscCall(VecGetArrayWrite(y, &to));
  std::copy(product.begin() + first, product.begin() + end, to);
  PetscCall(VecRestoreArrayWrite(y, &to));
  PetscFunctionReturn(0);
}

PetscErrorCode capacitance(bem::LinearOperator& single_layer, const bem::Panels& panels,
                           double& found) {
  PetscFunctionBeginUser;
  const auto n = static_cast<PetscInt>(panels.size());
  Vec potential = nullptr, sigma = nullptr, area = nullptr;
  PetscCall(VecCreateMPI(PETSC_COMM_WORLD, PETSC_DECIDE, n, &potential));
  PetscCall(VecDuplicate(potential, &sigma));
  PetscCall(VecDuplicate(potential, &area));
  PetscCall(VecSet(potential, 1.0));
  PetscInt first = 0, end = 0;
  PetscCall(VecGetOwnershipRange(area, &first, &end));
  for (PetscInt i = first; i < end; ++i)
    PetscCall(VecSetValue(area, i, panels.area[static_cast<std::size_t>(i)], INSERT_VALUES));
  PetscCall(VecAssemblyBegin(area));
  PetscCall(VecAssemblyEnd(area));

  Mat matrix = nullptr;
  PetscCall(
      MatCreateShell(PETSC_COMM_WORLD, end - first, end - first, n, n, &single_layer, &matrix));
  PetscCall(MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));

  KSP krylov = nullptr;
  PC preconditioner = nullptr;
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &krylov));
  PetscCall(KSPSetOperators(krylov, matrix, matrix));
  PetscCall(KSPGetPC(krylov, &preconditioner));
  PetscCall(PCSetType(preconditioner, PCNONE));
  PetscCall(KSPSetTolerances(krylov, 1e-5, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(KSPSetFromOptions(krylov));
  PetscCall(KSPSolve(krylov, potential, sigma));
  PetscCall(VecDot(sigma, area, &found));

  PetscInt iterations = 0;
  PetscCall(KSPGetIterationNumber(krylov, &iterations));
  const double exact = 4.0 * std::numbers::pi * std::sqrt(3.0) / std::acosh(2.0);
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "capacitance %.4f, exact %.4f, %d iterations\n", found,
                        exact, static_cast<int>(iterations)));
  found /= exact;
  PetscCall(KSPDestroy(&krylov));
  PetscCall(MatDestroy(&matrix));
  PetscCall(VecDestroy(&potential));
  PetscCall(VecDestroy(&sigma));
  PetscCall(VecDestroy(&area));
  PetscFunctionReturn(0);
}

}  // namespace

int main(int argc, char** argv) {
  MpiSession session(&argc, &argv);
  PetscCall(PetscInitialize(&argc, &argv, nullptr, nullptr));
  double ratio = 0.0;
  PetscErrorCode failed = 0;
  {
    const bem::Panels panels = bem::make_panels(meshes::make_ellipsoid(5120, {2.0, 1.0, 1.0}));
    const bem::CollocatedPanels discretization(panels);
    const auto backend = bem::make_distributed_backend(bem::make_cpu_backend(),
                                                       bem::make_host_work(session.processes()));
    bem::LayerSet layers(*backend, discretization);
    bem::FarField far(layers, {.tolerance = 1e-6});
    bem::BoundaryOperator single_layer(far, {.terms = {{.layer = bem::Layer::single_layer}}});
    failed = capacitance(single_layer, panels, ratio);
  }
  PetscCall(PetscFinalize());
  return failed == 0 && std::abs(ratio - 1.0) < 2e-3 ? 0 : 1;
}
