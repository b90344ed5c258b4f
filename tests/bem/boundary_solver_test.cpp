// One solver for all boundary problems: of bodies and of walls without thickness, once or again and
// again, in the same way stopped, measured and recorded.
#include "rankine/bem/boundary_solver.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <stop_token>
#include <vector>

#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/doublet_sheet.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/erring_backend.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using testing::ErringBackend;
using testing::Errors;

Panels plate() {
  meshes::SurfaceMesh mesh = meshes::make_plate(400, 1.0, 0.7);
  meshes::cut_quadrilaterals(mesh);
  return make_panels(mesh, PanelGeometry::flat);
}

/// A body and a wall, each with its equation and two sets of fluxes.
struct Surface {
  Panels panels;
  std::unique_ptr<Discretization> discretization;
  BoundaryFormulation formulation;
  std::vector<double> known;

  BoundaryProblem problem() const { return {*discretization, formulation, known, 2}; }
  std::size_t rows() const { return discretization->rows(); }
  std::span<const double> known_of(std::size_t k) const {
    return std::span(known).subspan(k * rows(), rows());
  }
};

std::unique_ptr<Surface> surface(bool wall) {
  auto made = std::make_unique<Surface>();
  made->panels = wall ? plate() : make_panels(meshes::make_ellipsoid(1280, {2.0, 1.0, 1.5}));
  std::vector<double> flux;
  for (const Vec3d& stream : {Vec3d{0.3, 0.2, 1.0}, Vec3d{-0.4, 1.0, 0.6}}) {
    for (std::size_t i = 0; i < made->panels.size(); ++i)
      flux.push_back(-dot(stream, made->panels.normal[i]) * (1.0 + made->panels.centroid[i].x));
  }
  if (wall) {
    auto sheet = std::make_unique<DoubletSheet>(made->panels);
    made->known = sheet->test(flux);
    made->discretization = std::move(sheet);
    made->formulation = sheet_formulation();
  } else {
    made->known = flux;
    made->discretization = std::make_unique<CollocatedPanels>(made->panels);
    made->formulation = green_formulation();
  }
  return made;
}

class EverySurface : public ::testing::TestWithParam<bool> {
 protected:
  const std::unique_ptr<Surface> on = surface(GetParam());
  SolveOptions options;

  void SetUp() override {
    options.gmres.tolerance = 1e-8;
    options.fmm.tolerance = 1e-6;
    options.fmm.direct_pairs = 0;
  }
};

TEST_P(EverySurface, IsNotSolvedForAgainOnceItsCallbackHasStopped) {
  // From the fifth sum on errors are such that better ones were due.
  int calls = 0;
  options.gmres.callback = [&](const GmresIteration& at) {
    ++calls;
    return at.iteration < 5;
  };
  ErringBackend backend({.size = 1e-3, .orders = 1, .from = 3});
  BoundarySolver solver(*on->discretization, on->formulation, 1, options, backend, Uses::many);
  BoundarySolution found = solver.solve(on->known_of(0));
  solver.evaluate(found);
  EXPECT_EQ(calls, 5);
  ASSERT_EQ(found.gmres.size(), 1u);
  EXPECT_EQ(found.gmres[0].status, GmresStatus::interrupted);
  EXPECT_EQ(found.gmres[0].history.size(), 6u);
  EXPECT_TRUE(found.accuracy.refinements.empty());
  EXPECT_FALSE(found.accuracy.kept());
  EXPECT_TRUE(found.complete());
}

TEST_P(EverySurface, KeepsTheIterateThatItHasWhenAskedToStop) {
  std::stop_source stop;
  options.gmres.callback = [&](const GmresIteration& at) {
    if (at.iteration == 4) stop.request_stop();
    return true;
  };
  ErringBackend backend(Errors{});
  const BoundarySolution found = Execution{.stop = stop.get_token()}.run(
      [&] { return solve(on->problem(), options, backend); });
  for (const GmresResult& each : found.gmres) {
    EXPECT_EQ(each.status, GmresStatus::interrupted);
    EXPECT_GE(each.iterations, 3) << "the fourth of the other was under way";
    EXPECT_LE(each.iterations, 4);
    EXPECT_LT(each.residual, 0.5);
  }
  EXPECT_EQ(found.unknown.size(), 2 * on->discretization->unknowns());
  EXPECT_FALSE(found.complete());
}

TEST_P(EverySurface, GoesOnWithBetterSumsAndOneHistory) {
  ErringBackend honest(Errors{}), backend({.size = 1e-3, .orders = 1, .from = 3});
  const BoundarySolution reference = solve(on->problem(), options, honest),
                         found = solve(on->problem(), options, backend);
  ASSERT_EQ(found.accuracy.refinements.size(), 1u);
  EXPECT_TRUE(found.accuracy.kept());
  for (std::size_t k = 0; k < 2; ++k) {
    EXPECT_EQ(found.gmres[k].status, GmresStatus::converged);
    EXPECT_EQ(found.gmres[k].history.size(),
              static_cast<std::size_t>(found.gmres[k].iterations) + 1);
  }
  // Residuals of 1e-8 and sums within 1.1e-6 of each other's, times a condition below a hundred.
  EXPECT_LE(rankine::relative_error(found.potential, reference.potential), 1e-4);
}

TEST_P(EverySurface, MeasuresItsSumsAtAsManyPoints) {
  ErringBackend backend(Errors{});
  EXPECT_EQ(solve(on->problem(), options, backend).accuracy.samples, 64);
  options.fmm.tolerance = 1e-8;  // 8^3 / 4
  EXPECT_EQ(solve(on->problem(), options, backend).accuracy.samples, 128);
}

// Only sums that GMRES makes anyway are measured, also where right-hand sides end one after the
// other.
TEST_P(EverySurface, IsMeasuredWithoutProductsOfItsOwn) {
  ErringBackend unmeasured(Errors{}), measured(Errors{});
  options.fmm.order = 8;  // given, so that the sums stay as they are
  options.gmres.tolerance = 1e-6;
  options.initial_guess = solve(on->problem(), options, unmeasured).unknown;
  const std::size_t n = options.initial_guess.size() / 2;
  for (std::size_t i = 0; i < n; ++i)
    options.initial_guess[n + i] *= 1.0 + 1e-4 * std::sin(7.0 * i);
  std::fill_n(options.initial_guess.begin(), n, 0.0);
  const BoundarySolution with = solve(on->problem(), options, measured);
  EXPECT_LT(with.gmres[1].iterations, with.gmres[0].iterations);
  EXPECT_GT(with.sampled_error[0], 0.0);
  EXPECT_GT(with.sampled_error[1], 0.0);
  unmeasured.applications = 0;
  options.error_samples = 0;
  solve(on->problem(), options, unmeasured);
  EXPECT_EQ(measured.applications, unmeasured.applications);
}

TEST_P(EverySurface, IsPreparedOnceAndSolvedAgainFromTheLastSolution) {
  ErringBackend backend({.size = 1e-3, .orders = 1, .from = 3}), fresh(Errors{});
  const BoundarySolution alone = solve(on->problem(), options, fresh);
  BoundarySolver solver(*on->discretization, on->formulation, 1, options, backend, Uses::many);
  const BoundarySolution first = solver.solve(on->known_of(0));
  EXPECT_EQ(first.accuracy.refinements.size(), 1u);
  EXPECT_EQ(first.gmres[0].history.size(), static_cast<std::size_t>(first.gmres[0].iterations) + 1);
  EXPECT_EQ(solver.start(), first.unknown);
  const int assembled = backend.assembled;
  const std::vector<int> orders = backend.orders.given;
  BoundarySolution second = solver.solve(on->known_of(1));
  solver.evaluate(second);
  EXPECT_EQ(backend.assembled, assembled);
  EXPECT_EQ(backend.orders.given, orders);
  EXPECT_EQ(second.accuracy.refinements.size(), 1u) << "what was found stays";
  const std::vector<double> expected(
      alone.potential.begin() + static_cast<std::ptrdiff_t>(on->rows()), alone.potential.end());
  EXPECT_LE(rankine::relative_error(second.potential, expected), 1e-4);

  // The same again costs no iteration; nearly the same, fewer.
  EXPECT_EQ(solver.solve(on->known_of(1)).gmres[0].iterations, 0);
  std::vector<double> close(on->known_of(1).begin(), on->known_of(1).end());
  for (std::size_t i = 0; i < close.size(); i += 2) close[i] *= 1.001;
  EXPECT_LT(solver.solve(close).gmres[0].iterations, second.gmres[0].iterations);
  solver.start_from({});
  EXPECT_EQ(solver.solve(on->known_of(1)).gmres[0].history.front(), 1.0);
  EXPECT_THROW(solver.start_from(std::vector<double>(3, 0.0)), InputError);
  EXPECT_THROW(solver.solve(on->known), InputError) << "two right-hand sides, prepared for one";
}

TEST_P(EverySurface, MixedAndRelaxedReachTheDoubleSolution) {
  ErringBackend backend(Errors{});
  options.fmm.tolerance = 1e-9;
  options.error_samples = 0;
  const BoundarySolution reference = solve(on->problem(), options, backend);
  SolveOptions mixed = options, relaxed = options;
  mixed.mixed_precision = true;
  relaxed.relaxation = Relaxation::on;
  for (const SolveOptions& each : {mixed, relaxed}) {
    const BoundarySolution found = solve(on->problem(), each, backend);
    // Both residuals are below 1e-8; the condition is below a hundred.
    EXPECT_LE(rankine::relative_error(found.potential, reference.potential), 2e-6);
    for (const GmresResult& result : found.gmres) EXPECT_LE(result.true_residual, 1e-8);
  }
}

INSTANTIATE_TEST_SUITE_P(Surfaces, EverySurface, ::testing::Values(false, true),
                         [](const auto& wall) { return wall.param ? "Wall" : "Body"; });

}  // namespace
}  // namespace rankine::bem
