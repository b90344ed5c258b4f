#include "rankine/bem/layers/edge_strengths.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/layers/gradient_fit.hpp"
#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Per corner of a panel, the exponent of the edge from it to the next; 0: none.
using Exponents = std::array<double, 4>;

Exponents exponents_of(const PanelNeighbourhood& around, std::int32_t panel) {
  Exponents exponents{};
  const meshes::Element& own = around.nodes(panel);
  const int corners = meshes::corner_count(own);
  const Vec3d normal = around.normal(panel);
  for (int k = 0; k < corners; ++k) {
    around.for_each_at_edge(own[k], own[(k + 1) % corners], [&](std::int32_t j) {
      const double cosine = dot(around.normal(j), normal);
      const bool convex = dot(around.centroid(j) - around.centroid(panel), normal) < 0.0,
                 sharp = cosine < around.least_cosine();
      if (j == panel || (sharp ? !convex : !around.jumps(j))) return;
      const double turned = std::acos(std::clamp(cosine, -1.0, 1.0));
      exponents[static_cast<std::size_t>(k)] =
          std::numbers::pi / (std::numbers::pi + (convex ? turned : -turned));
    });
  }
  return exponents;
}

std::vector<std::int32_t> indices_of_nonzero(const std::vector<std::uint8_t>& flags) {
  std::vector<std::int32_t> indices;
  for (std::size_t i = 0; i < flags.size(); ++i)
    if (flags[i] != 0) indices.push_back(static_cast<std::int32_t>(i));
  return indices;
}

/// The nodes where panels may have an edge, or where one is an image behind a plane where the flux
/// jumps.
std::vector<std::int32_t> edge_nodes(const PanelNeighbourhood& around) {
  if (around.panels().edge_nodes) return *around.panels().edge_nodes;
  std::vector<std::uint8_t> may(around.offsets().size() - 1);
  parallel_for(may.size(), [&](std::size_t k) {
    const auto node = static_cast<std::int32_t>(k);
    may[k] = may_have_edge(around, around.least_cosine(), node) ||
             std::ranges::any_of(around.panels_at(node),
                                 [&](std::int32_t j) { return around.jumps(j); });
  });
  return indices_of_nonzero(may);
}

Vec3d direction(const EdgePiece& piece) { return normalized(piece.end - piece.begin); }

/// The functions of the edges that these pieces belong to: pieces at less than 45 degrees to one
/// another are of one edge.
std::vector<EdgeFunction> functions_of(const Panels& panels, const std::vector<EdgePiece>& pieces,
                                       double scale) {
  const double sharp = std::numbers::pi / (std::numbers::pi + panels.sharp_angle);
  std::vector<EdgeFunction> functions;
  for (const EdgePiece& piece : pieces) {
    const auto same = std::find_if(functions.begin(), functions.end(), [&](const auto& each) {
      return std::abs(dot(direction(each.pieces.front()), direction(piece))) >
             0.5 * std::numbers::sqrt2;
    });
    if (same != functions.end()) {
      same->pieces.push_back(piece);
    } else {
      functions.push_back({{piece}, piece.exponent, scale});
    }
  }
  for (EdgeFunction& each : functions) {
    double sum = 0.0;
    for (const EdgePiece& piece : each.pieces) sum += piece.exponent;
    each.exponent = sum / static_cast<double>(each.pieces.size());
    if (each.exponent <= sharp) continue;
    constexpr double limit = 1e-3;  // as good as the limit of a = 1
    if (std::abs(each.exponent - 1.0) < limit) each.exponent = 1.0 - limit;
    each.linear = 1.0;
    each.divisor = each.exponent - 1.0;
  }
  return functions;
}

/// The mean over a panel or image.
double mean_of(const EdgeFunction& f, const PanelNeighbourhood& around, std::int32_t panel) {
  const Panels& panels = around.panels();
  const PanelShape<double>& shape = panels.shape[static_cast<std::size_t>(around.origin(panel))];
  const int image = around.image(panel);
  double sum = 0.0, area = 0.0;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    TrianglePatch<double> triangle = triangle_of(shape, half);
    const double dA = norm(triangle.vector_area(1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0));
    for (std::size_t k = 0; k < 3; ++k) {
      triangle.corner[k] = panels.symmetry.point(image, triangle.corner[k]);
      triangle.bulge[k] = panels.symmetry.vector(image, triangle.bulge[k]);
    }
    sum += dA * f.mean(triangle);
    area += dA;
  }
  return sum / area;
}

/// Least squares with N unknowns: slopes along the unit vectors `linear`, a factor per function,
/// and if one more is left the curvature along the edge, which is not used.
template <int N>
bool solve(const PanelNeighbourhood& around, const std::vector<EdgeFactors>& values,
           std::span<const Vec3d> linear, EdgeStrength& strength) {
  const std::size_t count = strength.around.size(), first = linear.size(),
                    functions = strength.functions.size();
  if (count < static_cast<std::size_t>(N)) return false;
  const Vec3d centre = around.centroid(strength.panel);
  const double scale = strength.functions.front().scale;
  std::vector<std::array<double, N>> rows(count);
  std::vector<double> weights(count);
  std::array<double, N> size{};
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d r = (around.centroid(strength.around[k]) - centre) / scale;
    for (std::size_t i = 0; i < first; ++i) rows[k][i] = dot(r, linear[i]);
    for (std::size_t b = 0; b < functions; ++b)
      rows[k][first + b] = values[k][b] - strength.values[b];
    if (first + functions < N) {
      const double along = dot(r, direction(strength.functions.front().pieces.front()));
      rows[k][first + functions] = along * along;
    }
    weights[k] = 1.0 / dot(r, r);
    for (std::size_t i = 0; i < N; ++i) size[i] += weights[k] * rows[k][i] * rows[k][i];
  }
  for (double& each : size) {
    if (!(each > 0.0)) return false;
    each = std::sqrt(each);
  }
  const SmallCholesky<N> factor([&](int i, int j) {
    const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
    double sum = 0.0;
    for (std::size_t k = 0; k < count; ++k) sum += weights[k] * rows[k][row] * rows[k][column];
    return sum / (size[row] * size[column]);
  });
  constexpr double rounding = 1e-10;
  if (!factor.is_regular(rounding)) return false;
  for (std::size_t k = 0; k < count; ++k) {
    double x[N];
    for (std::size_t i = 0; i < N; ++i) x[i] = weights[k] * rows[k][i] / size[i];
    factor.solve(x);
    for (std::size_t i = 0; i < N; ++i) x[i] /= size[i];
    Vec3d& slope = strength.slopes.emplace_back();
    for (std::size_t i = 0; i < first; ++i) slope += x[i] / scale * linear[i];
    EdgeFactors& factors = strength.factors.emplace_back();
    for (std::size_t b = 0; b < functions; ++b) factors[b] = x[first + b];
  }
  return true;
}

/// The largest sum of magnitudes in the row of V over the functions. If it is at most 1, value and
/// mean differ by less than two of the means around do. It is a hundred or more where the functions
/// hardly vary over the panels around, as on the rim of a thin body with one panel across.
double largest_share(const EdgeStrength& strength) {
  double most = 0.0;
  for (std::size_t b = 0; b < strength.functions.size(); ++b) {
    double around = 0.0, own = 0.0;
    for (const EdgeFactors& factors : strength.factors) {
      const double share = factors[b] * (strength.at_point[b] - strength.values[b]);
      around += std::abs(share);
      own -= share;
    }
    most = std::max(most, around + std::abs(own));
  }
  return most;
}

/// Which panels have a piece of an edge, or a panel with one in their first `rings` rings.
std::vector<std::uint8_t> near_edges(const PanelNeighbourhood& around, const EdgePieces& all,
                                     int rings) {
  std::vector<std::uint8_t> is_near(around.panels().size(), 0);
  PanelNeighbourhood::Ring ring;
  for (const PanelEdge& edge : all.all()) {
    around.collect(edge.panel, rings, ring);
    ring.panels.push_back(edge.panel);
    for (const std::int32_t j : ring.panels)
      is_near[static_cast<std::size_t>(around.origin(j))] = 1;
  }
  return is_near;
}

/// Fills `near` with the panels of a strip up to two panels from `panel`.
void collect_along(const PanelNeighbourhood& around, std::span<const std::int8_t> strip,
                   std::int32_t panel, std::vector<std::int32_t>& near) {
  GradientFit fit;
  fit.find_neighbours(around, panel, strip[static_cast<std::size_t>(panel)]);
  near = fit.neighbours;
  for (std::size_t k = 0, beside = near.size(); k < beside; ++k) {
    const auto j = static_cast<std::size_t>(near[k]);
    if (j >= strip.size() || strip[j] < 0) continue;
    fit.find_neighbours(around, near[k], strip[j]);
    for (const std::int32_t each : fit.neighbours)
      if (each != panel) add_once(near, each);
  }
}

/// The strength of a panel near edges; none where the fit is not determined. `has_mean`: flags of
/// panels whose values are means; those of others are values at their points. If it is empty, all
/// are, and the fit includes the curvature along the edge.
std::optional<EdgeStrength> strength_of(const PanelNeighbourhood& around, const EdgePieces& all,
                                        const std::vector<std::uint8_t>& has_mean,
                                        std::span<const std::int8_t> strip, std::int32_t panel,
                                        PanelNeighbourhood::Ring& ring) {
  const auto i = static_cast<std::size_t>(panel);
  const Panels& panels = around.panels();
  around.collect(panel, 2, ring);
  std::erase_if(ring.panels, [&](std::int32_t j) { return around.jumps(j); });
  std::vector<EdgePiece> pieces;
  all.add(panel, pieces);
  const bool in_corner = functions_of(panels, pieces, 1.0).size() > 1;
  for (const std::int32_t j : ring.panels) all.add(j, pieces);
  if (pieces.empty()) return std::nullopt;
  EdgeStrength strength{panel, functions_of(panels, pieces, std::sqrt(panels.area[i])), in_corner};
  if (strength.functions.size() > most_edge_functions) return std::nullopt;
  for (const EdgeFunction& f : strength.functions) {
    const Vec3d nearest = f.from_edge(panels.centroid[i]);
    for (const EdgePiece& piece : f.pieces) {
      if (dot(panels.centroid[i] - 0.5 * (piece.begin + piece.end), nearest) < 0.0)
        strength.is_between = true;
    }
  }
  const int across = i < strip.size() ? strip[i] : -1;
  if (across >= 0) collect_along(around, strip, panel, ring.panels);
  strength.around = ring.panels;
  std::vector<EdgeFactors> values(ring.panels.size());
  for (std::size_t b = 0; b < strength.functions.size(); ++b) {
    const EdgeFunction& f = strength.functions[b];
    const auto value_on = [&](std::int32_t j) {
      const bool is_mean =
          !has_mean.empty() && has_mean[static_cast<std::size_t>(around.origin(j))] != 0;
      return is_mean ? mean_of(f, around, j) : f(around.centroid(j));
    };
    strength.values[b] = value_on(panel);
    strength.at_point[b] = f(panels.centroid[i]);
    for (std::size_t k = 0; k < values.size(); ++k) values[k][b] = value_on(ring.panels[k]);
  }
  const Tangents tangents(around.normal(panel));
  std::vector<Vec3d> linear{tangents.t1, tangents.t2};
  if (across >= 0) linear = {normalized(strip_gradient(panels, i, across))};
  std::size_t unknowns = linear.size() + strength.functions.size();
  if (has_mean.empty() && across < 0) ++unknowns;
  const bool found = unknowns == 2   ? solve<2>(around, values, linear, strength)
                     : unknowns == 3 ? solve<3>(around, values, linear, strength)
                     : unknowns == 4 ? solve<4>(around, values, linear, strength)
                                     : solve<5>(around, values, linear, strength);
  if (!found || largest_share(strength) > 1.0) return std::nullopt;
  return strength;
}

}  // namespace

std::vector<std::int32_t> panels_at_edges(const PanelNeighbourhood& around) {
  std::vector<std::int32_t> near;
  for (const std::int32_t node : edge_nodes(around)) {
    for (const std::int32_t panel : around.panels_at(node))
      if (around.image(panel) == 0) near.push_back(panel);
  }
  std::ranges::sort(near);
  near.erase(std::unique(near.begin(), near.end()), near.end());
  return near;
}

EdgePieces::EdgePieces(const PanelNeighbourhood& around) : around_(around) {
  for (const std::int32_t panel : panels_at_edges(around)) {
    const Exponents exponents = exponents_of(around, panel);
    const PanelShape<double>& shape = around.panels().shape[static_cast<std::size_t>(panel)];
    for (int k = 0; k < shape.corners; ++k) {
      const double exponent = exponents[static_cast<std::size_t>(k)];
      if (exponent == 0.0) continue;
      pieces_.push_back(
          {panel, {shape.corner[k], shape.corner[(k + 1) % shape.corners], exponent}});
    }
  }
}

EdgePieces::EdgePieces(const PanelNeighbourhood& around, std::vector<PanelEdge> pieces)
    : around_(around), pieces_(std::move(pieces)) {
  std::ranges::stable_sort(pieces_, {}, &PanelEdge::panel);
}

void EdgePieces::add(std::int32_t panel, std::vector<EdgePiece>& pieces) const {
  const meshes::Symmetry& symmetry = around_.panels().symmetry;
  const int image = around_.image(panel);
  for (const auto& [at, piece] :
       std::ranges::equal_range(pieces_, around_.origin(panel), {}, &PanelEdge::panel)) {
    pieces.push_back(
        {symmetry.point(image, piece.begin), symmetry.point(image, piece.end), piece.exponent});
  }
}

std::vector<EdgeStrength> edge_strengths(const PanelNeighbourhood& around, const EdgePieces& pieces,
                                         const std::vector<std::uint8_t>& is_constant,
                                         PanelValue value, std::span<const std::int8_t> strip) {
  if (pieces.all().empty()) return {};
  std::vector<std::uint8_t> is_near = near_edges(around, pieces, value == PanelValue::mean ? 2 : 1);
  for (std::size_t i = 0; i < is_near.size(); ++i)
    if (is_constant[i] != 0) is_near[i] = 0;
  const std::vector<std::int32_t> near = indices_of_nonzero(is_near);
  if (value == PanelValue::at_point) is_near.clear();
  std::vector<std::optional<EdgeStrength>> found(near.size());
  parallel_chunks(
      near.size(), 64, [] { return PanelNeighbourhood::Ring{}; },
      [&](std::size_t k, PanelNeighbourhood::Ring& ring) {
        found[k] = strength_of(around, pieces, is_near, strip, near[k], ring);
      });
  std::vector<EdgeStrength> strengths;
  for (std::optional<EdgeStrength>& each : found)
    if (each) strengths.push_back(std::move(*each));
  return strengths;
}

}  // namespace rankine::bem
