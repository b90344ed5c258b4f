// Fits of several panels side by side against those of one, and predictions in a plane.
#include "rankine/bem/panels/panel_patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <set>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/prediction.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

/// Smooth, rough, and with slopes that a fit must not overshoot.
std::array<double, 3> values_at(const Vec3d& x) {
  return {x.x + x.y * x.z, std::sin(40.0 * x.x) + 1.0, x.x > 0.1 ? 1.0 : 0.0};
}

/// Their sizes leave groups unfilled, and their panels have few samples, many, or ones in a row.
std::vector<meshes::SurfaceMesh> meshes_of_all_kinds() {
  return {testing::graded_sphere(320), testing::cubed_sphere(150),
          meshes::make_box(60, {1.0, 2.0, 0.5}), meshes::make_box(12, {1.0, 1.0, 1.0}),
          testing::wing_of_spans(20)};
}

TEST(PanelPatches, FitWhatPatchesFit) {
  std::set<double> terms;
  for (const meshes::SurfaceMesh& mesh : meshes_of_all_kinds()) {
    const Panels panels = make_panels(mesh);
    const PanelNeighbourhood neighbourhood(panels);
    std::vector<std::int32_t> all(panels.size());
    std::iota(all.begin(), all.end(), 0);
    PanelPatches patches(neighbourhood);
    constexpr std::size_t lanes = PanelPatches::most;
    for (std::size_t first = 0; first < all.size(); first += lanes) {
      patches.move_to(std::span(all).subspan(first, std::min(lanes, all.size() - first)));
      const auto fits = patches.fits<3>(
          [&](const PanelPatch&, std::int32_t j) { return values_at(panels.centroid[j]); });
      for (int l = 0; l < patches.count(); ++l) {
        PanelPatch one(neighbourhood);
        one.move_to(patches[l].panel());
        const auto expected =
            one.fits<3>([&](std::int32_t j) { return values_at(panels.centroid[j]); });
        for (std::size_t v = 0; v < 3; ++v) {
          const PlanePolynomial &found = fits[v][l], &known = expected[v];
          EXPECT_EQ(found.terms, known.terms);
          terms.insert(known.terms);
          EXPECT_EQ(found.constant, known.constant);
          double most = 0.0;
          for (const double s : known.s) most = std::max(most, std::abs(s));
          // Pivots may be a millionth of the largest.
          for (int k = 0; k < 9; ++k) EXPECT_NEAR(found.s[k], known.s[k], 1e-8 * most);
          for (int k = 0; k < 3; ++k)
            EXPECT_NEAR(found.axes[k], known.axes[k], 1e-10 * std::abs(known.axes[0]));
        }
      }
    }
  }
  // Cubics, quadratics and planes.
  EXPECT_TRUE(terms.contains(9.0) && terms.contains(5.0) && terms.contains(2.0));
}

TEST(PanelPatches, MissWhatOnePredictionMisses) {
  for (const meshes::SurfaceMesh& mesh : meshes_of_all_kinds()) {
    const Panels panels = make_panels(mesh);
    const PanelNeighbourhood neighbourhood(panels);
    for_each_patches(neighbourhood, {}, [&](PanelPatches& patches) {
      const auto values = [&](const PanelPatch&, std::int32_t j) {
        const auto [a, b, c] = values_at(panels.centroid[j]);
        return std::array{a, b, c, 7.0};
      };
      const PanelPatches::Predictions misses = patches.misses(values);
      for (int l = 0; l < patches.count(); ++l) {
        const PanelPatch& patch = patches[l];
        const auto own = values(patch, patch.panel());
        const auto sample = [&](int k) {
          const auto at = static_cast<std::size_t>(k);
          const auto there = values(patch, patch.around()[at]);
          PlaneSamples<4> s{patch.samples()[at].x, patch.samples()[at].y, {}};
          for (std::size_t v = 0; v < 4; ++v) s.values[v] = there[v] - own[v];
          return s;
        };
        const auto count = static_cast<int>(patch.around().size());
        const auto expected =
            OriginPrediction<4, double>(count, count, sample, patch.least_spread()).values();
        for (std::size_t v = 0; v < 4; ++v) EXPECT_NEAR(misses[v][l], expected[v], 1e-9) << v;
        EXPECT_NEAR(misses[3][l], 0.0, 1e-9);
      }
    });
  }
}

std::vector<PlaneSample> samples_of(std::size_t count, double stretch,
                                    double (*f)(double, double)) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<PlaneSample> samples;
  for (std::size_t k = 0; k < count; ++k) {
    const double x = stretch * uniform(generator), y = 0.4 * x + uniform(generator);
    samples.push_back({x, y, f(x, y)});
  }
  return samples;
}

double predicted_of(const std::vector<PlaneSample>& samples) {
  const auto sample = [&](int k) {
    const PlaneSample& s = samples[static_cast<std::size_t>(k)];
    return PlaneSamples<1>{s.x, s.y, {s.value}};
  };
  const auto count = static_cast<int>(samples.size());
  return OriginPrediction<1, double>(count, count, sample, 0.0).values()[0];
}

TEST(PredictOrigin, IsExactForQuadraticsPlanesAndConstants) {
  const auto quadratic = [](double x, double y) {
    return 7.0 - x + 2.0 * y + 0.5 * x * x - 3.0 * x * y + y * y;
  };
  const auto plane = [](double x, double y) { return 7.0 - x + 2.0 * y; };
  const auto constant = [](double, double) { return 7.0; };
  for (const double stretch : {1.0, 300.0}) {  // panels may be long
    EXPECT_NEAR(predicted_of(samples_of(12, stretch, quadratic)), 7.0, 1e-9 * stretch * stretch);
    EXPECT_NEAR(predicted_of(samples_of(5, stretch, plane)), 7.0, 1e-9 * stretch);
    EXPECT_NEAR(predicted_of(samples_of(1, stretch, constant)), 7.0, 1e-12);
  }
  EXPECT_EQ(predicted_of({}), 0.0);
  // On a line neither is fixed: the mean.
  EXPECT_NEAR(predicted_of({{-1.0, 0.0, 2.0}, {1.0, 0.0, 4.0}, {2.0, 0.0, 6.0}, {-2.0, 0.0, 0.0}}),
              3.0, 1e-12);
}

/// Rows of squares in a plane.
Panels rows_of_squares(std::int32_t rows) {
  meshes::SurfaceMesh mesh;
  constexpr std::int32_t along = 12;
  for (std::int32_t k = 0; k <= rows; ++k)
    for (std::int32_t i = 0; i <= along; ++i) mesh.nodes.push_back({1.0 * i, 1.0 * k, 0.0});
  for (std::int32_t k = 0; k < rows; ++k) {
    for (std::int32_t i = 0; i < along; ++i) {
      const std::int32_t first = k * (along + 1) + i;
      mesh.elements.push_back({first, first + 1, first + along + 2, first + along + 1});
    }
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  mesh.patch_names = {"plane"};
  return make_panels(mesh, PanelGeometry::flat);
}

TEST(PanelFits, KnowNothingOfAVelocityAcrossASingleRow) {
  const Vec3d stream{0.8, 0.6, 0.0};
  for (const std::int32_t rows : {1, 2, 3}) {
    const Panels panels = rows_of_squares(rows);
    std::vector<double> phi;
    for (const Vec3d& x : panels.centroid) phi.push_back(dot(stream, x));
    const std::vector<Vec3d> velocity(panels.size(), stream);
    const PanelFits fits = fit_panels(PanelNeighbourhood(panels), {{}, phi, velocity});
    for (const PanelSigns& signs : fits.signs)
      EXPECT_NEAR(signs.difference, rows == 1 ? 1.0 : 0.0, 1e-12);
  }
}

}  // namespace
}  // namespace rankine::bem
