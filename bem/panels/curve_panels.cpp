#include "rankine/bem/panels/curve_panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/panels/corner_normals.hpp"
#include "rankine/bem/panels/line_triangle.hpp"
#include "rankine/bem/panels/mid_node_bulges.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

constexpr double greatest_rise = 0.15;  // of a bulge over its chord: an arc of 67 degrees
constexpr double greatest_widening = 2.0;
/// Of a bulge, in widths of the narrower panel at it: of panels as they come, of those that are too steep so, and of
/// those that still are.
constexpr std::array<double, 3> greatest_heights{4.0, 1.0, 0.0};
constexpr double least_normals = 0.5;   // cosine between the normals at the ends of an edge
constexpr double least_upright = 0.9;   // cosine between a curved panel and the flat one
constexpr double least_move = 0.01;     // of a collocation point, in panel sizes, that is looked at
constexpr double least_crossing = 0.1;  // sine squared between the sides of a sharp edge

/// What one side of an edge asks for.
struct Wanted {
  double height;
  Vec3d along;  ///< unit
  bool trusted;
};

class EdgeCurves {
 public:
  EdgeCurves(const PanelNeighbourhood& around, const CornerNormals& normals,
             const MidNodeBulges& given, double sharp_angle)
      : around_(around),
        panels_(around.panels()),
        normals_(normals),
        given_(given),
        least_cosine_(std::cos(sharp_angle)) {}

  /// The bulge of edge `k`; `lowered`: per panel, how often it was too steep; `refused` becomes true where the bulge
  /// is zero or lower than the fit's for lack of trust.
  Vec3d bulge(std::int32_t panel, int k, const std::vector<std::uint8_t>& lowered,
              bool& refused) const {
    const int corners = panels_.shape[panel].corners, next = (k + 1) % corners;
    const auto [neighbour, edge] = across(panel, k);
    double highest = greatest_height(panel, lowered);
    if (neighbour >= 0) highest = std::min(highest, greatest_height(neighbour, lowered));
    const double chord = norm(panels_.shape[panel].corner[next] - panels_.shape[panel].corner[k]);
    const bool own_given = given_.has(panel);
    if (own_given || (neighbour >= 0 && given_.has(neighbour))) {
      const bool from_own = own_given && (neighbour < panel || !given_.has(neighbour));
      return limited(from_own ? given_.edge(panel, k) : given_.edge(neighbour, edge), chord,
                     highest, true, refused);
    }
    const Wanted own = wanted(panel, k, next);
    Vec3d d = own.height * own.along;
    bool trusted = own.trusted;
    if (neighbour >= 0 && dot(panels_.normal[panel], panels_.normal[neighbour]) < least_cosine_) {
      const int other_corners = panels_.shape[neighbour].corners;
      const Wanted other = wanted(neighbour, edge, (edge + 1) % other_corners);
      const double cosine = dot(own.along, other.along), crossing = 1.0 - cosine * cosine;
      trusted = trusted && other.trusted && crossing > least_crossing;
      if (trusted) {
        d = ((own.height - cosine * other.height) / crossing) * own.along +
            ((other.height - cosine * own.height) / crossing) * other.along;
      }
    }
    return limited(d, chord, highest, trusted, refused);
  }

  /// That of the diagonal of a quadrilateral.
  Vec3d diagonal(std::int32_t panel, const std::vector<std::uint8_t>& lowered,
                 bool& refused) const {
    const Vec3d* corner = panels_.shape[panel].corner;
    const double chord = norm(corner[2] - corner[0]), highest = greatest_height(panel, lowered);
    if (given_.has(panel)) return limited(given_.diagonal(panel), chord, highest, true, refused);
    const Wanted own = wanted(panel, 2, 0);
    return limited(own.height * own.along, chord, highest, own.trusted, refused);
  }

 private:
  /// Across the longest edge: twice the area of a triangle over it.
  double width(std::int32_t panel) const {
    const PanelShape<double>& shape = panels_.shape[panel];
    double longest = 0.0;
    for (int k = 0; k < shape.corners; ++k)
      longest = std::max(longest, norm(shape.corner[(k + 1) % shape.corners] - shape.corner[k]));
    return (shape.corners == 3 ? 2.0 : 1.0) * panels_.area[panel] / longest;
  }

  double greatest_height(std::int32_t panel, const std::vector<std::uint8_t>& lowered) const {
    return greatest_heights[lowered[static_cast<std::size_t>(panel)]] * width(panel);
  }

  /// Bulges higher than they may be are lowered, for a surface of panels lowered alike stays smooth, and straight
  /// ones break it.
  static Vec3d limited(const Vec3d& d, double chord, double highest, bool trusted, bool& refused) {
    const double height = norm(d);
    if (height < least_rise * chord) return {};
    refused = refused || !trusted || height > std::min(greatest_rise * chord, highest);
    if (!trusted || height > greatest_rise * chord) return {};
    return height <= highest ? d : d * (highest / height);
  }

  /// From corner k to corner l, with the same bits from both panels of an edge.
  Wanted wanted(std::int32_t panel, int k, int l) const {
    if (panels_.nodes[panel][k] > panels_.nodes[panel][l]) std::swap(k, l);
    const auto normal_at = [&](int corner) {
      const Vec3<float>& n =
          normals_[static_cast<std::size_t>(panel)][static_cast<std::size_t>(corner)];
      return Vec3d{n.x, n.y, n.z};
    };
    const Vec3d m = normal_at(k), n = normal_at(l);
    const Vec3d chord = panels_.shape[panel].corner[l] - panels_.shape[panel].corner[k];
    return {dot(chord, n - m) / 8.0, normalized(m + n), dot(m, n) > least_normals};
  }

  /// The panel on the other side of edge k and its edge; -1 where there is none, or several.
  std::pair<std::int32_t, int> across(std::int32_t panel, int k) const {
    const int corners = panels_.shape[panel].corners;
    const std::int32_t from = panels_.nodes[panel][k], to = panels_.nodes[panel][(k + 1) % corners];
    std::pair<std::int32_t, int> found{-1, 0};
    for (const std::int32_t j : panels_at_edge(around_, from, to)) {
      if (j == panel) continue;
      const int count = meshes::corner_count(panels_.nodes[j]);
      for (int e = 0; e < count; ++e) {
        const std::int32_t a = panels_.nodes[j][e], b = panels_.nodes[j][(e + 1) % count];
        if ((a != from || b != to) && (a != to || b != from)) continue;
        if (found.first >= 0) return {-1, 0};
        found = {j, e};
      }
    }
    return found;
  }

  const PanelNeighbourhood& around_;
  const Panels& panels_;
  const CornerNormals& normals_;
  const MidNodeBulges& given_;
  double least_cosine_;
};

double total_bulge(const PanelShape<double>& shape) {
  double sum = norm(shape.diagonal_bulge);
  for (int k = 0; k < shape.corners; ++k) sum += norm(shape.bulge[k]);
  return sum;
}

bool has_bulges(const PanelShape<double>& shape) { return total_bulge(shape) > 0.0; }

/// Whether a curved panel is somewhere steeper over its flat one than the closed forms are meant for, or
/// twice as wide or half as wide, as a long edge makes it that bulges within the plane by as much as the
/// panel is wide. Looked for at corners and middles of edges: slivers with long curves, folds.
bool is_too_steep(const PanelShape<double>& shape) {
  constexpr double places[6][3] = {{1, 0, 0},     {0, 1, 0},     {0, 0, 1},
                                   {0.5, 0.5, 0}, {0, 0.5, 0.5}, {0.5, 0, 0.5}};
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = surface_triangle(shape, half);
    const Vec3d flat = 0.5 * cross(triangle.corner[1] - triangle.corner[0],
                                   triangle.corner[2] - triangle.corner[0]);
    for (const auto& p : places) {
      const Vec3d area = triangle.vector_area(p[0], p[1], p[2]);
      const double widening = dot(area, flat) / dot(flat, flat);
      if (!(dot(area, flat) > least_upright * norm(area) * norm(flat))) return true;
      if (!(widening < greatest_widening && widening * greatest_widening > 1.0)) return true;
    }
  }
  return false;
}

/// Whether the way from a to b goes through a triangle.
bool crosses(const Vec3d& a, const Vec3d& b, const TrianglePatch<double>& triangle) {
  const auto hit = meet(a, b - a, triangle);
  return hit && hit->t > 0.0 && hit->t <= 1.0 && hit->inside >= 0.0;
}

/// Panels whose collocation point would move through another panel: sheets closer than the bulge.
std::vector<std::uint8_t> find_breaches(const Panels& panels) {
  std::vector<std::uint8_t> breaches(panels.size(), 0), moves(panels.size(), 0);
  const auto end_of = [&](std::size_t j) {
    return surface_over(panels.shape[j], panels.centroid[j]).point;
  };
  parallel_for(panels.size(), [&](std::size_t j) {
    const double least = least_move * panel_size(panels.radius[j]);
    // A point of the surface lies off the chords' by at most the sum of the bulges.
    if (0.5 * least > total_bulge(panels.shape[j])) return;
    moves[j] = norm(end_of(j) - panels.centroid[j]) > least ? 1 : 0;
  });
  std::vector<std::int32_t> movers;
  std::vector<Vec3d> targets, ends;
  double longest = 0.0;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    if (moves[j] == 0) continue;
    movers.push_back(static_cast<std::int32_t>(j));
    ends.push_back(end_of(j));
    targets.push_back(0.5 * (panels.centroid[j] + ends.back()));
    longest = std::max(longest, norm(ends.back() - panels.centroid[j]));
  }
  if (movers.empty()) return breaches;
  std::vector<double> radii(panels.radius.begin(), panels.radius.end());
  for (double& radius : radii) radius += 0.5 * longest;
  const SparsityPattern near = find_near_pairs(targets, panels.centroid, radii);
  constexpr std::size_t chunk = 64;
  parallel_chunks(movers.size(), chunk, [&](std::size_t i) {
    const auto own = static_cast<std::size_t>(movers[i]);
    for (std::int64_t k = near.offsets[i]; k < near.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(near.columns[k]);
      if (j == own) continue;
      for (int half = 0; half + 2 < panels.shape[j].corners; ++half) {
        if (crosses(panels.centroid[own], ends[i], triangle_of(panels.shape[j], half)))
          breaches[own] = 1;
      }
    }
  });
  return breaches;
}

/// The panels that are among those `marked` or share a node with one of them.
std::vector<std::uint8_t> touching(const PanelNeighbourhood& around,
                                   const std::vector<std::uint8_t>& marked) {
  std::vector<std::uint8_t> node_marked(around.offsets().size() - 1, 0), touches(marked.size(), 0);
  const auto for_nodes = [&](std::size_t panel, auto&& visit) {
    const meshes::Element& nodes = around.nodes(static_cast<std::int32_t>(panel));
    for (int k = 0; k < meshes::corner_count(nodes); ++k)
      visit(node_marked[static_cast<std::size_t>(nodes[k])]);
  };
  for (std::size_t j = 0; j < marked.size(); ++j) {
    if (marked[j] != 0) for_nodes(j, [](std::uint8_t& node) { node = 1; });
  }
  parallel_for(marked.size(), [&](std::size_t j) {
    for_nodes(j, [&](std::uint8_t node) { touches[j] |= node; });
  });
  return touches;
}

void move_to_surface(Panels& panels, std::size_t j) {
  static const std::vector<TrianglePoint> rule = triangle_rule(7);
  PanelShape<double>& shape = panels.shape[j];
  shape.curved = true;
  panels.area[j] = 0.0;
  panels.vector_area[j] = {};
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule) {
      const Vec3d part = p.weight * triangle.vector_area(p.a, p.b, p.c);
      panels.area[j] += norm(part);
      panels.vector_area[j] += part;
    }
  }
  const SurfacePoint point = surface_over(shape, panels.centroid[j]);
  panels.centroid[j] = point.point;
  panels.normal[j] = point.normal;
  panels.radius[j] = 0.0;
  for (int k = 0; k < shape.corners; ++k)
    panels.radius[j] = std::max(panels.radius[j], norm(shape.corner[k] - panels.centroid[j]));
}

}  // namespace

void fit_surface(Panels& panels, const meshes::SurfaceMesh& mesh, std::size_t counted,
                 const CornerNormalsFit& normals, double sharp_angle) {
  const PanelNeighbourhood around(panels, sharp_angle);
  const CornerNormals fitted_normals = normals ? normals(around, mesh.nodes, sharp_angle)
                                               : corner_normals(around, mesh.nodes, sharp_angle);
  const MidNodeBulges given(panels, mesh);
  const EdgeCurves curves(around, fitted_normals, given, sharp_angle);
  std::vector<std::uint8_t> lowered(panels.size(), 0), fitted(panels.size(), 0),
      refused(panels.size(), 0);
  const auto bend = [&](std::size_t j) {
    PanelShape<double>& shape = panels.shape[j];
    const auto panel = static_cast<std::int32_t>(j);
    bool lacks_trust = false;
    for (int k = 0; k < shape.corners; ++k)
      shape.bulge[k] = curves.bulge(panel, k, lowered, lacks_trust);
    if (shape.corners == 4) shape.diagonal_bulge = curves.diagonal(panel, lowered, lacks_trust);
    fitted[j] = has_bulges(shape) ? 1 : 0;
    refused[j] = lacks_trust ? 1 : 0;
  };
  parallel_for(panels.size(), bend);
  // Where points would go through other panels edges are straight. Lower edges of a panel may make its neighbour steep,
  // whose other edges bulge; those already lowered are looked at again when all others are settled.
  constexpr auto straight = static_cast<std::uint8_t>(greatest_heights.size() - 1);
  std::vector<std::uint8_t> found = find_breaches(panels), steep(panels.size(), 0);
  const auto bend_around_found = [&] {
    const std::vector<std::uint8_t> bent = touching(around, found);
    parallel_for(panels.size(), [&](std::size_t j) {
      if (bent[j] != 0) bend(j);
    });
    return bent;
  };
  for (std::size_t j = 0; j < panels.size(); ++j) lowered[j] = found[j] != 0 ? straight : 0;
  bend_around_found();
  for (std::vector<std::uint8_t> bent(panels.size(), 1);; bent = bend_around_found()) {
    parallel_for(panels.size(), [&](std::size_t j) {
      if (bent[j] != 0) steep[j] = lowered[j] < straight && is_too_steep(panels.shape[j]) ? 1 : 0;
    });
    std::uint8_t least = straight;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      if (steep[j] != 0) least = std::min(least, lowered[j]);
    }
    if (least == straight) break;
    parallel_for(panels.size(), [&](std::size_t j) {
      found[j] = steep[j] != 0 && lowered[j] == least ? 1 : 0;
      lowered[j] = static_cast<std::uint8_t>(lowered[j] + found[j]);
    });
  }
  panels.curves = {};
  for (std::size_t j = 0; j < counted; ++j) {
    panels.curves.curved += fitted[j];
    panels.curves.straight += refused[j];
  }
}

void curve_panels(Panels& panels) {
  parallel_for(panels.size(), [&](std::size_t j) {
    if (has_bulges(panels.shape[j])) move_to_surface(panels, j);
  });
}

}  // namespace rankine::bem
