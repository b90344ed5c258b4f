// Conditions of every kind against charges inside the body: phi = sum q_k / |x - y_k| outside.
#include "rankine/bem/boundary_problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"
#include "tests/support/watched_backend.hpp"

namespace rankine::bem {
namespace {

using testing::Given;

constexpr double charges[] = {1.0, -0.4, 0.7};
const Vec3d places[] = {{0.2, 0.1, 0.0}, {-0.3, 0.2, 0.1}, {0.0, -0.3, -0.2}};

double exact_potential(const Vec3d& x) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) sum += charges[k] / norm(x - places[k]);
  return sum;
}
double exact_flux(const Vec3d& x, const Vec3d& n) {
  double sum = 0.0;
  for (int k = 0; k < 3; ++k) {
    const Vec3d r = x - places[k];
    sum -= charges[k] * dot(r, n) / std::pow(norm(r), 3);
  }
  return sum;
}

struct SolvedCharges {
  BoundarySolution solution;
  double surface_error, field_error;  ///< relative L2 of phi on the surface, and off it
};

SolvedCharges solve_charges(const meshes::SurfaceMesh& mesh, Formulation formulation, Given given) {
  const Panels panels = make_panels(mesh);
  const CollocatedPanels discretization(panels);
  const BoundaryConditions known = testing::conditions(panels, given);
  BoundaryProblem problem{discretization, formulate(formulation, {panels}, known), {}};
  for (std::size_t i = 0; i < panels.size(); ++i) {
    problem.known.push_back(known.known[i] == Known::potential
                                ? exact_potential(panels.centroid[i])
                                : exact_flux(panels.centroid[i], panels.normal[i]));
  }
  const auto backend = make_cpu_backend();
  SolveOptions options;
  options.gmres.tolerance = 1e-6;
  options.fmm.tolerance = 1e-6;
  SolvedCharges solved{solve(problem, options, *backend), 0.0, 0.0};
  EXPECT_EQ(solved.solution.gmres[0].status, GmresStatus::converged);

  const auto error = [](const std::vector<double>& found, std::span<const Vec3d> at) {
    std::vector<double> exact;
    for (const Vec3d& x : at) exact.push_back(exact_potential(x));
    return rankine::relative_error(found, exact);
  };
  solved.surface_error = error(solved.solution.potential, panels.centroid);
  std::vector<Vec3d> outside = testing::fibonacci_sphere(50);
  for (Vec3d& x : outside) x *= 2.5;
  OffSurfaceOperator field(*backend, panels, outside, options.fmm, {});
  solved.field_error =
      error(field.evaluate({solved.solution.charge, solved.solution.doublet}).potential, outside);
  return solved;
}

struct Case {
  Formulation formulation;
  Given given;
  double least_order;
};

class ChargesInside : public ::testing::TestWithParam<Case> {};

TEST_P(ChargesInside, AreSeenThroughAnyCondition) {
  const auto [formulation, given, least_order] = GetParam();
  const SolvedCharges coarse = solve_charges(testing::graded_sphere(500), formulation, given);
  const SolvedCharges fine = solve_charges(testing::graded_sphere(2000), formulation, given);
  EXPECT_GE(testing::order(coarse.field_error, fine.field_error), least_order);
  EXPECT_LE(fine.field_error, least_order > 1.0 ? 5e-3 : 5e-2);
  // Where the potential is given it is returned; elsewhere it is found as well as off the surface.
  EXPECT_LE(fine.surface_error, least_order > 1.0 ? 1e-2 : 5e-2);
}

// Sources are first order where the flux is given: the flat own panel misses the curvature term.
INSTANTIATE_TEST_SUITE_P(Conditions, ChargesInside,
                         ::testing::Values(Case{Formulation::green, Given::flux, 1.7},
                                           Case{Formulation::green, Given::potential, 1.7},
                                           Case{Formulation::green, Given::halves, 1.4},
                                           Case{Formulation::source, Given::flux, 0.8},
                                           Case{Formulation::source, Given::potential, 1.7},
                                           Case{Formulation::source, Given::halves, 0.8}));

/// Flat panels that count the searches of near pairs and the layers integrated over them.
class Watched final : public Discretization {
 public:
  explicit Watched(const Panels& panels) : flat_(panels) {}

  std::size_t unknowns() const override { return flat_.unknowns(); }
  MirroredSpan<Vec3d> nodes() const override { return flat_.nodes(); }
  MirroredSpan<Vec3d> node_normals() const override { return flat_.node_normals(); }
  StrengthRows strengths(const RowRange& nodes) const override { return flat_.strengths(nodes); }
  MirroredSpan<Vec3d> points() const override { return flat_.points(); }
  MirroredSpan<Vec3d> point_normals() const override { return flat_.point_normals(); }
  SparsityPattern near_pairs(const RowRange& rows) const override {
    ++searches;
    return flat_.near_pairs(rows);
  }
  void integrate(std::span<const Layer> layers, const SparsityPattern& pairs,
                 std::span<double* const> values) const override {
    for (const Layer layer : layers) integrated.push_back(layer);
    flat_.integrate(layers, pairs, values);
  }

  mutable int searches = 0;
  mutable std::vector<Layer> integrated;

 private:
  CollocatedPanels flat_;
};

TEST(BoundaryProblem, SearchesNearPairsOnceAndIntegratesEachLayerOnce) {
  const Panels panels = make_panels(testing::graded_sphere(320));
  for (const Given given : {Given::flux, Given::potential, Given::halves}) {
    const Watched watched(panels);
    const BoundaryProblem problem{watched, green_formulation(testing::conditions(panels, given)),
                                  std::vector(panels.size(), 1.0)};
    solve(problem, {}, *make_cpu_backend());
    EXPECT_EQ(watched.searches, 1);
    std::sort(watched.integrated.begin(), watched.integrated.end());
    EXPECT_EQ(watched.integrated, (std::vector{Layer::single_layer, Layer::double_layer}));
  }
}

/// Counts far fields in float.
class FloatCounter final : public testing::WatchedBackend {
 public:
  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    count += options.precision == fmm::Precision::float32 ? 1 : 0;
    return WatchedBackend::make_operator(points, options);
  }

  int count = 0;
};

TEST(BoundaryProblem, IsRelaxedByItselfWherePanelsAreLongAlone) {
  const auto sums_in_float = [](const meshes::SurfaceMesh& mesh, double tolerance,
                                Relaxation relaxation = Relaxation::automatic) {
    const FlowProblem problem{.panels = make_panels(mesh), .stream = {1.0, 0.0, 0.1}};
    FlowOptions options;
    options.quadrature.tolerance = tolerance;
    options.relaxation = relaxation;
    FloatCounter backend;
    EXPECT_TRUE(solve(problem, options, backend).converged());
    return backend.count;
  };
  EXPECT_EQ(sums_in_float(testing::cubed_sphere(600), 1e-4), 0);
  EXPECT_EQ(sums_in_float(testing::cubed_sphere(600), 1e-8), 0) << "twelve nodes each";
  EXPECT_EQ(sums_in_float(testing::wing_of_spans(256), 1e-6), 1);
  EXPECT_EQ(sums_in_float(testing::wing_of_spans(256), 1e-6, Relaxation::off), 0);
  EXPECT_EQ(sums_in_float(testing::cubed_sphere(600), 1e-4, Relaxation::on), 1);
}

TEST(BoundaryProblem, ChecksItsData) {
  const Panels panels = make_panels(meshes::make_sphere(20));
  const CollocatedPanels discretization(panels);
  const auto backend = make_cpu_backend();
  const auto message = [&](const BoundaryProblem& problem, const SolveOptions& options) {
    return testing::answer_of<InputError>([&] { solve(problem, options, *backend); });
  };
  EXPECT_TRUE(testing::says(message({discretization, green_formulation(), {1.0, 2.0}}, {}),
                            "2 values where 20"));
  EXPECT_TRUE(testing::says(
      message({discretization, green_formulation(), std::vector<double>(20, NAN)}, {}),
      "not finite"));
  SolveOptions options;
  options.initial_guess.assign(3, 0.0);
  EXPECT_TRUE(testing::says(
      message({discretization, green_formulation(), std::vector<double>(20, 1.0)}, options),
      "initial_guess has 3"));
}

}  // namespace
}  // namespace rankine::bem
