// The curves of panel edges from the normals at their ends (bem/panels/curve_panels.hpp), and flags
// of panels that must be checked before they may be curved. Host and device.
#pragma once

#include <cstdint>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/measure_panel.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/panel_shape.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::bem {

/// How often the bulges of a panel are reduced before its edges are made straight.
inline constexpr std::uint8_t most_lowered = 2;

/// The result of bending a panel, as bits.
enum BendFlags : std::uint8_t {
  bend_curved = 1,   ///< the panel has a bulge
  bend_refused = 2,  ///< the fit is not reliable, so a bulge is zero or lower than fitted
  bend_moves = 4,    ///< its collocation point would move so far that it could cross another panel
  bend_steep = 8     ///< the panel is too steep relative to its flat shape
};

RANKINE_HD inline double total_bulge(const PanelShape<double>& shape) {
  double sum = norm(shape.diagonal_bulge);
  for (int k = 0; k < shape.corners; ++k) sum += norm(shape.bulge[k]);
  return sum;
}

/// Whether the closed forms are inaccurate on a curved panel: it is too steep relative to its flat
/// shape, or more than twice or less than half as wide, because a long edge bulges in the plane of
/// the panel. The test at corners and midpoints of edges finds slivers with long curves, and folds.
RANKINE_HD inline bool is_too_steep(const PanelShape<double>& shape) {
  constexpr double least_upright = 0.9;  // cosine between the normals of curved and flat panel
  constexpr double greatest_widening = 2.0;
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

/// The flags of a panel from its shape. `size`: its size, m; `centroid`: collocation point of the
/// flat panel.
RANKINE_HD inline std::uint8_t flags_of(const PanelShape<double>& shape, const Vec3d& centroid,
                                        double size) {
  constexpr double least_move = 0.01;  // smallest displacement of a collocation point, in panel
                                       // sizes, that must be checked
  const double bulges = total_bulge(shape);
  if (!(bulges > 0.0)) return 0;
  std::uint8_t flags = bend_curved;
  const double least = least_move * size;
  // A point of the surface is at most the sum of the bulges away from the flat panel.
  if (bulges >= 0.5 * least && norm(surface_over(shape, centroid).point - centroid) > least)
    flags |= bend_moves;
  if (is_too_steep(shape)) flags |= bend_steep;
  return flags;
}

/// `around` has nodes(panel), normal(panel), area(panel), panels_at(node), position(node) in
/// metres, corner_normal(panel, corner) and lowered(panel), the number of times that the panel was
/// too steep; and for panels with mid-nodes has_given(panel), given_edge(panel, k) and
/// given_diagonal(panel).
template <class Around>
class EdgeCurves {
 public:
  RANKINE_HD EdgeCurves(const Around& around, double least_cosine)
      : around_(around), least_cosine_(least_cosine) {}

  /// Sets the bulges of a panel from its neighbours, flat shape, point and radius. Returns its
  /// flags.
  RANKINE_HD std::uint8_t bend(std::int32_t panel, PanelShape<double>& shape, const Vec3d& centroid,
                               double radius) const {
    bool refused = false;
    for (int k = 0; k < shape.corners; ++k) shape.bulge[k] = bulge(panel, k, refused);
    if (shape.corners == 4) shape.diagonal_bulge = diagonal(panel, refused);
    return static_cast<std::uint8_t>((refused ? bend_refused : 0) |
                                     flags_of(shape, centroid, panel_size(radius)));
  }

 private:
  /// The height of an edge's bulge from one of its sides.
  struct EdgeHeight {
    double height;
    Vec3d along;  ///< unit
    bool is_reliable;
  };
  /// A panel and one of its edges.
  struct Edge {
    std::int32_t panel;
    int k;
  };

  RANKINE_HD std::int32_t node(std::int32_t panel, int k) const {
    return around_.nodes(panel)[static_cast<std::size_t>(k)];
  }
  RANKINE_HD int corners(std::int32_t panel) const {
    return meshes::corner_count(around_.nodes(panel));
  }
  RANKINE_HD Vec3d corner(std::int32_t panel, int k) const {
    return around_.position(node(panel, k));
  }

  RANKINE_HD Vec3d bulge(std::int32_t panel, int k, bool& refused) const {
    constexpr double least_crossing = 0.1;  // sine squared between the sides of a sharp edge
    const int next = (k + 1) % corners(panel);
    const Edge other_side = across(panel, k);
    const std::int32_t neighbour = other_side.panel;
    double highest = greatest_height(panel);
    if (neighbour >= 0) {
      const double of_neighbour = greatest_height(neighbour);
      if (of_neighbour < highest) highest = of_neighbour;
    }
    const double chord = norm(corner(panel, next) - corner(panel, k));
    const bool own_given = around_.has_given(panel),
               other_given = neighbour >= 0 && around_.has_given(neighbour);
    if (own_given || other_given) {
      const bool from_own = own_given && (neighbour < panel || !other_given);
      return limited(
          from_own ? around_.given_edge(panel, k) : around_.given_edge(neighbour, other_side.k),
          chord, highest, true, refused);
    }
    const EdgeHeight own = edge_height(panel, k, next);
    Vec3d d = own.height * own.along;
    bool is_reliable = own.is_reliable;
    if (neighbour >= 0 && dot(around_.normal(panel), around_.normal(neighbour)) < least_cosine_) {
      const EdgeHeight other =
          edge_height(neighbour, other_side.k, (other_side.k + 1) % corners(neighbour));
      const double cosine = dot(own.along, other.along), crossing = 1.0 - cosine * cosine;
      is_reliable = is_reliable && other.is_reliable && crossing > least_crossing;
      if (is_reliable) {
        d = ((own.height - cosine * other.height) / crossing) * own.along +
            ((other.height - cosine * own.height) / crossing) * other.along;
      }
    }
    return limited(d, chord, highest, is_reliable, refused);
  }

  /// The bulge of the diagonal of a quadrilateral.
  RANKINE_HD Vec3d diagonal(std::int32_t panel, bool& refused) const {
    const double chord = norm(corner(panel, 2) - corner(panel, 0)),
                 highest = greatest_height(panel);
    if (around_.has_given(panel))
      return limited(around_.given_diagonal(panel), chord, highest, true, refused);
    const EdgeHeight own = edge_height(panel, 2, 0);
    return limited(own.height * own.along, chord, highest, own.is_reliable, refused);
  }

  /// The width across the longest edge: twice the area of a triangle divided by that edge.
  RANKINE_HD double width(std::int32_t panel) const {
    const int count = corners(panel);
    double longest = 0.0;
    for (int k = 0; k < count; ++k) {
      const double length = norm(corner(panel, (k + 1) % count) - corner(panel, k));
      if (length > longest) longest = length;
    }
    return (count == 3 ? 2.0 : 1.0) * around_.area(panel) / longest;
  }

  /// Limit of a bulge: in panel widths initially 4; 1 for a panel that was too steep once, 0 for
  /// one that was too steep twice.
  RANKINE_HD double greatest_height(std::int32_t panel) const {
    constexpr double heights[most_lowered + 1] = {4.0, 1.0, 0.0};
    return heights[around_.lowered(panel)] * width(panel);
  }

  /// Limits a bulge. If the bulges of neighbouring panels are limited in the same way, the surface
  /// remains smooth; with straight edges it would have kinks.
  RANKINE_HD static Vec3d limited(const Vec3d& d, double chord, double highest, bool is_reliable,
                                  bool& refused) {
    const double height = norm(d), most = fitted::greatest_rise * chord;
    if (height < least_rise * chord) return {};
    refused = refused || !is_reliable || height > most || height > highest;
    if (!is_reliable || height > most) return {};
    return height <= highest ? d : d * (highest / height);
  }

  /// The bulge from corner k to corner l. Both panels of an edge get the same bits.
  RANKINE_HD EdgeHeight edge_height(std::int32_t panel, int k, int l) const {
    constexpr double least_normals = 0.5;  // cosine between the normals at the ends of an edge
    const bool turned = node(panel, k) > node(panel, l);
    const int from = turned ? l : k, to = turned ? k : l;
    const Vec3d m = around_.corner_normal(panel, from), n = around_.corner_normal(panel, to);
    const Vec3d chord = corner(panel, to) - corner(panel, from);
    return {dot(chord, n - m) / 8.0, normalized(m + n), dot(m, n) > least_normals};
  }

  /// The panel on the other side of edge k and its edge; -1 if there is none or more than one.
  RANKINE_HD Edge across(std::int32_t panel, int k) const {
    const std::int32_t from = node(panel, k), to = node(panel, (k + 1) % corners(panel));
    Edge found{-1, 0};
    for (const std::int32_t j : panels_at_edge(around_, from, to)) {
      if (j == panel) continue;
      const int count = corners(j);
      for (int e = 0; e < count; ++e) {
        const std::int32_t a = node(j, e), b = node(j, (e + 1) % count);
        if ((a != from || b != to) && (a != to || b != from)) continue;
        if (found.panel >= 0) return {-1, 0};
        found = {j, e};
      }
    }
    return found;
  }

  Around around_;
  double least_cosine_;
};

/// Number of points of the triangle rule for areas of curved panels.
inline constexpr int surface_area_points = 7;

/// Geometry of a panel with bulges.
struct CurvedPanel {
  Vec3d centroid, normal, vector_area;
  double area, radius;
};

/// Measures a panel with bulges; its point is still that of the flat panel. `rule` has
/// surface_area_points points.
RANKINE_HD inline CurvedPanel on_surface(PanelShape<double>& shape, const Vec3d& centroid,
                                         const TrianglePoint* rule) {
  shape.curved = true;
  CurvedPanel panel{};
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (int k = 0; k < surface_area_points; ++k) {
      const Vec3d part = rule[k].weight * triangle.vector_area(rule[k].a, rule[k].b, rule[k].c);
      panel.area += norm(part);
      panel.vector_area += part;
    }
  }
  const SurfacePoint point = surface_over(shape, centroid);
  panel.centroid = point.point;
  panel.normal = point.normal;
  panel.radius = radius_about(shape, panel.centroid);
  return panel;
}

}  // namespace rankine::bem
