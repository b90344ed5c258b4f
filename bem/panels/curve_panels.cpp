#include "rankine/bem/panels/curve_panels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/panels/edge_curves.hpp"
#include "rankine/bem/panels/line_triangle.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/node_normals.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/bem/panels/spatial_order.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

// Normals at the nodes of the smooth surface that a mesh represents. Sharp edges divide the panels
// at a node into sides, and each side has a normal, from a polynomial fitted to the heights of the
// surrounding nodes (bem/panels/plane_fit.hpp).

/// The data of flat panels that NodeNormals (bem/panels/node_normals.hpp) and EdgeCurves
/// (edge_curves.hpp) need; nodes in metres.
struct FlatSurroundings {
  const PanelNeighbourhood& around;
  std::span<const Vec3d> positions;

  const meshes::Element& nodes(std::int32_t panel) const { return around.panels().nodes[panel]; }
  const Vec3d& normal(std::int32_t panel) const { return around.panels().normal[panel]; }
  double area(std::int32_t panel) const { return around.panels().area[panel]; }
  std::span<const std::int32_t> panels_at(std::int32_t node) const {
    return around.panels_at(node);
  }
  const Vec3d& position(std::int32_t node) const {
    return positions[static_cast<std::size_t>(node)];
  }
};

using HostNodeNormals = NodeNormals<FlatSurroundings, std::vector<std::int32_t>>;

/// Unit normals at the corners of all panels; nodes in metres.
CornerNormals corner_normals(const PanelNeighbourhood& around, std::span<const Vec3d> nodes) {
  CornerNormals normals(around.panels().size());
  const AlignedVector<std::int32_t> order = spatial_order(nodes);
  constexpr std::size_t chunk = 256;
  parallel_chunks(
      order.size(), chunk,
      [&] {
        return HostNodeNormals({around, nodes}, around.least_cosine());
      },
      [&](std::size_t k, HostNodeNormals& of_thread) {
        of_thread.find(order[k], [&](std::int32_t panel, int corner, const Vec3d& n) {
          normals[static_cast<std::size_t>(panel)][static_cast<std::size_t>(corner)] = {
              static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
        });
      });
  return normals;
}

// Bulges of edges from the mid-nodes of second-order elements.

/// The mid-nodes of an element are used if at least one of them is off its chord. If none is, they
/// contain no information about the surface between the nodes.
class MidNodeBulges {
 public:
  /// `panels` are those of `mesh`, in its order; both must outlive this object.
  MidNodeBulges(const Panels& panels, const meshes::SurfaceMesh& mesh);

  bool has(std::int32_t panel) const {
    return !turns_.empty() && turns_[static_cast<std::size_t>(panel)] >= 0;
  }

  /// The bulge of the edge from corner `k` of a panel with mid-nodes.
  Vec3d edge(std::int32_t panel, int k) const;

  /// The bulge of the diagonal of such a quadrilateral, from the centre of the eight-node element.
  Vec3d diagonal(std::int32_t panel) const;

 private:
  const Panels& panels_;
  const meshes::SurfaceMesh& mesh_;
  std::vector<std::int8_t> turns_;  ///< the corner of the element that is the first corner of the
                                    ///< panel; -1: no mid-nodes
};

MidNodeBulges::MidNodeBulges(const Panels& panels, const meshes::SurfaceMesh& mesh)
    : panels_(panels), mesh_(mesh) {
  if (mesh.mid_nodes.empty()) return;
  turns_.assign(panels.size(), -1);
  parallel_for(panels.size(), [&](std::size_t j) {
    const int corners = panels.shape[j].corners;
    std::int8_t turn = 0;
    while (mesh.elements[j][static_cast<std::size_t>(turn)] != panels.nodes[j][0]) ++turn;
    const meshes::MidNodes straight = meshes::straight_mid_nodes(mesh, mesh.elements[j]);
    for (int k = 0; k < corners; ++k) {
      const Vec3d& from = mesh.nodes[mesh.elements[j][k]];
      const Vec3d& to = mesh.nodes[mesh.elements[j][(k + 1) % corners]];
      const Vec3d chord = to - from;
      if (norm(cross(mesh.mid_nodes[j][k] - straight[k], chord)) > least_rise * dot(chord, chord))
        turns_[j] = turn;
    }
  });
}

Vec3d MidNodeBulges::edge(std::int32_t panel, int k) const {
  const auto j = static_cast<std::size_t>(panel);
  const PanelShape<double>& shape = panels_.shape[j];
  const int next = (k + 1) % shape.corners;
  const Vec3d& middle =
      mesh_.mid_nodes[j][static_cast<std::size_t>((k + turns_[j]) % shape.corners)];
  return middle - 0.5 * (shape.corner[k] + shape.corner[next]);
}

Vec3d MidNodeBulges::diagonal(std::int32_t panel) const {
  // At the centre of the eight-node element the weight of mid-nodes is 1/2, that of corners -1/4.
  const Vec3d* c = panels_.shape[panel].corner;
  Vec3d bulges{};
  for (int k = 0; k < 4; ++k) bulges += edge(panel, k);
  return 0.25 * (c[1] + c[3] - c[0] - c[2]) + 0.5 * bulges;
}

/// The data that EdgeCurves needs.
struct CurveSurroundings : FlatSurroundings {
  const CornerNormals& normals;
  const MidNodeBulges& given;
  const std::vector<std::uint8_t>* times_lowered;  ///< null: no panel was lowered

  Vec3d corner_normal(std::int32_t panel, int corner) const {
    const Vec3<float>& n =
        normals[static_cast<std::size_t>(panel)][static_cast<std::size_t>(corner)];
    return {n.x, n.y, n.z};
  }
  std::uint8_t lowered(std::int32_t panel) const {
    return times_lowered == nullptr ? std::uint8_t{0}
                                    : (*times_lowered)[static_cast<std::size_t>(panel)];
  }
  bool has_given(std::int32_t panel) const { return given.has(panel); }
  Vec3d given_edge(std::int32_t panel, int k) const { return given.edge(panel, k); }
  Vec3d given_diagonal(std::int32_t panel) const { return given.diagonal(panel); }
};

/// Whether the segment from a to b crosses a triangle.
bool crosses(const Vec3d& a, const Vec3d& b, const TrianglePatch<double>& triangle) {
  const auto hit = meet(a, b - a, triangle);
  return hit && hit->t > 0.0 && hit->t <= 1.0 && hit->inside >= 0.0;
}

/// Panels whose collocation point would move through another panel, as between sheets that are
/// closer than the bulge.
std::vector<std::uint8_t> find_breaches(const BentPanels& bent) {
  const Panels& panels = bent.panels;
  std::vector<std::uint8_t> breaches(panels.size(), 0);
  const auto end_of = [&](std::size_t j) {
    return surface_over(panels.shape[j], panels.centroid[j]).point;
  };
  std::vector<std::int32_t> movers;
  std::vector<Vec3d> targets, ends;
  double longest = 0.0;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    if ((bent.flags[j] & bend_moves) == 0) continue;
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

/// The `marked` panels and those that share a node with one of them.
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

}  // namespace

BentPanels bend_panels(Panels flat, const meshes::SurfaceMesh& mesh) {
  BentPanels bent{.panels = std::move(flat), .flags = {}, .normals = {}};
  Panels& panels = bent.panels;
  const PanelNeighbourhood around(panels);
  bent.normals = corner_normals(around, mesh.nodes);
  const MidNodeBulges given(panels, mesh);
  const EdgeCurves<CurveSurroundings> curves({{around, mesh.nodes}, bent.normals, given, nullptr},
                                             around.least_cosine());
  bent.flags.resize(panels.size());
  AlignedVector<PanelShape<double>>& shape = panels.shape.changed();
  parallel_for(panels.size(), [&](std::size_t j) {
    bent.flags[j] =
        curves.bend(static_cast<std::int32_t>(j), shape[j], panels.centroid[j], panels.radius[j]);
  });
  return bent;
}

bool may_stay(const BentPanels& bent) {
  return !parallel_any(bent.flags.size(), [&](std::size_t j) {
    return (bent.flags[j] & (bend_moves | bend_steep)) != 0;
  });
}

void settle_bulges(BentPanels& bent, const meshes::SurfaceMesh& mesh) {
  if (may_stay(bent)) return;
  Panels& panels = bent.panels;
  const PanelNeighbourhood around(panels);
  const MidNodeBulges given(panels, mesh);
  std::vector<std::uint8_t> lowered(panels.size(), 0);
  const EdgeCurves<CurveSurroundings> curves({{around, mesh.nodes}, bent.normals, given, &lowered},
                                             around.least_cosine());
  AlignedVector<PanelShape<double>>& shape = panels.shape.changed();
  const auto bend_around = [&](const std::vector<std::uint8_t>& found) {
    const std::vector<std::uint8_t> touched = touching(around, found);
    parallel_for(panels.size(), [&](std::size_t j) {
      if (touched[j] == 0) return;
      bent.flags[j] =
          curves.bend(static_cast<std::int32_t>(j), shape[j], panels.centroid[j], panels.radius[j]);
    });
  };
  // Panels whose points would cross others get straight edges. Reducing the bulges of a panel may
  // make a neighbour steep whose other edges have bulges. So panels with reduced bulges are checked
  // again after all others.
  std::vector<std::uint8_t> found = find_breaches(bent);
  for (std::size_t j = 0; j < panels.size(); ++j) lowered[j] = found[j] != 0 ? most_lowered : 0;
  bend_around(found);
  for (;;) {
    std::uint8_t least = most_lowered;
    for (std::size_t j = 0; j < panels.size(); ++j) {
      if ((bent.flags[j] & bend_steep) != 0) least = std::min(least, lowered[j]);
    }
    if (least == most_lowered) return;
    parallel_for(panels.size(), [&](std::size_t j) {
      found[j] = (bent.flags[j] & bend_steep) != 0 && lowered[j] == least ? 1 : 0;
      lowered[j] = static_cast<std::uint8_t>(lowered[j] + found[j]);
    });
    bend_around(found);
  }
}

CurveReport report_curves(const BentPanels& bent, std::size_t counted) {
  const auto with = [&](std::uint8_t flag) {
    return parallel_count(counted, [&](std::size_t j) { return (bent.flags[j] & flag) != 0; });
  };
  return {.curved = with(bend_curved), .straight = with(bend_refused)};
}

void curve_panels(Panels& panels) {
  static const std::vector<TrianglePoint> rule = triangle_rule(surface_area_points);
  AlignedVector<PanelShape<double>>& shapes = panels.shape.changed();
  const MeasuredArrays measured(panels);
  parallel_for(panels.size(), [&](std::size_t j) {
    PanelShape<double>& shape = shapes[j];
    if (total_bulge(shape) > 0.0)
      measured.set(j, on_surface(shape, measured.centroid[j], rule.data()));
  });
}

}  // namespace rankine::bem
