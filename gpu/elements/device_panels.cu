#include "rankine/gpu/elements/device_panels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/panels/edge_curves.hpp"
#include "rankine/bem/panels/measure_panel.hpp"
#include "rankine/bem/panels/node_normals.hpp"
#include "rankine/gpu/elements/device_surroundings.cuh"
#include "rankine/gpu/elements/short_list.cuh"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

struct PanelsView {
  meshes::Element* nodes;
  bem::PanelShape<double>* shape;
  Vec3d *centroid, *normal, *vector_area;
  double *area, *radius;
  std::uint8_t* flags;
  std::int64_t count;
};

struct NodesView {
  const Vec3d* position;
  std::int64_t* offsets;
  std::int32_t* panels;
  std::int64_t count;
};

/// Reasons why the host must fit all or some of the panels.
struct Findings {
  int is_unsupported;  ///< an invalid element, or more panels at a node than a thread can list
  int is_unsettled;    ///< a panel is steep, or its collocation point moves far
};

__device__ std::int64_t add_one(std::int64_t* value) {
  return static_cast<std::int64_t>(atomicAdd(reinterpret_cast<unsigned long long*>(value), 1ULL));
}

/// The mesh around nodes and panels, with the interface that bem::NodeNormals and bem::EdgeCurves
/// need.
struct Neighbourhood {
  PanelsView all;
  NodesView at;
  const Vec3<float>* corner_normals;  ///< four to a panel

  __device__ const meshes::Element& nodes(std::int32_t panel) const { return all.nodes[panel]; }
  __device__ const Vec3d& normal(std::int32_t panel) const { return all.normal[panel]; }
  __device__ double area(std::int32_t panel) const { return all.area[panel]; }
  __device__ const Vec3d& position(std::int32_t node) const { return at.position[node]; }
  __device__ std::span<const std::int32_t> panels_at(std::int32_t node) const {
    return {at.panels + at.offsets[node],
            static_cast<std::size_t>(at.offsets[node + 1] - at.offsets[node])};
  }
  __device__ Vec3d corner_normal(std::int32_t panel, int corner) const {
    const Vec3<float>& n = corner_normals[4 * static_cast<std::int64_t>(panel) + corner];
    return {n.x, n.y, n.z};
  }
  // On the device no bulges are reduced, and there are no mid-nodes.
  __device__ std::uint8_t lowered(std::int32_t) const { return 0; }
  __device__ bool has_given(std::int32_t) const { return false; }
  __device__ Vec3d given_edge(std::int32_t, int) const { return {}; }
  __device__ Vec3d given_diagonal(std::int32_t) const { return {}; }
};

__device__ bool has_corners(const meshes::Element& element, const NodesView& at) {
  for (int k = 0; k < meshes::corner_count(element); ++k) {
    const std::int32_t node = element[static_cast<std::size_t>(k)];
    if (node < 0 || node >= at.count) return false;
    const Vec3d& p = at.position[node];
    if (!isfinite(p.x) || !isfinite(p.y) || !isfinite(p.z)) return false;
  }
  return true;
}

/// Computes the geometry of a flat panel (all except its shape), and adds it to the panel counts of
/// its nodes.
__global__ void __launch_bounds__(loop_threads)
    measure_kernel(PanelsView all, NodesView at, Findings* findings) {
  const std::int64_t j = thread_index();
  if (j >= all.count) return;
  meshes::Element nodes = all.nodes[j];
  if (!has_corners(nodes, at)) {
    findings->is_unsupported = 1;
    return;
  }
  const bem::MeasuredPanel panel =
      bem::measure_panel(nodes, [&](std::int32_t node) { return at.position[node]; });
  if (panel.degenerate) findings->is_unsupported = 1;
  all.nodes[j] = nodes;
  all.centroid[j] = panel.centroid;
  all.normal[j] = panel.normal;
  all.vector_area[j] = panel.vector_area;
  all.area[j] = panel.area;
  all.radius[j] = panel.radius;
  for (int k = 0; k < meshes::corner_count(nodes); ++k)
    add_one(at.offsets + nodes[static_cast<std::size_t>(k)]);
}

/// Lists the panels at every node; `cursor`: start of the list of each node.
__global__ void __launch_bounds__(loop_threads)
    list_kernel(PanelsView all, NodesView at, std::int64_t* cursor) {
  const std::int64_t j = thread_index();
  if (j >= all.count) return;
  const meshes::Element& nodes = all.nodes[j];
  for (int k = 0; k < meshes::corner_count(nodes); ++k)
    at.panels[add_one(cursor + nodes[static_cast<std::size_t>(k)])] = static_cast<std::int32_t>(j);
}

/// Sorts the list of panels at every node.
__global__ void __launch_bounds__(loop_threads) sort_kernel(NodesView at, Findings* findings) {
  const std::int64_t node = thread_index();
  if (node >= at.count) return;
  const std::int64_t begin = at.offsets[node], end = at.offsets[node + 1];
  if (end - begin > static_cast<std::int64_t>(ShortList::capacity)) {
    findings->is_unsupported = 1;
    return;
  }
  for (std::int64_t k = begin + 1; k < end; ++k) {
    const std::int32_t panel = at.panels[k];
    std::int64_t place = k;
    for (; place > begin && at.panels[place - 1] > panel; --place)
      at.panels[place] = at.panels[place - 1];
    at.panels[place] = panel;
  }
}

/// Computes the normals at the corners of panels; `found`: four per panel.
__global__ void __launch_bounds__(loop_threads)
    normals_kernel(Neighbourhood around, double least_cosine, Vec3<float>* found,
                   Findings* findings) {
  const std::int64_t node = thread_index();
  if (node >= around.at.count) return;
  bem::NodeNormals<Neighbourhood, ShortList> normals(around, least_cosine);
  normals.find(static_cast<std::int32_t>(node),
               [&](std::int32_t panel, int corner, const Vec3d& n) {
                 found[4 * static_cast<std::int64_t>(panel) + corner] = {
                     static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
               });
  if (normals.nodes().overflows) findings->is_unsupported = 1;
}

__global__ void __launch_bounds__(loop_threads)
    bend_kernel(Neighbourhood around, double least_cosine, Findings* findings) {
  const std::int64_t j = thread_index();
  if (j >= around.all.count) return;
  const PanelsView& all = around.all;
  const meshes::Element& nodes = all.nodes[j];
  bem::PanelShape<double> shape{};
  shape.corners = meshes::corner_count(nodes);
  for (int k = 0; k < shape.corners; ++k)
    shape.corner[k] = around.position(nodes[static_cast<std::size_t>(k)]);
  const bem::EdgeCurves<Neighbourhood> curves(around, least_cosine);
  const std::uint8_t flags =
      curves.bend(static_cast<std::int32_t>(j), shape, all.centroid[j], all.radius[j]);
  if ((flags & (bem::bend_moves | bem::bend_steep)) != 0) findings->is_unsettled = 1;
  all.flags[j] = flags;
  all.shape[j] = shape;
}

struct Rule {
  bem::TrianglePoint point[bem::surface_area_points];
};

__global__ void __launch_bounds__(loop_threads)
    curve_kernel(PanelsView all, const __grid_constant__ Rule rule) {
  const std::int64_t j = thread_index();
  if (j >= all.count || (all.flags[j] & bem::bend_curved) == 0) return;
  bem::PanelShape<double> shape = all.shape[j];
  const bem::CurvedPanel panel = bem::on_surface(shape, all.centroid[j], rule.point);
  all.shape[j].curved = true;
  all.centroid[j] = panel.centroid;
  all.normal[j] = panel.normal;
  all.vector_area[j] = panel.vector_area;
  all.area[j] = panel.area;
  all.radius[j] = panel.radius;
}

Rule rule_of_area() {
  const std::vector<bem::TrianglePoint> points = bem::triangle_rule(bem::surface_area_points);
  Rule rule{};
  std::copy(points.begin(), points.end(), rule.point);
  return rule;
}

__global__ void __launch_bounds__(loop_threads)
    edge_node_kernel(const __grid_constant__ Neighbourhood around, double least_cosine,
                     std::uint8_t* marks) {
  const std::int64_t node = thread_index();
  if (node >= around.at.count) return;
  marks[node] = bem::may_have_edge(around, least_cosine, static_cast<std::int32_t>(node)) ? 1 : 0;
}

/// The arrays of the panels under construction.
struct PanelArrays {
  PanelArrays(std::span<const meshes::Element> elements, const Stream& stream)
      : nodes(elements.size(), stream),
        shape(elements.size(), stream),
        centroid(elements.size(), stream),
        normal(elements.size(), stream),
        vector_area(elements.size(), stream),
        area(elements.size(), stream),
        radius(elements.size(), stream),
        flags(elements.size(), stream) {
    if (!elements.empty())
      upload_bytes(nodes.data(), elements.data(), elements.size_bytes(), stream);
  }

  PanelsView view() {
    return {nodes.data(),  shape.data(),       centroid.data(),
            normal.data(), vector_area.data(), area.data(),
            radius.data(), flags.data(),       static_cast<std::int64_t>(nodes.size())};
  }
  void give_to(bem::BentPanels& bent, const Stream& stream) const {
    bem::Panels& panels = bent.panels;
    panels.nodes = nodes.given(stream);
    panels.shape = shape.given(stream);
    panels.centroid = centroid.given(stream);
    panels.normal = normal.given(stream);
    panels.vector_area = vector_area.given(stream);
    panels.area = area.given(stream);
    panels.radius = radius.given(stream);
    bent.flags = flags.fetch(stream);
  }

  Twin<meshes::Element> nodes;
  Twin<bem::PanelShape<double>> shape;
  Twin<Vec3d> centroid, normal, vector_area;
  Twin<double> area, radius;
  DeviceBuffer<std::uint8_t> flags;
};

}  // namespace

std::optional<bem::BentPanels> device_panels(std::span<const Vec3d> nodes,
                                             std::span<const meshes::Element> elements,
                                             bem::PanelGeometry kind, const Stream& stream) {
  const std::size_t count = elements.size(), node_count = nodes.size();
  if (count == 0) return std::nullopt;
  const double least_cosine = std::cos(bem::Panels{}.sharp_angle);
  PanelArrays arrays(elements, stream);
  const DeviceBuffer<Vec3d> positions(nodes, stream);
  Twin<std::int64_t> offsets(node_count + 1, stream);
  zero_bytes(offsets.data(), (node_count + 1) * sizeof(std::int64_t), stream);
  DeviceBuffer<Findings> findings(1, stream);
  findings.zero(stream);
  NodesView at{positions.data(), offsets.data(), nullptr, static_cast<std::int64_t>(node_count)};
  launch("measuring panels", &measure_kernel, one_thread_each(count), stream, arrays.view(), at,
         findings.data());
  sum_before(offsets.span(), stream);
  std::int64_t listed = 0;
  download_bytes(&listed, offsets.data() + node_count, sizeof listed, stream);
  if (findings.download(stream)[0].is_unsupported != 0) return std::nullopt;

  Twin<std::int32_t> at_node(static_cast<std::size_t>(listed), stream);
  at.panels = at_node.data();
  DeviceBuffer<std::int64_t> cursor = copied<std::int64_t>(offsets.span(), stream);
  launch("panels at nodes", &list_kernel, one_thread_each(count), stream, arrays.view(), at,
         cursor.data());
  launch("order of panels at nodes", &sort_kernel, one_thread_each(node_count), stream, at,
         findings.data());
  DeviceBuffer<Vec3<float>> corner_normals(4 * count, stream);
  corner_normals.zero(stream);
  const Neighbourhood around{arrays.view(), at, corner_normals.data()};
  // The lists of a node with too many panels would overflow a thread's memory.
  if (findings.download(stream)[0].is_unsupported != 0) return std::nullopt;
  launch("normals at nodes", &normals_kernel, one_thread_each(node_count), stream, around,
         least_cosine, corner_normals.data(), findings.data());
  launch("bending panels", &bend_kernel, one_thread_each(count), stream, around, least_cosine,
         findings.data());
  const Findings found = findings.download(stream)[0];
  if (found.is_unsupported != 0) return std::nullopt;

  bem::BentPanels bent;
  bent.on_surface = found.is_unsettled == 0 && kind == bem::PanelGeometry::curved;
  if (bent.on_surface) {
    launch("curving panels", &curve_kernel, one_thread_each(count), stream, arrays.view(),
           rule_of_area());
  }
  if (bent.on_surface || kind == bem::PanelGeometry::flat) {
    DeviceBuffer<std::uint8_t> marks(node_count, stream);
    launch("nodes at edges", &edge_node_kernel, one_thread_each(node_count), stream, around,
           least_cosine, marks.data());
    bent.panels.edge_nodes =
        std::make_shared<const std::vector<std::int32_t>>(marked(marks, stream));
  }
  arrays.give_to(bent, stream);
  if (found.is_unsettled != 0) {
    bent.normals.resize(count);
    download_bytes(bent.normals.data(), corner_normals.data(), corner_normals.bytes(), stream);
    stream.synchronize();
  }
  auto at_nodes = std::make_shared<bem::NodePanels>();
  at_nodes->offsets = offsets.given(stream);
  at_nodes->panels = at_node.given(stream);
  bent.panels.node_count = node_count;
  bent.panels.at_nodes = std::move(at_nodes);
  return bent;
}

}  // namespace rankine::gpu
