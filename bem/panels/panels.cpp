#include "rankine/bem/panels/panels.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <string>
#include <utility>

#include "rankine/bem/panels/curve_panels.hpp"
#include "rankine/bem/panels/measure_panel.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/halo.hpp"

namespace rankine::bem {
namespace {

std::string where(const meshes::SurfaceMesh& mesh, std::size_t element) {
  std::string text = "element " + std::to_string(element);
  if (!mesh.source.empty()) text += " of " + mesh.source;
  return text;
}

/// Describes the fault of an element's corners; empty if there is none.
std::string fault_of(const meshes::SurfaceMesh& mesh, std::size_t index) {
  const meshes::Element& element = mesh.elements[index];
  for (int k = 0; k < meshes::corner_count(element); ++k) {
    if (element[k] < 0 || static_cast<std::size_t>(element[k]) >= mesh.nodes.size()) {
      return text_of(where(mesh, index), " names node ", element[k], ", but there are ",
                     mesh.nodes.size(), " nodes; repair the mesh file");
    }
    if (!is_finite(mesh.nodes[element[k]])) {
      return where(mesh, index) + " has a corner whose coordinates are not finite (node " +
             std::to_string(element[k]) + "); repair the mesh file";
    }
  }
  return {};
}

/// Throws if an element has a node index out of range or a corner that is not finite.
void check_elements(const meshes::SurfaceMesh& mesh) {
  const std::size_t count = mesh.elements.size();
  const std::size_t bad = parallel_find(
      count, [&](std::size_t i) { return !fault_of(mesh, i).empty(); }, 512);
  if (bad < count) throw MeshError(fault_of(mesh, bad));
}

/// Returns the previous value; several threads may count at the same time.
std::int64_t add_one(std::int64_t& value) {
  return std::atomic_ref(value).fetch_add(1, std::memory_order_relaxed);
}

/// The results of measure_panel().
void resize_measured(Panels& panels, std::size_t count) {
  panels.shape.changed().resize(count);
  panels.centroid.changed().resize(count);
  panels.normal.changed().resize(count);
  panels.area.changed().resize(count);
  panels.vector_area.changed().resize(count);
  panels.radius.changed().resize(count);
}

/// The elements of a mesh as flat panels.
Panels flat_panels(const meshes::SurfaceMesh& mesh) {
  check_elements(mesh);
  const std::size_t count = mesh.elements.size();
  Panels panels;
  resize_measured(panels, count);
  AlignedVector<meshes::Element>& nodes = panels.nodes.changed();
  nodes.resize(count);
  AlignedVector<PanelShape<double>>& shape = panels.shape.changed();
  const MeasuredArrays measured(panels);
  const auto measure_one = [&](std::size_t i, std::size_t& first) {
    nodes[i] = mesh.elements[i];
    const MeasuredPanel panel = measure_panel(
        nodes[i], [&](std::int32_t node) { return mesh.nodes[static_cast<std::size_t>(node)]; });
    shape[i] = panel.shape;
    measured.set(i, panel);
    if (panel.degenerate) first = std::min(first, i);
  };
  const std::size_t bad = parallel_reduce(
      count, count, measure_one,
      [](std::size_t& all, std::size_t part) { all = std::min(all, part); }, 512);
  if (bad < count) {
    throw MeshError(where(mesh, bad) + " has no area (" + text_of(panels.area[bad]) +
                    " m^2); remove degenerate elements from the mesh");
  }
  panels.node_count = mesh.nodes.size();
  panels.sharp_angle = mesh.sharp_angle;
  panels.at_nodes = panels_at_nodes(panels);
  return panels;
}

/// Panels of the elements; statistics include only the first `counted` ones.
Panels panels_of(const meshes::SurfaceMesh& mesh, PanelGeometry kind, std::size_t counted,
                 const PanelFit& fit) {
  std::optional<BentPanels> bent;
  const bool may_fit = mesh.mid_nodes.empty() && mesh.sharp_angle == meshes::default_sharp_angle;
  if (fit && may_fit) bent = fit(mesh.nodes, mesh.elements, kind);
  if (!bent) bent = bend_panels(flat_panels(mesh), mesh);
  settle_bulges(*bent, mesh);
  Panels panels = std::move(bent->panels);
  panels.curves = report_curves(*bent, counted);
  panels.patch = mesh.patch;
  if (kind == PanelGeometry::curved && !bent->on_surface) curve_panels(panels);
  return panels;
}

/// Removes the panels after the first `count`, which are images.
void cut_halo(Panels& panels, std::size_t count,
              const std::vector<meshes::HaloMesh::Image>& images) {
  for (std::size_t k = 0; k < images.size(); ++k) {
    const auto [origin, image] = images[k];
    meshes::Element nodes = panels.nodes[count + k];
    if (panels.symmetry.rotation()) {  // rounding may have chosen another first corner
      const PanelShape<double>&own = panels.shape[origin], &there = panels.shape[count + k];
      const Vec3d first = panels.symmetry.point(image, own.corner[0]);
      const Vec3d* const closest = std::min_element(
          there.corner, there.corner + there.corners,
          [&](const Vec3d& a, const Vec3d& b) { return norm(a - first) < norm(b - first); });
      std::rotate(nodes.begin(), nodes.begin() + (closest - there.corner),
                  nodes.begin() + there.corners);
    }
    panels.halo.push_back({origin, image, nodes});
  }
  resize_measured(panels, count);
  panels.nodes.changed().resize(count);
  panels.patch.resize(std::min(count, panels.patch.size()));
  panels.edge_nodes = nullptr;
}

/// Volume of the cone from `origin` to a panel, m^3; negative if the normal points to `origin`.
double volume_under(const PanelShape<double>& shape, const Vec3d& origin) {
  static const std::vector<TrianglePoint> rule =
      triangle_rule(6);  // exact: the integrand is quartic
  double volume = 0.0;
  for (int half = 0; half + 2 < shape.corners; ++half) {
    const TrianglePatch<double> triangle = triangle_of(shape, half);
    for (const TrianglePoint& p : rule) {
      volume += p.weight / 3.0 *
                dot(triangle.point(p.a, p.b, p.c) - origin, triangle.vector_area(p.a, p.b, p.c));
    }
  }
  return volume;
}

}  // namespace

std::shared_ptr<const NodePanels> panels_at_nodes(const Panels& panels) {
  const std::size_t count = panels.size() + panels.halo.size();
  std::size_t node_count = panels.node_count;
  for (const HaloPanel& image : panels.halo) {
    for (const std::int32_t node : image.nodes)
      node_count = std::max(node_count, static_cast<std::size_t>(node + 1));
  }
  auto result = std::make_shared<NodePanels>();
  AlignedVector<std::int64_t>& offsets = result->offsets.changed();
  AlignedVector<std::int32_t>& at_node = result->panels.changed();
  offsets.resize(node_count + 1, 0);
  const auto for_corners = [&](auto&& visit) {
    parallel_for(count, [&](std::size_t j) {
      const meshes::Element& corners =
          j < panels.size() ? panels.nodes[j] : panels.halo[j - panels.size()].nodes;
      for (int k = 0; k < meshes::corner_count(corners); ++k)
        visit(static_cast<std::int32_t>(j), static_cast<std::size_t>(corners[k]));
    });
  };
  for_corners([&](std::int32_t, std::size_t node) { add_one(offsets[node + 1]); });
  for (std::size_t node = 0; node < node_count; ++node) offsets[node + 1] += offsets[node];
  at_node.resize(static_cast<std::size_t>(offsets.back()));
  std::vector<std::int64_t> cursor(offsets.begin(), offsets.end() - 1);
  for_corners([&](std::int32_t j, std::size_t node) {
    at_node[static_cast<std::size_t>(add_one(cursor[node]))] = j;
  });
  // Sorted, so that the order does not depend on the threads.
  parallel_for(node_count, [&](std::size_t node) {
    std::sort(at_node.begin() + offsets[node], at_node.begin() + offsets[node + 1]);
  });
  return result;
}

Panels make_panels(const meshes::SurfaceMesh& mesh, PanelGeometry kind,
                   const meshes::Symmetry& symmetry, const PanelFit& fit) {
  const std::size_t count = mesh.elements.size();
  if (symmetry.empty()) return panels_of(mesh, kind, count, fit);
  check_elements(mesh);
  const meshes::HaloMesh wide = meshes::with_halo(mesh, symmetry);
  Panels panels = panels_of(wide.mesh, kind, count, fit);
  panels.symmetry = symmetry;
  cut_halo(panels, count, wide.images);
  panels.node_count = mesh.nodes.size();
  panels.at_nodes = panels_at_nodes(panels);
  return panels;
}

Panels joined(Panels panels, const Panels& behind) {
  assert(panels.symmetry.images() == behind.symmetry.images());
  // Nodes of images have numbers above those of the mesh.
  const auto nodes = static_cast<std::int32_t>(panels.node_count),
             nodes_behind = static_cast<std::int32_t>(behind.node_count),
             first_behind = static_cast<std::int32_t>(panels.size());
  std::int32_t end = nodes;
  const auto renumber = [](meshes::Element element, std::int32_t below, std::int32_t by,
                           std::int32_t else_by) {
    for (std::int32_t& node : element)
      if (node >= 0) node += node < below ? by : else_by;
    return element;
  };
  for (HaloPanel& image : panels.halo) {
    for (const std::int32_t node : image.nodes) end = std::max(end, node + 1);
    image.nodes = renumber(image.nodes, nodes, 0, nodes_behind);
  }
  for (HaloPanel image : behind.halo) {
    image.origin += first_behind;
    image.nodes = renumber(image.nodes, nodes_behind, nodes, end);
    panels.halo.push_back(image);
  }
  const auto append = []<class T>(FetchedVector<T>& to, const FetchedVector<T>& from) {
    to.changed().insert(to.changed().end(), from.begin(), from.end());
  };
  append(panels.shape, behind.shape);
  append(panels.centroid, behind.centroid);
  append(panels.normal, behind.normal);
  append(panels.area, behind.area);
  append(panels.vector_area, behind.vector_area);
  append(panels.radius, behind.radius);
  panels.patch.insert(panels.patch.end(), behind.patch.begin(), behind.patch.end());
  for (const meshes::Element& element : behind.nodes)
    panels.nodes.changed().push_back(renumber(element, nodes_behind, nodes, nodes));
  panels.node_count += behind.node_count;
  panels.at_nodes = panels_at_nodes(panels);
  panels.rings = nullptr;
  panels.edge_nodes = nullptr;
  return panels;
}

std::vector<const Mirror*> mirrors(const Panels& panels) {
  std::vector<const Mirror*> mirrors{&panels.shape.mirror(),      &panels.nodes.mirror(),
                                     &panels.centroid.mirror(),   &panels.normal.mirror(),
                                     &panels.area.mirror(),       &panels.radius.mirror(),
                                     &panels.vector_area.mirror()};
  if (panels.at_nodes) {
    mirrors.push_back(&panels.at_nodes->offsets.mirror());
    mirrors.push_back(&panels.at_nodes->panels.mirror());
  }
  return mirrors;
}

double enclosed_volume(const Panels& panels) {
  const Vec3d origin = panels.symmetry.origin();
  return parallel_sum(panels.size(),
                      [&](std::size_t i) { return volume_under(panels.shape[i], origin); });
}

std::vector<double> enclosed_volumes(const Panels& panels, std::span<const std::int32_t> body,
                                     std::size_t bodies) {
  const Vec3d origin = panels.symmetry.origin();
  AlignedVector<double> under(panels.size());
  parallel_for(panels.size(),
               [&](std::size_t i) { under[i] = volume_under(panels.shape[i], origin); });
  std::vector<double> volume(bodies, 0.0);
  for (std::size_t i = 0; i < under.size(); ++i)
    volume[static_cast<std::size_t>(body[i])] += under[i];
  return volume;
}

double total_area(const Panels& panels) {
  return parallel_sum(panels.size(), [&](std::size_t j) { return panels.area[j]; });
}

}  // namespace rankine::bem
