#include "rankine/bem/layers/edge_strengths.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// Triangles are halved this often where functions are integrated.
constexpr int times_halved = 2;

using Barycentric = std::array<double, 3>;

Barycentric between(const Barycentric& p, const Barycentric& q) {
  return {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])};
}

/// Calls visit(corners) for the parts of a triangle, in barycentric coordinates.
template <class Visit>
void for_each_part(int halved, const std::array<Barycentric, 3>& whole, const Visit& visit) {
  if (halved == 0) {
    visit(whole);
    return;
  }
  const auto& [a, b, c] = whole;
  const Barycentric ab = between(a, b), bc = between(b, c), ca = between(c, a);
  for (const std::array<Barycentric, 3>& part : {std::array{a, ab, ca}, std::array{ab, b, bc},
                                                 std::array{ca, bc, c}, std::array{ab, bc, ca}})
    for_each_part(halved - 1, part, visit);
}

constexpr std::array<Barycentric, 3> whole_triangle{Barycentric{1, 0, 0}, Barycentric{0, 1, 0},
                                                    Barycentric{0, 0, 1}};

/// Calls visit(y, dA) for the points of a rule on a panel.
template <class Visit>
void for_each_point(const PanelShape<double>& shape, int halved, const Visit& visit) {
  static const std::vector<TrianglePoint> rule = triangle_rule(7);
  const double share = std::pow(0.25, halved);
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for_each_part(halved, whole_triangle, [&](const std::array<Barycentric, 3>& part) {
      for (const TrianglePoint& p : rule) {
        const auto at = [&](std::size_t k) {
          return p.a * part[0][k] + p.b * part[1][k] + p.c * part[2][k];
        };
        const double a = at(0), b = at(1), c = at(2);
        visit(triangle.point(a, b, c), share * p.weight * norm(triangle.vector_area(a, b, c)));
      }
    });
  }
}

/// From the closest point of an edge to y. Pieces are extended by half their length.
Vec3d from_edge(const EdgeFunction& f, const Vec3d& y) {
  Vec3d closest{};
  double least = -1.0;
  for (const EdgePiece& piece : f.pieces) {
    const Vec3d along = piece.end - piece.begin;
    const double t = std::clamp(dot(y - piece.begin, along) / dot(along, along), -0.5, 1.5);
    const Vec3d r = y - piece.begin - t * along;
    if (least >= 0.0 && dot(r, r) >= least) continue;
    least = dot(r, r);
    closest = r;
  }
  return closest;
}

/// The exponents of the sharp convex edges of a panel; 1 for other edges.
std::array<double, 4> exponents_of(const PanelNeighbourhood& around, std::int32_t panel) {
  std::array<double, 4> exponents{1.0, 1.0, 1.0, 1.0};
  const meshes::Element& own = around.nodes(panel);
  const int corners = meshes::corner_count(own);
  const Vec3d normal = around.normal(panel);
  for (int k = 0; k < corners; ++k) {
    around.for_each_at_edge(own[k], own[(k + 1) % corners], [&](std::int32_t j) {
      const double cosine = dot(around.normal(j), normal);
      const bool convex = dot(around.centroid(j) - around.centroid(panel), normal) < 0.0;
      if (j == panel || !convex || cosine >= around.least_cosine()) return;
      const double turned = std::acos(std::max(cosine, -1.0));
      exponents[static_cast<std::size_t>(k)] = std::numbers::pi / (std::numbers::pi + turned);
    });
  }
  return exponents;
}

/// Nodes where panels meet at an angle: all nodes of sharp edges, and perhaps others.
std::vector<std::uint8_t> turning_nodes(const PanelNeighbourhood& around) {
  const std::size_t nodes = around.panels().node_count;
  const double least = std::cos(0.5 * around.panels().sharp_angle);
  std::vector<std::uint8_t> turns(nodes, 0);
  parallel_for(nodes, [&](std::size_t i) {
    const std::span<const std::int32_t> here = around.panels_at(static_cast<std::int32_t>(i));
    if (here.empty()) return;
    const Vec3d first = around.normal(here.front());
    for (const std::int32_t j : here) turns[i] |= dot(around.normal(j), first) < least ? 1 : 0;
  });
  return turns;
}

/// Edge pieces of a panel or image.
class Pieces {
 public:
  explicit Pieces(const PanelNeighbourhood& around)
      : around_(around), turns_(turning_nodes(around)) {}

  bool none() const {
    return std::none_of(turns_.begin(), turns_.end(), [](std::uint8_t each) { return each != 0; });
  }
  /// Whether a panel may have a sharp edge.
  bool turns(std::int32_t panel) const {
    const meshes::Element& nodes = around_.nodes(panel);
    for (int k = 0; k < meshes::corner_count(nodes); ++k)
      if (turns_[static_cast<std::size_t>(nodes[k])] != 0) return true;
    return false;
  }
  void add(std::int32_t panel, std::vector<EdgePiece>& pieces) const {
    const std::int32_t origin = around_.origin(panel);
    if (!turns(origin)) return;
    const Panels& panels = around_.panels();
    const PanelShape<double>& shape = panels.shape[static_cast<std::size_t>(origin)];
    const std::array<double, 4> exponents = exponents_of(around_, origin);
    for (int k = 0; k < shape.corners; ++k) {
      const double exponent = exponents[static_cast<std::size_t>(k)];
      if (exponent == 1.0) continue;
      const auto place = [&](int corner) {
        return panels.symmetry.point(around_.image(panel), shape.corner[corner % shape.corners]);
      };
      pieces.push_back({place(k), place(k + 1), exponent});
    }
  }

 private:
  const PanelNeighbourhood& around_;
  std::vector<std::uint8_t> turns_;
};

Vec3d direction(const EdgePiece& piece) { return normalized(piece.end - piece.begin); }

/// The functions of the edges that these pieces belong to: pieces at less than 45 degrees to one
/// another are of one edge.
std::vector<EdgeFunction> functions_of(const std::vector<EdgePiece>& pieces, double scale) {
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
  }
  return functions;
}

/// The mean over a panel or image. Only panels that touch an edge are divided.
double mean_of(const EdgeFunction& f, const PanelNeighbourhood& around, const Pieces& all,
               std::int32_t panel) {
  const Panels& panels = around.panels();
  const std::int32_t origin = around.origin(panel);
  double sum = 0.0, area = 0.0;
  for_each_point(panels.shape[static_cast<std::size_t>(origin)],
                 all.turns(origin) ? times_halved : 0, [&](const Vec3d& y, double dA) {
                   sum += dA * f(panels.symmetry.point(around.image(panel), y));
                   area += dA;
                 });
  return sum / area;
}

/// Least squares with N unknowns: two slopes and N - 2 factors.
template <int N>
bool solve(const PanelNeighbourhood& around, const std::vector<EdgeFactors>& means,
           EdgeStrength& strength) {
  const std::size_t count = strength.around.size();
  if (count < static_cast<std::size_t>(N)) return false;
  const Vec3d centre = around.centroid(strength.panel);
  const Tangents along(around.normal(strength.panel));
  const double scale = strength.functions.front().scale;
  std::vector<std::array<double, N>> rows(count);
  std::vector<double> weights(count);
  std::array<double, N> size{};
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d r = (around.centroid(strength.around[k]) - centre) / scale;
    rows[k][0] = dot(r, along.t1);
    rows[k][1] = dot(r, along.t2);
    for (std::size_t b = 0; b + 2 < N; ++b) rows[k][b + 2] = means[k][b] - strength.means[b];
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
  constexpr double least_pivot = 1e-3;
  if (!factor.is_regular(least_pivot)) return false;
  for (std::size_t k = 0; k < count; ++k) {
    double x[N];
    for (std::size_t i = 0; i < N; ++i) x[i] = weights[k] * rows[k][i] / size[i];
    factor.solve(x);
    for (std::size_t i = 0; i < N; ++i) x[i] /= size[i];
    strength.slopes.push_back((x[0] * along.t1 + x[1] * along.t2) / scale);
    EdgeFactors& factors = strength.factors.emplace_back();
    for (std::size_t b = 0; b + 2 < N; ++b) factors[b] = x[b + 2];
  }
  return true;
}

/// The sum over k of the magnitudes of what m_k - m_j contributes to the difference between the
/// value at the collocation point and the mean. It is below 1.2 where panels determine the fit, and
/// a hundred or more where the functions hardly vary over them, as on the rim of a thin body with
/// one panel across.
double largest_change(const EdgeStrength& strength) {
  double sum = 0.0;
  for (const EdgeFactors& factors : strength.factors) {
    double change = 0.0;
    for (std::size_t b = 0; b < strength.functions.size(); ++b)
      change += factors[b] * (strength.at_point[b] - strength.means[b]);
    sum += std::abs(change);
  }
  return sum;
}

/// Which panels have a piece of an edge, or a panel with one in their two rings.
std::vector<std::uint8_t> near_edges(const PanelNeighbourhood& around, const Pieces& all) {
  const std::size_t n = around.panels().size();
  std::vector<std::uint8_t> has_piece(n, 0), is_near(n, 0);
  parallel_chunks(
      n, 256, [] { return std::vector<EdgePiece>{}; },
      [&](std::size_t i, std::vector<EdgePiece>& pieces) {
        pieces.clear();
        all.add(static_cast<std::int32_t>(i), pieces);
        has_piece[i] = pieces.empty() ? 0 : 1;
      });
  PanelNeighbourhood::Ring ring;
  for (std::size_t i = 0; i < n; ++i) {
    if (has_piece[i] == 0) continue;
    is_near[i] = 1;
    around.collect(static_cast<std::int32_t>(i), 2, ring);
    for (const std::int32_t j : ring.panels)
      is_near[static_cast<std::size_t>(around.origin(j))] = 1;
  }
  return is_near;
}

/// The strength of a panel near edges; none where the fit is not determined. `is_near`: of
/// panels whose values are means; those of others are values at their points.
std::optional<EdgeStrength> strength_of(const PanelNeighbourhood& around, const Pieces& all,
                                        const std::vector<std::uint8_t>& is_near,
                                        std::int32_t panel, PanelNeighbourhood::Ring& ring) {
  const auto i = static_cast<std::size_t>(panel);
  const Panels& panels = around.panels();
  around.collect(panel, 2, ring);
  std::vector<EdgePiece> pieces;
  all.add(panel, pieces);
  const bool in_corner = functions_of(pieces, 1.0).size() > 1;
  for (const std::int32_t j : ring.panels) all.add(j, pieces);
  if (pieces.empty()) return std::nullopt;
  EdgeStrength strength{.panel = panel,
                        .functions = functions_of(pieces, std::sqrt(panels.area[i])),
                        .in_corner = in_corner,
                        .around = {},
                        .slopes = {},
                        .factors = {}};
  if (strength.functions.size() > most_edge_functions) return std::nullopt;
  strength.around = ring.panels;
  std::vector<EdgeFactors> means(ring.panels.size());
  for (std::size_t b = 0; b < strength.functions.size(); ++b) {
    const EdgeFunction& f = strength.functions[b];
    strength.means[b] = mean_of(f, around, all, panel);
    strength.at_point[b] = f(panels.centroid[i]);
    for (std::size_t k = 0; k < means.size(); ++k) {
      const std::int32_t j = ring.panels[k];
      const bool has_mean = is_near[static_cast<std::size_t>(around.origin(j))] != 0;
      means[k][b] = has_mean ? mean_of(f, around, all, j) : f(around.centroid(j));
    }
  }
  const bool found = strength.functions.size() == 1 ? solve<3>(around, means, strength)
                                                    : solve<4>(around, means, strength);
  constexpr double most_change = 2.0;
  if (!found || largest_change(strength) > most_change) return std::nullopt;
  return strength;
}

}  // namespace

double EdgeFunction::operator()(const Vec3d& y) const {
  return std::pow(norm(from_edge(*this, y)) / scale, exponent);
}

Vec3d EdgeFunction::gradient(const Vec3d& y) const {
  const Vec3d r = from_edge(*this, y);
  const double d = norm(r);
  return exponent * std::pow(d / scale, exponent) / (d * d) * r;
}

std::vector<EdgeStrength> edge_strengths(const PanelNeighbourhood& around,
                                         const std::vector<std::uint8_t>& is_constant) {
  const Pieces pieces(around);
  if (pieces.none()) return {};
  const std::size_t n = around.panels().size();
  std::vector<std::uint8_t> is_near = near_edges(around, pieces);
  for (std::size_t i = 0; i < n; ++i)
    if (is_constant[i] != 0) is_near[i] = 0;
  std::vector<std::optional<EdgeStrength>> found(n);
  parallel_chunks(
      n, 64, [] { return PanelNeighbourhood::Ring{}; },
      [&](std::size_t i, PanelNeighbourhood::Ring& ring) {
        if (is_near[i] != 0)
          found[i] = strength_of(around, pieces, is_near, static_cast<std::int32_t>(i), ring);
      });
  std::vector<EdgeStrength> strengths;
  for (std::optional<EdgeStrength>& each : found)
    if (each) strengths.push_back(std::move(*each));
  return strengths;
}

std::vector<EdgePart> edge_parts(const PanelShape<double>& shape,
                                 std::span<const EdgeFunction> functions) {
  std::vector<EdgePart> parts;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for_each_part(times_halved, whole_triangle, [&](const std::array<Barycentric, 3>& corners) {
      EdgePart part{};
      part.shape.corners = 3;
      part.shape.curved = shape.curved;
      const auto point = [&](const Barycentric& at) { return triangle.point(at[0], at[1], at[2]); };
      for (std::size_t k = 0; k < 3; ++k) {
        const Barycentric &from = corners[k], &to = corners[(k + 1) % 3];
        part.shape.corner[k] = point(from);
        part.shape.bulge[k] = point(between(from, to)) - 0.5 * (point(from) + point(to));
      }
      double area = 0.0;
      for_each_point(part.shape, 0, [&](const Vec3d& y, double dA) {
        area += dA;
        part.centre += dA * y;
        for (std::size_t b = 0; b < functions.size(); ++b) part.means[b] += dA * functions[b](y);
      });
      part.centre = part.centre / area;
      const Vec3d *x = part.shape.corner, e1 = x[1] - x[0], e2 = x[2] - x[0], n = cross(e1, e2);
      for (std::size_t b = 0; b < functions.size(); ++b) {
        part.means[b] /= area;
        const double f0 = functions[b](x[0]), f1 = functions[b](x[1]) - f0,
                     f2 = functions[b](x[2]) - f0;
        part.slopes[b] = (f1 * cross(e2, n) + f2 * cross(n, e1)) / dot(n, n);
      }
      parts.push_back(part);
    });
  }
  return parts;
}

}  // namespace rankine::bem
