// The parts of an error estimate one by one, against the formulas of bem/flow/error_estimate.hpp:
// fits and solutions made by hand, of which only one thing is not exact.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/panels/surface_integrals.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "tests/support/exact_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::oblique_stream;

/// Differs from panel to panel.
double small_value(std::size_t i) { return 0.1 + 0.01 * static_cast<double>(i % 7); }

/// A solution without errors of any kind, on a sphere of constant speed and potential.
struct Made {
  FlowProblem problem;
  Solution solution;
  SurfaceFits fits;
  GreenErrors green{};
  Vec3d force{};

  explicit Made(PanelGeometry geometry = PanelGeometry::curved,
                const meshes::SurfaceMesh& mesh = meshes::make_sphere(320))
      : problem{.panels = make_panels(mesh, geometry), .stream = oblique_stream, .density = 2.0} {
    const std::size_t n = problem.panels.size();
    solution.stream = oblique_stream;
    solution.phi.assign(n, 3.0);
    solution.velocity.assign(n, {0.0, 4.0, 3.0});
    solution.pressure.assign(n, 0.5);
    fits.signs.assign(n, {});
    fits.phi.assign(n, {});
    solution.flux.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      fits.phi[i].plain = problem.panels.area[i] * 3.0;
      fits.phi[i].normal = problem.panels.vector_area[i] * 3.0;
    }
  }
  ErrorEstimate estimate() const { return estimate_errors(problem, solution, fits, green, force); }
  std::size_t size() const { return problem.panels.size(); }
  /// Root mean square over the area.
  double mean(const std::vector<double>& values) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size(); ++i) sum += problem.panels.area[i] * values[i] * values[i];
    return std::sqrt(sum / total_area(problem.panels));
  }
};

constexpr double phi = 3.0, speed = 5.0;
const double far_speed = norm(oblique_stream);

struct PartOfError {
  std::string name;
  std::function<void(Made&)> err;
  double of_velocity, of_potential;  ///< times small_value(i)
};

const std::vector<PartOfError>& parts() {
  const auto of_signs = [](double PanelSigns::*member) {
    return [=](Made& made) {
      for (std::size_t i = 0; i < made.size(); ++i) made.fits.signs[i].*member = small_value(i);
    };
  };
  const auto of_flux = [](Made& made) {
    for (std::size_t i = 0; i < made.size(); ++i) made.fits.flux.push_back(small_value(i));
  };
  const auto of_means = [](Made& made) {
    for (std::size_t i = 0; i < made.size(); ++i)
      made.fits.phi[i].plain += made.problem.panels.area[i] * small_value(i);
  };
  static const std::vector<PartOfError> rows{
      {"exact", [](Made&) {}, 0.0, 0.0},
      {"velocity not as predicted", of_signs(&PanelSigns::difference), 0.5, 0.0},
      {"potential not as predicted", of_signs(&PanelSigns::deviation), 0.0, 0.5},
      {"means that differ from values", of_means, 0.0, 0.3},
      {"tilted", of_signs(&PanelSigns::tilt), 0.4 * far_speed, 0.0},
      {"flux of a potential alone", of_flux, 0.7, 0.0},
  };
  return rows;
}

TEST(ErrorParts, AreThoseOfTheHeaderEachAlone) {
  for (const PartOfError& part : parts()) {
    for (const Domain domain : {Domain::exterior, Domain::interior}) {
      SCOPED_TRACE(part.name);
      Made made;
      made.problem.domain = domain;
      part.err(made);
      const ErrorEstimate found = made.estimate();
      for (std::size_t i = 0; i < made.size(); ++i) {
        EXPECT_NEAR(found.velocity[i], part.of_velocity * small_value(i), 1e-12) << i;
        EXPECT_NEAR(found.potential[i], part.of_potential * small_value(i), 1e-12) << i;
      }
    }
  }
}

// Green's identity of phi and x is off by the volume times the gradient, inside alone.
TEST(ErrorParts, InsideContainTheLinearOneOfGreensIdentity) {
  const Vec3d gradient{0.3, -0.2, 0.6};
  for (const Domain domain : {Domain::exterior, Domain::interior}) {
    Made made;
    made.problem.domain = domain;
    const Panels& panels = made.problem.panels;
    made.fits.phi[7].normal += enclosed_volume(panels) * gradient;
    const ErrorEstimate found = made.estimate();
    const bool inside = domain == Domain::interior;
    for (std::size_t i = 0; i < made.size(); ++i) {
      EXPECT_NEAR(found.velocity[i], inside ? 0.7 : 0.0, 1e-12) << i;
      EXPECT_NEAR(found.potential[i], inside ? std::abs(dot(gradient, panels.centroid[i])) : 0.0,
                  1e-12)
          << i;
    }
  }
}

TEST(ErrorParts, OfThePotentialAreAmplifiedAsResidualsAre) {
  Made made;
  made.green.amplification = 2.0 * of_a_sphere;
  for (std::size_t i = 0; i < made.size(); ++i) made.fits.signs[i].deviation = small_value(i);
  const ErrorEstimate found = made.estimate();
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_NEAR(found.potential[i], small_value(i), 1e-12) << i;
}

TEST(ErrorParts, OfGreensIdentityAreEverywhereAndAtLeastTheLargestOfTheSample) {
  Made made;
  made.green = {.potential = {0.3, 0.9}, .gradient = {0.1, 0.7}};
  const ErrorEstimate found = made.estimate();
  for (std::size_t i = 0; i < made.size(); ++i) {
    EXPECT_NEAR(found.velocity[i], 0.1, 1e-12);
    EXPECT_NEAR(found.potential[i], 0.3, 1e-12);
  }
  EXPECT_NEAR(found.figures.potential.l2, 0.3 / phi, 1e-12);
  EXPECT_NEAR(found.figures.potential.max, 0.9 / phi, 1e-12);
  EXPECT_NEAR(found.figures.velocity.l2, 0.1 / speed, 1e-12);
  EXPECT_NEAR(found.figures.velocity.max, 0.7 / speed, 1e-12);
}

TEST(ErrorParts, OfTiltedFlatPanelsAreWhole) {
  Made made(PanelGeometry::flat);
  const ErrorEstimate before = made.estimate();
  for (std::size_t i = 0; i < made.size(); ++i) made.fits.signs[i].tilt = small_value(i);
  const ErrorEstimate found = made.estimate();
  for (std::size_t i = 0; i < made.size(); ++i)
    EXPECT_NEAR(found.velocity[i], std::hypot(before.velocity[i], small_value(i) * far_speed),
                1e-12);
}

TEST(ErrorParts, OfTheSolverAreRelativeAndTheSameInside) {
  Made made;
  made.solution.gmres.true_residual = 2e-3;
  made.solution.fmm_sampled_error = 1e-3;
  for (const Domain domain : {Domain::exterior, Domain::interior}) {
    made.problem.domain = domain;
    const ErrorEstimate found = made.estimate();
    for (std::size_t i = 0; i < made.size(); ++i) {
      EXPECT_NEAR(found.velocity[i], 3e-3 * far_speed, 1e-14);
      EXPECT_NEAR(found.potential[i], 3e-3 * phi, 1e-14);
    }
  }
}

TEST(ErrorParts, OfConvexEdgesAreThatOfTheirAngle) {
  // Of a box, 3 pi / 2: a sixth of the speed at every edge, nothing elsewhere; 0.12 times that and
  // the width, a fifth, of the potential. The points of squares lie 1e-4 of their width off the
  // centres.
  Made made(PanelGeometry::curved,
            meshes::make_box(150, {1.0, 1.0, 1.0}, {}, meshes::PanelKind::quadrilaterals));
  // What flows along edges has no part in it.
  for (const double each : made.estimate().velocity) EXPECT_EQ(each, 0.0);
  // It turns with the wall at all of them.
  for (std::size_t i = 0; i < made.size(); ++i)
    made.solution.velocity[i] = speed * made.problem.panels.normal[i];
  const ErrorEstimate found = made.estimate();
  int at_edges = 0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Vec3d& x = made.problem.panels.centroid[i];
    int close = 0;
    for (int axis = 0; axis < 3; ++axis) close += std::abs(x[axis]) > 0.35 ? 1 : 0;
    at_edges += close > 1 ? 1 : 0;
    const double expected = close > 1 ? speed / 6.0 : 0.0;
    EXPECT_NEAR(found.velocity[i], expected, 1e-4) << x.x << ' ' << x.y;
    EXPECT_NEAR(found.potential[i], 0.12 * expected / 5.0, 1e-4) << x.x << ' ' << x.y;
  }
  EXPECT_EQ(at_edges, 6 * 16);
}

TEST(ErrorParts, OfConcaveEdgesAreTheWholeDifferenceFromThePrediction) {
  meshes::SurfaceMesh mesh =
      meshes::make_box(150, {1.0, 1.0, 1.0}, {}, meshes::PanelKind::quadrilaterals);
  meshes::turn_inside_out(mesh);
  Made made(PanelGeometry::curved, mesh);
  made.problem.domain = Domain::interior;
  for (std::size_t i = 0; i < made.size(); ++i) made.fits.signs[i].difference = small_value(i);
  const ErrorEstimate found = made.estimate();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Vec3d& x = made.problem.panels.centroid[i];
    int close = 0;
    for (int axis = 0; axis < 3; ++axis) close += std::abs(x[axis]) > 0.35 ? 1 : 0;
    EXPECT_NEAR(found.velocity[i], (close > 1 ? 1.0 : 0.5) * small_value(i), 1e-12) << x.x;
  }
}

TEST(ErrorParts, OfAGivenPotentialAreWhatTheSolverLeaves) {
  Made made;
  made.solution.gmres.true_residual = 1e-3;
  made.problem.conditions.known.assign(made.size(), Known::flux);
  for (std::size_t i = 0; i < made.size(); ++i) {
    made.fits.signs[i].deviation = small_value(i);
    if (i % 2 == 0) made.problem.conditions.known[i] = Known::potential;
  }
  const ErrorEstimate found = made.estimate();
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double solver = 1e-3 * phi;
    EXPECT_NEAR(found.potential[i], i % 2 == 0 ? solver : std::hypot(0.5 * small_value(i), solver),
                1e-12);
  }
}

TEST(ErrorParts, AreRelatedToTheFlow) {
  Made made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made.fits.signs[i] = {.difference = small_value(i), .deviation = small_value(i)};
    made.solution.pressure[i] = i % 2 == 0 ? 0.5 : -0.5;
  }
  const ErrorFigures found = made.estimate().figures;
  std::vector<double> half(made.size()), on_panels(made.size());
  for (std::size_t i = 0; i < made.size(); ++i) {
    half[i] = 0.5 * small_value(i);
    on_panels[i] = 0.65 * 2.0 * speed * half[i];
  }
  const double most = 0.5 * 0.16;
  EXPECT_NEAR(found.velocity.l2, made.mean(half) / speed, 1e-12);
  EXPECT_NEAR(found.velocity.max, most / speed, 1e-12);
  EXPECT_NEAR(found.potential.l2, made.mean(half) / phi, 1e-12);
  EXPECT_NEAR(found.cp.l2, made.mean(on_panels) / 0.5, 1e-12);
  EXPECT_NEAR(found.cp.max, 0.65 * 2.0 * speed * most / 0.5, 1e-12);
  EXPECT_NEAR(found.added_mass, made.mean(half) / phi, 1e-12);
  double force = 0.0;
  for (std::size_t i = 0; i < made.size(); ++i) {
    const Panels& panels = made.problem.panels;
    const double around = 0.75 * std::sqrt(3.0) * panels.radius[i] * panels.radius[i];
    force += on_panels[i] * on_panels[i] * panels.area[i] * std::max(panels.area[i], around);
  }
  EXPECT_NEAR(found.force, std::sqrt(force), 1e-12) << "errors independent on regular triangles";
}

TEST(ErrorParts, NameThePanelsThatErrByATenth) {
  Made made;
  const double limit = 0.1 * far_speed;
  made.fits.signs[7].difference = 2.0 * 3.0 * limit;
  made.fits.signs[11].difference = 2.0 * 1.01 * limit;
  made.fits.signs[13].difference = 2.0 * 0.99 * limit;
  const ErrorFigures found = made.estimate().figures;
  const std::vector<double> area(made.problem.panels.area.begin(), made.problem.panels.area.end());
  EXPECT_EQ(found.doubtful_panels, 2u);
  EXPECT_NEAR(found.doubtful, (area[7] + area[11]) / total_area(made.problem.panels), 1e-12);
  EXPECT_EQ(found.worst, 7u);
  EXPECT_NEAR(found.at_worst, 0.3, 1e-12);
}

// Walls at rest in an unbounded stream are not pushed (d'Alembert). With symmetry planes that is so
// along them only: a body and its image attract each other.
TEST(ErrorParts, OfTheForceAreAtLeastWhatMustVanish) {
  const meshes::Symmetry planes({{1, 0.0, 1.0}, {2, 0.0, -1.0}});
  const auto force_of = [](Made made) {
    made.force = {0.3, 0.6, 0.4};
    return made.estimate().figures.force;
  };
  Made free, two_planes, inside, moving, among_sources;
  two_planes.problem.panels.symmetry = planes;
  inside.problem.domain = Domain::interior;
  moving.problem.normal_velocity.assign(moving.size(), 0.1);
  among_sources.problem.onset.sources.push_back({.position = {9.0, 0.0, 0.0}});
  EXPECT_DOUBLE_EQ(force_of(free), std::sqrt(0.09 + 0.36 + 0.16));
  EXPECT_DOUBLE_EQ(force_of(two_planes), 0.3);
  for (const Made* each : {&inside, &moving, &among_sources}) EXPECT_LT(force_of(*each), 1e-9);
}

TEST(ErrorParts, ReferToTheSpeedOfTheProblem) {
  const auto speed_of = [](const Made& made) { return made.estimate().figures.speed; };
  Made made;
  EXPECT_DOUBLE_EQ(speed_of(made), far_speed);
  made.problem.normal_velocity.assign(made.size(), 0.25);
  EXPECT_DOUBLE_EQ(speed_of(made), far_speed) << "the stream, where there is one";
  made.problem.stream = made.solution.stream = {};
  EXPECT_NEAR(speed_of(made), 0.25, 1e-14);
  made.problem.has_pressure = false;
  EXPECT_NEAR(speed_of(made), speed, 1e-13) << "its own gradient, of a potential alone";
}

}  // namespace
}  // namespace rankine::bem
