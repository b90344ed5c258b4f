// Iterations and seconds of solves with each preconditioner: the table of
// docs/performance-preconditioners.md.
//
//   preconditioner_bench [PANELS = 5000] [BODY]
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/meshes_together.hpp"

namespace {

using namespace rankine;

/// Spheres of radius 0.3 to 0.45 on a lattice.
meshes::SurfaceMesh hundred_spheres(int panels) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  meshes::SurfaceMesh all;
  for (int k = 0; k < 100; ++k) {
    const meshes::SurfaceMesh sphere =
        meshes::make_sphere(panels / 100, 0.3 + 0.15 * uniform(generator),
                            {1.0 * (k % 5), 1.0 * (k / 5 % 5), 1.0 * (k / 25)});
    all = k == 0 ? sphere : testing::joined(all, sphere);
  }
  return all;
}

meshes::SurfaceMesh make_body(const std::string& name, int panels) {
  if (name == "cube") return meshes::make_box(panels, {1.0, 1.0, 1.0});
  if (name == "disc") return meshes::make_ellipsoid(panels, {1.0, 1.0, 0.01});
  if (name == "wing") return meshes::make_ellipsoid(panels, {1.0, 5.0, 0.05});
  if (name == "long") return meshes::make_ellipsoid(panels, {10.0, 1.0, 0.1});
  if (name == "two spheres") {
    return testing::joined(meshes::make_sphere(panels / 2, 1.0, {-1.005, 0.0, 0.0}),
                           meshes::make_sphere(panels / 2, 1.0, {1.005, 0.0, 0.0}));
  }
  if (name == "100 spheres") return hundred_spheres(panels);
  return meshes::make_sphere(panels);
}

/// A stream past the body, or the potential of a charge beside it.
struct Equation {
  const char* name;
  bem::Formulation formulation;
  bem::Known known;
};

bem::BoundarySolution solve(const bem::FlowProblem& problem, const Equation& equation,
                            bem::Preconditioner preconditioner, bem::Backend& backend) {
  bem::SolveOptions options;
  options.preconditioner = preconditioner;
  const std::size_t n = problem.panels.size();
  const bem::BoundaryConditions conditions{std::vector<bem::Known>(n, equation.known)};
  std::vector<double> known = bem::flux(problem, problem.stream);
  if (equation.known == bem::Known::potential) {
    for (std::size_t i = 0; i < n; ++i)
      known[i] = 1.0 / norm(problem.panels.centroid[i] - Vec3d{1.6, 0.9, 0.7});
  }
  const bem::CollocatedPanels discretization(problem.panels);
  return bem::solve({discretization,
                     bem::formulate(equation.formulation, problem.region(), conditions), known, 1},
                    options, backend);
}

}  // namespace

int main(int argc, char** argv) {
  const int panels = argc > 1 ? std::atoi(argv[1]) : 5000;
  const auto backend = bem::make_cpu_backend();
  std::printf("%-12s %-12s %8s   %-22s %-22s %-22s %-22s\n", "body", "equation", "panels", "none",
              "block", "two-level", "automatic");
  for (const std::string name :
       {"sphere", "cube", "disc", "wing", "long", "two spheres", "100 spheres"}) {
    if (argc > 2 && name != argv[2]) continue;
    const bem::FlowProblem problem{.panels = bem::make_panels(make_body(name, panels)),
                                   .stream = {1.0, 0.3, 0.5}};
    for (const Equation& equation :
         {Equation{"green", bem::Formulation::green, bem::Known::flux},
          Equation{"source", bem::Formulation::source, bem::Known::flux},
          Equation{"first kind", bem::Formulation::source, bem::Known::potential}}) {
      std::printf("%-12s %-12s %8zu", name.c_str(), equation.name, problem.panels.size());
      for (const auto preconditioner :
           {bem::Preconditioner::none, bem::Preconditioner::block, bem::Preconditioner::two_level,
            bem::Preconditioner::automatic}) {
        const bem::BoundarySolution found = solve(problem, equation, preconditioner, *backend);
        std::printf("   %3d%s %6.2f + %6.2f s", found.gmres[0].iterations,
                    found.gmres[0].status == bem::GmresStatus::converged ? " " : "!",
                    found.seconds.preconditioner, found.seconds.solve);
        std::fflush(stdout);
      }
      std::printf("\n");
    }
  }
}
