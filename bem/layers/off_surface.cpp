#include "rankine/bem/layers/off_surface.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/bem/panels/spatial_order.hpp"
#include "rankine/bem/simd/functions.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Potential and gradient of unit charges and dipoles.
using Sums = PanelIntegrals<double>;

/// A constant strength and its slope along the panel, of sources and of doublets.
struct PanelStrength {
  double charge = 0.0, doublet = 0.0;
  Vec3d charge_slope{}, doublet_slope{};
};

/// Nodes with charges and dipoles, for all points near a panel.
class NodeFields {
 public:
  void clear() {
    groups_.clear();
    count_ = 0;
  }
  bool empty() const { return count_ == 0; }

  /// Adds `factor` times the nodes with the strengths q + g.(y - y_0), where y_0 is their mean.
  void add(std::span<const QuadratureNode> nodes, double factor, const PanelStrength& strength) {
    Vec3d moment{};
    double weight = 0.0;
    for (const QuadratureNode& node : nodes) {
      moment += node.weight * node.point;
      weight += node.weight;
    }
    const Vec3d middle = moment / weight;
    for (const auto& [point, normal, weight_of_node] : nodes) {
      const Vec3d off = point - middle;
      const double size = factor * weight_of_node;
      add(point, size * (strength.doublet + dot(strength.doublet_slope, off)) * normal,
          size * (strength.charge + dot(strength.charge_slope, off)));
    }
  }

  std::span<const NodeGroup> groups() const { return groups_; }

 private:
  void add(const Vec3d& point, const Vec3d& dipole, double charge) {
    const int lane = count_++ % NodeGroup::size;
    if (lane == 0) {
      groups_.emplace_back();
      for (int all = 0; all < NodeGroup::size; ++all) groups_.back().set(all, {point, {}, 0.0});
    }
    groups_.back().set(lane, {point, dipole, charge});
  }

  AlignedVector<NodeGroup> groups_;
  int count_ = 0;
};

std::vector<TrianglePoint> rule_on_quarters(const std::vector<TrianglePoint>& whole) {
  std::vector<TrianglePoint> quarters;
  for (int corner = 0; corner < 4; ++corner) {
    for (const TrianglePoint& p : whole) quarters.push_back(in_quarter(p, corner));
  }
  return quarters;
}

void take_fine_rule(const PanelShape<double>& panel, bool in_quarters,
                    std::vector<QuadratureNode>& nodes) {
  static const std::vector<TrianglePoint> whole = triangle_rule(fine_nodes),
                                          quarters = rule_on_quarters(whole);
  nodes.clear();
  for (int half = 0; half + 2 < panel.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(panel, half);
    for (const TrianglePoint& p : in_quarters ? quarters : whole) {
      const Vec3d area = triangle.vector_area(p.a, p.b, p.c);
      const double size = norm(area);
      nodes.push_back({triangle.point(p.a, p.b, p.c), area / size, p.weight * size});
    }
  }
}

/// A panel and a target near it.
struct NearPair {
  std::int32_t panel, target;
};

/// The near pairs of some targets, panel by panel.
class PairsByPanel {
 public:
  explicit PairsByPanel(std::size_t panels) : place_(panels, 0) {}

  std::span<const NearPair> sort(const SparsityPattern& near,
                                 std::span<const std::int32_t> targets) {
    panels_.clear();
    for_pairs(near, targets, [&](const NearPair& each) {
      if (place(each)++ == 0) panels_.push_back(each.panel);
    });
    std::int32_t count = 0;
    for (const std::int32_t panel : panels_)
      count += std::exchange(place_[static_cast<std::size_t>(panel)], count);
    pairs_.resize(static_cast<std::size_t>(count));
    for_pairs(near, targets, [&](const NearPair& each) {
      pairs_[static_cast<std::size_t>(place(each)++)] = each;
    });
    for (const std::int32_t panel : panels_) place_[static_cast<std::size_t>(panel)] = 0;
    return pairs_;
  }

 private:
  std::int32_t& place(const NearPair& pair) { return place_[static_cast<std::size_t>(pair.panel)]; }
  template <class Work>
  static void for_pairs(const SparsityPattern& near, std::span<const std::int32_t> targets,
                        Work work) {
    for (const std::int32_t target : targets) {
      const auto i = static_cast<std::size_t>(target);
      for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k)
        work(NearPair{near.columns[k], target});
    }
  }

  std::vector<std::int32_t> place_;   ///< per panel, of its next pair; 0 outside sort()
  std::vector<std::int32_t> panels_;  ///< those with pairs
  std::vector<NearPair> pairs_;
};

/// Number of targets whose near pairs are sorted together, since many of them are near the same
/// panels.
constexpr std::size_t targets_together = 256;

/// Calls work(pairs, workspace) for all near pairs, for `targets_together` targets at a time that
/// are close to each other.
template <class Workspace, class Work>
void for_sorted_pairs(const SparsityPattern& near, std::size_t panels,
                      std::span<const Vec3d> targets, Work work) {
  const AlignedVector<std::int32_t> order = spatial_order(targets);
  const std::size_t groups = (targets.size() + targets_together - 1) / targets_together;
  struct Own {
    PairsByPanel pairs;
    Workspace workspace{};
  };
  parallel_chunks(
      groups, 1, [&] { return Own{PairsByPanel(panels)}; },
      [&](std::size_t group, Own& own) {
        const std::size_t begin = group * targets_together,
                          count = std::min(targets_together, targets.size() - begin);
        work(own.pairs.sort(near, std::span(order).subspan(begin, count)), own.workspace);
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
  if (nodes_.size() == 0) {
    nodes_ = uploaded(backend_, std::span<const Vec3d>(discretization_.nodes()));
    node_normals_ = uploaded(backend_, std::span<const Vec3d>(discretization_.node_normals()));
  }
  Array images;
  targets_.clear();
  if (!panels_.symmetry.empty()) {
    targets_ = images_of_points(panels_.symmetry, downloaded_vectors(backend_, points));
    images = uploaded(backend_, targets_);
  } else if (!near_fields_) {
    targets_ = downloaded_vectors(backend_, points);
  }
  const auto there = as_vectors(panels_.symmetry.empty() ? points : images);
  count_ = there.size();
  near_.reset();
  if (near_fields_) near_fields_->move_to(there, backend_.memory_space());
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

Array OffSurfaceOperator::gradients(const PanelStrengths& strengths) {
  hold(strengths);
  if (near_fields_ && panels_.symmetry.empty()) {
    Array potential = backend_.allocate(count_), gradient = backend_.allocate(3 * count_);
    sum(potential, gradient);
    return gradient;
  }
  Array gradient = uploaded(backend_, std::span<const Vec3d>(evaluate().gradient));
  backend_.scale(gradient.size(), 1.0 / inverse_four_pi, gradient.data());
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

OffSurfaceValues OffSurfaceOperator::evaluate(const meshes::Symmetry& planes) {
  const std::size_t count = count_;
  OffSurfaceValues values;
  values.potential.resize(count);
  values.gradient.resize(count);
  if (count == 0 || charges_.of_panels.size() + doublets_.of_panels.size() == 0)
    return of_points(planes, std::move(values));

  Array potential = backend_.allocate(count), gradient = backend_.allocate(3 * count);
  sum(potential, gradient);
  backend_.download(potential.data(), values.potential);
  backend_.download(gradient.data(), as_doubles(std::span(values.gradient)));
  if (!near_fields_) add_near(values);
  parallel_for(count, [&](std::size_t i) {
    values.potential[i] *= inverse_four_pi;
    values.gradient[i] *= inverse_four_pi;
  });
  return of_points(planes, std::move(values));
}

void OffSurfaceOperator::add_near(OffSurfaceValues& values) {
  // The exact field minus that of the far-field nodes: beyond `near_rule`'s closed forms by a finer
  // rule with linear strengths, otherwise for the constant parts alone.
  struct Rules {
    PanelStrength strength;
    std::vector<QuadratureNode> counted, fine;
    std::array<NodeFields, 3> fields;  ///< by NearRule
  };
  const auto take = [&](std::size_t panel, Rules& rules) {
    const auto j = static_cast<std::int32_t>(panel);
    const Tangents along(panels_.normal[panel]);
    const LinearStrengths charges = charges_.linear(), doublets = doublets_.linear();
    rules.strength = {charges.of(j), doublets.of(j), charges.slope(j, along),
                      doublets.slope(j, along)};
    rules.counted.clear();
    const PanelNodes& d = discretization_.panel_nodes();
    for (std::size_t node = d.begin(panel); node < d.end(panel); ++node)
      rules.counted.push_back({d.points[node], d.normals[node], d.weights[node]});
    for (NodeFields& each : rules.fields) each.clear();
  };
  const auto fields_of = [&](std::size_t panel, NearRule rule, Rules& rules) {
    NodeFields& fields = rules.fields[static_cast<std::size_t>(rule)];
    if (!fields.empty()) return fields.groups();
    const PanelStrength& strength = rules.strength;
    if (rule == NearRule::closed) {
      fields.add(rules.counted, -1.0, {.charge = strength.charge, .doublet = strength.doublet});
    } else {
      take_fine_rule(panels_.shape[panel], rule == NearRule::quarters, rules.fine);
      fields.add(rules.fine, 1.0, strength);
      fields.add(rules.counted, -1.0, strength);
    }
    return fields.groups();
  };
  const SumFields sum_fields = simd_functions().sum_fields;
  const auto add = [&](std::span<const NearPair> pairs, Rules& rules) {
    std::size_t taken = panels_.size();
    for (const NearPair& each : pairs) {
      const auto panel = static_cast<std::size_t>(each.panel),
                 target = static_cast<std::size_t>(each.target);
      if (panel != taken) take(panel, rules);
      taken = panel;
      const Vec3d& x = targets_[target];
      const double size = panels_.radius[panel];
      const NearRule rule = near_rule(norm(x - panels_.centroid[panel]), size);
      double& potential = values.potential[target];
      Vec3d& gradient = values.gradient[target];
      sum_fields(fields_of(panel, rule, rules), x, size, potential, gradient);
      if (rule != NearRule::closed) continue;
      const Sums closed = integrate_panel<all_integrals>(panels_.shape[panel], x);
      const auto& [charge, doublet, charge_slope, doublet_slope] = rules.strength;
      potential += charge * closed.single + doublet * closed.dbl;
      gradient += charge * closed.grad_single + doublet * closed.grad_dbl;
    }
  };
  for_sorted_pairs<Rules>(near(), panels_.size(), targets_, add);
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
