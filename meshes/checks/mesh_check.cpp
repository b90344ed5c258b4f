#include "rankine/meshes/checks/mesh_check.hpp"

#include <algorithm>
#include <atomic>
#include <span>
#include <utility>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/counting.hpp"
#include "rankine/meshes/edges.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

Element sorted_corners(Element element) {
  std::sort(element.begin(), element.end());
  return element;
}

/// False if an element cannot be checked further.
bool check_indices(const SurfaceMesh& mesh, MeshReport& report) {
  const auto nodes = static_cast<std::int32_t>(mesh.nodes.size());
  std::vector<std::uint8_t> used(mesh.nodes.size(), 0);
  report.bad_indices =
      parallel_reduce(mesh.elements.size(), Finding{}, [&](std::size_t e, Finding& bad) {
        const Element& element = mesh.elements[e];
        const std::span<const std::int32_t> corners(element.data(), corner_count(element));
        if (!std::ranges::all_of(corners, [&](std::int32_t n) { return n >= 0 && n < nodes; })) {
          bad.add(e, {});
          return;
        }
        for (const std::int32_t n : corners)
          std::atomic_ref(used[n]).store(1, std::memory_order_relaxed);
      });
  report.unused_nodes = parallel_reduce(used.size(), Finding{}, [&](std::size_t n, Finding& found) {
    if (used[n] == 0) found.add(n, mesh.nodes[n]);
  });
  report.non_finite_nodes =
      parallel_reduce(used.size(), Finding{}, [&](std::size_t n, Finding& found) {
        if (used[n] != 0 && !is_finite(mesh.nodes[n])) found.add(n, {});
      });
  return report.bad_indices.count == 0 && report.non_finite_nodes.count == 0;
}

/// Edge lengths, aspect ratios and degenerate elements of some panels.
struct SizesOfPanels {
  double min_edge = 0.0, max_edge = 0.0, edge_sum = 0.0, max_aspect = 0.0;
  std::size_t edges = 0;
  std::vector<std::size_t> degenerate;

  void add(const SurfaceMesh& mesh, std::size_t e) {
    const Element& element = mesh.elements[e];
    const int corners = corner_count(element);
    double longest = 0.0;
    bool repeated = false;
    for (int k = 0; k < corners; ++k) {
      const double length = norm(mesh.nodes[element[(k + 1) % corners]] - mesh.nodes[element[k]]);
      longest = std::max(longest, length);
      min_edge = std::min(min_edge, length);
      edge_sum += length;
      ++edges;
      for (int l = 0; l < k; ++l) repeated = repeated || element[k] == element[l];
    }
    max_edge = std::max(max_edge, longest);
    const double area = norm(vector_area(mesh, element));
    if (repeated || area <= limits::no_size * longest * longest) {
      degenerate.push_back(e);
      return;
    }
    const double width = (corners == 3 ? 2.0 : 1.0) * area / longest;
    max_aspect = std::max(max_aspect, longest / width);
  }

  void join(const SizesOfPanels& next) {
    min_edge = std::min(min_edge, next.min_edge);
    max_edge = std::max(max_edge, next.max_edge);
    edge_sum += next.edge_sum;
    max_aspect = std::max(max_aspect, next.max_aspect);
    edges += next.edges;
    degenerate.insert(degenerate.end(), next.degenerate.begin(), next.degenerate.end());
  }
};

void check_panels(const SurfaceMesh& mesh, MeshReport& report) {
  SizesOfPanels none;
  none.min_edge = mesh.elements.empty() ? 0.0 : report.box.diagonal();
  const SizesOfPanels all =
      parallel_reduce(mesh.elements.size(), none,
                      [&](std::size_t e, SizesOfPanels& sizes) { sizes.add(mesh, e); });
  report.min_edge = all.min_edge;
  report.max_edge = all.max_edge;
  report.max_aspect = all.max_aspect;
  for (const std::size_t e : all.degenerate)
    report.degenerate.add(e, corner_mean(mesh, mesh.elements[e]));
  if (all.edges > 0) report.mean_edge = all.edge_sum / static_cast<double>(all.edges);
}

/// Finds elements with equal corners. They have the same smallest node, so it sorts only within the
/// bucket of each.
void check_duplicates(const SurfaceMesh& mesh, MeshReport& report) {
  const auto smallest = [&](std::size_t e) {
    const Element& element = mesh.elements[e];
    return *std::min_element(element.begin(), element.begin() + corner_count(element));
  };
  std::vector<std::size_t> end(mesh.nodes.size() + 1, 0);
  parallel_for(mesh.elements.size(), [&](std::size_t e) { count_on(end[smallest(e) + 1]); });
  for (std::size_t n = 1; n < end.size(); ++n) end[n] += end[n - 1];
  AlignedVector<std::int32_t> order(mesh.elements.size());
  parallel_for(order.size(), [&](std::size_t e) {
    order[count_on(end[smallest(e)])] = static_cast<std::int32_t>(e);
  });
  using Bucket = std::vector<std::pair<Element, std::int32_t>>;
  const auto find_in = [&](std::size_t n, Bucket& bucket, auto& found) {
    const std::size_t first = n == 0 ? 0 : end[n - 1];
    if (end[n] - first < 2) return;
    bucket.clear();
    for (std::size_t k = first; k < end[n]; ++k)
      bucket.emplace_back(sorted_corners(mesh.elements[order[k]]), order[k]);
    std::sort(bucket.begin(), bucket.end());
    for (std::size_t k = 1; k < bucket.size(); ++k) {
      if (bucket[k].first == bucket[k - 1].first) found.push_back(bucket[k].second);
    }
  };
  using Indices = std::vector<std::size_t>;
  Indices duplicates =
      parallel_reduce(mesh.nodes.size(), Indices{}, [&](std::size_t n, Indices& found) {
        thread_local Bucket bucket;
        find_in(n, bucket, found);
      });
  std::sort(duplicates.begin(), duplicates.end());
  for (const std::size_t e : duplicates) {
    report.duplicates.add(e, corner_mean(mesh, mesh.elements[e]));
  }
}

void check_edges(const SurfaceMesh& mesh, const EdgeTable& edges, const Symmetry& symmetry,
                 MeshReport& report) {
  struct OfEdges {
    Finding inconsistent, boundary, non_manifold;
    std::size_t in_plane = 0, on_rim = 0;

    void join(const OfEdges& later) {
      inconsistent.join(later.inconsistent);
      boundary.join(later.boundary);
      non_manifold.join(later.non_manifold);
      in_plane += later.in_plane;
      on_rim += later.on_rim;
    }
  };
  const auto add = [&](std::int32_t near, std::span<const HalfEdge> sides, OfEdges& found) {
    const HalfEdge& side = sides.front();
    const bool in_plane = lies_in_plane(mesh, symmetry, near, side.far_node);
    if (in_plane && sides.size() == 1) {
      ++found.in_plane;
      return;
    }
    if (sides.size() == 1 && is_thin(mesh, side.element)) {
      ++found.on_rim;
      return;
    }
    const bool paired = sides.size() == 2 && !in_plane;
    if (paired && sides[0].forward != sides[1].forward) return;
    Finding& finding = paired              ? found.inconsistent
                       : sides.size() == 1 ? found.boundary
                                           : found.non_manifold;
    finding.add(side.element, 0.5 * (mesh.nodes[near] + mesh.nodes[side.far_node]));
  };
  OfEdges found = parallel_reduce(edges.nodes(), OfEdges{}, [&](std::size_t n, OfEdges& of_block) {
    edges.for_each_edge_from(n, [&](std::int32_t near, std::span<const HalfEdge> sides) {
      add(near, sides, of_block);
    });
  });
  report.inconsistent_edges = std::move(found.inconsistent);
  report.boundary_edges = std::move(found.boundary);
  report.non_manifold_edges = std::move(found.non_manifold);
  report.plane_edges = found.in_plane;
  report.rim_edges = found.on_rim;
}

void measure_bodies(const SurfaceMesh& mesh, const Bodies& bodies, const Symmetry& symmetry,
                    MeshReport& report) {
  const AlignedVector<double> volumes = volumes_under(mesh, bodies, symmetry);
  report.bodies = value_of_bodies<Body>(
      bodies,
      [&](std::size_t e, Body& body) {
        const Element& element = mesh.elements[e];
        ++body.panels;
        body.area += norm(vector_area(mesh, element));
        body.thin = body.thin || is_thin(mesh, e);
        body.volume += volumes[e];
        for (int k = 0; k < corner_count(element); ++k) body.box.add(mesh.nodes[element[k]]);
      },
      [](Body& body, const Body& part) { body.join(part); });
  for (Body& body : report.bodies) {
    if (body.thin) body.volume = 0.0;
    report.area += body.area;
    report.volume += body.volume;
  }
}

constexpr std::size_t kept_findings = 5;

}  // namespace

void Finding::add(std::size_t index, const Vec3d& position) {
  if (count++ == 0) where = position;
  if (first.size() < kept_findings && (first.empty() || first.back() != index))
    first.push_back(index);
}

void Finding::join(const Finding& later) {
  if (count == 0) where = later.where;
  count += later.count;
  for (const std::size_t index : later.first) {
    if (first.size() < kept_findings && (first.empty() || first.back() != index))
      first.push_back(index);
  }
}

void Body::join(const Body& part) {
  panels += part.panels;
  area += part.area;
  volume += part.volume;
  thin = thin || part.thin;
  box.join(part.box);
}

MeshReport check_mesh(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  MeshReport report;
  report.nodes = mesh.nodes.size();
  report.triangles = parallel_count(
      mesh.elements.size(), [&](std::size_t e) { return corner_count(mesh.elements[e]) == 3; });
  report.quadrilaterals = mesh.elements.size() - report.triangles;
  if (!check_indices(mesh, report)) return report;
  report.box = bounding_box(mesh);
  check_panels(mesh, report);
  check_duplicates(mesh, report);
  report.connections = std::make_shared<const Connections>(mesh);
  check_edges(mesh, report.connections->edges, symmetry, report);
  measure_bodies(mesh, report.connections->bodies, symmetry, report);
  return report;
}

}  // namespace rankine::meshes
