#include "rankine/bem/lift/trailing_edge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::bem {
namespace {

/// Cosine between the stream and the direction out of a sharp edge, or the normal of a base.
constexpr double least_leaving = 0.5;
/// Cosine of the angle of 45 degrees by which the surface turns at the corners of a base.
constexpr double most_smooth = meshes::limits::facing_cosine;
/// Cosine of 75 degrees: strips from edges along the stream would have no width.
constexpr double named_leaving = 0.26;
/// The largest thickness of a base, in units of its length.
constexpr double most_thickness = 0.05;

/// One side of an edge.
struct Side {
  std::int32_t panel;
  Vec3d normal;  ///< unit vector
  Vec3d into;    ///< from the edge into the panel, normal to the edge, unit vector
};

struct Edge {
  std::int32_t a, b;
  Vec3d from, along;
  Side one, other;

  Vec3d middle() const { return from + 0.5 * along; }
  double cosine() const { return dot(one.into, other.into); }  ///< of the angle of the body
  Vec3d out() const { return -1.0 * (one.into + other.into); }
  bool is_convex() const { return dot(one.into, other.normal) + dot(other.into, one.normal) < 0.0; }
  bool is_flat() const { return dot(one.normal, other.normal) > most_smooth; }
  /// Cosine of the angle between the outward bisector and a unit vector.
  double leaving(const Vec3d& stream) const { return dot(out(), stream) / norm(out()); }
};

/// Directions into panels are computed from the corners: at thin edges this is more accurate than
/// the sum of the normals.
Side side_of(const Panels& panels, std::int32_t panel, const Vec3d& from, const Vec3d& along) {
  const auto j = static_cast<std::size_t>(panel);
  const PanelShape<double>& shape = panels.shape[j];
  Vec3d r{};
  for (int k = 0; k < shape.corners; ++k) r += (shape.corner[k] - from) / shape.corners;
  const Vec3d across = r - dot(r, along) / dot(along, along) * along;
  return {panel, panels.vector_area[j] / norm(panels.vector_area[j]), across / norm(across)};
}

/// Edges between two panels of the modelled part for which keep(edge) holds.
template <class Keep>
std::vector<Edge> edges_of(const Panels& panels, Keep keep) {
  const PanelNeighbourhood neighbourhood(panels);
  return parallel_reduce(panels.size(), std::vector<Edge>{}, [&](std::size_t e, auto& edges) {
    const meshes::Element& element = panels.nodes[e];
    const auto own = static_cast<std::int32_t>(e);
    const int corners = meshes::corner_count(element);
    for (int k = 0; k < corners; ++k) {
      const std::int32_t a = element[k], b = element[(k + 1) % corners];
      neighbourhood.for_each_at_edge(a, b, [&](std::int32_t other) {
        if (other <= own || static_cast<std::size_t>(other) >= panels.size()) return;
        const Vec3d from = corner_at(panels, own, a), along = corner_at(panels, own, b) - from;
        const Edge edge{a,
                        b,
                        from,
                        along,
                        side_of(panels, own, from, along),
                        side_of(panels, other, from, along)};
        if (keep(edge)) edges.push_back(edge);
      });
    }
  });
}

/// Whether any edge is not flat.
bool has_corners(const Panels& panels) {
  const PanelNeighbourhood neighbourhood(panels);
  const auto unit = [&](std::int32_t panel) {
    const Vec3d& area = panels.vector_area[static_cast<std::size_t>(panel)];
    return area / norm(area);
  };
  return parallel_any(panels.size(), [&](std::size_t e) {
    bool turns = false;
    const meshes::Element& element = panels.nodes[e];
    const int corners = meshes::corner_count(element);
    const Vec3d own = unit(static_cast<std::int32_t>(e));
    for (int k = 0; k < corners; ++k) {
      neighbourhood.for_each_at_edge(element[k], element[(k + 1) % corners], [&](std::int32_t j) {
        const bool image = static_cast<std::size_t>(j) >= panels.size();
        if (!image && !(dot(own, unit(j)) > most_smooth)) turns = true;
      });
    }
    return turns;
  });
}

/// The direction to the upper side.
Vec3d up_at(const Edge& edge, const RelativeStream& stream) {
  const Vec3d& along = edge.along;
  if (stream.turns()) return -1.0 * stream.velocity;
  const bool upright = std::abs(along.z) > std::max(std::abs(along.x), std::abs(along.y));
  return upright ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
}

EdgeSegment segment_between(std::int32_t first, std::int32_t second, const Side& upper,
                            const Side& lower, const Vec3d& base) {
  const Vec3d out = -1.0 * (upper.into + lower.into);
  const double cosine = std::clamp(dot(upper.into, lower.into), -1.0, 1.0);
  return {first, second, upper.panel, lower.panel, std::acos(cosine), out / norm(out), base};
}

/// The segment between two sides; the upper one is at `edge`.
EdgeSegment segment_of(const Edge& edge, const Side& one, const Side& other, const Vec3d& base,
                       const RelativeStream& stream) {
  const Vec3d up = up_at(edge, stream);
  const bool one_is_upper = dot(one.normal, up) > dot(other.normal, up);
  return segment_between(edge.a, edge.b, one_is_upper ? one : other, one_is_upper ? other : one,
                         base);
}

/// For edges that are not corners of a base.
EdgeVerdict verdict_of_sharp(const Edge& edge, const RelativeStream& stream, bool named,
                             double least = least_leaving) {
  const double leaving = edge.leaving(stream.direction_at(edge.middle()));
  if (!(leaving >= (named ? named_leaving : least))) return EdgeVerdict::not_left;
  // At named edges the angle may be up to 120 degrees: the singular term is then nearly linear.
  const double blunt = (named ? 1.0 : -1.0) * meshes::limits::opposed_cosine;
  return edge.is_convex() && edge.cosine() >= blunt ? EdgeVerdict::sheds : EdgeVerdict::blunt;
}

/// A corner between a panel of a base and a panel outside it.
struct Corner {
  const Edge* edge;
  Side outer;
};

struct Base {
  std::vector<Corner> corners;
  std::vector<std::int32_t> panels;
  double length = 0.0, area = 0.0;  ///< m, m^2

  bool is_thin() const { return area < most_thickness * length * length; }
};

/// Whether a panel faces downstream.
bool faces_aft(const Panels& panels, const Side& side, const RelativeStream& stream) {
  const Vec3d& x = panels.centroid[static_cast<std::size_t>(side.panel)];
  return dot(side.normal, stream.direction_at(x)) > least_leaving;
}

std::vector<Base> bases_of(const Panels& panels, const std::vector<Edge>& edges,
                           const RelativeStream& stream) {
  const auto faces = [&](const Side& side) { return faces_aft(panels, side, stream); };
  std::map<std::int32_t, std::int32_t> parent;  // of panels that face downstream
  const auto root = [&](std::int32_t panel) {
    parent.try_emplace(panel, panel);
    while (parent[panel] != panel) panel = parent[panel] = parent[parent[panel]];
    return panel;
  };
  for (const Edge& edge : edges) {
    if (faces(edge.one) && faces(edge.other) && edge.is_flat())
      parent[root(edge.one.panel)] = root(edge.other.panel);
  }
  std::map<std::int32_t, Base> bases;
  for (const Edge& edge : edges) {
    const bool one = faces(edge.one), other = faces(edge.other);
    if (one == other) continue;
    const Side &base = one ? edge.one : edge.other, &outer = one ? edge.other : edge.one;
    Base& of = bases[root(base.panel)];
    of.length += 0.5 * norm(edge.along);  // the rim runs along both long sides
    const bool convex = dot(base.into, outer.normal) < 0.0;
    if (convex && !edge.is_flat()) of.corners.push_back({&edge, outer});
  }
  for (const auto& [panel, above] : parent) {
    const auto found = bases.find(root(panel));
    if (found == bases.end()) continue;
    found->second.area += panels.area[static_cast<std::size_t>(panel)];
    found->second.panels.push_back(panel);
  }
  std::vector<Base> found;
  for (auto& [panel, base] : bases) {
    if (!base.corners.empty()) found.push_back(std::move(base));
  }
  return found;
}

/// The segment between a corner and the closest corner on the opposite side; none at the ends of a
/// base.
std::optional<EdgeSegment> segment_of(const Base& base, const Corner& corner,
                                      const RelativeStream& stream) {
  const Vec3d middle = corner.edge->middle();
  const Corner* closest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Corner& other : base.corners) {
    const double distance = norm(other.edge->middle() - middle);
    const bool opposite = dot(other.outer.normal, corner.outer.normal) < -most_smooth;
    if (!opposite || distance >= least) continue;
    least = distance;
    closest = &other;
  }
  if (closest == nullptr || least > most_thickness * base.length) return std::nullopt;
  const Vec3d along = corner.edge->along / norm(corner.edge->along);
  const Vec3d across = closest->edge->middle() - middle;
  return segment_of(*corner.edge, corner.outer, closest->outer, across - dot(across, along) * along,
                    stream);
}

}  // namespace

double depth_ratio(const Panels& panels, const EdgeSegment& edge) {
  const Vec3d first = corner_at(panels, edge.upper, edge.first),
              along = corner_at(panels, edge.upper, edge.second) - first;
  const auto depth = [&](std::int32_t panel, const Vec3d& from) {
    const Vec3d r = panels.centroid[static_cast<std::size_t>(panel)] - from;
    return norm(r - dot(r, along) / dot(along, along) * along);
  };
  const double upper = depth(edge.upper, first), lower = depth(edge.lower, first + edge.base);
  return std::max(upper, lower) / std::min(upper, lower);
}

EdgeSegment moved_edge(const Panels& panels, const EdgeSegment& edge, const Vec3d& base) {
  const Vec3d from = corner_at(panels, edge.upper, edge.first),
              along = corner_at(panels, edge.upper, edge.second) - from;
  const Vec3d across = base - dot(base, along) / dot(along, along) * along;
  return segment_between(edge.first, edge.second, side_of(panels, edge.upper, from, along),
                         side_of(panels, edge.lower, from + base, along), across);
}

TrailingEdges find_trailing_edges(const Panels& panels, const RelativeStream& stream,
                                  const EdgeNames& names) {
  TrailingEdges found;
  if (!names && !has_corners(panels)) return found;
  const std::vector<Edge> edges = edges_of(panels, [&](const Edge& edge) {
    return names || !edge.is_flat() || faces_aft(panels, edge.one, stream) ||
           faces_aft(panels, edge.other, stream);
  });
  const auto add = [&](const Edge& edge, EdgeVerdict verdict, const EdgeSegment& segment) {
    const bool named = names && verdict != EdgeVerdict::lower_corner && names(segment);
    if (names && !named && verdict == EdgeVerdict::sheds) verdict = EdgeVerdict::not_named;
    if (verdict == EdgeVerdict::sheds) found.segments.push_back(segment);
    found.edges.push_back({edge.a, edge.b, verdict, named, segment.angle,
                           depth_ratio(panels, segment), edge.middle()});
  };
  std::set<const Edge*> corners;
  for (const Base& base : bases_of(panels, edges, stream)) {
    const std::size_t before = found.segments.size();
    for (const Corner& corner : base.corners) {
      const EdgeSegment own =
          segment_of(*corner.edge, corner.edge->one, corner.edge->other, {}, stream);
      const bool named = names && names(own);
      const bool sharp = verdict_of_sharp(*corner.edge, stream, named) == EdgeVerdict::sheds;
      const std::optional<EdgeSegment> blunt =
          base.is_thin() ? segment_of(base, corner, stream) : std::nullopt;
      if (!blunt && (named || sharp)) continue;  // like any other edge
      corners.insert(corner.edge);
      if (!blunt) {
        add(*corner.edge, base.is_thin() ? EdgeVerdict::base_end : EdgeVerdict::thick_base, own);
      } else if (blunt->upper == corner.outer.panel) {
        add(*corner.edge, EdgeVerdict::sheds, *blunt);
      } else {
        add(*corner.edge, EdgeVerdict::lower_corner, own);
      }
    }
    if (found.segments.size() > before)
      found.base.insert(found.base.end(), base.panels.begin(), base.panels.end());
  }
  std::vector<const Edge*> rest;
  for (const Edge& edge : edges) {
    if (corners.contains(&edge)) continue;
    const EdgeSegment own = segment_of(edge, edge.one, edge.other, {}, stream);
    const bool named = names && names(own);
    if (!named && (!edge.is_convex() || edge.is_flat())) continue;
    const EdgeVerdict verdict = verdict_of_sharp(edge, stream, named);
    if (named || verdict != EdgeVerdict::not_left)
      add(edge, verdict, own);
    else
      rest.push_back(&edge);
  }
  std::set<std::int32_t> nodes;
  for (const EdgeSegment& edge : found.segments) nodes.insert({edge.first, edge.second});
  const auto continues = [&](const Edge* edge) {
    if (!nodes.contains(edge->a) && !nodes.contains(edge->b)) return false;
    const EdgeVerdict verdict = verdict_of_sharp(*edge, stream, false, fitted::along_edge);
    if (verdict != EdgeVerdict::sheds) return false;
    nodes.insert({edge->a, edge->b});
    add(*edge, verdict, segment_of(*edge, edge->one, edge->other, {}, stream));
    return true;
  };
  while (std::erase_if(rest, continues) > 0) {
  }
  for (const Edge* edge : rest)
    add(*edge, EdgeVerdict::not_left, segment_of(*edge, edge->one, edge->other, {}, stream));
  return found;
}

}  // namespace rankine::bem
