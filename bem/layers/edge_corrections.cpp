#include "rankine/bem/layers/edge_corrections.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/layers/layers.hpp"
#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/pattern_rows.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// A term of a row: `value` times the mean of a panel.
struct EdgeTerm {
  std::int32_t column;
  double value;
};
using EdgeRow = std::vector<EdgeTerm>;

/// Adds terms with the same column.
void merge(EdgeRow& row) {
  std::ranges::sort(row, {}, &EdgeTerm::column);
  std::size_t last = 0;
  for (std::size_t k = 1; k < row.size(); ++k) {
    if (row[k].column == row[last].column) {
      row[last].value += row[k].value;
    } else {
      row[++last] = row[k];
    }
  }
  if (!row.empty()) row.resize(last + 1);
}

std::shared_ptr<const SparseRows> matrix_of(const std::vector<EdgeRow>& rows, std::size_t columns) {
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  for (const EdgeRow& row : rows) {
    for (const EdgeTerm& term : row) {
      pattern->columns.push_back(term.column);
      values.push_back(term.value);
    }
    pattern->offsets.push_back(static_cast<std::int64_t>(values.size()));
  }
  return std::make_shared<SparseRows>(columns, std::move(pattern), std::move(values));
}

/// The linear strengths on panels without corrections.
struct LinearPart {
  SlopeFits fit;
  bool is_integrated;  ///< at all points close to a panel; otherwise only on panels that share a
                       ///< vertex with it, and summed over nodes elsewhere
  std::span<const std::int8_t> strip{};
};

/// One panel with a strength: its terms in V, and in E at points close to it.
class EdgePanel {
 public:
  EdgePanel(const PanelNodes& nodes, const PanelNeighbourhood& around, const LinearPart& linear,
            const EdgeStrength& strength)
      : around_(&around),
        nodes_(&nodes),
        strength_(&strength),
        panel_(static_cast<std::size_t>(strength.panel)),
        middle_(nodes_->middle(panel_)),
        parts_(edge_parts(around.panels().shape[panel_], strength.functions)),
        is_integrated_(linear.is_integrated) {
    const int edge = panel_ < linear.strip.size() ? linear.strip[panel_] : -1;
    fit_.find_neighbours(around, strength.panel, edge, linear.fit(panel_) == SlopeFit::around);
    fit_.fit_neighbours(around, strength.panel, edge);
    around.collect(strength.panel, 1, fit_.ring);
  }

  /// The value at the point minus the mean.
  void add_value(double factor, EdgeRow& row) const {
    EdgeFactors off{};
    for (std::size_t b = 0; b < strength_->functions.size(); ++b)
      off[b] = strength_->at_point[b] - strength_->values[b];
    add(factor, {}, {}, off, row);
  }

  /// Its double layer at the point x of the panel `point` in `image`, minus that of its linear
  /// strength.
  void add_layer(double factor, const Vec3d& x, std::int32_t point, int image, EdgeRow& row) const {
    if (in_plane(x)) return;
    const bool own = image == 0 && point == strength_->panel;
    const Vec3d moment = panel_moments(around_->panels().shape[panel_], x, own, middle_).dbl;
    const bool is_integrated = is_integrated_ || own || is_joined(point, image);
    add(factor, moment, is_integrated ? moment : moment_of_nodes(x),
        own ? EdgeFactors{} : of_functions(x), row);
  }

 private:
  /// Whether the panel is flat and x in its plane, where it has no double layer.
  bool in_plane(const Vec3d& x) const {
    const PanelShape<double>& shape = around_->panels().shape[panel_];
    bool all = !shape.curved;
    for (int k = 0; k < shape.corners; ++k) {
      constexpr double rounding = 1e-12;
      all = all && std::abs(dot(x - shape.corner[k], around_->panels().normal[panel_])) <
                       rounding * around_->panels().radius[panel_];
    }
    return all;
  }
  /// Whether the panels share a vertex.
  bool is_joined(std::int32_t point, int image) const {
    const int inverse = around_->panels().symmetry.inverse(image);
    return std::ranges::any_of(fit_.ring.panels, [&](std::int32_t j) {
      return around_->origin(j) == point && around_->image(j) == inverse;
    });
  }
  /// int (y - c) n.r/r^3 dA from the nodes of the panel.
  Vec3d moment_of_nodes(const Vec3d& x) const {
    const AlignedVector<Vec3d>&points = nodes_->points.on_host(),
          &normals = nodes_->normals.on_host();
    const AlignedVector<double>& weights = nodes_->weights.on_host();
    PanelMoments sum;
    for (std::size_t k = nodes_->begin(panel_); k < nodes_->end(panel_); ++k)
      add_node_moment(x, points[k], normals[k], weights[k], middle_, sum);
    return sum.dbl;
  }
  /// int (f_b - M_b) n.r/r^3 dA
  EdgeFactors of_functions(const Vec3d& x) const {
    EdgeFactors sums{};
    for (const EdgePart& part : parts_) {
      const double angle = solid_angle(part.shape, x);
      const Vec3d linear = panel_moments(part.shape, x, false, part.centre).dbl;
      for (std::size_t b = 0; b < strength_->functions.size(); ++b)
        sums[b] += (part.means[b] - strength_->values[b]) * angle + dot(part.slopes[b], linear);
    }
    return sums;
  }

  /// factor (slopes . moment - (slopes of the gradient fit) . counted + factors . of_functions)
  void add(double factor, const Vec3d& moment, const Vec3d& counted,
           const EdgeFactors& of_functions, EdgeRow& row) const {
    const auto add_term = [&](std::int32_t k, double value) {
      row.push_back({around_->origin(k), factor * around_->sign(k) * value});
      row.push_back({strength_->panel, -factor * value});
    };
    for (std::size_t k = 0; k < strength_->around.size(); ++k) {
      double value = dot(strength_->slopes[k], moment);
      for (std::size_t b = 0; b < most_edge_functions; ++b)
        value += strength_->factors[k][b] * of_functions[b];
      add_term(strength_->around[k], value);
    }
    for (std::size_t k = 0; k < fit_.neighbours.size(); ++k)
      add_term(fit_.neighbours[k], -dot(fit_.factors[k], counted));
  }

  const PanelNeighbourhood* around_;
  const PanelNodes* nodes_;
  const EdgeStrength* strength_;
  std::size_t panel_;
  Vec3d middle_;
  std::vector<EdgePart> parts_;
  bool is_integrated_;
  GradientFit fit_;
};

/// V and E.
struct EdgeRows {
  std::vector<EdgeRow> values, layers;
};

EdgeRows edge_rows(const PanelDiscretization& discretization, const PanelNeighbourhood& around,
                   const LinearPart& linear, const std::vector<EdgeStrength>& strengths) {
  const Panels& panels = around.panels();
  const PanelNodes& nodes = discretization.panel_nodes();
  nodes.bring_to_host();
  std::vector<std::unique_ptr<const EdgePanel>> edges(strengths.size());
  parallel_chunks(edges.size(), 4, [&](std::size_t s) {
    edges[s] = std::make_unique<const EdgePanel>(nodes, around, linear, strengths[s]);
  });
  // A panel is close to points within twice its radius, on any part of the body.
  std::vector<Vec3d> centres;
  std::vector<double> reach;
  for (const EdgeStrength& each : strengths) {
    const auto i = static_cast<std::size_t>(each.panel);
    centres.push_back(panels.centroid[i]);
    reach.push_back(SourcePanels::close_radii * panels.radius[i]);
  }
  const SparsityPattern close = find_near_pairs(discretization.targets(), centres, reach);
  const std::size_t n = discretization.boundary(), points = discretization.points().size();
  EdgeRows rows{std::vector<EdgeRow>(n), std::vector<EdgeRow>(n)};
  parallel_chunks(n, 64, [&](std::size_t i) {
    const auto point = static_cast<std::int32_t>(i);
    for (int image = 0; image < panels.symmetry.images(); ++image) {
      const std::size_t target = static_cast<std::size_t>(image) * points + i;
      for (const std::int32_t s : row_of(close, target)) {
        const EdgePanel& edge = *edges[static_cast<std::size_t>(s)];
        edge.add_layer(-inverse_four_pi * panels.symmetry.sign(image),
                       discretization.targets()[target], point, image, rows.layers[i]);
        if (image != 0 || strengths[static_cast<std::size_t>(s)].panel != point) continue;
        edge.add_value(1.0, rows.values[i]);
        edge.add_value(0.5, rows.layers[i]);
      }
    }
    merge(rows.values[i]);
    merge(rows.layers[i]);
  });
  return rows;
}

}  // namespace

std::vector<EdgeStrength> correct_at_edges(BoundaryFormulation& formulation,
                                           const CollocatedPanels& discretization) {
  const PanelNodes& nodes = discretization.panel_nodes();
  const PanelNeighbourhood around(discretization.panels());
  const EdgePieces pieces(around);
  if (pieces.all().empty()) return {};
  std::vector<std::uint8_t> is_cut(discretization.boundary(), 0);
  if (nodes.some_are_cut())
    for (std::size_t i = 0; i < is_cut.size(); ++i) is_cut[i] = nodes.is_cut(i) ? 1 : 0;
  std::vector<EdgeStrength> strengths = edge_strengths(around, pieces, is_cut);
  if (strengths.empty()) return strengths;
  const EdgeRows rows =
      edge_rows(discretization, around, {constant_if_cut(nodes), false, {}}, strengths);
  formulation.potential.sparse = matrix_of(rows.values, rows.values.size());
  formulation.system.sparse = matrix_of(rows.layers, rows.layers.size());
  return strengths;
}

void correct_at_sheets(BoundaryFormulation& formulation, const SourcePanels& discretization) {
  const SourceSet& sources = discretization.sources();
  const PanelNeighbourhood around(sources.panels);
  std::vector<std::uint8_t> is_constant(sources.panels.size());
  for (std::size_t j = 0; j < is_constant.size(); ++j)
    is_constant[j] = discretization.is_constant(j) ? 1 : 0;
  const std::vector<EdgeStrength> strengths = edge_strengths(
      around, EdgePieces(around, sources.edges), is_constant, PanelValue::at_point, sources.strip);
  if (strengths.empty()) return;
  std::vector<EdgeRow> rows =
      edge_rows(discretization, around, {discretization.slope_fits(), true, sources.strip},
                strengths)
          .layers;
  const SparseRows& conditions = *formulation.system.sparse;
  for (std::size_t i = rows.size(); i < conditions.rows(); ++i) {
    EdgeRow& row = rows.emplace_back();
    for (auto e = conditions.pattern->offsets[i]; e < conditions.pattern->offsets[i + 1]; ++e) {
      const auto at = static_cast<std::size_t>(e);
      row.push_back({conditions.pattern->columns[at], conditions.values[at]});
    }
  }
  formulation.system.sparse = matrix_of(rows, conditions.columns);
}

}  // namespace rankine::bem
