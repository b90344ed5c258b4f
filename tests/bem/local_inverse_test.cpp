// Approximate inverses: what they are made of against the operator itself, and what they save.
#include "rankine/bem/layers/local_inverse.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "rankine/bem/boundary_problem.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/forwarding_backend.hpp"
#include "rankine/bem/krylov/late_preconditioner.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/near_matrix.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/bem/lift/lifting_edges.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

/// Fluxes known on one half, potentials on the other: all of a formulation's diagonals.
BoundaryConditions halves(const Panels& panels) {
  BoundaryConditions conditions;
  for (const Vec3d& x : panels.centroid)
    conditions.known.push_back(x.x + 0.3 * x.y > 0.1 ? Known::flux : Known::potential);
  return conditions;
}

/// Rows of an equation's matrix, by direct sums.
std::vector<double> whole_matrix(LayerSet& layers, const Equation& equation) {
  fmm::Options direct{.method = fmm::Method::direct};
  direct.gradient = direct.dipoles = true;
  direct.rhs = static_cast<int>(layers.rows());
  FarField far(layers, direct);
  const std::size_t n = layers.rows();
  std::vector<double> units(n * n, 0.0), columns(n * n, 0.0), matrix(n * n);
  for (std::size_t j = 0; j < n; ++j) units[j * n + j] = 1.0;
  BoundaryOperator(far, equation).add(1.0, units.data(), columns.data(), direct.rhs);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) matrix[i * n + j] = columns[j * n + i];
  }
  return matrix;
}

std::vector<double> random_vector(std::size_t n) {
  std::mt19937 generator(7);
  std::vector<double> x(n);
  for (double& each : x) each = testing::random_point(generator, 1.0).x;
  return x;
}

TEST(NearMatrix, HoldsTheOperatorsEntries) {
  const meshes::Symmetry plane({{1, 0.0, -1.0}});
  for (const bool symmetric : {false, true}) {
    meshes::SurfaceMesh mesh = testing::jittered_sphere(150);
    if (symmetric) mesh = testing::moved(mesh, {0.0, 1.05, 0.0});
    const Panels panels =
        make_panels(mesh, PanelGeometry::curved, symmetric ? plane : meshes::Symmetry{});
    // The near matrix leaves out the near corrections for the linear part.
    const testing::ConstantNearby discretization(panels, {});
    const auto backend = make_cpu_backend();
    LayerSet layers(*backend, discretization);
    for (const auto& formulation : {green_formulation, source_formulation}) {
      const Equation equation = formulation(halves(panels)).system;
      const std::vector<double> whole = whole_matrix(layers, equation);
      const NearMatrix near(layers, equation);
      const std::size_t n = panels.size();
      double largest = 0.0, error = 0.0, far_error = 0.0, all = 0.0;
      std::size_t exact = 0;
      for (std::size_t i = 0; i < n; ++i) {
        std::vector<double> row(n);
        for (std::size_t j = 0; j < n; ++j)
          row[j] = near.entry(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j));
        near.for_each_near(static_cast<std::int32_t>(i), [&](std::int32_t j, double value) {
          const double wanted = whole[i * n + static_cast<std::size_t>(j)];
          largest = std::max(largest, std::abs(wanted));
          error = std::max(error, std::abs(value - wanted));
          EXPECT_EQ(value, row[static_cast<std::size_t>(j)]);
          ++exact;
        });
        for (std::size_t j = 0; j < n; ++j) {
          far_error += std::abs(row[j] - whole[i * n + j]);
          all += std::abs(whole[i * n + j]);
        }
      }
      EXPECT_GE(exact, 8 * n);
      // Rounding of some hundred terms; images that are not near are points. What is a point
      // instead of a panel two sizes away errs by a few hundredths.
      EXPECT_LE(error, (symmetric ? 5e-3 : 1e-13) * largest);
      EXPECT_LE(far_error, 0.05 * all);
    }
  }
}

/// A wake reaches 30 spans downstream: no point replaces it, at no distance.
TEST(NearMatrix, HoldsTheWakeOfEveryUnknown) {
  const meshes::SurfaceMesh mesh =
      meshes::make_wing({24, 12}, meshes::naca_section("0012"), {.span = 4.0});
  Panels panels = make_panels(mesh, PanelGeometry::flat);
  const LiftingEdges edges = lifting_edges(panels, {1, 0, 0.1});
  const auto backend = make_cpu_backend();
  const SourcePanels discretization(edges.sources, {}, *backend);
  LayerSet layers(*backend, discretization);
  const Equation equation = green_with_sheets({}, edges.kutta).system;
  const std::vector<double> whole = whole_matrix(layers, equation);
  const NearMatrix near(layers, equation);
  const std::size_t n = edges.sources.unknowns();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = panels.size(); j < n; ++j) {
      ASSERT_NEAR(near.entry(static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)),
                  whole[i * n + j], 1e-13)
          << i << " " << j;
    }
  }
}

TEST(LocalInverse, OfOnePatchIsTheInverse) {
  const Panels panels =
      make_panels(testing::stretched(testing::jittered_sphere(200), {1.0, 0.7, 0.4}));
  const CollocatedPanels discretization(panels);
  const auto backend = make_cpu_backend();
  LayerSet layers(*backend, discretization);
  const Equation equation = green_formulation(halves(panels)).system;
  const std::size_t n = panels.size();
  const int all = static_cast<int>(n);
  const NearMatrix near(layers, equation);
  std::vector<std::int32_t> every(n);
  std::iota(every.begin(), every.end(), 0);
  std::vector<double> dense(n * n);
  NearMatrix::DenseBlocks(near).write(every, dense.data());
  for (const int coarse : {0, 7}) {
    const auto inverse = local_inverse(layers, equation, {all, 2 * all, coarse});
    const std::vector<double> x = random_vector(2 * n);
    std::vector<double> image(2 * n, 0.0), back(2 * n, 0.0), turned(2 * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        image[i] += dense[i * n + j] * x[j];
        image[n + i] += dense[i * n + j] * x[n + j];
      }
    }
    inverse->add(1.0, image.data(), back.data(), 2);
    if (coarse == 0) {
      // Inverted in single precision; the condition is about ten.
      EXPECT_LE(rankine::relative_error(back, x), 10.0 * std::numeric_limits<float>::epsilon());
    }
    // y.(M x) = (M^T y).x, also with two levels
    inverse->add_transposed(1.0, x.data(), turned.data(), 2);
    const double one = std::inner_product(x.begin(), x.begin() + all, back.begin(), 0.0),
                 other =
                     std::inner_product(image.begin(), image.begin() + all, turned.begin(), 0.0);
    EXPECT_NEAR(one, other, 1e-10 * std::abs(one));
  }
}

struct FirstKind {
  BoundarySolution solution;
  int iterations() const {
    int most = 0;
    for (const GmresResult& each : solution.gmres) most = std::max(most, each.iterations);
    return most;
  }
};

/// Potentials of charges beside the body, of as many as there are right-hand sides.
FirstKind solve_first_kind(const Panels& panels, Preconditioner preconditioner, int rhs = 1,
                           bool mixed = false) {
  const CollocatedPanels discretization(panels);
  std::vector<double> known;
  for (int k = 0; k < rhs; ++k) {
    const Vec3d charge{1.3, 0.9 - 0.8 * k, 0.7};
    for (const Vec3d& x : panels.centroid) known.push_back(1.0 / norm(x - charge));
  }
  SolveOptions options;
  options.preconditioner = preconditioner;
  options.mixed_precision = mixed;
  const BoundaryConditions conditions{std::vector<Known>(panels.size(), Known::potential)};
  return {solve({discretization, source_formulation(conditions), known, rhs}, options,
                *make_cpu_backend())};
}

TEST(Preconditioners, SaveIterationsOfEquationsOfTheFirstKind) {
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_box(1200, {1.0, 1.0, 1.0}), testing::graded_sphere(1000)}) {
    const Panels panels = make_panels(mesh);
    const FirstKind none = solve_first_kind(panels, Preconditioner::none),
                    block = solve_first_kind(panels, Preconditioner::block),
                    two = solve_first_kind(panels, Preconditioner::two_level);
    EXPECT_LE(2 * block.iterations(), none.iterations());
    EXPECT_LE(two.iterations(), block.iterations());
    EXPECT_LE(two.iterations(), 10);
    for (const FirstKind* each : {&block, &two}) {
      EXPECT_LE(each->solution.gmres[0].true_residual, 1e-6);
      // Residuals of 1e-6, and a condition of about the root of the number of panels.
      EXPECT_LE(rankine::relative_error(each->solution.unknown, none.solution.unknown), 1e-4);
    }
  }
}

// The double layer of panels in one plane is zero: they are near, and do not couple.
TEST(Preconditioners, TakePanelsThatDoNotCoupleOnce) {
  const Panels panels = make_panels(meshes::make_box(600, {2.0, 1.0, 0.5}));
  const CollocatedPanels discretization(panels);
  std::vector<double> flux;
  for (const Vec3d& n : panels.normal) flux.push_back(-dot(n, Vec3d{0.6, 0.0, 0.8}));
  const auto solved = [&](Preconditioner preconditioner) {
    SolveOptions options;
    options.preconditioner = preconditioner;
    return FirstKind{
        solve({discretization, green_formulation({}), flux, 1}, options, *make_cpu_backend())};
  };
  const FirstKind none = solved(Preconditioner::none), block = solved(Preconditioner::block);
  EXPECT_LT(block.iterations(), none.iterations());
  EXPECT_LE(block.solution.gmres[0].true_residual, 1e-6);
  EXPECT_LE(rankine::relative_error(block.solution.unknown, none.solution.unknown), 1e-5);
}

TEST(Preconditioners, ServeSeveralRightHandSidesAndMixedPrecision) {
  const Panels panels = make_panels(testing::jittered_sphere(500));
  const FirstKind alone = solve_first_kind(panels, Preconditioner::two_level),
                  together = solve_first_kind(panels, Preconditioner::two_level, 3),
                  mixed = solve_first_kind(panels, Preconditioner::two_level, 3, true);
  ASSERT_EQ(together.solution.gmres.size(), 3u);
  EXPECT_EQ(together.solution.gmres[0].iterations, alone.solution.gmres[0].iterations);
  for (const FirstKind* each : {&together, &mixed}) {
    EXPECT_LE(each->iterations(), 15);
    for (const GmresResult& result : each->solution.gmres) EXPECT_LE(result.true_residual, 1e-6);
    const auto first = std::span(each->solution.unknown).first(panels.size());
    EXPECT_LE(rankine::relative_error(std::vector<double>(first.begin(), first.end()),
                                      alone.solution.unknown),
              1e-4);
  }
}

TEST(Preconditioners, AreMadeWhereTheyPay) {
  // Patches cost as much as ten iterations.
  const auto cost = [](const meshes::SurfaceMesh& mesh, auto formulation,
                       Preconditioner preconditioner, double sign) {
    const Panels panels = make_panels(
        mesh, {}, sign == 0.0 ? meshes::Symmetry{} : meshes::Symmetry({{1, 0.0, sign}}));
    std::vector<double> known;
    for (std::size_t i = 0; i < panels.size(); ++i)
      known.push_back(-panels.normal[i].y - panels.normal[i].x * panels.centroid[i].z);
    SolveOptions options;
    options.preconditioner = preconditioner;
    const auto backend = make_cpu_backend();
    const BoundarySolution found =
        solve({CollocatedPanels(panels), formulation({}), known, 1}, options, *backend);
    return found.gmres[0].iterations + (found.preconditioner == Preconditioner::none ? 0 : 10);
  };
  const meshes::SurfaceMesh sphere = testing::jittered_sphere(600);
  const meshes::SurfaceMesh half = testing::positive_part(
      testing::stretched(testing::cubed_sphere(1536), {1.0, 0.003, 1.0}), {1});
  struct Body {
    meshes::SurfaceMesh mesh;
    double sign = 0.0;  ///< of the plane y = 0; 0: no such plane
  };
  // Both sides of a half body are one: beside an image of the other sign it is thin.
  for (const Body& body :
       {Body{sphere}, Body{testing::graded_sphere(600)},
        Body{meshes::make_box(600, {1.0, 2.0, 0.7})},
        Body{testing::stretched(sphere, {1.0, 1.0, 0.01})}, Body{half, 1.0}, Body{half, -1.0}}) {
    for (const auto& formulation : {green_formulation, source_formulation}) {
      const int none = cost(body.mesh, formulation, Preconditioner::none, body.sign),
                block = cost(body.mesh, formulation, Preconditioner::block, body.sign);
      EXPECT_LE(cost(body.mesh, formulation, Preconditioner::automatic, body.sign),
                std::min(none, block) + 10);
    }
  }
}

TEST(Preconditioners, OfEquationsOfTheFirstKindHaveTwoLevels) {
  const Panels panels = make_panels(meshes::make_sphere(320));
  const CollocatedPanels discretization(panels);
  const BoundaryFormulation given =
      green_formulation({std::vector<Known>(panels.size(), Known::potential)});
  SolveOptions options;
  EXPECT_EQ(chosen_preconditioner(options, given, discretization), Preconditioner::two_level);
  options.preconditioner = Preconditioner::none;
  EXPECT_EQ(chosen_preconditioner(options, given, discretization), Preconditioner::none);
}

TEST(Preconditioners, ServePanelsInOnePlaneThatDoNotCouple) {
  const Panels panels = make_panels(meshes::make_box(1200, {1.0, 1.0, 1.0}));
  const CollocatedPanels discretization(panels);
  std::vector<double> known;
  for (const Vec3d& n : panels.normal) known.push_back(-n.x - 0.5 * n.z);
  for (const auto& formulation : {green_formulation, source_formulation}) {
    SolveOptions options;
    options.preconditioner = Preconditioner::block;
    options.gmres.max_iterations = 12;
    const auto backend = make_cpu_backend();
    EXPECT_EQ(solve({discretization, formulation({}), known, 1}, options, *backend).gmres[0].status,
              GmresStatus::converged);
  }
}

/// A backend on which a local inverse costs as much as so many iterations.
class WithDearInverses final : public ForwardingBackend {
 public:
  explicit WithDearInverses(double cost) : ForwardingBackend(make_cpu_backend()), cost_(cost) {}
  double local_inverse_cost() const override { return cost_; }

 private:
  double cost_;
};

TEST(Preconditioners, WaitUntilTheySaveMoreThanTheyCost) {
  // Panels of the thin disc are wider than it is thick, so that many iterations are needed without.
  const Panels thin =
      make_panels(testing::stretched(testing::jittered_sphere(800), {1.0, 1.0, 0.01}));
  std::vector<double> known;
  for (const Vec3d& n : thin.normal) known.push_back(-n.x - 0.5 * n.z);
  const CollocatedPanels discretization(thin);
  const auto solved = [&](double cost) {
    WithDearInverses backend(cost);
    SolveOptions options;
    int last = 0;
    options.gmres.callback = [&](const GmresIteration& at) {
      EXPECT_EQ(at.iteration, ++last);
      return true;
    };
    return solve({discretization, green_formulation({}), known, 1}, options, backend);
  };
  const BoundarySolution at_once = solved(0.0), late = solved(20.0), never = solved(1e6);
  EXPECT_EQ(at_once.preconditioner, Preconditioner::block);
  EXPECT_EQ(late.preconditioner, Preconditioner::block);
  EXPECT_EQ(never.preconditioner, Preconditioner::none);
  EXPECT_GT(never.gmres[0].iterations, at_once.gmres[0].iterations + 20) << "worth its cost";
  EXPECT_LE(late.gmres[0].iterations, at_once.gmres[0].iterations + 6) << "soon enough";
  EXPECT_LE(late.gmres[0].true_residual, 1e-6);
  EXPECT_LE(rankine::relative_error(late.unknown, at_once.unknown), 1e-4);
}

TEST(Preconditioners, AreMadeWhenAFewSlowModesAreLeft) {
  // Eight iterations gain half a digit each, those after them a hundredth; six digits are asked.
  const auto backend = make_cpu_backend();
  const auto made_at = [&](double cost, int fast) {
    const auto any = [&] {
      return std::make_unique<LatePreconditioner>(*backend, 1, 0.0, 1e-6, nullptr);
    };
    LatePreconditioner late(*backend, 1, cost, 1e-6, any);
    int n = 0;
    do {
      const int quick = std::min(++n, fast);
      late.observe({.iteration = n, .residual = std::pow(10.0, -0.5 * quick - 0.01 * (n - quick))});
    } while (!late.is_made() && n < 100);
    return n;
  };
  EXPECT_LE(made_at(20.0, 8), 16) << "not long after the slow modes are left alone";
  EXPECT_GT(made_at(20.0, 8), 8);
  EXPECT_EQ(made_at(20.0, 12), 100) << "all digits in twelve iterations";
  EXPECT_EQ(made_at(1e4, 8), 100) << "less is left than it costs";
}

TEST(Preconditioners, MakeThinBodiesConverge) {
  const Panels panels =
      make_panels(testing::stretched(testing::jittered_sphere(800), {1.0, 1.0, 0.01}));
  const CollocatedPanels discretization(panels);
  for (const auto& formulation : {green_formulation, source_formulation}) {
    std::vector<double> known;
    for (const Vec3d& n : panels.normal) known.push_back(-n.x - 0.5 * n.z);
    SolveOptions options;
    options.gmres.max_iterations = 25;
    const auto backend = make_cpu_backend();
    EXPECT_EQ(solve({discretization, formulation({}), known, 1}, options, *backend).gmres[0].status,
              GmresStatus::converged);
    options.preconditioner = Preconditioner::none;
    EXPECT_EQ(solve({discretization, formulation({}), known, 1}, options, *backend).gmres[0].status,
              GmresStatus::max_iterations);
  }
}

}  // namespace
}  // namespace rankine::bem
