#include "rankine/bem/layers/edge_strengths.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

using Barycentric = std::array<double, 3>;

Barycentric between(const Barycentric& p, const Barycentric& q) {
  return {0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1]), 0.5 * (p[2] + q[2])};
}

/// Calls visit(corners) for the parts of a triangle that is halved `left` times, in barycentric
/// coordinates.
template <class Visit>
void for_each_part(int left, const std::array<Barycentric, 3>& whole, const Visit& visit) {
  if (left == 0) {
    visit(whole);
    return;
  }
  const auto& [a, b, c] = whole;
  const Barycentric ab = between(a, b), bc = between(b, c), ca = between(c, a);
  for (const std::array<Barycentric, 3>& part : {std::array{a, ab, ca}, std::array{ab, b, bc},
                                                 std::array{ca, bc, c}, std::array{ab, bc, ca}})
    for_each_part(left - 1, part, visit);
}

/// The mean of f over a triangle on which t is linear, from t at its corners.
double mean_of_linear(const EdgeFunction& of, std::array<double, 3> t) {
  // The mean of F'' is twice the second difference quotient of F. Quotients need differences.
  std::ranges::sort(t);
  constexpr double apart = 1e-4;
  if (t[2] == 0.0) return 0.0;
  t[1] = std::max(t[1], t[0] + apart * t[2]);
  t[2] = std::max(t[2], t[1] + apart * t[2]);
  const double a = of.exponent;
  std::array<double, 3> f;
  for (std::size_t k = 0; k < 3; ++k) f[k] = std::pow(t[k], a + 2.0) / ((a + 1.0) * (a + 2.0));
  const double second =
      ((f[2] - f[1]) / (t[2] - t[1]) - (f[1] - f[0]) / (t[1] - t[0])) / (t[2] - t[0]);
  return (2.0 * second - of.linear * (t[0] + t[1] + t[2]) / 3.0) / of.divisor;
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

/// Per node, whether two panels at it may have an edge: the normal of one differs from that of the
/// first by more than half the angle of sharp edges, or it is an image behind a plane.
std::vector<std::uint8_t> may_have_edges(const PanelNeighbourhood& around) {
  const double half = std::sqrt(0.5 + 0.5 * around.least_cosine());
  std::vector<std::uint8_t> may(around.offsets().size() - 1);
  parallel_for(may.size(), [&](std::size_t node) {
    const std::span<const std::int32_t> panels = around.panels_at(static_cast<std::int32_t>(node));
    may[node] = std::ranges::any_of(panels, [&](std::int32_t j) {
      return around.jumps(j) || dot(around.normal(j), around.normal(panels.front())) < half;
    });
  });
  return may;
}

/// Edge pieces of a panel or image. Few panels have any.
class Pieces {
 public:
  explicit Pieces(const PanelNeighbourhood& around) : around_(around) {
    std::vector<std::int32_t> near;
    for (const std::int32_t node : indices_of_nonzero(may_have_edges(around)))
      for (const std::int32_t panel : around.panels_at(node)) near.push_back(panel);
    std::ranges::sort(near);
    near.erase(std::unique(near.begin(), near.end()), near.end());
    for (const std::int32_t panel : near) {
      if (around.image(panel) != 0) break;  // images have the largest numbers
      const Exponents exponents = exponents_of(around, panel);
      if (exponents == Exponents{}) continue;
      panels_.push_back(panel);
      exponents_.push_back(exponents);
    }
  }

  /// The panels that have pieces, in order.
  std::span<const std::int32_t> panels() const { return panels_; }
  void add(std::int32_t panel, std::vector<EdgePiece>& pieces) const {
    const std::int32_t origin = around_.origin(panel);
    const auto found = std::ranges::lower_bound(panels_, origin);
    if (found == panels_.end() || *found != origin) return;
    const Exponents& exponents = exponents_[static_cast<std::size_t>(found - panels_.begin())];
    const Panels& panels = around_.panels();
    const PanelShape<double>& shape = panels.shape[static_cast<std::size_t>(origin)];
    for (int k = 0; k < shape.corners; ++k) {
      const double exponent = exponents[static_cast<std::size_t>(k)];
      if (exponent == 0.0) continue;
      const auto place = [&](int corner) {
        return panels.symmetry.point(around_.image(panel), shape.corner[corner % shape.corners]);
      };
      pieces.push_back({place(k), place(k + 1), exponent});
    }
  }

 private:
  const PanelNeighbourhood& around_;
  std::vector<std::int32_t> panels_;
  std::vector<Exponents> exponents_;
};

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
  constexpr double rounding = 1e-10;
  if (!factor.is_regular(rounding)) return false;
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

/// The largest sum of magnitudes in the row of V over the functions. Up to 1 the value at the point
/// is closer to the mean than two of the means around are to one another. It is a hundred or more
/// where the functions hardly vary over the panels around, as on the rim of a thin body with one
/// panel across.
double largest_share(const EdgeStrength& strength) {
  double most = 0.0;
  for (std::size_t b = 0; b < strength.functions.size(); ++b) {
    double around = 0.0, own = 0.0;
    for (const EdgeFactors& factors : strength.factors) {
      const double share = factors[b] * (strength.at_point[b] - strength.means[b]);
      around += std::abs(share);
      own -= share;
    }
    most = std::max(most, around + std::abs(own));
  }
  return most;
}

/// Which panels have a piece of an edge, or a panel with one in their two rings.
std::vector<std::uint8_t> near_edges(const PanelNeighbourhood& around, const Pieces& all) {
  std::vector<std::uint8_t> is_near(around.panels().size(), 0);
  PanelNeighbourhood::Ring ring;
  for (const std::int32_t panel : all.panels()) {
    around.collect(panel, 2, ring);
    ring.panels.push_back(panel);
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
  std::erase_if(ring.panels, [&](std::int32_t j) { return around.jumps(j); });
  std::vector<EdgePiece> pieces;
  all.add(panel, pieces);
  const bool in_corner = functions_of(panels, pieces, 1.0).size() > 1;
  for (const std::int32_t j : ring.panels) all.add(j, pieces);
  if (pieces.empty()) return std::nullopt;
  EdgeStrength strength{panel, functions_of(panels, pieces, std::sqrt(panels.area[i])), in_corner};
  if (strength.functions.size() > most_edge_functions) return std::nullopt;
  for (const EdgeFunction& f : strength.functions) {
    const Vec3d nearest = from_edge(f, panels.centroid[i]);
    for (const EdgePiece& piece : f.pieces) {
      if (dot(panels.centroid[i] - 0.5 * (piece.begin + piece.end), nearest) < 0.0)
        strength.is_between = true;
    }
  }
  strength.around = ring.panels;
  std::vector<EdgeFactors> means(ring.panels.size());
  for (std::size_t b = 0; b < strength.functions.size(); ++b) {
    const EdgeFunction& f = strength.functions[b];
    strength.means[b] = mean_of(f, around, panel);
    strength.at_point[b] = f(panels.centroid[i]);
    for (std::size_t k = 0; k < means.size(); ++k) {
      const std::int32_t j = ring.panels[k];
      const bool has_mean = is_near[static_cast<std::size_t>(around.origin(j))] != 0;
      means[k][b] = has_mean ? mean_of(f, around, j) : f(around.centroid(j));
    }
  }
  const bool found = strength.functions.size() == 1 ? solve<3>(around, means, strength)
                                                    : solve<4>(around, means, strength);
  if (!found || largest_share(strength) > 1.0) return std::nullopt;
  return strength;
}

}  // namespace

double EdgeFunction::distance(const Vec3d& y) const { return norm(from_edge(*this, y)) / scale; }

double EdgeFunction::operator()(const Vec3d& y) const {
  const double t = distance(y);
  return (std::pow(t, exponent) - linear * t) / divisor;
}

Vec3d EdgeFunction::gradient(const Vec3d& y) const {
  const Vec3d r = from_edge(*this, y);
  const double d = norm(r);
  return (exponent * std::pow(d / scale, exponent - 1.0) - linear) / (divisor * d * scale) * r;
}

double EdgeFunction::mean(const TrianglePatch<double>& triangle) const {
  // Between two edges t is not linear, but almost on each quarter.
  const std::array<double, 3> at_corner{distance(triangle.corner[0]), distance(triangle.corner[1]),
                                        distance(triangle.corner[2])},
      between{distance(triangle.point(0.0, 0.5, 0.5)), distance(triangle.point(0.5, 0.0, 0.5)),
              distance(triangle.point(0.5, 0.5, 0.0))};
  double sum = mean_of_linear(*this, between);
  for (std::size_t k = 0; k < 3; ++k)
    sum += mean_of_linear(*this, {at_corner[k], between[(k + 1) % 3], between[(k + 2) % 3]});
  return 0.25 * sum;
}

std::vector<EdgeStrength> edge_strengths(const PanelNeighbourhood& around,
                                         const std::vector<std::uint8_t>& is_constant) {
  const Pieces pieces(around);
  if (pieces.panels().empty()) return {};
  std::vector<std::uint8_t> is_near = near_edges(around, pieces);
  for (std::size_t i = 0; i < is_near.size(); ++i)
    if (is_constant[i] != 0) is_near[i] = 0;
  const std::vector<std::int32_t> near = indices_of_nonzero(is_near);
  std::vector<std::optional<EdgeStrength>> found(near.size());
  parallel_chunks(
      near.size(), 64, [] { return PanelNeighbourhood::Ring{}; },
      [&](std::size_t k, PanelNeighbourhood::Ring& ring) {
        found[k] = strength_of(around, pieces, is_near, near[k], ring);
      });
  std::vector<EdgeStrength> strengths;
  for (std::optional<EdgeStrength>& each : found)
    if (each) strengths.push_back(std::move(*each));
  return strengths;
}

std::vector<EdgePart> edge_parts(const PanelShape<double>& shape,
                                 std::span<const EdgeFunction> functions) {
  constexpr std::array<Barycentric, 3> whole{Barycentric{1, 0, 0}, Barycentric{0, 1, 0},
                                             Barycentric{0, 0, 1}};
  std::vector<EdgePart> parts;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    const auto add = [&](const std::array<Barycentric, 3>& corners) {
      EdgePart part{};
      part.shape.corners = 3;
      part.shape.curved = shape.curved;
      const auto point = [&](const Barycentric& at) { return triangle.point(at[0], at[1], at[2]); };
      Vec3d* const x = part.shape.corner;
      for (std::size_t k = 0; k < 3; ++k) x[k] = point(corners[k]);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t next = (k + 1) % 3;
        part.shape.bulge[k] = point(between(corners[k], corners[next])) - 0.5 * (x[k] + x[next]);
      }
      part.centre = (x[0] + x[1] + x[2]) / 3.0;
      const Vec3d e1 = x[1] - x[0], e2 = x[2] - x[0], n = cross(e1, e2);
      for (std::size_t b = 0; b < functions.size(); ++b) {
        const EdgeFunction& f = functions[b];
        part.means[b] = f.mean(triangle_of(part.shape, 0));
        const double f0 = f(x[0]), f1 = f(x[1]) - f0, f2 = f(x[2]) - f0;
        part.slopes[b] = (f1 * cross(e2, n) + f2 * cross(n, e1)) / dot(n, n);
      }
      parts.push_back(part);
    };
    for_each_part(2, whole, add);
  }
  return parts;
}

}  // namespace rankine::bem
