#include "rankine/gpu/elements/device_gradient.hpp"

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/elements/short_list.cuh"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

struct Task {
  const meshes::Element* elements;
  const Vec3d *centroids, *normals, *surface_normals;
  const double *radii, *areas, *values;
  const std::int64_t* offsets;
  const std::int32_t* at_node;
  double least_cosine;
  std::int64_t count;
  Vec3d* gradients;
  std::uint8_t* left_out;

  __device__ const meshes::Element& nodes(std::int32_t panel) const { return elements[panel]; }
  __device__ const Vec3d& normal(std::int32_t panel) const { return normals[panel]; }
  __device__ std::span<const std::int32_t> panels_at(std::int32_t node) const {
    return {at_node + offsets[node], static_cast<std::size_t>(offsets[node + 1] - offsets[node])};
  }
};

__global__ void __launch_bounds__(threads) gradient_kernel(const __grid_constant__ Task task) {
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i >= task.count) return;
  ShortList panels, nodes;
  bem::collect_rings(task, task.least_cosine, static_cast<std::int32_t>(i), 2, panels, nodes);
  task.left_out[i] = panels.overflows || nodes.overflows ? 1 : 0;
  const Vec3d centre = task.centroids[i];
  const bem::Tangents along(task.surface_normals[i]);
  const double scale = task.radii[i], own = task.values[i];
  const bem::PlanePolynomial f =
      bem::PlaneFit(
          static_cast<int>(panels.size()), static_cast<double>(panels.size()),
          [&](int k) {
            const std::int32_t j = panels[static_cast<std::size_t>(k)];
            const Vec3d r = (task.centroids[j] - centre) / scale;
            return bem::PlaneSample{dot(r, along.t1), dot(r, along.t2), task.values[j] - own};
          },
          bem::least_spread(task.areas[i], scale))
          .polynomial();
  task.gradients[i] = (f.slope_x() * along.t1 + f.slope_y() * along.t2) / scale;
}

}  // namespace

bem::SurfaceGradient device_surface_gradient(const bem::PanelNeighbourhood& neighbourhood,
                                             std::span<const double> values, const Stream& stream) {
  const bem::Panels& panels = neighbourhood.panels();
  const std::size_t count = panels.size();
  bem::SurfaceGradient result;
  result.normal.resize(count);
  result.gradient.resize(count);
  parallel_for(count, [&](std::size_t i) {
    result.normal[i] = bem::surface_normal(panels, static_cast<std::int32_t>(i));
  });

  const DeviceBuffer<meshes::Element> elements(panels.nodes, stream);
  const DeviceBuffer<Vec3d> centroids(panels.centroid, stream), normals(panels.normal, stream),
      surface_normals(result.normal, stream);
  const DeviceBuffer<double> radii(panels.radius, stream), areas(panels.area, stream),
      given(values, stream);
  const DeviceBuffer<std::int64_t> offsets(neighbourhood.offsets(), stream);
  const DeviceBuffer<std::int32_t> at_node(neighbourhood.at_node(), stream);
  DeviceBuffer<Vec3d> gradients(count, stream);
  DeviceBuffer<std::uint8_t> left_out(count, stream);
  const Task task{elements.data(),
                  centroids.data(),
                  normals.data(),
                  surface_normals.data(),
                  radii.data(),
                  areas.data(),
                  given.data(),
                  offsets.data(),
                  at_node.data(),
                  neighbourhood.least_cosine(),
                  static_cast<std::int64_t>(count),
                  gradients.data(),
                  left_out.data()};
  launch("surface gradient", &gradient_kernel,
         {dim3(blocks_for(count, threads)), dim3(static_cast<unsigned>(threads))}, stream, task);
  download_bytes(result.gradient.data(), gradients.data(), gradients.bytes(), stream);
  const std::vector<std::uint8_t> left = left_out.download(stream);

  bem::PanelPatch patch(neighbourhood);
  for (std::size_t i = 0; i < count; ++i) {
    if (left[i] == 0) continue;
    patch.move_to(static_cast<std::int32_t>(i));
    result.gradient[i] = patch.gradient([&](std::int32_t j) { return values[j]; });
  }
  return result;
}

}  // namespace rankine::gpu
