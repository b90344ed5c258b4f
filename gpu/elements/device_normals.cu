#include "rankine/gpu/elements/device_normals.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/node_normals.hpp"
#include "rankine/gpu/elements/short_list.cuh"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

/// What bem::NodeNormals asks for.
struct Surroundings {
  const meshes::Element* elements;
  const Vec3d *normals, *positions;
  const double* areas;
  const std::int64_t* offsets;
  const std::int32_t* at_node;

  __device__ const meshes::Element& nodes(std::int32_t panel) const { return elements[panel]; }
  __device__ const Vec3d& normal(std::int32_t panel) const { return normals[panel]; }
  __device__ double area(std::int32_t panel) const { return areas[panel]; }
  __device__ const Vec3d& position(std::int32_t node) const { return positions[node]; }
  __device__ std::span<const std::int32_t> panels_at(std::int32_t node) const {
    return {at_node + offsets[node], static_cast<std::size_t>(offsets[node + 1] - offsets[node])};
  }
};

/// `found`: four to a panel.
__global__ void __launch_bounds__(threads)
    normals_kernel(Surroundings around, double least_cosine, std::int64_t count, Vec3<float>* found,
                   std::uint8_t* left_out) {
  const std::int64_t node = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (node >= count) return;
  if (around.panels_at(static_cast<std::int32_t>(node)).size() > ShortList::capacity) {
    left_out[node] = 1;
    return;
  }
  bem::NodeNormals<Surroundings, ShortList> normals(around, least_cosine);
  normals.find(static_cast<std::int32_t>(node),
               [&](std::int32_t panel, int corner, const Vec3d& n) {
                 found[4 * static_cast<std::int64_t>(panel) + corner] = {
                     static_cast<float>(n.x), static_cast<float>(n.y), static_cast<float>(n.z)};
               });
  left_out[node] = normals.nodes().overflows ? 1 : 0;
}

}  // namespace

bem::CornerNormals device_corner_normals(const bem::PanelNeighbourhood& around,
                                         std::span<const Vec3d> nodes, double sharp_angle,
                                         const Stream& stream) {
  const bem::Panels& panels = around.panels();
  const std::size_t count = panels.node_count;
  const DeviceBuffer<meshes::Element> elements(panels.nodes, stream);
  const DeviceBuffer<Vec3d> normals(panels.normal, stream), positions(nodes, stream);
  const DeviceBuffer<double> areas(panels.area, stream);
  const DeviceBuffer<std::int64_t> offsets(around.offsets(), stream);
  const DeviceBuffer<std::int32_t> at_node(around.at_node(), stream);
  DeviceBuffer<Vec3<float>> found(4 * panels.size(), stream);
  DeviceBuffer<std::uint8_t> left_out(count, stream);
  const Surroundings surroundings{elements.data(), normals.data(), positions.data(),
                                  areas.data(),    offsets.data(), at_node.data()};
  launch("normals at nodes", &normals_kernel,
         {dim3(blocks_for(count, threads)), dim3(static_cast<unsigned>(threads))}, stream,
         surroundings, std::cos(sharp_angle), static_cast<std::int64_t>(count), found.data(),
         left_out.data());
  bem::CornerNormals result(panels.size());
  download_bytes(result.data(), found.data(), found.bytes(), stream);
  const std::vector<std::uint8_t> left = left_out.download(stream);
  std::vector<std::int32_t> of_host;
  for (std::size_t node = 0; node < count; ++node) {
    if (left[node] != 0) of_host.push_back(static_cast<std::int32_t>(node));
  }
  bem::find_normals_at(of_host, around, nodes, sharp_angle, result);
  return result;
}

}  // namespace rankine::gpu
