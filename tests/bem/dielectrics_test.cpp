// Dielectrics against exact solutions: spheres in a uniform field and beside a charge, coated ones, and
// conductors within shells.
#include "rankine/bem/flow/dielectrics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/meshes/geodesic.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

FlowOptions tight() {
  FlowOptions options;
  options.gmres.tolerance = 1e-7;
  options.fmm.tolerance = 1e-8;
  return options;
}

ElectricProblem spheres(const std::vector<meshes::SurfaceMesh>& meshes, std::vector<ElectricBody> bodies) {
  ElectricProblem problem;
  problem.mesh = meshes.front();
  problem.body.assign(meshes.front().elements.size(), 0);
  for (std::size_t k = 1; k < meshes.size(); ++k) {
    problem.mesh = testing::joined(problem.mesh, meshes[k]);
    problem.body.resize(problem.mesh.elements.size(), static_cast<std::int32_t>(k));
  }
  problem.panels = make_panels(problem.mesh);
  problem.bodies = std::move(bodies);
  for (const std::int32_t b : problem.body) {
    const bool solid = problem.bodies[b].inside == 0.0;
    problem.conductor.push_back(solid ? 0 : -1);
    if (solid) problem.conductors = 1;
  }
  return problem;
}

TEST(Try, Sphere) {
  const auto backend = make_cpu_backend();
  for (const int panels : {1280, 5120}) {
    for (const double ratio : {0.001, 0.01, 0.1, 10.0, 1000.0}) {
      for (int kind = 0; kind < 2; ++kind) {
      ElectricProblem problem = spheres({kind == 0 ? meshes::make_sphere(panels) : testing::jittered_sphere(panels)}, {{-1, 1.0, ratio}});
      problem.field = {0.0, 0.0, 1.0};
      const ElectricResponse r = respond(problem, tight(), *backend);
      const ElectricSolution s = solve(problem, r, {}, tight(), *backend);
      double p = 0.0, q = 0;
      for (std::size_t i = 0; i < problem.panels.size(); ++i) {
        p += problem.panels.area[i] * problem.panels.centroid[i].z * s.state.charge[i];
        q += problem.panels.area[i] * s.state.charge[i]; }
      const std::vector<Vec3d> points{{0,0,0},{0.3, 0.2, 0.5}, {0,0,0.99}, {1.5, 0, 0.5}, {0.6,0,0.81}};
      const ElectricField f = evaluate_field(problem, s, points, tight(), *backend);
      const double exact = 3.0/(ratio+2);
      std::printf("%d %g kind %d: it %d alpha %.2e q %.2e  inner %.2e %.2e %.2e outer", panels, ratio, kind, r.record.gmres[0].iterations, p/(4*std::numbers::pi*(ratio-1)/(ratio+2))-1, q,
       f.field[0].z/exact-1, norm(f.field[1]-Vec3d{0,0,exact})/exact, norm(f.field[2]-Vec3d{0,0,exact})/exact);
      for (int k : {3, 4}) { Vec3d x=points[k]; double b=(ratio-1)/(ratio+2), R=norm(x); Vec3d e = Vec3d{0,0,1} + b*(3.0*x.z/std::pow(R,5)*x - Vec3d{0,0,1}/std::pow(R,3)); std::printf(" %.2e", norm(f.field[k]-e)/norm(e)); }
      double worst = 0; for (auto& e : s.field_inside) worst = std::max(worst, norm(e-Vec3d{0,0,exact})/exact);
      std::printf(" surface in %.2e\n", worst);
      }
    }
  }
}

TEST(Try, Shell) {
  const auto backend = make_cpu_backend();
  for (const double ratio : {1000.0}) {
    for (int panels : {1280, 5120}) {
    ElectricProblem problem = spheres({testing::moved(testing::jittered_sphere(panels), {}), testing::stretched(testing::jittered_sphere(panels), {0.5,0.5,0.5})}, {{-1, 1.0, ratio}, {0, ratio, 0.0}});
    const ElectricResponse r = respond(problem, tight(), *backend);
    const double exact = 4*std::numbers::pi*vacuum_permittivity/(1/ratio*(1/0.5-1)+1.0);
    const ElectricSolution s = solve(problem, r, {1.0}, tight(), *backend);
    const std::vector<Vec3d> points{{0.7,0.2,0.1}};
    const ElectricField f = evaluate_field(problem, s, points, tight(), *backend);
    const double Q=exact/vacuum_permittivity/4/std::numbers::pi, R2=dot(points[0],points[0]);
    std::printf("shell %g %d: it %d C %.2e  E %.2e\n", ratio, panels, r.record.gmres[0].iterations, r.capacitance(0,0)/exact-1, norm(f.field[0])/(Q/ratio/R2)-1);
    }
  }
}

}  // namespace
}  // namespace rankine::bem
