// Near entries of every layer against definitions, closed forms and identities, together and alone.
#include "rankine/bem/layers/near_entry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "tests/support/long_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

constexpr Layer every_layer[] = {Layer::single_layer, Layer::double_layer,
                                 Layer::adjoint_double_layer, Layer::hypersingular};

/// A mesh with all that its entries read.
struct BodyOfEntries {
  static constexpr std::size_t stride = middle_stride(true);

  explicit BodyOfEntries(const meshes::SurfaceMesh& mesh)
      : panels(make_panels(mesh, PanelGeometry::flat)),
        nodes(place_nodes(panels)),
        middle(panels.size() * stride),
        without_nodes(panels.size() + 1, 0) {
    for (std::size_t j = 0; j < panels.size(); ++j)
      place_middle_nodes(panels.shape[j], middle.data() + j * stride);
  }

  NearEntryView view() const {
    NearEntryView view = near_entry_view(panels, nodes);
    view.middle_nodes = middle.data();
    view.middle_stride = static_cast<int>(stride);
    return view;
  }
  /// Entries from which nothing is subtracted, by exact formulas up to `middle_radius`.
  NearEntryView accurate_view(double middle_radius) {
    nodes.middle_radius.changed().assign(panels.size(), middle_radius);
    NearEntryView accurate = view();
    accurate.first_node = without_nodes.data();
    return accurate;
  }

  Panels panels;
  PanelNodes nodes;
  std::vector<QuadratureNode> middle;
  std::vector<std::int64_t> without_nodes;  ///< in place of the first nodes of panels
};

std::vector<BodyOfEntries> bodies_of_entries() {
  return {BodyOfEntries(testing::graded_sphere(320)), BodyOfEntries(testing::cubed_sphere(150)),
          BodyOfEntries(meshes::make_box(150, {1.0, 2.0, 0.5}))};
}

template <Layer layer>
double entry(const NearEntryView& view, std::int64_t target, std::int64_t panel) {
  double value = 0.0;
  if (takes_closed_form(view, target, panel)) {
    near_entries<true, layer>(view, target, panel, &value);
  } else {
    near_entries<false, layer>(view, target, panel, &value);
  }
  return value;
}

double entry(const NearEntryView& view, Layer layer, auto i, auto j) {
  const auto target = static_cast<std::int64_t>(i), panel = static_cast<std::int64_t>(j);
  switch (layer) {
    case Layer::single_layer:
      return entry<Layer::single_layer>(view, target, panel);
    case Layer::double_layer:
      return entry<Layer::double_layer>(view, target, panel);
    case Layer::adjoint_double_layer:
      return entry<Layer::adjoint_double_layer>(view, target, panel);
    case Layer::hypersingular:
      return entry<Layer::hypersingular>(view, target, panel);
  }
  return 0.0;
}

/// The kernels by their definitions, r = x - y.
double kernel(Layer layer, const Vec3d& r, const Vec3d& n_x, const Vec3d& n_y) {
  const double d = norm(r), d3 = d * d * d;
  switch (layer) {
    case Layer::single_layer:
      return 1.0 / d;
    case Layer::double_layer:
      return dot(n_y, r) / d3;
    case Layer::adjoint_double_layer:
      return -dot(n_x, r) / d3;
    case Layer::hypersingular:
      break;
  }
  return dot(n_x, n_y) / d3 - 3.0 * dot(n_x, r) * dot(n_y, r) / (d3 * d * d);
}

/// Kernels fall like distance^-power.
int power(Layer layer) {
  return layer == Layer::single_layer ? 1 : layer == Layer::hypersingular ? 3 : 2;
}

/// The 12-point rule of degree 6 on the 4^levels parts of a triangle.
double quadrature(Layer layer, const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& x,
                  const Vec3d& n_x, int levels) {
  if (levels > 0) {
    const Vec3d ab = 0.5 * (a + b), bc = 0.5 * (b + c), ca = 0.5 * (c + a);
    return quadrature(layer, a, ab, ca, x, n_x, levels - 1) +
           quadrature(layer, ab, b, bc, x, n_x, levels - 1) +
           quadrature(layer, ca, bc, c, x, n_x, levels - 1) +
           quadrature(layer, ab, bc, ca, x, n_x, levels - 1);
  }
  static const std::vector<TrianglePoint> rule = triangle_rule(12);
  const Vec3d area_normal = 0.5 * cross(b - a, c - a);
  double value = 0.0;
  for (const TrianglePoint& p : rule) {
    value +=
        p.weight * kernel(layer, x - (p.a * a + p.b * b + p.c * c), n_x, normalized(area_normal));
  }
  return norm(area_normal) * value;
}

double quadrature(Layer layer, const PanelShape<double>& panel, const Vec3d& x, const Vec3d& n_x,
                  int levels) {
  const Vec3d* c = panel.corner;
  double value = quadrature(layer, c[0], c[1], c[2], x, n_x, levels);
  if (panel.corners == 4) value += quadrature(layer, c[0], c[2], c[3], x, n_x, levels);
  return value;
}

TEST(NearEntries, AreTheIntegralsOfTheKernels) {
  // Parts of an eighth of a panel, half a radius away: the rule of degree 6 leaves 1e-7 of the
  // whole.
  for (BodyOfEntries& body : bodies_of_entries()) {
    const NearEntryView view = body.accurate_view(1e300);
    for (std::size_t i = 0; i < body.panels.size(); i += 13) {
      for (std::size_t j = 0; j < body.panels.size(); j += 7) {
        const Vec3d x = body.panels.centroid[i], n_x = body.panels.normal[i];
        const double distance = norm(x - body.panels.centroid[j]), radius = body.panels.radius[j];
        if (distance < 1.5 * radius) continue;
        for (const Layer layer : every_layer) {
          const double size = body.panels.area[j] / std::pow(distance, power(layer));
          EXPECT_NEAR(entry(view, layer, i, j), quadrature(layer, body.panels.shape[j], x, n_x, 3),
                      1e-6 * size)
              << static_cast<int>(layer) << ' ' << i << ' ' << j;
        }
      }
    }
  }
}

TEST(NearEntries, LeaveOutWhatTheNodesHaveCounted) {
  for (BodyOfEntries& body : bodies_of_entries()) {
    const PanelNodes& d = body.nodes;
    const NearEntryView view = body.view();
    NearEntryView accurate = view;
    accurate.first_node = body.without_nodes.data();
    for (std::size_t i = 0; i < body.panels.size(); i += 11) {
      for (std::size_t j = 0; j < body.panels.size(); j += 3) {
        for (const Layer layer : every_layer) {
          double counted = 0.0, size = 0.0;
          for (std::size_t k = d.begin(j); k < d.end(j); ++k) {
            const Vec3d r = view.centroid[i] - d.points.on_host()[k];
            if (dot(r, r) == 0.0) continue;
            const double term = d.weights.on_host()[k] *
                                kernel(layer, r, view.target_normal[i], d.normals.on_host()[k]);
            counted += term;
            size += std::abs(d.weights.on_host()[k]) / std::pow(norm(r), std::max(2, power(layer)));
          }
          // Rounding of terms that may cancel.
          EXPECT_NEAR(entry(view, layer, i, j), entry(accurate, layer, i, j) - counted,
                      1e-13 * (size + std::abs(counted) + std::abs(entry(accurate, layer, i, j))));
        }
      }
    }
  }
}

TEST(NearEntries, OfTheHypersingularLayerAreTheSlopeOfTheDoubleLayer) {
  // Central differences over 2e-4 radii: 1e-8 of the third derivative, at most about 1e2 / radius
  // half a radius from the edges. On the own panel the angle jumps by 4 pi and is odd otherwise.
  for (BodyOfEntries& body : bodies_of_entries()) {
    const NearEntryView view = body.accurate_view(1e300);
    for (std::size_t i = 0; i < body.panels.size(); i += 5) {
      const auto p = static_cast<std::size_t>(i);
      const Vec3d n_x = body.panels.normal[p], x = body.panels.centroid[p];
      for (std::size_t j = 0; j < body.panels.size(); j += 3) {
        const auto q = static_cast<std::size_t>(j);
        if (i != j && norm(x - body.panels.centroid[q]) < 1.5 * body.panels.radius[q]) continue;
        if (i == j && body.panels.shape[q].corners == 4) continue;  // the point may be off a plane
        const double step = 1e-4 * body.panels.radius[q];
        const double above = solid_angle(body.panels.shape[q], x + step * n_x),
                     below = solid_angle(body.panels.shape[q], x - step * n_x);
        const double jump = i == j ? 4.0 * std::numbers::pi : 0.0;
        EXPECT_NEAR(entry(view, Layer::hypersingular, i, j), (above - below - jump) / (2.0 * step),
                    1e-6 / body.panels.radius[q])
            << i << ' ' << j;
      }
    }
  }
}

TEST(NearEntries, OfTheHypersingularLayerAddUpToZeroOnClosedSurfaces) {
  // Every edge is walked in both directions; what is left is the rounding of each ring.
  for (BodyOfEntries& body : bodies_of_entries()) {
    const NearEntryView view = body.accurate_view(1e300);
    const auto n = static_cast<std::int64_t>(body.panels.size());
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0.0, size = 0.0;
      for (std::int64_t j = 0; j < n; ++j) {
        const double value = entry(view, Layer::hypersingular, i, j);
        sum += value;
        size += std::abs(value);
      }
      EXPECT_NEAR(sum, 0.0, 1e-13 * size) << i;
    }
  }
}

TEST(NearEntries, OfTheOwnPanelAreThoseOfAPanelFarFromTheOrigin) {
  // Coordinates of 1e6 round to 1e-10, so that the own point stands off its triangle to either
  // side.
  for (const meshes::SurfaceMesh& mesh : {testing::graded_sphere(320), meshes::make_sphere(320)}) {
    meshes::SurfaceMesh far = mesh;
    for (Vec3d& x : far.nodes) x += Vec3d{1e6, -2e6, 3e6};
    BodyOfEntries here(mesh), there(far);
    const NearEntryView near_view = here.accurate_view(1e300),
                        far_view = there.accurate_view(1e300);
    for (std::size_t i = 0; i < here.panels.size(); ++i) {
      for (const Layer layer : every_layer) {
        const double expected = entry(near_view, layer, i, i), radius = here.panels.radius[i];
        const double size = std::pow(radius, 2 - power(layer));
        // 1e-9 of coordinates of panels of size 0.1, some ten times thinner.
        EXPECT_NEAR(entry(far_view, layer, i, i), expected, 1e-6 * size)
            << static_cast<int>(layer) << ' ' << i;
      }
    }
  }
}

TEST(NearEntries, OfTheMiddleDistanceAreTheIntegralsOfTheKernels) {
  // With rho = radius / distance the kernels' series have terms that grow with m at most like
  // rho^m, 2 m rho^m and 2 m^2 rho^m for no, one and two derivatives. The rule leaves those from
  // m = 6 on, twice, since its weights are positive: 2, 24, 144 times rho^6 / (1 - rho)^3.
  for (BodyOfEntries& body : bodies_of_entries()) {
    const NearEntryView view = body.accurate_view(0.0);
    std::array<int, 4> told_apart{};  // entries as large as many times their tolerance
    for (std::size_t i = 0; i < body.panels.size(); i += 13) {
      for (std::size_t j = 0; j < body.panels.size(); j += 7) {
        const Vec3d x = body.panels.centroid[i], n_x = body.panels.normal[i];
        const double distance = norm(x - body.panels.centroid[j]), radius = body.panels.radius[j];
        if (distance < 4.0 * radius) continue;
        const double rho = radius / distance;
        for (const Layer layer : every_layer) {
          const double size = body.panels.area[j] / std::pow(distance, power(layer));
          const double tolerance = std::array{2.0, 24.0, 144.0}[power(layer) - 1] *
                                   std::pow(rho, 6) / std::pow(1.0 - rho, 3) * size;
          // Four parts of every triangle err 64 times less.
          const double expected = quadrature(layer, body.panels.shape[j], x, n_x, 1);
          EXPECT_NEAR(entry(view, layer, i, j), expected, 1.02 * tolerance)
              << static_cast<int>(layer) << ' ' << i << ' ' << j;
          told_apart[static_cast<std::size_t>(layer)] += std::abs(expected) > 10.0 * tolerance;
        }
      }
    }
    for (const int entries : told_apart) EXPECT_GT(entries, 50);
  }
}

TEST(NearEntries, OfTheMiddleDistanceLeaveATenthOfTheTolerance) {
  // The promise of bem/layers/panel_nodes.hpp for the double layer of a constant on smooth
  // surfaces: 2 pi without the factor 1/(4 pi), in the mean square over targets.
  for (const meshes::SurfaceMesh& mesh :
       {meshes::make_sphere(1280), testing::graded_sphere(1280), testing::cubed_sphere(1350)}) {
    for (const double tolerance : {1e-6, 1e-8}) {
      BodyOfEntries body(mesh);
      body.nodes = place_nodes(body.panels, {tolerance});
      const std::vector<double> everywhere(body.panels.size(), 1e300);
      NearEntryView view = body.view();
      view.first_node = body.without_nodes.data();
      NearEntryView exact = view;
      exact.middle_radius = everywhere.data();
      const auto n = static_cast<std::int64_t>(body.panels.size());
      double error2 = 0.0;
      int targets = 0, by_the_rule = 0;
      for (std::int64_t i = 0; i < n; i += 9, ++targets) {
        double error = 0.0;
        for (std::int64_t j = 0; j < n; ++j) {
          const Vec3d apart = view.centroid[i] - view.centroid[j];
          if (norm(apart) < view.middle_radius[j]) continue;
          error += entry(view, Layer::double_layer, i, j) - entry(exact, Layer::double_layer, i, j);
          ++by_the_rule;
        }
        error2 += error * error;
      }
      EXPECT_GT(by_the_rule, targets * n / 4);
      EXPECT_LE(std::sqrt(error2 / targets), 0.1 * tolerance * 2.0 * std::numbers::pi)
          << tolerance << ", " << n << " panels";
    }
  }
}

TEST(NearEntries, OfLongPanelsAreTheSameInLanes) {
  // Against the loop of devices, in metres and where squares of distances leave the range of float.
  for (const double size : {1.0, 1e-21}) {
    meshes::SurfaceMesh mesh = testing::wing_of_spans(120);
    for (Vec3d& x : mesh.nodes) x = size * x;
    const BodyOfEntries body(mesh);
    const SparsityPattern pairs = find_near_pairs(body.panels.centroid, body.nodes.balls);
    const NearEntryView view = body.view();
    std::vector<std::vector<double>> found(4, std::vector<double>(pairs.entries()));
    std::vector<double*> values;
    for (auto& each : found) values.push_back(each.data());
    integrate_near(view, body.panels.size(), every_layer, pairs, values);
    std::size_t long_ones = 0;
    for (std::size_t i = 0; i < pairs.rows(); ++i) {
      for (std::int64_t k = pairs.offsets[i]; k < pairs.offsets[i + 1]; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const auto j = static_cast<std::size_t>(pairs.columns[at]);
        const std::size_t nodes = body.nodes.end(j) - body.nodes.begin(j);
        if (nodes < 12) continue;
        ++long_ones;
        for (std::size_t l = 0; l < 4; ++l) {
          const double expected = entry(view, every_layer[l], i, j);
          // Rounding of what is subtracted: the integral's size, S like a length, H like its
          // inverse.
          const double unit = l == 0   ? body.panels.radius[j]
                              : l == 3 ? 1e3 / std::sqrt(body.panels.area[j])
                                       : 2.0 * std::numbers::pi;
          EXPECT_NEAR(found[l][at], expected, 1e-11 * (unit + std::abs(expected))) << i << " " << j;
        }
      }
    }
    EXPECT_GT(long_ones, 500u);
  }
}

TEST(NearEntries, OfLayersMadeTogetherAreThoseMadeAlone) {
  for (const BodyOfEntries& body : bodies_of_entries()) {
    const SparsityPattern pairs = find_near_pairs(body.panels.centroid, body.nodes.balls);
    const std::size_t count = pairs.columns.size();
    const NearEntryView view = body.view();
    std::vector<std::vector<double>> alone;
    for (const Layer layer : every_layer) {
      std::vector<double>& values = alone.emplace_back();
      for (std::size_t i = 0; i < pairs.rows(); ++i) {
        for (std::int64_t k = pairs.offsets[i]; k < pairs.offsets[i + 1]; ++k) {
          values.push_back(entry(view, layer, i, pairs.columns[static_cast<std::size_t>(k)]));
        }
      }
    }
    for (unsigned set = 0; set < 16; ++set) {
      SCOPED_TRACE(set);
      std::vector<Layer> layers;
      for (unsigned l = 0; l < 4; ++l) {
        if (set >> l & 1) layers.push_back(every_layer[l]);
      }
      if (set % 3 == 0) std::reverse(layers.begin(), layers.end());
      std::vector<std::vector<double>> together(
          layers.size(), std::vector<double>(count, std::numeric_limits<double>::quiet_NaN()));
      std::vector<double*> values;
      for (auto& of_layer : together) values.push_back(of_layer.data());
      integrate_near(view, body.panels.size(), layers, pairs, values);
      for (std::size_t l = 0; l < layers.size(); ++l) {
        const std::vector<double>& expected = alone[static_cast<std::size_t>(layers[l])];
        // The same terms, which a compiler may fuse differently, and logarithms and angles in
        // lanes: a few units in the last place of the largest of them, in D and K' a half space or
        // part of one. The own point of a quadrilateral is 1e-4 of its width beside the diagonal,
        // which costs 1e4 times as much.
        double size = layers[l] == Layer::single_layer ? 0.0 : 2.0 * std::numbers::pi;
        for (const double value : expected) size = std::max(size, std::abs(value));
        for (std::size_t i = 0; i < pairs.rows(); ++i) {
          for (std::int64_t at = pairs.offsets[i]; at < pairs.offsets[i + 1]; ++at) {
            const auto k = static_cast<std::size_t>(at);
            const bool own = pairs.columns[k] == static_cast<std::int32_t>(i);
            ASSERT_NEAR(together[l][k], expected[k], (own ? 1e-12 : 1e-14) * size)
                << static_cast<int>(layers[l]) << ' ' << i << ' ' << pairs.columns[k];
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace rankine::bem
