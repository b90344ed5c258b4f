
#include <fmt/format.h>

#include <algorithm>

#include "cases/input/read_problem.hpp"
#include "cases/input/words.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::cases {

void solver_keys(Keys& keys, SolverInput& solver) {
  keys.table("solver", "How the equations are solved.");
  keys.key("formulation", solver.formulation, formulation_words,
           {.text = "Green's formula, sources (Hess & Smith), or doublets.",
            .otherwise = "source if a boundary is thin or a body passes through itself, doublet if "
                         "the walls of a flow are thin"});
  const bool bodies = keys.reading() || solver.formulation != bem::Formulation::doublet;
  keys.only(bodies);
  keys.key("panels", solver.panels, panel_words,
           {.text = "Quadratic patches fitted to the mesh, or the mesh itself.",
            .otherwise = "flat with wakes, else curved"});
  keys.only();
  keys.key("tolerance", solver.tolerance,
           {"True residual relative to the right-hand side.", "", between(1e-14, 0.5)});
  keys.key("max_iterations", solver.max_iterations, {"Of GMRES.", "", at_least(1)});
  keys.key("restart", solver.restart, {"Iterations between two restarts.", "", at_least(1)});
  keys.key("backend", solver.backend, backend_words, {"Where to compute."});
  keys.key("krylov", solver.krylov, krylov_words,
           {"Whose GMRES. petsc: that of PETSc, with the options in PETSC_OPTIONS."});
  keys.only(bodies);
  keys.key("preconditioner", solver.preconditioner, preconditioner_words,
           {"Approximate inverse for GMRES."});
  keys.key("relaxation", solver.relaxation,
           {.text = "Cheaper products as the residual falls.",
            .otherwise = "with wakes, and if panels have many nodes, as long ones do"});
  keys.key("precision", solver.precision, solver_precision_words,
           {"Arithmetic. Mixed: float inside, refined to double."});
}

void fmm_keys(Keys& keys, FmmInput& fmm) {
  keys.table("fmm", "How sums over panels and particles are made.");
  keys.key("method", fmm.method, method_choices,
           {"Of summation. auto: fmm; direct for few points and for cores too large for it."});
  keys.key("tolerance", fmm.tolerance,
           {.text = "Relative L2 error of the sums, kept in the solve.",
            .range = between(fmm::least_tolerance(fmm::Precision::float64), fmm::most_tolerance),
            .otherwise = "a tenth of solver.tolerance; of particles 1e-5"});
  keys.key("order", fmm.order,
           {"0: from the tolerance, increased if the solve needs it.", "",
            between(0, fmm::max_order - 1)});
  keys.key("leaf_capacity", fmm.leaf_capacity, {"Points in a leaf. 0: tuned.", "", at_least(0)});
  keys.key("precision", fmm.precision, precision_words,
           {.text = "Arithmetic.", .otherwise = "float if solver.precision is"});
}

void complete_solver(const Section& root, Case& flow_case) {
  const Section section = root.table("solver");
  const std::vector<BoundaryInput>& boundaries = flow_case.boundaries;
  SolverInput& solver = flow_case.solver;
  const bool media = has_media(flow_case),
             thin_walls = walls_are_thin(flow_case.problem.kind, boundaries),
             thin = any_is_thin(boundaries);
  solver.formulation_is_given = section.has("formulation");
  if (!solver.formulation_is_given) {
    solver.formulation = thin_walls      ? bem::Formulation::doublet
                         : thin || media ? bem::Formulation::source
                                         : bem::Formulation::green;
  }
  // Curved panels would round the kink at the root of a swept wing by more than the thickness of
  // its edge.
  if (flow_case.lift.has_wakes() && !section.has("panels"))
    solver.panels = bem::PanelGeometry::flat;
  if (media && solver.formulation != bem::Formulation::source) {
    section.fail("formulation",
                 "must be \"source\", the total charge, where there are interfaces, a field or "
                 "point charges; leave it out");
  }
  if (solver.krylov == Krylov::petsc && solver.precision == SolverPrecision::mixed) {
    section.fail("krylov", "\"petsc\" iterates in double; leave out solver.precision = \"mixed\"");
  }
  if (thin_walls != (solver.formulation == bem::Formulation::doublet)) {
    section.fail("formulation",
                 thin_walls ? "must be \"doublet\" where walls are thin; leave it out"
                            : "\"doublet\" is for walls without thickness; use \"green\" or "
                              "\"source\", or give the walls thin = true");
  }
  if (thin_walls) {
    section.refuse({"panels", "preconditioner", "relaxation", "precision"},
                   "for walls without thickness: panels are flat, and solved for in double, scaled "
                   "by the diagonal");
    solver.panels = bem::PanelGeometry::flat;
  } else if (thin && solver.formulation != bem::Formulation::source) {
    section.fail("formulation",
                 "\"green\" needs closed surfaces, and a boundary is thin; use \"source\"");
  }
}

void complete_fmm(const Section& root, const SolverInput& solver, FmmInput& fmm) {
  const Section section = root.table("fmm");
  const double least = fmm::least_tolerance(fmm::Precision::float64),
               least_float = fmm::least_tolerance(fmm::Precision::float32);
  if (!section.has("tolerance")) fmm.tolerance = std::max(0.1 * solver.tolerance, least);
  if (!section.has("precision") && solver.precision == SolverPrecision::float32)
    fmm.precision = fmm::Precision::float32;
  if (fmm.precision == fmm::Precision::float32 && fmm.tolerance < least_float) {
    const Section chosen = section.has("precision") ? section : root.table("solver");
    chosen.fail(
        "precision",
        fmt::format("\"float\" reaches tolerances of {} and above, fmm.tolerance is {}; use "
                    "\"double\", perhaps with solver.precision \"mixed\", or loosen the tolerance",
                    least_float, fmm.tolerance));
  }
}

}  // namespace rankine::cases
