// Many streams from three solves: SolvedStreams against a solve for each stream.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/streams.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::SurfaceMesh;

/// Nine streams in no plane, of several speeds.
std::vector<Vec3d> nine_streams() {
  std::vector<Vec3d> streams;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j)
      streams.push_back({2.0 - 0.5 * i, 0.3 * (j - 1), 0.2 * i * i - 0.1 * j});
  }
  return streams;
}

double root_mean_square(std::span<const Vec3d> vectors) {
  double sum = 0.0;
  for (const Vec3d& v : vectors) sum += dot(v, v);
  return std::sqrt(sum);
}

double root_mean_square(std::span<const double> values) {
  double sum = 0.0;
  for (const double v : values) sum += v * v;
  return std::sqrt(sum);
}

template <class Values>
double norm_of_difference(Values a, const Values& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = a[i] - b[i];
  return root_mean_square(a);
}

template <class Values>
void expect_within(double bound, const Values& found, const Values& expected,
                   const std::string& what) {
  EXPECT_LE(norm_of_difference(found, expected), bound * root_mean_square(expected)) << what;
}

struct BodyInStreams {
  std::string name;
  SurfaceMesh mesh;
  meshes::Symmetry symmetry{};
};

std::vector<BodyInStreams> bodies() {
  const SurfaceMesh two =
      testing::joined(meshes::make_sphere(320), meshes::make_sphere(320, 0.5, {0.0, 2.0, 0.5}));
  return {{"ellipsoid", meshes::make_ellipsoid(320, {3.0, 2.0, 1.0})},
          {"flat ellipsoid", meshes::make_ellipsoid(1280, {2.0, 1.0, 0.1})},
          {"box", meshes::make_box(300, {2.0, 1.0, 0.5})},
          {"two spheres", two}};
}

class ManyStreams : public ::testing::TestWithParam<Formulation> {
 protected:
  static constexpr double tolerance = 1e-8;
  FlowOptions options{{}, GetParam()};
  const std::unique_ptr<Backend> backend = make_cpu_backend();

  void SetUp() override {
    options.gmres.tolerance = tolerance;
    options.fmm.method = fmm::Method::direct;
  }

  /// Both solutions have relative residuals of at most the tolerance. Their difference is at most
  /// twice that times the condition number of the system, below 100 for these bodies; gradients of
  /// differences between neighbours, a tenth of the body apart, are ten times as large.
  void expect_single_solves(FlowProblem problem, const std::vector<Vec3d>& streams,
                            const std::string& name) {
    const SolvedStreams solved(problem, streams, options, *backend);
    const GreenSample sample(problem, *backend);
    const std::vector<GreenResiduals> of_solved = solved.residuals(sample);
    for (std::size_t k = 0; k < streams.size(); ++k) {
      const std::string what = name + ", stream " + std::to_string(k);
      const Solution of_many = solved.at(k);
      const GreenResiduals summed = solved.residuals(k, of_solved),
                           own = sample.residuals({&of_many, 1}).front();
      constexpr double rounding = 1e-12;
      expect_within(rounding, summed.data, own.data, what);
      for (const std::size_t part : {0, 1}) {
        EXPECT_LE(norm_of_difference(summed.parts[part], own.parts[part]),
                  rounding * root_mean_square(own.data))
            << what;
      }
      problem.stream = streams[k];
      const Solution alone = solve(problem, options, *backend);
      ASSERT_TRUE(of_many.converged()) << what;
      EXPECT_EQ(of_many.stream, streams[k]);
      EXPECT_LE(of_many.gmres.true_residual, tolerance) << what;
      const double bound = 200.0 * tolerance;
      expect_within(bound, of_many.phi, alone.phi, what);
      expect_within(bound, of_many.unknown, alone.unknown, what);
      expect_within(bound, of_many.charge, alone.charge, what);
      expect_within(bound, of_many.doublet, alone.doublet, what);
      expect_within(bound, of_many.flux, alone.flux, what);
      expect_within(10.0 * bound, of_many.velocity, alone.velocity, what);
      expect_within(10.0 * bound, of_many.pressure, alone.pressure, what);
    }
  }
};

TEST_P(ManyStreams, AreThoseOfSingleSolves) {
  for (const BodyInStreams& body : bodies())
    expect_single_solves({.panels = make_panels(body.mesh), .density = 3.0}, nine_streams(),
                         body.name);
}

// Fields off the surface, near it and in a body, are sums of those of the basis.
TEST_P(ManyStreams, HaveTheFieldsOfSingleSolves) {
  const std::vector<Vec3d> points{{4.0, 1.0, 0.5}, {0.0, 2.1, 0.0},  {0.0, 0.0, 1.02},
                                  {3.2, 0.1, 0.2}, {0.5, -0.3, 0.2}, {-10.0, 4.0, 2.0}};
  FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(1280, {3.0, 2.0, 1.0})),
                      .density = 3.0};
  const std::vector<Vec3d> streams = nine_streams();
  const SolvedStreams solved(problem, streams, options, *backend);
  ASSERT_TRUE(solved.has_basis());
  const FieldOptions accuracy{.fmm = options.fmm, .quadrature = {}};
  const std::vector<PotentialField> of_basis = solved.basis_at(problem, points, accuracy, *backend);
  EXPECT_EQ(of_basis.size(), 3u);
  for (std::size_t k = 0; k < streams.size(); ++k) {
    const Field sum = solved.field(k, of_basis);
    problem.stream = streams[k];
    const Solution alone = solve(problem, options, *backend);
    const Field expected = evaluate_field(problem, alone, points, accuracy, *backend);
    EXPECT_EQ(sum.inside, expected.inside);
    // As solutions differ, times derivatives of the kernels near the wall.
    const double bound = 1e3 * tolerance;
    expect_within(bound, sum.phi, expected.phi, "off the surface");
    expect_within(bound, sum.velocity, expected.velocity, "off the surface");
    expect_within(bound, sum.pressure, expected.pressure, "off the surface");
    EXPECT_EQ(sum.pressure[4], 0.0) << "in the body";
  }
}

// One plane allows two directions, so that two streams are a basis.
TEST_P(ManyStreams, AreThoseOfSingleSolvesBesideAPlane) {
  const meshes::Symmetry plane(std::vector<meshes::SymmetryPlane>{{2, 0.0, 1.0}});
  std::vector<Vec3d> streams = nine_streams();
  for (Vec3d& each : streams) each.z = 0.0;
  const Panels panels =
      make_panels(meshes::make_sphere(320, 1.0, {0.0, 0.0, 1.5}), PanelGeometry::curved, plane);
  EXPECT_EQ(stream_basis(panels, streams).streams.size(), 2u);
  expect_single_solves({.panels = panels}, streams, "beside a plane");
}

// Flow through the wall is the same in every stream: a sum of three solutions would count it
// thrice.
TEST_P(ManyStreams, AreThoseOfSingleSolvesWhereWallsLetFluidThrough) {
  FlowProblem problem{.panels = make_panels(meshes::make_sphere(320))};
  for (std::size_t i = 0; i < problem.panels.size(); ++i)
    problem.normal_velocity.push_back(0.4 * problem.panels.centroid[i].z);
  EXPECT_FALSE(is_linear_in_stream(problem));
  expect_single_solves(problem, nine_streams(), "with w");
}

INSTANTIATE_TEST_SUITE_P(Formulations, ManyStreams,
                         ::testing::Values(Formulation::green, Formulation::source));

// The basis is orthogonal in the norm of fluxes: shares give the streams, squares of weights are
// parts of one. On a plate that is 0.001 thick, the norm of streams along it is a hundredth of
// that of streams across.
TEST(StreamBasis, IsOrthogonalAndGivesTheStreams) {
  const std::vector<Vec3d> streams = nine_streams();
  for (const Vec3d& axes : {Vec3d{1.0, 1.0, 1.0}, Vec3d{3.0, 2.0, 1e-3}}) {
    const StreamBasis basis = stream_basis(make_panels(meshes::make_ellipsoid(320, axes)), streams);
    ASSERT_EQ(basis.streams.size(), 3u);
    for (std::size_t k = 0; k < streams.size(); ++k) {
      Vec3d sum{};
      double squares = 0.0;
      for (std::size_t b = 0; b < 3; ++b) {
        sum += basis.shares[k][b] * basis.streams[b];
        squares += basis.weights[k][b] * basis.weights[k][b];
      }
      EXPECT_LE(norm(sum - streams[k]), 1e-9 * norm(streams[k]));  // shares below 1e4, rounding
      EXPECT_NEAR(squares, 1.0, 1e-9);
    }
    for (std::size_t b = 0; b < 3; ++b) {
      EXPECT_NEAR(norm(basis.streams[b]), 1.0, 1e-14);
      EXPECT_NEAR(dot(basis.streams[b], basis.streams[(b + 1) % 3]), 0.0, 1e-14);
    }
  }
}

// The axes of a body with planes of symmetry: flows along them are symmetric or antisymmetric.
TEST(StreamBasis, HasTheAxesOfTheBody) {
  const Panels panels = make_panels(meshes::make_ellipsoid(320, {3.0, 2.0, 1.0}));
  const auto largest = [](const Vec3d& v) {
    return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  };
  for (const Vec3d& axis : stream_basis(panels, nine_streams()).streams)
    EXPECT_GT(largest(axis), 1.0 - 1e-3);
  const std::vector<Vec3d> in_plane{{1.0, 0.0, 0.1}, {1.0, 0.0, 0.3}, {1.0, 0.0, 0.2}};
  const std::vector<Vec3d> two = stream_basis(panels, in_plane).streams;
  ASSERT_EQ(two.size(), 2u);
  for (const Vec3d& axis : two) EXPECT_GT(largest(axis), 1.0 - 1e-3);
}

TEST(CombinedErrors, AreSumsOfThoseOfTheSolutions) {
  const std::vector<double> errors{1.0, 20.0};
  EXPECT_EQ(CombinedErrors().largest(errors), 20.0);
  const CombinedErrors combined{{{1.0, 0.1}, {0.5, 0.25}}};
  EXPECT_EQ(combined.largest(errors), 5.5);
  EXPECT_EQ(combined.largest({errors.data(), 1}), 1.0);  // the second solve has ended
}

TEST(StreamBasis, HasNoMoreStreamsThanThereAreDirections) {
  const Panels panels = make_panels(meshes::make_sphere(320));
  EXPECT_EQ(
      stream_basis(panels, std::vector<Vec3d>{{1, 0, 0}, {2, 0, 0}, {-3, 0, 0}}).streams.size(),
      1u);
  EXPECT_EQ(
      stream_basis(panels, std::vector<Vec3d>{{1, 0, 0}, {0, 1, 0}, {1, 1, 0}}).streams.size(), 2u);
}

// Alone, the stream across needs a more accurate far field. In streams almost along the body it is
// a small part, and so is its error.
TEST(CombinedErrors, OfASmallPartNeedNoMoreAccurateFarField) {
  FlowProblem problem{.panels = make_panels(meshes::make_ellipsoid(5120, {2.0, 1.0, 0.7})),
                      .stream = {0.0, 0.0, 1.0}};
  FlowOptions options;
  options.gmres.tolerance = 1e-4;
  options.fmm.tolerance = 1e-5;
  const std::unique_ptr<Backend> backend = make_cpu_backend();
  EXPECT_FALSE(solve(problem, options, *backend).accuracy.refinements.empty());
  std::vector<Vec3d> streams;
  for (const double y : {-0.02, 0.02}) {
    for (const double z : {-0.02, 0.02}) streams.push_back({1.0, y, z});
  }
  const Solution solution = SolvedStreams(problem, streams, options, *backend).at(0);
  EXPECT_TRUE(solution.accuracy.refinements.empty());
  EXPECT_LE(solution.fmm_sampled_error, options.fmm.tolerance);
}

TEST(StoredRings, GiveTheSameFits) {
  for (const BodyInStreams& body : bodies()) {
    Panels panels = make_panels(body.mesh, PanelGeometry::curved, body.symmetry);
    std::vector<double> values;
    for (const Vec3d& x : panels.centroid) values.push_back(x.x * x.y + std::sin(x.z));
    const FittedFields fields{.values = values, .potential = values, .velocity = panels.centroid};
    const PanelFits searched = fit_panels(PanelNeighbourhood(panels), fields);
    panels.rings = all_rings(panels);
    const PanelFits stored = fit_panels(PanelNeighbourhood(panels), fields);
    for (std::size_t i = 0; i < panels.size(); ++i) {
      EXPECT_EQ(stored.of_values[i].normal, searched.of_values[i].normal) << body.name << i;
      EXPECT_EQ(stored.signs[i].deviation, searched.signs[i].deviation) << body.name << i;
    }
  }
}

}  // namespace
}  // namespace rankine::bem
