// Estimated errors against true ones, on bodies whose flow is known.
#include "rankine/bem/flow/error_estimate.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/exact_bodies.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::ellipsoid;
using testing::geodesic;
using testing::oblique_stream;

struct EstimatedFlow {
  FlowProblem problem;
  Solution solution;
  ErrorFigures figures;

  EstimatedFlow(const meshes::SurfaceMesh& mesh, PanelGeometry geometry, const FlowOptions& options,
                const Vec3d& onset = oblique_stream)
      : problem{.panels = make_panels(mesh, geometry), .stream = onset} {
    const auto backend = make_cpu_backend();
    solution = solve(problem, options, *backend);
    figures = estimate_errors(problem, solution, fit_surface(problem, solution),
                              green_errors(problem, solution, *backend),
                              pressure_loads(fit_surface(problem, solution)).force)
                  .figures;
  }
};

/// The promise of docs/validation-estimates.md: an estimate is at most three times too small and
/// ten times too large.
void expect_near(double estimate, double error, const char* what) {
  EXPECT_LE(estimate, 10.0 * error) << what;
  EXPECT_GE(estimate, error / 3.0) << what;
}

class ErrorEstimates : public ::testing::TestWithParam<std::tuple<Formulation, PanelGeometry>> {};

TEST_P(ErrorEstimates, AreOfTheSizeOfTheErrorsOfSmoothBodies) {
  const auto [formulation, geometry] = GetParam();
  FlowOptions options;
  options.formulation = formulation;
  for (const testing::ExactBody& body :
       {ellipsoid("sphere, geodesic", geodesic, {1, 1, 1}),
        ellipsoid("sphere, jittered", testing::jittered_sphere, {1, 1, 1}),
        ellipsoid("sphere, graded", testing::graded_sphere, {1, 1, 1}),
        ellipsoid("sphere, quadrilaterals", testing::cubed_sphere, {1, 1, 1}),
        ellipsoid("3:2:1", geodesic, {3, 2, 1}),
        ellipsoid("3:2:1, jittered", testing::jittered_sphere, {3, 2, 1}),
        ellipsoid("5:1:1, jittered", testing::jittered_sphere, {5, 1, 1}),
        testing::sphere_pair("two spheres", 1.25)}) {
    for (const std::int64_t count : {700, 1750}) {
      SCOPED_TRACE(body.name + " of " + std::to_string(count));
      const EstimatedFlow solved(body.mesh(count), geometry, options);
      const SurfaceErrors found = surface_errors(solved.problem, solved.solution, body.exact);
      expect_near(solved.figures.velocity.l2, found.velocity.l2, "velocity");
      expect_near(solved.figures.velocity.max, found.velocity.max, "largest of the velocity");
      // On curved panels of a sphere the potential by `source` errs by less than a tenth of what
      // Green's identity leaves; on regular ones the error changes its sign.
      if (formulation == Formulation::green || geometry == PanelGeometry::flat ||
          !body.name.starts_with("sphere")) {
        expect_near(solved.figures.potential.l2, found.phi.l2, "potential");
        expect_near(solved.figures.potential.max, found.phi.max, "largest of the potential");
      }
      expect_near(solved.figures.cp.l2, found.pressure.l2, "Cp");
      EXPECT_LE(solved.figures.doubtful, 0.05);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    FormulationsAndPanels, ErrorEstimates,
    ::testing::Combine(::testing::Values(Formulation::green, Formulation::source),
                       ::testing::Values(PanelGeometry::curved, PanelGeometry::flat)));

/// |k U - exact| / |exact|.
double added_mass_error(const EstimatedFlow& solved, const Vec3d& exact) {
  const SurfaceFits fits = fit_surface(solved.problem, solved.solution);
  return norm(added_mass_velocity(solved.problem, fits) - exact) / norm(exact);
}

TEST(ErrorEstimate, SeesFewPanelsAroundWhereTheSolutionDoesNotVary) {
  // Axial streams past spheroids: around the axis only the shape varies.
  for (const Vec3d& axes : {Vec3d{1, 1, 5}, Vec3d{1, 1, 3}, Vec3d{1, 1, 8}}) {
    for (const std::int32_t sectors : {10, 12, 16}) {
      SCOPED_TRACE(std::to_string(axes.z) + " of " + std::to_string(sectors));
      const Vec3d along{0, 0, 1};
      const EstimatedFlow solved(testing::lathe(60, sectors, axes), PanelGeometry::curved, {},
                                 along);
      const EllipsoidFlow exact(axes, along);
      const SurfaceErrors found = surface_errors(
          solved.problem, solved.solution, [&](const Vec3d& x) { return exact.on_surface(x); });
      expect_near(solved.figures.potential.l2, found.phi.l2, "potential");
      expect_near(solved.figures.velocity.l2, found.velocity.l2, "velocity");
      expect_near(solved.figures.added_mass, added_mass_error(solved, exact.added_mass().z * along),
                  "added mass");
    }
  }
}

/// With few panels across a face, one power of the distance stands for two edges, whose strengths
/// differ. The estimates were 0.2 times the errors.
TEST(ErrorEstimate, SeesThatPowersOfTwoEdgesAreNotToldApart) {
  const auto flow_past = [](int panels, const Vec3d& size) {
    return EstimatedFlow(meshes::make_box(panels, size), PanelGeometry::curved, {}, {1, 0, 0});
  };
  for (const auto& [panels, size] :
       {std::pair{150, Vec3d{1, 1, 1}}, std::pair{209, Vec3d{1.47, 0.58, 0.71}},
        std::pair{520, Vec3d{1.43, 0.92, 0.48}}, std::pair{600, Vec3d{1, 1, 1}}}) {
    SCOPED_TRACE(panels);
    const EstimatedFlow solved = flow_past(panels, size), fine = flow_past(10 * panels, size);
    const Vec3d mass = added_mass_velocity(fine.problem, fit_surface(fine.problem, fine.solution));
    expect_near(solved.figures.added_mass, added_mass_error(solved, mass), "added mass");
  }
}

TEST(ErrorEstimate, SeesPanelsThatTurnByFortyDegrees) {
  for (const std::int32_t rings : {20, 100}) {
    SCOPED_TRACE(rings);
    const EstimatedFlow solved(testing::lathe(rings, 10, {1, 1, 1}), PanelGeometry::curved, {});
    const SurfaceErrors found = surface_errors(
        solved.problem, solved.solution,
        [flow = SphereFlow{oblique_stream}](const Vec3d& x) { return flow.on_surface(x); });
    expect_near(solved.figures.potential.l2, found.phi.l2, "potential");
    expect_near(solved.figures.velocity.l2, found.velocity.l2, "velocity");
  }
}

/// The flow is that around the panels, and layers on these satisfy Green's identity. The estimates
/// were 0.15 to 0.3 times the errors.
TEST(ErrorEstimate, SeesThatPanelsAreNotTheBody) {
  struct Body {
    meshes::SurfaceMesh mesh;
    Vec3d axes;
    PanelGeometry geometry;
    Vec3d stream;
  };
  const auto turned = [](std::int32_t rings, std::int32_t sectors, const Vec3d& axes,
                         PanelGeometry geometry, const Vec3d& stream) {
    return Body{testing::lathe(rings, sectors, axes), axes, geometry, stream};
  };
  const Vec3d x{1, 0, 0}, z{0, 0, 1};
  for (
      const Body& body :
      {turned(49, 20, {1.25, 1.41, 2.05}, PanelGeometry::flat, z),
       turned(26, 12, {1.03, 0.92, 1.7}, PanelGeometry::flat, z),
       turned(19, 8, {1.76, 1.53, 1.16}, PanelGeometry::flat, x),
       // Edges where panels turn by more than 30 degrees are straight on some, one-sided on others.
       turned(16, 12, {1, 1, 0.16}, PanelGeometry::curved, x),
       turned(45, 9, {1, 0.48, 5.29}, PanelGeometry::curved, z),
       turned(40, 12, {1, 0.37, 1.66}, PanelGeometry::curved, x)}) {
    SCOPED_TRACE(std::to_string(body.axes.z) + " of " + std::to_string(body.mesh.elements.size()));
    const EstimatedFlow solved(body.mesh, body.geometry, {}, body.stream);
    const EllipsoidFlow exact(body.axes, body.stream);
    const SurfaceErrors found = surface_errors(solved.problem, solved.solution,
                                               [&](const Vec3d& p) { return exact.on_surface(p); });
    expect_near(solved.figures.potential.l2, found.phi.l2, "potential");
    expect_near(solved.figures.velocity.l2, found.velocity.l2, "velocity");
    const Vec3d k = exact.added_mass();
    expect_near(
        solved.figures.added_mass,
        added_mass_error(solved, {k.x * body.stream.x, k.y * body.stream.y, k.z * body.stream.z}),
        "added mass");
  }
}

TEST(ErrorEstimate, SeesThatThinDiscsAmplifyErrors) {
  // The potential of a disc of thickness t is of the size 1/t of the right-hand side.
  for (const double thickness : {0.2, 0.1, 0.05}) {
    SCOPED_TRACE(thickness);
    const Vec3d axes{1.0, 1.0, thickness}, across{0.6, 0.0, 0.8};
    const EstimatedFlow solved(testing::stretched(testing::jittered_sphere(4000), axes),
                               PanelGeometry::curved, {}, across);
    const EllipsoidFlow exact(axes, across);
    const SurfaceErrors found = surface_errors(solved.problem, solved.solution,
                                               [&](const Vec3d& x) { return exact.on_surface(x); });
    expect_near(solved.figures.potential.l2, found.phi.l2, "potential");
    const Vec3d k = exact.added_mass();
    expect_near(solved.figures.added_mass,
                added_mass_error(solved, {k.x * across.x, k.y * across.y, k.z * across.z}),
                "added mass");
  }
}

TEST(ErrorEstimate, OfTheAddedMassOfACubeHasThatOfItsEdges) {
  constexpr double of_cube = 0.6384157;  // in rho V, extrapolated
  for (const auto kind : {meshes::PanelKind::triangles, meshes::PanelKind::quadrilaterals}) {
    for (const std::int64_t count : {600, 2400}) {
      const Vec3d along{1, 0, 0};
      const EstimatedFlow solved(meshes::make_box(count, {1, 1, 1}, {}, kind),
                                 PanelGeometry::curved, {}, along);
      const double error = added_mass_error(solved, of_cube * along);
      // Errors of opposite sign nearly cancel on these triangles; the estimate is that of phi.
      if (kind == meshes::PanelKind::quadrilaterals) {
        expect_near(solved.figures.added_mass, error, "cube");
      } else {
        EXPECT_GE(solved.figures.added_mass, error / 3.0);
        EXPECT_LE(solved.figures.added_mass, 6.0 / static_cast<double>(count));
      }
    }
  }
}

TEST(ErrorEstimate, KnowsWhatTheSolverLeaves) {
  // A residual far above what the panels leave.
  FlowOptions options;
  options.gmres.max_iterations = 1;
  const meshes::SurfaceMesh mesh = meshes::make_ellipsoid(2000, {1.0, 1.0, 0.3});
  const EstimatedFlow rough(mesh, PanelGeometry::curved, options),
      fine(mesh, PanelGeometry::curved, {});
  const double residual = rough.solution.gmres.true_residual;
  ASSERT_GT(residual, 3.0 * fine.figures.potential.l2);
  EXPECT_GE(rough.figures.potential.l2, residual);
  EXPECT_GE(rough.figures.velocity.l2,
            residual / 3.0);  // speeds are below three times the stream's
}

TEST(ErrorEstimate, AtTheEdgesOfABoxIsThatAgainstAFinerMesh) {
  // Centres are those of a mesh of a third of the size, whose velocity is larger by the
  // singularity: that stays at the edges, and the row's share of the surface falls with the panel
  // size.
  const auto box = [](std::int64_t squares) {
    return EstimatedFlow(meshes::make_box(6 * squares * squares, {1.0, 1.0, 1.0}, {},
                                          meshes::PanelKind::quadrilaterals),
                         PanelGeometry::curved, {});
  };
  const EstimatedFlow coarse = box(5), fine = box(15), finest = box(45);
  EXPECT_LE(coarse.figures.doubtful, 0.2);
  EXPECT_LE(fine.figures.doubtful, 0.5 * coarse.figures.doubtful);
  for (const EstimatedFlow* each : {&coarse, &fine}) {
    const Panels &panels = each->problem.panels, &reference = finest.problem.panels;
    double largest = 0.0, speed = 0.0;
    for (std::size_t i = 0; i < panels.size(); ++i) {
      std::size_t same = 0;
      while (norm(reference.centroid[same] - panels.centroid[i]) > 1e-4) ++same;
      largest =
          std::max(largest, norm(each->solution.velocity[i] - finest.solution.velocity[same]));
      speed = std::max(speed, norm(each->solution.velocity[i]));
    }
    expect_near(each->figures.velocity.max, largest / speed, "edges");
  }
}

TEST(ErrorEstimate, OfSlopesOfPlanesIsThatAgainstAFinerMesh) {
  // Three squares around each corner are all that a face of two by two shows. The middles of their
  // 25 parts are their own.
  const auto solve_box = [](int panels) {
    return EstimatedFlow(
        meshes::make_box(panels, {1.0, 1.0, 1.0}, {}, meshes::PanelKind::quadrilaterals),
        PanelGeometry::curved, {});
  };
  const EstimatedFlow box = solve_box(24), fine = solve_box(600);
  double error = 0.0, speed = 0.0;
  for (std::size_t i = 0; i < box.problem.panels.size(); ++i) {
    std::size_t same = 0;
    while (norm(fine.problem.panels.centroid[same] - box.problem.panels.centroid[i]) > 1e-4) ++same;
    const Vec3d& u = box.solution.velocity[i];
    error += dot(u - fine.solution.velocity[same], u - fine.solution.velocity[same]);
    speed += dot(u, u);
  }
  const double known = std::sqrt(error / speed);
  EXPECT_GT(known, 0.1);
  EXPECT_GE(box.figures.velocity.l2, known / 3.0);
  EXPECT_LE(box.figures.velocity.l2, 2.0 * known);
}

}  // namespace
}  // namespace rankine::bem
