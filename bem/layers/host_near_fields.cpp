#include "rankine/bem/layers/host_near_fields.hpp"

#include <array>
#include <utility>
#include <vector>

#include "rankine/bem/panels/panel_integrals.hpp"
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

}  // namespace

void add_near_fields(const NearPanels& near, const LinearStrengths& charges,
                     const LinearStrengths& doublets, std::span<const Vec3d> targets,
                     std::span<double> potentials, std::span<Vec3d> gradients) {
  const auto& [panels, nodes, pairs] = near;
  const AlignedVector<Vec3d>&points = nodes.points.on_host(), &normals = nodes.normals.on_host();
  const AlignedVector<double>& weights = nodes.weights.on_host();
  // The exact field minus that of the far-field nodes: beyond `near_rule`'s closed forms by a finer
  // rule with linear strengths, otherwise for the constant parts alone.
  struct Rules {
    PanelStrength strength;
    std::vector<QuadratureNode> counted, fine;
    std::array<NodeFields, 3> fields;  ///< by NearRule
  };
  const auto take = [&](std::size_t panel, Rules& rules) {
    const auto j = static_cast<std::int32_t>(panel);
    const Tangents along(panels.normal[panel]);
    rules.strength = {charges.of(j), doublets.of(j), charges.slope(j, along),
                      doublets.slope(j, along)};
    rules.counted.clear();
    for (std::size_t node = nodes.begin(panel); node < nodes.end(panel); ++node)
      rules.counted.push_back({points[node], normals[node], weights[node]});
    for (NodeFields& each : rules.fields) each.clear();
  };
  const auto fields_of = [&](std::size_t panel, NearRule rule, Rules& rules) {
    NodeFields& fields = rules.fields[static_cast<std::size_t>(rule)];
    if (!fields.empty()) return fields.groups();
    const PanelStrength& strength = rules.strength;
    if (rule == NearRule::closed) {
      fields.add(rules.counted, -1.0, {.charge = strength.charge, .doublet = strength.doublet});
    } else {
      take_fine_rule(panels.shape[panel], rule == NearRule::quarters, rules.fine);
      fields.add(rules.fine, 1.0, strength);
      fields.add(rules.counted, -1.0, strength);
    }
    return fields.groups();
  };
  const SumFields sum_fields = simd_functions().sum_fields;
  const auto add = [&](std::span<const NearPair> of_group, Rules& rules) {
    std::size_t taken = panels.size();
    for (const NearPair& each : of_group) {
      const auto panel = static_cast<std::size_t>(each.panel),
                 target = static_cast<std::size_t>(each.target);
      if (panel != taken) take(panel, rules);
      taken = panel;
      const Vec3d& x = targets[target];
      const double size = panels.radius[panel];
      const NearRule rule = near_rule(norm(x - panels.centroid[panel]), size);
      double& potential = potentials[target];
      Vec3d& gradient = gradients[target];
      sum_fields(fields_of(panel, rule, rules), x, size, potential, gradient);
      if (rule != NearRule::closed) continue;
      const Sums closed = integrate_panel<all_integrals>(panels.shape[panel], x);
      const auto& [charge, doublet, charge_slope, doublet_slope] = rules.strength;
      potential += charge * closed.single + doublet * closed.dbl;
      gradient += charge * closed.grad_single + doublet * closed.grad_dbl;
    }
  };
  for_sorted_pairs<Rules>(pairs, panels.size(), targets, add);
}

}  // namespace rankine::bem
