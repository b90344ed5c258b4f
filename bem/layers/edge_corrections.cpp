#include "rankine/bem/layers/edge_corrections.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// A term of a row: `value` times the mean of a panel.
struct EdgeTerm {
  std::int32_t row, column;
  double value;
};

/// The rows of all terms; terms at the same place are added.
SparseRows rows_of(std::size_t n, std::vector<EdgeTerm> terms) {
  std::sort(terms.begin(), terms.end(), [](const EdgeTerm& a, const EdgeTerm& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  });
  auto pattern = std::make_shared<SparsityPattern>();
  pattern->offsets.assign(n + 1, 0);
  AlignedVector<double> values;
  std::int32_t row = -1;
  for (const EdgeTerm& each : terms) {
    if (each.row == row && pattern->columns.back() == each.column) {
      values.back() += each.value;
      continue;
    }
    row = each.row;
    pattern->columns.push_back(each.column);
    values.push_back(each.value);
    ++pattern->offsets[static_cast<std::size_t>(row) + 1];
  }
  for (std::size_t i = 0; i < n; ++i) pattern->offsets[i + 1] += pattern->offsets[i];
  return {n, std::move(pattern), std::move(values)};
}

/// The double layer of one panel at points close to it: parts of the panel, and its linear part.
class CloseIntegrals {
 public:
  CloseIntegrals(const CollocatedPanels& discretization, const EdgeStrength& strength)
      : panels_(discretization.panels()),
        nodes_(discretization.panel_nodes()),
        strength_(strength),
        panel_(static_cast<std::size_t>(strength.panel)),
        middle_(nodes_.middle(panel_)),
        parts_(edge_parts(panels_.shape[panel_], strength.functions)) {}

  /// int (y - c) n.r/r^3 dA
  Vec3d moment(const Vec3d& x, bool own) const {
    return panel_moments(panels_.shape[panel_], x, own, middle_).dbl;
  }
  /// The same from the nodes of the panel.
  Vec3d moment_of_nodes(const Vec3d& x) const {
    const AlignedVector<Vec3d>&points = nodes_.points.on_host(),
          &normals = nodes_.normals.on_host();
    const AlignedVector<double>& weights = nodes_.weights.on_host();
    PanelMoments sum;
    for (std::size_t k = nodes_.begin(panel_); k < nodes_.end(panel_); ++k)
      add_node_moment(x, points[k], normals[k], weights[k], middle_, sum);
    return sum.dbl;
  }
  /// int (f_b - M_b) n.r/r^3 dA
  EdgeFactors of_functions(const Vec3d& x) const {
    EdgeFactors sums{};
    for (const EdgePart& part : parts_) {
      const double angle = solid_angle(part.shape, x);
      const Vec3d linear = panel_moments(part.shape, x, false, part.centre).dbl;
      for (std::size_t b = 0; b < strength_.functions.size(); ++b)
        sums[b] += (part.means[b] - strength_.means[b]) * angle + dot(part.slopes[b], linear);
    }
    return sums;
  }

 private:
  const Panels& panels_;
  const PanelNodes& nodes_;
  const EdgeStrength& strength_;
  std::size_t panel_;
  Vec3d middle_;
  std::vector<EdgePart> parts_;
};

/// The terms of V and E of one panel.
class PanelTerms {
 public:
  PanelTerms(const CollocatedPanels& discretization, const PanelNeighbourhood& around,
             const EdgeStrength& strength)
      : discretization_(discretization),
        around_(around),
        strength_(strength),
        integrals_(discretization, strength) {
    fit_.fit(around, strength.panel);
  }

  void add(std::vector<EdgeTerm>& values, std::vector<EdgeTerm>& layers) {
    EdgeFactors off{};
    for (std::size_t b = 0; b < strength_.functions.size(); ++b)
      off[b] = strength_.at_point[b] - strength_.means[b];
    add_terms(strength_.panel, 1.0, {}, {}, off, values);
    for_each_close([&](std::int32_t j) { add_at(j, layers); });
  }

 private:
  /// The panels and images that share a node with the panel, itself included.
  template <class Visit>
  void for_each_close(const Visit& visit) const {
    std::vector<std::int32_t> close{strength_.panel};
    const meshes::Element& own = around_.nodes(strength_.panel);
    for (int k = 0; k < meshes::corner_count(own); ++k) {
      const std::span<const std::int32_t> here = around_.panels_at(own[k]);
      if (here.size() > most_at_node) continue;
      for (const std::int32_t j : here) add_once(close, j);
    }
    for (const std::int32_t j : close) visit(j);
  }

  /// The panel at the point of `j`, a panel or image.
  void add_at(std::int32_t j, std::vector<EdgeTerm>& layers) const {
    const meshes::Symmetry& symmetry = around_.panels().symmetry;
    const int image = symmetry.inverse(around_.image(j));
    const std::size_t n = around_.panels().size();
    const auto point = static_cast<std::size_t>(around_.origin(j));
    const Vec3d& x = discretization_.targets()[static_cast<std::size_t>(image) * n + point];
    const bool own = j == strength_.panel,
               counted = dot(around_.normal(j), around_.normal(strength_.panel)) >=
                         around_.least_cosine();
    const Vec3d moment = integrals_.moment(x, own);
    add_terms(static_cast<std::int32_t>(point), symmetry.sign(image), moment,
              counted ? moment : integrals_.moment_of_nodes(x),
              own ? EdgeFactors{} : integrals_.of_functions(x), layers);
  }

  /// sign (slopes . moment - (slopes of the gradient fit) . counted + factors . of_functions)
  void add_terms(std::int32_t row, double sign, const Vec3d& moment, const Vec3d& counted,
                 const EdgeFactors& of_functions, std::vector<EdgeTerm>& terms) const {
    const auto add = [&](std::int32_t k, double value) {
      terms.push_back({row, around_.origin(k), sign * around_.sign(k) * value});
      terms.push_back({row, strength_.panel, -sign * value});
    };
    for (std::size_t k = 0; k < strength_.around.size(); ++k) {
      double value = dot(strength_.slopes[k], moment);
      for (std::size_t b = 0; b < most_edge_functions; ++b)
        value += strength_.factors[k][b] * of_functions[b];
      add(strength_.around[k], value);
    }
    for (std::size_t k = 0; k < fit_.neighbours.size(); ++k)
      add(fit_.neighbours[k], -dot(fit_.factors[k], counted));
  }

  const CollocatedPanels& discretization_;
  const PanelNeighbourhood& around_;
  const EdgeStrength& strength_;
  CloseIntegrals integrals_;
  GradientFit fit_;
};

}  // namespace

std::vector<EdgeStrength> correct_at_edges(BoundaryFormulation& formulation,
                                           const CollocatedPanels& discretization) {
  const Panels& panels = discretization.panels();
  const PanelNodes& nodes = discretization.panel_nodes();
  const PanelNeighbourhood around(panels);
  std::vector<std::uint8_t> is_cut(panels.size(), 0);
  if (nodes.some_are_cut())
    for (std::size_t i = 0; i < panels.size(); ++i) is_cut[i] = nodes.is_cut(i) ? 1 : 0;
  std::vector<EdgeStrength> strengths = edge_strengths(around, is_cut);
  if (strengths.empty()) return strengths;
  nodes.bring_to_host();
  struct Terms {
    std::vector<EdgeTerm> values, layers;
  };
  std::vector<Terms> of_panels(strengths.size());
  parallel_chunks(of_panels.size(), 4, [&](std::size_t s) {
    PanelTerms(discretization, around, strengths[s]).add(of_panels[s].values, of_panels[s].layers);
  });
  Terms all;
  for (Terms& each : of_panels) {
    for (const EdgeTerm& term : each.values) {
      all.values.push_back(term);
      all.layers.push_back({term.row, term.column, 0.5 * term.value});
    }
    for (EdgeTerm& term : each.layers) {
      term.value *= -inverse_four_pi;
      all.layers.push_back(term);
    }
    each = {};
  }
  formulation.potential.sparse =
      std::make_shared<SparseRows>(rows_of(panels.size(), std::move(all.values)));
  formulation.system.sparse =
      std::make_shared<SparseRows>(rows_of(panels.size(), std::move(all.layers)));
  return strengths;
}

}  // namespace rankine::bem
