#include "rankine/bem/layers/off_surface.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/far_rules.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Potential and gradient of unit charges and dipoles.
using Sums = PanelIntegrals<double>;

/// Nodes of a panel and their strengths, for all points near it.
class PanelSum {
 public:
  static constexpr int most_nodes =
      std::max(most_far_nodes, 2 * 4 * fine_nodes);  // a quadrilateral's quarters

  void clear() {
    count_ = 0;
    moment_ = {};
    weight_ = 0.0;
  }
  bool empty() const { return count_ == 0; }
  void add(const QuadratureNode& node) {
    nodes_[static_cast<std::size_t>(count_++)] = node;
    moment_ += node.weight * node.point;
    weight_ += node.weight;
  }

  /// Strengths q + g.(y - y_0) at the nodes; y_0 is the mean of the panel's nodes.
  void set(double charge, const Vec3d& charge_slope, double doublet, const Vec3d& doublet_slope) {
    const Vec3d middle = moment_ / weight_;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
      const Vec3d off = nodes_[k].point - middle;
      charge_[k] = nodes_[k].weight * (charge + dot(charge_slope, off));
      doublet_[k] = nodes_[k].weight * (doublet + dot(doublet_slope, off));
    }
  }

  /// Adds `factor` times the field of the nodes with their strengths.
  void add_to(const Vec3d& x, double factor, double& potential, Vec3d& gradient) const {
    double value = 0.0;
    Vec3d slope{};
    for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k) {
      Sums unit;
      add_point<all_integrals>(x - nodes_[k].point, nodes_[k].normal, 1.0, unit);
      value += charge_[k] * unit.single + doublet_[k] * unit.dbl;
      slope += charge_[k] * unit.grad_single + doublet_[k] * unit.grad_dbl;
    }
    potential += factor * value;
    gradient += factor * slope;
  }

  /// Unit strengths, constant on the panel.
  Sums at(const Vec3d& x) const {
    Sums sum;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count_); ++k)
      add_point<all_integrals>(x - nodes_[k].point, nodes_[k].normal, nodes_[k].weight, sum);
    return sum;
  }

 private:
  std::array<QuadratureNode, most_nodes> nodes_;
  std::array<double, most_nodes> charge_, doublet_;
  int count_ = 0;
  Vec3d moment_{};
  double weight_ = 0.0;
};

void take_far_nodes(const PanelNodes& d, std::size_t panel, PanelSum& rule) {
  rule.clear();
  for (std::size_t node = d.begin(panel); node < d.end(panel); ++node)
    rule.add({d.points[node], d.normals[node], d.weights[node]});
}

std::vector<TrianglePoint> rule_on_quarters(const std::vector<TrianglePoint>& whole) {
  std::vector<TrianglePoint> quarters;
  for (int corner = 0; corner < 4; ++corner) {
    for (const TrianglePoint& p : whole) quarters.push_back(in_quarter(p, corner));
  }
  return quarters;
}

void take_fine_rule(const PanelShape<double>& panel, bool in_quarters, PanelSum& rule) {
  static const std::vector<TrianglePoint> whole = triangle_rule(fine_nodes),
                                          quarters = rule_on_quarters(whole);
  rule.clear();
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(panel, half);
    for (const TrianglePoint& p : in_quarters ? quarters : whole) {
      const Vec3d area = triangle.vector_area(p.a, p.b, p.c);
      const double size = norm(area);
      rule.add({triangle.point(p.a, p.b, p.c), area / size, p.weight * size});
    }
  }
}

/// A target and a panel near it.
struct NearPair {
  std::int32_t panel;
  std::uint32_t target;
};

/// The near pairs of some targets, panel by panel.
void sort_by_panel(const SparsityPattern& near, std::size_t begin, std::size_t end,
                   std::vector<NearPair>& pairs) {
  pairs.clear();
  for (std::size_t i = begin; i < end; ++i) {
    for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k)
      pairs.push_back({near.columns[k], static_cast<std::uint32_t>(i)});
  }
  std::sort(pairs.begin(), pairs.end(), [](const NearPair& a, const NearPair& b) {
    return a.panel != b.panel ? a.panel < b.panel : a.target < b.target;
  });
}

/// Number of targets whose near pairs are sorted together, since many of them are near the same
/// panels.
constexpr std::size_t targets_together = 256;

/// Calls work(pairs, workspace) for all near pairs, for `targets_together` targets at a time.
template <class Workspace, class Work>
void for_sorted_pairs(const SparsityPattern& near, std::size_t targets, Work work) {
  const std::size_t groups = (targets + targets_together - 1) / targets_together;
  struct Own {
    std::vector<NearPair> pairs;
    Workspace workspace;
  };
  parallel_chunks(
      groups, 1, [] { return Own{}; },
      [&](std::size_t group, Own& own) {
        const std::size_t begin = group * targets_together;
        sort_by_panel(near, begin, std::min(begin + targets_together, targets), own.pairs);
        work(own.pairs, own.workspace);
      });
}

/// Fewer targets than this are summed directly, since planning a fast sum takes longer.
constexpr std::size_t few_targets = 1000;

/// sum_g s_g R_g of the values at the images of points.
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

}  // namespace

OffSurfaceOperator::OffSurfaceOperator(Backend& backend, const Panels& panels,
                                       std::span<const Vec3d> points, const fmm::Options& options,
                                       const QuadratureOptions& quadrature)
    : backend_(backend),
      panels_(panels),
      options_(options),
      discretization_(panels, quadrature),
      near_search_(discretization_.panel_nodes().balls),
      strengths_(backend.strengths(discretization_)),
      near_fields_(backend.near_fields(discretization_)) {
  options_.gradient = true;
  options_.dipoles = true;
  move_to(points);
}

void OffSurfaceOperator::move_to(std::span<const Vec3d> points) {
  targets_ = images_of_points(panels_.symmetry, points);
  count_ = targets_.size();
  near_.reset();
  if (near_fields_) near_fields_->move_to(targets_, MemorySpace::host);
  fmm::Options own = options_;
  if (targets_.size() <= few_targets) own.method = fmm::Method::direct;
  far_ = backend_.make_operator({discretization_.nodes(), targets_, discretization_.node_normals()},
                                own);
}

void OffSurfaceOperator::follow(const Array& points) {
  assert(panels_.symmetry.empty());
  if (nodes_.size() == 0) {
    nodes_ = uploaded(backend_, std::span<const Vec3d>(discretization_.nodes()));
    node_normals_ = uploaded(backend_, std::span<const Vec3d>(discretization_.node_normals()));
  }
  const std::span<const Vec3d> there = as_vectors(points);
  count_ = there.size();
  near_.reset();
  targets_.clear();
  if (near_fields_)
    near_fields_->move_to(there, backend_.memory_space());
  else
    targets_ = downloaded_vectors(backend_, points);
  far_->move({as_vectors(nodes_), there, as_vectors(node_normals_)}, backend_.memory_space());
}

const SparsityPattern& OffSurfaceOperator::near() {
  if (!near_) near_ = near_search_.pairs(targets_);
  return *near_;
}

OffSurfaceOperator::Strengths OffSurfaceOperator::prepare(std::span<const double> strength) const {
  assert(strength.empty() || strength.size() == panels_.size());
  if (strength.empty()) return {};
  Strengths made{uploaded(backend_, strength), backend_.allocate(strengths_.gradients->rows()),
                 backend_.allocate(strengths_.nodes->rows())};
  strengths_.gradients->add(1.0, made.of_panels.data(), made.gradients.data());
  strengths_.nodes->add(1.0, made.of_panels.data(), made.of_nodes.data());
  return made;
}

void OffSurfaceOperator::hold(const PanelStrengths& strengths) {
  charges_ = prepare(strengths.charge);
  doublets_ = prepare(strengths.doublet);
}

OffSurfaceValues OffSurfaceOperator::evaluate(const PanelStrengths& strengths) {
  hold(strengths);
  return evaluate();
}

Array OffSurfaceOperator::gradients(const PanelStrengths& strengths) {
  hold(strengths);
  Array potential = backend_.allocate(count_), gradient = backend_.allocate(3 * count_);
  if (near_fields_) {
    sum(potential, gradient);
  } else {
    gradient = uploaded(backend_, std::span<const Vec3d>(evaluate().gradient));
    backend_.scale(gradient.size(), 1.0 / inverse_four_pi, gradient.data());
  }
  return gradient;
}

void OffSurfaceOperator::sum(Array& potential, Array& gradient) {
  if (count_ == 0 || charges_.of_panels.size() + doublets_.of_panels.size() == 0) return;
  far_->apply({.charges = charges_.of_nodes.all(), .normal_dipoles = doublets_.of_nodes.all()},
              {.potential = potential.all(), .gradient = gradient.all()});
  if (near_fields_)
    near_fields_->add(charges_.linear(), doublets_.linear(), potential.data(),
                      reinterpret_cast<Vec3d*>(gradient.data()));
}

OffSurfaceValues OffSurfaceOperator::evaluate() {
  const std::size_t count = count_;
  OffSurfaceValues values;
  values.potential.resize(count);
  values.gradient.resize(count);
  if (count == 0 || charges_.of_panels.size() + doublets_.of_panels.size() == 0)
    return of_points(panels_.symmetry, std::move(values));

  Array potential = backend_.allocate(count), gradient = backend_.allocate(3 * count);
  sum(potential, gradient);
  backend_.download(potential.data(), values.potential);
  backend_.download(gradient.data(), as_doubles(std::span(values.gradient)));
  if (!near_fields_) add_near(values);
  parallel_for(count, [&](std::size_t i) {
    values.potential[i] *= inverse_four_pi;
    values.gradient[i] *= inverse_four_pi;
  });
  return of_points(panels_.symmetry, std::move(values));
}

void OffSurfaceOperator::add_near(OffSurfaceValues& values) {
  struct Rules {
    PanelSum counted, whole, quarters;
    double charge = 0.0, doublet = 0.0;
    Vec3d charge_slope{}, doublet_slope{};
  };
  const auto take = [&](std::size_t panel, Rules& rules) {
    rules.whole.clear();
    rules.quarters.clear();
    const auto j = static_cast<std::int32_t>(panel);
    const Tangents along(panels_.normal[panel]);
    const LinearStrengths charges = charges_.linear(), doublets = doublets_.linear();
    rules.charge = charges.of(j);
    rules.charge_slope = charges.slope(j, along);
    rules.doublet = doublets.of(j);
    rules.doublet_slope = doublets.slope(j, along);
    take_far_nodes(discretization_.panel_nodes(), panel, rules.counted);
    rules.counted.set(rules.charge, rules.charge_slope, rules.doublet, rules.doublet_slope);
  };
  for_sorted_pairs<Rules>(
      near(), targets_.size(), [&](const std::vector<NearPair>& pairs, Rules& rules) {
        std::int32_t taken = -1;
        for (const auto& [j, target] : pairs) {
          const auto panel = static_cast<std::size_t>(j);
          if (j != taken) take(panel, rules);
          taken = j;
          const Vec3d& x = targets_[target];
          double& potential = values.potential[target];
          Vec3d& gradient = values.gradient[target];
          const NearRule rule = near_rule(norm(x - panels_.centroid[panel]), panels_.radius[panel]);
          if (rule != NearRule::closed) {
            const bool in_quarters = rule == NearRule::quarters;
            PanelSum& fine = in_quarters ? rules.quarters : rules.whole;
            if (fine.empty()) {
              take_fine_rule(panels_.shape[panel], in_quarters, fine);
              fine.set(rules.charge, rules.charge_slope, rules.doublet, rules.doublet_slope);
            }
            fine.add_to(x, 1.0, potential, gradient);
            rules.counted.add_to(x, -1.0, potential, gradient);
          } else {
            const Sums closed = integrate_panel<all_integrals>(panels_.shape[panel], x),
                       had = rules.counted.at(x);
            potential += rules.charge * (closed.single - had.single) +
                         rules.doublet * (closed.dbl - had.dbl);
            gradient += rules.charge * (closed.grad_single - had.grad_single) +
                        rules.doublet * (closed.grad_dbl - had.grad_dbl);
          }
        }
      });
}

std::vector<double> OffSurfaceOperator::winding(std::span<const Vec3d> points,
                                                std::span<const std::uint8_t> thin,
                                                double tolerance) const {
  const std::vector<Vec3d> targets = images_of_points(panels_.symmetry, points);
  const std::size_t count = targets.size();
  std::vector<double> value(count);
  if (count == 0) return value;
  const PanelNodes& nodes = discretization_.panel_nodes();
  const auto is_thin = [&](std::size_t panel) { return !thin.empty() && thin[panel] != 0; };
  std::vector<double> weights(nodes.sum_points().size(), 0.0);
  for (std::size_t panel = 0; panel < panels_.size(); ++panel) {
    if (is_thin(panel)) continue;
    for (std::size_t node = nodes.begin(panel); node < nodes.end(panel); ++node)
      weights[nodes.source_of(node)] += nodes.weights[node];
  }
  fmm::Options options{.tolerance = tolerance, .dipoles = true};
  if (count <= few_targets) options.method = fmm::Method::direct;
  const auto far = backend_.make_operator(
      {discretization_.nodes(), targets, discretization_.node_normals()}, options);
  const Array doublets = uploaded(backend_, weights);
  Array potential = backend_.allocate(count);
  far->apply({.normal_dipoles = doublets.all()}, {.potential = potential.all()});
  backend_.download(potential.data(), value);
  const SparsityPattern pairs = near_search_.pairs(targets);
  constexpr std::size_t chunk = 64;
  parallel_chunks(count, chunk, [&](std::size_t i) {
    Sums counted;
    for (std::int64_t k = pairs.offsets[i]; k < pairs.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(pairs.columns[k]);
      if (is_thin(j)) continue;
      value[i] += solid_angle(panels_.shape[j], targets[i]);
      for (std::size_t node = nodes.begin(j); node < nodes.end(j); ++node)
        add_point<IntegralSet{.dbl = true}>(targets[i] - nodes.points[node], nodes.normals[node],
                                            nodes.weights[node], counted);
    }
    value[i] = inverse_four_pi * (value[i] - counted.dbl);
  });
  for (std::size_t i = points.size(); i < count; ++i) value[i % points.size()] += value[i];
  value.resize(points.size());
  return value;
}

}  // namespace rankine::bem
