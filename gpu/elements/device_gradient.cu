#include "rankine/gpu/elements/device_panels.hpp"

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/surface_point.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/gpu/elements/device_surroundings.cuh"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

struct Task {
  SurroundingsView around;
  std::int64_t begin, end;  ///< panels
  const double* values;
  Vec3d* gradients;
  std::uint8_t* left_out;
};

__global__ void __launch_bounds__(threads) gradient_kernel(const __grid_constant__ Task task) {
  const SurroundingsView& around = task.around;
  const std::int64_t i = task.begin + blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i >= task.end) return;
  ShortList panels;
  task.left_out[i] = around.collect(i, panels) ? 0 : 1;
  const Vec3d centre = around.centroids[i];
  const bem::Tangents along(around.surface_normals[i]);
  const double scale = around.radii[i], own = task.values[i];
  const bem::PlanePolynomial f =
      bem::PlaneFit(
          static_cast<int>(panels.size()), static_cast<double>(panels.size()),
          [&](int k) {
            const std::int32_t j = panels[static_cast<std::size_t>(k)];
            const Vec3d r = (around.centroids[j] - centre) / scale;
            return bem::PlaneSample{dot(r, along.t1), dot(r, along.t2), task.values[j] - own};
          },
          bem::least_spread(around.areas[i], scale))
          .polynomial();
  task.gradients[i] = (f.slope_x() * along.t1 + f.slope_y() * along.t2) / scale;
}

__global__ void __launch_bounds__(loop_threads)
    surface_normal_kernel(const bem::PanelShape<double>* shapes,
                          const __grid_constant__ RingsView panels, Vec3d* normals) {
  const std::int64_t i = thread_index();
  if (i >= panels.count) return;
  normals[i] = bem::surface_normal(shapes[i], panels.centroids[i], panels.normals[i]);
}

__global__ void any_kernel(const std::uint8_t* marks, std::int64_t count, int* any) {
  const std::int64_t i = thread_index();
  if (i < count && marks[i] != 0) *any = 1;
}

}  // namespace

std::vector<std::int32_t> marked(const DeviceBuffer<std::uint8_t>& marks, const Stream& stream) {
  DeviceBuffer<int> any(1, stream);
  any.zero(stream);
  launch("marks", &any_kernel, one_thread_each(marks.size()), stream, marks.data(),
         static_cast<std::int64_t>(marks.size()), any.data());
  std::vector<std::int32_t> numbers;
  if (any.download(stream)[0] == 0) return numbers;
  const std::vector<std::uint8_t> all = marks.download(stream);
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i] != 0) numbers.push_back(static_cast<std::int32_t>(i));
  return numbers;
}

DeviceBuffer<Vec3d> surface_normals(std::span<const bem::PanelShape<double>> shapes,
                                    const RingsView& panels, const Stream& stream) {
  DeviceBuffer<Vec3d> normals(shapes.size(), stream);
  launch("normals of the surface", &surface_normal_kernel, one_thread_each(shapes.size()), stream,
         shapes.data(), panels, normals.data());
  return normals;
}

bem::SurfaceGradient device_surface_gradient(const bem::PanelNeighbourhood& neighbourhood,
                                             std::span<const double> values,
                                             const DeviceGroup* group, const Stream& stream) {
  const std::size_t count = neighbourhood.panels().size();
  const DeviceSurroundings around(neighbourhood, stream);
  const DeviceBuffer<double> given(values, stream);
  DeviceBuffer<Vec3d> gradients(count, stream);
  DeviceBuffer<std::uint8_t> left_out(count, stream);
  const DividedLoop loop(group, count);
  const Task task{around.view(), loop.begin(),     loop.end(),
                  given.data(),  gradients.data(), left_out.data()};
  launch("surface gradient", &gradient_kernel,
         {dim3(blocks_for(loop.size(), threads)), dim3(static_cast<unsigned>(threads))}, stream,
         task);
  loop.complete(gradients.data(), sizeof(Vec3d), stream);
  loop.complete(left_out.data(), sizeof(std::uint8_t), stream);
  bem::SurfaceGradient result;
  result.normal = around.surface_normals().fetch(stream);
  result.gradient = gradients.fetch(stream);
  bem::PanelPatch patch(neighbourhood);
  for (const std::int32_t i : marked(left_out, stream)) {
    patch.move_to(i);
    result.gradient[i] = patch.gradient([&](std::int32_t j) { return values[j]; });
  }
  return result;
}

}  // namespace rankine::gpu
