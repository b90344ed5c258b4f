#include "rankine/bem/layers/off_surface.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <utility>

#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Farther from a panel than this, in its sizes, a rule of degree 6 integrates its linear strength to a
/// few hundred thousandths, and down to half of that on quarters of the panel. Nearer by the constant
/// part has closed forms, and the linear part stays what the far-field nodes make of it.
constexpr double smooth_from = 1.3;

/// Potential and gradient of unit charges and dipoles.
using Sums = PanelIntegrals<double>;

/// Adds what nodes contribute with the strengths q + g.(y - y_0), y_0 the mean of the panel.
class NodeSum {
 public:
  static constexpr int most_nodes =
      std::max(most_far_nodes, 2 * 4 * 12);  // a quadrilateral's quarters

  void add(const QuadratureNode& node) {
    nodes_[static_cast<std::size_t>(count_++)] = node;
    moment_ += node.weight * node.point;
    weight_ += node.weight;
  }

  Sums at(const Vec3d& x, double q, const Vec3d& g) const {
    Sums sum;
    const Vec3d middle = moment_ / weight_;
    for (int k = 0; k < count_; ++k) {
      const QuadratureNode& node = nodes_[static_cast<std::size_t>(k)];
      add_point<all_integrals>(x - node.point, node.normal,
                               node.weight * (q + dot(g, node.point - middle)), sum);
    }
    return sum;
  }

 private:
  std::array<QuadratureNode, most_nodes> nodes_;
  int count_ = 0;
  Vec3d moment_{};
  double weight_ = 0.0;
};

NodeSum far_nodes(const PanelNodes& d, std::size_t panel) {
  NodeSum nodes;
  for (std::size_t node = d.begin(panel); node < d.end(panel); ++node)
    nodes.add({d.points[node], d.normals[node], d.weights[node]});
  return nodes;
}

/// A rule on a quarter of a triangle: at one of its corners, or with `corner` = 3 in its middle.
TrianglePoint in_quarter(const TrianglePoint& p, int corner) {
  if (corner == 3)
    return {0.5 * (1.0 - p.a), 0.5 * (1.0 - p.b), 0.5 * (1.0 - p.c), 0.25 * p.weight};
  return {0.5 * (p.a + (corner == 0)), 0.5 * (p.b + (corner == 1)), 0.5 * (p.c + (corner == 2)),
          0.25 * p.weight};
}

std::vector<TrianglePoint> rule_on_quarters(const std::vector<TrianglePoint>& whole) {
  std::vector<TrianglePoint> quarters;
  for (int corner = 0; corner < 4; ++corner) {
    for (const TrianglePoint& p : whole) quarters.push_back(in_quarter(p, corner));
  }
  return quarters;
}

NodeSum fine_rule(const PanelShape<double>& panel, bool close) {
  static const std::vector<TrianglePoint> whole = triangle_rule(12),
                                          quarters = rule_on_quarters(whole);
  const std::vector<TrianglePoint>& points = close ? quarters : whole;
  NodeSum rule;
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(panel, half);
    for (const TrianglePoint& p : points) {
      const Vec3d area = triangle.vector_area(p.a, p.b, p.c);
      const double size = norm(area);
      rule.add({triangle.point(p.a, p.b, p.c), area / size, p.weight * size});
    }
  }
  return rule;
}

/// Strengths of one kind, linear on every panel.
struct LinearStrengths {
  std::span<const double> values;  ///< empty: none
  std::vector<Vec3d> gradients;

  LinearStrengths(const Panels& panels, std::span<const double> given) : values(given) {
    if (!given.empty()) gradients = strength_gradients(panels, given);
  }
};

/// sum_g s_g R_g of what was found at the images of points.
OffSurfaceValues of_points(const meshes::Symmetry& symmetry, OffSurfaceValues at_images) {
  const std::size_t points =
      at_images.potential.size() / static_cast<std::size_t>(symmetry.images());
  for (int image = 1; image < symmetry.images(); ++image) {
    const std::size_t first = static_cast<std::size_t>(image) * points;
    const double sign = symmetry.sign(image);
    for (std::size_t i = 0; i < points; ++i) {
      at_images.potential[i] += sign * at_images.potential[first + i];
      at_images.gradient[i] += sign * symmetry.vector(image, at_images.gradient[first + i]);
    }
  }
  at_images.potential.resize(points);
  at_images.gradient.resize(points);
  return at_images;
}

CollocatedPanels discretize(const Backend& backend, const Panels& panels,
                            const QuadratureOptions& quadrature) {
  const ThreadScope threads(backend.threads());
  return CollocatedPanels(panels, quadrature);
}

}  // namespace

OffSurfaceOperator::OffSurfaceOperator(Backend& backend, const Panels& panels,
                                       std::span<const Vec3d> points, const fmm::Options& options,
                                       const QuadratureOptions& quadrature)
    : backend_(backend), panels_(panels), discretization_(discretize(backend, panels, quadrature)) {
  const ThreadScope threads(backend.threads());
  targets_ = images_of_points(panels.symmetry, points);
  strengths_ = backend.make_sparse(discretization_.strengths());
  near_ = find_near_pairs(targets_, discretization_.panel_nodes().balls);
  fmm::Options own = options;
  own.gradient = true;
  own.dipoles = true;
  far_ = backend_.make_operator({discretization_.nodes(), targets_, discretization_.node_normals()},
                                own);
}

Array OffSurfaceOperator::node_strengths(std::span<const double> strength) {
  assert(strength.empty() || strength.size() == panels_.size());
  if (strength.empty()) return {};
  const Array of_panels = uploaded(backend_, strength);
  Array of_nodes = backend_.allocate(strengths_->rows());
  strengths_->add(1.0, of_panels.data(), of_nodes.data());
  return of_nodes;
}

OffSurfaceValues OffSurfaceOperator::evaluate(const PanelStrengths& strengths) {
  const ThreadScope threads(backend_.threads());
  const std::size_t count = targets_.size();
  OffSurfaceValues values;
  values.potential.resize(count);
  values.gradient.resize(count);
  if (count == 0 || (strengths.charge.empty() && strengths.doublet.empty()))
    return of_points(panels_.symmetry, std::move(values));

  const Array charges = node_strengths(strengths.charge),
              doublets = node_strengths(strengths.doublet);
  Array potential = backend_.allocate(count), gradient = backend_.allocate(3 * count);
  far_->apply({.charges = charges.all(), .normal_dipoles = doublets.all()},
              {.potential = potential.all(), .gradient = gradient.all()});
  backend_.download(potential.data(), values.potential);
  backend_.download(gradient.data(), as_doubles(std::span(values.gradient)));
  add_near(strengths, values);
  return of_points(panels_.symmetry, std::move(values));
}

void OffSurfaceOperator::add_near(const PanelStrengths& strengths, OffSurfaceValues& values) const {
  const LinearStrengths charges(panels_, strengths.charge), doublets(panels_, strengths.doublet);
  constexpr std::size_t chunk = 64;
  parallel_chunks(targets_.size(), chunk, [&](std::size_t i) {
    const Vec3d& x = targets_[i];
    double& potential = values.potential[i];
    Vec3d& gradient = values.gradient[i];
    for (std::int64_t k = near_.offsets[i]; k < near_.offsets[i + 1]; ++k) {
      const std::int32_t j = near_.columns[k];
      const auto panel = static_cast<std::size_t>(j);
      const double distance = norm(x - panels_.centroid[panel]) / panel_size(panels_.radius[panel]);
      const bool smooth = distance > 0.5 * smooth_from;
      const NodeSum counted = far_nodes(discretization_.panel_nodes(), panel);
      const NodeSum fine =
          smooth ? fine_rule(panels_.shape[panel], distance < smooth_from) : NodeSum{};
      const Sums closed = smooth ? Sums{} : integrate_panel<all_integrals>(panels_.shape[panel], x);
      const auto correct = [&](const LinearStrengths& given, auto potential_of, auto gradient_of) {
        if (given.values.empty()) return;
        const double q = given.values[panel];
        const Vec3d g = smooth ? given.gradients[panel] : Vec3d{};
        const Sums had = counted.at(x, q, g), better = smooth ? fine.at(x, q, g) : closed;
        const double scale = smooth ? 1.0 : q;
        potential += scale * potential_of(better) - potential_of(had);
        gradient += scale * gradient_of(better) - gradient_of(had);
      };
      correct(
          charges, [](const Sums& s) { return s.single; },
          [](const Sums& s) { return s.grad_single; });
      correct(
          doublets, [](const Sums& s) { return s.dbl; }, [](const Sums& s) { return s.grad_dbl; });
    }
    potential *= inverse_four_pi;
    gradient *= inverse_four_pi;
  });
}

std::vector<double> OffSurfaceOperator::winding(std::span<const std::uint8_t> thin) {
  const ThreadScope threads(backend_.threads());
  const std::size_t count = targets_.size();
  std::vector<double> value(count);
  if (count == 0) return value;
  const PanelNodes& nodes = discretization_.panel_nodes();
  const auto is_thin = [&](std::size_t panel) { return !thin.empty() && thin[panel] != 0; };
  std::vector<double> weights(nodes.weights.begin(), nodes.weights.end());
  for (std::size_t panel = 0; panel < thin.size(); ++panel) {
    if (is_thin(panel))
      std::fill(weights.begin() + static_cast<std::ptrdiff_t>(nodes.begin(panel)),
                weights.begin() + static_cast<std::ptrdiff_t>(nodes.end(panel)), 0.0);
  }
  const Array doublets = uploaded(backend_, weights);
  Array potential = backend_.allocate(count);
  far_->apply({.normal_dipoles = doublets.all()}, {.potential = potential.all()});
  backend_.download(potential.data(), value);
  constexpr std::size_t chunk = 64;
  parallel_chunks(count, chunk, [&](std::size_t i) {
    for (std::int64_t k = near_.offsets[i]; k < near_.offsets[i + 1]; ++k) {
      const std::int32_t j = near_.columns[k];
      if (is_thin(static_cast<std::size_t>(j))) continue;
      value[i] += solid_angle(panels_.shape[j], targets_[i]) -
                  far_nodes(nodes, static_cast<std::size_t>(j)).at(targets_[i], 1.0, {}).dbl;
    }
    value[i] *= inverse_four_pi;
  });
  const std::size_t points = count / static_cast<std::size_t>(panels_.symmetry.images());
  for (std::size_t i = points; i < count; ++i) value[i % points] += value[i];
  value.resize(points);
  return value;
}

}  // namespace rankine::bem
