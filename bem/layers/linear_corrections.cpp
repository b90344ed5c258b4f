#include "rankine/bem/layers/linear_corrections.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstdint>
#include <memory>
#include <utility>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/layer_rows.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// First moments of the kernels of S and D at x, about a point of the panel: integrals over the
/// panel minus sums over its nodes.
class Moments {
 public:
  Moments(const Vec3d& x, const Vec3d& about, bool with_double)
      : x_(x), about_(about), with_double_(with_double) {}

  void add_panel(const PanelShape<double>& panel) {
    for (int half = 0; half + 2 < panel.corners; ++half)
      add_triangle(triangle_of(panel, half), {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}, 1.0,
                   halvings);
  }
  void add_point_at(const Vec3d& y, const Vec3d& normal, double weight) {
    PanelIntegrals<double> at;
    if (with_double_) {
      add_point<IntegralSet{.single = true, .dbl = true}>(x_ - y, normal, weight, at);
      double_ += at.dbl * (y - about_);
    } else {
      add_point<IntegralSet{.single = true}>(x_ - y, normal, weight, at);
    }
    single_ += at.single * (y - about_);
  }

  const Vec3d& of(Layer layer) const { return layer == Layer::single_layer ? single_ : double_; }

 private:
  /// Around x a part of 4^-5 of a triangle is left out; the integrand is bounded there.
  static constexpr int halvings = 5;

  /// Integrates over the part of a patch between three points, given by barycentric coordinates.
  /// The part has the area share `share`. It is divided into quarters while it is wider than twice
  /// its distance.
  void add_triangle(const TrianglePatch<double>& patch, const std::array<Vec3d, 3>& part,
                    double share, int left) {
    static const std::vector<TrianglePoint> rule = triangle_rule(6);
    constexpr double width2_of_distance2 = 4.0;
    const auto point = [&](const Vec3d& at) { return patch.point(at.x, at.y, at.z); };
    const Vec3d p = point(part[0]), q = point(part[1]), r = point(part[2]),
                apart = x_ - (p + q + r) / 3.0;
    const double width2 = std::max({dot(p - q, p - q), dot(q - r, q - r), dot(r - p, r - p)});
    if (width2 <= width2_of_distance2 * dot(apart, apart)) {
      for (const TrianglePoint& each : rule) {
        const Vec3d at = each.a * part[0] + each.b * part[1] + each.c * part[2];
        const Vec3d area = patch.vector_area(at.x, at.y, at.z);
        const double size = norm(area);
        if (size > 0.0) add_point_at(point(at), area / size, each.weight * share * size);
      }
    } else if (left > 0) {
      const std::array<Vec3d, 3> middle{0.5 * (part[0] + part[1]), 0.5 * (part[1] + part[2]),
                                        0.5 * (part[2] + part[0])};
      add_triangle(patch, {part[0], middle[0], middle[2]}, 0.25 * share, left - 1);
      add_triangle(patch, {middle[0], part[1], middle[1]}, 0.25 * share, left - 1);
      add_triangle(patch, {middle[2], middle[1], part[2]}, 0.25 * share, left - 1);
      add_triangle(patch, middle, 0.25 * share, left - 1);
    }
  }

  Vec3d x_, about_, single_{}, double_{};
  bool with_double_;
};

/// Entries of rows, layer after layer.
class Rows {
 public:
  Rows(const Panels& panels, const PanelNodes& nodes, std::span<const Layer> layers)
      : panels_(panels),
        nodes_(nodes),
        layers_(layers),
        with_double_(std::find(layers.begin(), layers.end(), Layer::double_layer) != layers.end()),
        around_(panels),
        gradients_(panels.size()) {
    parallel_chunks(
        panels.size(), 256, [] { return GradientFit{}; },
        [&](std::size_t j, GradientFit& fit) {
          if (nodes.is_cut(j)) return;
          fit.fit(around_, static_cast<std::int32_t>(j));
          for (std::size_t k = 0; k < fit.neighbours.size(); ++k)
            gradients_[j].push_back({fit.neighbours[k], fit.factors[k]});
        });
  }

  /// Adds the entries of point i and its images to entries(image).
  template <class Entries>
  void find(std::size_t i, PanelNeighbourhood::Ring& ring, Entries&& entries) const {
    const auto panel = static_cast<std::int32_t>(i);
    around_.collect(panel, 1, ring);
    ring.panels.push_back(panel);
    for (const std::int32_t each : ring.panels) {
      // The field of a panel's image at a point is the field of the panel at the image of the
      // point.
      const int image = around_.image(each);
      const Vec3d x = panels_.symmetry.point(image, panels_.centroid[i]);
      add_panel(x, around_.origin(each), entries(image));
    }
    for (int image = 0; image < panels_.symmetry.images(); ++image) merge(entries(image));
  }

 private:
  /// The part of the gradient on a panel that is due to neighbour k: a_k (q_k - q).
  struct Share {
    std::int32_t neighbour;
    Vec3d factor;
  };

  void add_panel(const Vec3d& x, std::int32_t panel, LayerRow& row) const {
    const auto j = static_cast<std::size_t>(panel);
    if (gradients_[j].empty()) return;
    Moments moments(x, nodes_.middle(j), with_double_);
    moments.add_panel(panels_.shape[j]);
    for (std::size_t k = nodes_.begin(j); k < nodes_.end(j); ++k)
      moments.add_point_at(nodes_.points[k], nodes_.normals[k], -nodes_.weights[k]);
    LayerEntry own{panel, {}};
    for (const auto& [beside, factor] : gradients_[j]) {
      LayerEntry entry{around_.origin(beside), {}};
      for (std::size_t l = 0; l < layers_.size(); ++l) {
        const double share = dot(factor, moments.of(layers_[l]));
        entry.values[l] = around_.sign(beside) * share;
        own.values[l] -= share;
      }
      row.push_back(entry);
    }
    row.push_back(own);
  }

  const Panels& panels_;
  const PanelNodes& nodes_;
  std::span<const Layer> layers_;
  bool with_double_;
  PanelNeighbourhood around_;
  std::vector<std::vector<Share>> gradients_;
};

}  // namespace

std::vector<SparseRows> linear_corrections(const Panels& panels, const PanelNodes& nodes,
                                           std::span<const Layer> layers) {
  assert(layers.size() <= 2);
  if (layers.empty()) return {};
  const std::size_t n = panels.size();
  std::vector<LayerRow> rows(n * static_cast<std::size_t>(panels.symmetry.images()));
  const Rows finder(panels, nodes, layers);
  parallel_chunks(
      n, 64, [] { return PanelNeighbourhood::Ring{}; },
      [&](std::size_t i, PanelNeighbourhood::Ring& ring) {
        finder.find(i, ring, [&](int image) -> LayerRow& {
          return rows[static_cast<std::size_t>(image) * n + i];
        });
      });
  return layer_matrices(rows, n, layers.size());
}

}  // namespace rankine::bem
