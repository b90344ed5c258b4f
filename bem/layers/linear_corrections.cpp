#include "rankine/bem/layers/linear_corrections.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

// Sparse corrections of several layers with one common pattern, collected row by row.

struct LayerEntry {
  std::int32_t column;
  std::array<double, layer_count> values;  ///< one per requested layer, in their order
};

using LayerRow = std::vector<LayerEntry>;

/// Adds up entries of the same column and sorts the columns.
void merge(LayerRow& row) {
  std::sort(row.begin(), row.end(),
            [](const LayerEntry& a, const LayerEntry& b) { return a.column < b.column; });
  std::size_t kept = 0;
  for (const LayerEntry& each : row) {
    if (kept > 0 && row[kept - 1].column == each.column) {
      for (std::size_t l = 0; l < each.values.size(); ++l)
        row[kept - 1].values[l] += each.values[l];
    } else {
      row[kept++] = each;
    }
  }
  row.resize(kept);
  row.shrink_to_fit();
}

/// The matrices of `layers` layers with one pattern.
std::vector<SparseRows> layer_matrices(const std::vector<LayerRow>& rows, std::size_t columns,
                                       std::size_t layers) {
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.resize(rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    pattern->offsets[i + 1] = pattern->offsets[i] + static_cast<std::int64_t>(rows[i].size());
  pattern->columns.resize(static_cast<std::size_t>(pattern->offsets.back()));
  std::vector<SparseRows> matrices;
  for (std::size_t l = 0; l < layers; ++l)
    matrices.push_back({columns, pattern, AlignedVector<double>(pattern->columns.size())});
  parallel_for(rows.size(), [&](std::size_t i) {
    auto at = static_cast<std::size_t>(pattern->offsets[i]);
    for (const LayerEntry& each : rows[i]) {
      pattern->columns[at] = each.column;
      for (std::size_t l = 0; l < layers; ++l) matrices[l].values[at] = each.values[l];
      ++at;
    }
  });
  return matrices;
}

/// First moments of the kernels of S and D at x, about a point of the panel: integrals over the
/// panel minus sums over its nodes.
class Moments {
 public:
  Moments(const Vec3d& x, bool with_double) : x_(x), with_double_(with_double) {}

  /// Near the panel the kernel of D is nearly a delta function at the point y_0 below x, so that
  /// the moment about y_0 is integrated numerically, and that of the closed forms is added.
  void add_panel(const PanelShape<double>& panel, bool own, const Vec3d& normal,
                 const Vec3d& about) {
    about_ = x_ - dot(x_ - about, normal) * normal;
    for (int half = 0; half + 2 < panel.corners; ++half)
      add_triangle(triangle_of(panel, half), {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}}, 1.0,
                   halvings);
    constexpr IntegralSet both{.single = true, .dbl = true};
    const PanelIntegrals<double> whole = integrate_panel<both>(panel, x_, own);
    single_ += whole.single * (about_ - about);
    if (with_double_) double_ += whole.dbl * (about_ - about);
    about_ = about;
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
  /// Around x a part of 2^-16 of a triangle is left out; the integrand is bounded there.
  static constexpr int halvings = 16;

  /// Integrates over the part of a patch between three points, given by barycentric coordinates.
  /// The part has the area share `share`. Its longest side is halved while it is wider than twice
  /// its distance.
  void add_triangle(const TrianglePatch<double>& patch, const std::array<Vec3d, 3>& part,
                    double share, int left) {
    static const std::vector<TrianglePoint> rule = triangle_rule(6);
    constexpr double width2_of_distance2 = 4.0;
    const auto point = [&](const Vec3d& at) { return patch.point(at.x, at.y, at.z); };
    const std::array<Vec3d, 3> corner{point(part[0]), point(part[1]), point(part[2])};
    const Vec3d apart = x_ - (corner[0] + corner[1] + corner[2]) / 3.0;
    std::size_t longest = 0;
    double width2 = 0.0;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d side = corner[(k + 1) % 3] - corner[k];
      if (dot(side, side) > width2) {
        width2 = dot(side, side);
        longest = k;
      }
    }
    if (width2 <= width2_of_distance2 * dot(apart, apart)) {
      for (const TrianglePoint& each : rule) {
        const Vec3d at = each.a * part[0] + each.b * part[1] + each.c * part[2];
        const Vec3d area = patch.vector_area(at.x, at.y, at.z);
        const double size = norm(area);
        if (size > 0.0) add_point_at(point(at), area / size, each.weight * share * size);
      }
    } else if (left > 0) {
      const Vec3d &a = part[longest], &b = part[(longest + 1) % 3], &c = part[(longest + 2) % 3];
      const Vec3d middle = 0.5 * (a + b);
      add_triangle(patch, {a, middle, c}, 0.5 * share, left - 1);
      add_triangle(patch, {middle, b, c}, 0.5 * share, left - 1);
    }
  }

  Vec3d x_, about_{}, single_{}, double_{};
  bool with_double_;
};

}  // namespace

LinearCorrections::LinearCorrections(const Panels& panels, const PanelNodes& nodes,
                                     const IsConstant& is_constant)
    : panels_(panels), nodes_(nodes), shares_(panels.size()) {
  const PanelNeighbourhood around(panels);
  parallel_chunks(
      panels.size(), 256, [] { return GradientFit{}; },
      [&](std::size_t j, GradientFit& fit) {
        if (is_constant(j)) return;
        fit.fit(around, static_cast<std::int32_t>(j));
        Vec3d own{};
        for (std::size_t k = 0; k < fit.neighbours.size(); ++k) {
          const std::int32_t beside = fit.neighbours[k];
          shares_[j].push_back({around.origin(beside), around.sign(beside) * fit.factors[k]});
          own += -1.0 * fit.factors[k];
        }
        if (!shares_[j].empty()) shares_[j].push_back({static_cast<std::int32_t>(j), own});
      });
}

std::array<Vec3d, layer_count> LinearCorrections::moments_of(const Vec3d& x, bool own,
                                                             std::int32_t panel,
                                                             std::span<const Layer> layers) const {
  assert(layers.size() <= 2);
  const auto j = static_cast<std::size_t>(panel);
  Moments moments(x, std::find(layers.begin(), layers.end(), Layer::double_layer) != layers.end());
  moments.add_panel(panels_.shape[j], own, panels_.normal[j], nodes_.middle(j));
  for (std::size_t k = nodes_.begin(j); k < nodes_.end(j); ++k)
    moments.add_point_at(nodes_.points[k], nodes_.normals[k], -nodes_.weights[k]);
  std::array<Vec3d, layer_count> found{};
  for (std::size_t l = 0; l < layers.size(); ++l) found[l] = moments.of(layers[l]);
  return found;
}

std::vector<SparseRows> linear_corrections(const Panels& panels, const PanelNodes& nodes,
                                           std::span<const Layer> layers) {
  if (layers.empty()) return {};
  const std::size_t n = panels.size();
  const PanelNeighbourhood around(panels);
  const LinearCorrections corrections(panels, nodes, if_cut(nodes));
  std::vector<LayerRow> rows(n * static_cast<std::size_t>(panels.symmetry.images()));
  parallel_chunks(
      n, 64, [] { return PanelNeighbourhood::Ring{}; },
      [&](std::size_t i, PanelNeighbourhood::Ring& ring) {
        const auto panel = static_cast<std::int32_t>(i);
        around.collect(panel, 1, ring);
        ring.panels.push_back(panel);
        const auto row_of = [&](int image) -> LayerRow& {
          return rows[static_cast<std::size_t>(image) * n + i];
        };
        for (const std::int32_t each : ring.panels) {
          // The field of a panel's image at a point is that of the panel at the point's image.
          const int image = around.image(each);
          corrections.for_each_entry(panels.symmetry.point(image, panels.centroid[i]),
                                     each == panel, around.origin(each), layers,
                                     [&](std::int32_t column, const auto& values) {
                                       row_of(image).push_back({column, values});
                                     });
        }
        for (int image = 0; image < panels.symmetry.images(); ++image) merge(row_of(image));
      });
  return layer_matrices(rows, n, layers.size());
}

}  // namespace rankine::bem
