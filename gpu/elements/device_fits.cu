#include "rankine/gpu/elements/device_panels.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rankine/bem/panels/plane_fit.hpp"
#include "rankine/bem/panels/prediction.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/gpu/elements/device_surroundings.cuh"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

/// The quadrature rule, as a kernel argument.
struct Rule {
  bem::TrianglePoint point[bem::integral_points];

  __device__ const bem::TrianglePoint* begin() const { return point; }
  __device__ const bem::TrianglePoint* end() const { return point + bem::integral_points; }
};

Rule integral_rule() {
  Rule rule{};
  const std::vector<bem::TrianglePoint> points = bem::triangle_rule(bem::integral_points);
  std::copy_n(points.begin(), bem::integral_points, rule.point);
  return rule;
}

/// Absent fields and results are null.
struct Task {
  SurroundingsView around;
  const bem::PanelShape<double>* shapes;
  Rule rule;
  const double *values, *potential;
  const Vec3d* velocity;
  bem::SurfaceIntegral *of_values, *of_potential;
  bem::PanelSigns* signs;
  std::uint8_t* left_out;

  /// The field at panel j minus the field at panel i.
  __device__ static double difference(const double* field, std::int32_t j, std::int64_t i) {
    return field == nullptr ? 0.0 : field[j] - field[i];
  }
};

__global__ void __launch_bounds__(threads) fit_kernel(const __grid_constant__ Task task) {
  const SurroundingsView& around = task.around;
  const std::int64_t i = blockIdx.x * static_cast<std::int64_t>(threads) + threadIdx.x;
  if (i >= around.count) return;
  ShortList panels;
  task.left_out[i] = around.collect(i, panels) ? 0 : 1;
  const Vec3d centre = around.centroids[i], normal = around.surface_normals[i];
  const bem::Tangents along(normal);
  const double scale = around.radii[i], least = bem::least_spread(around.areas[i], scale);
  const int most = static_cast<int>(panels.size());
  const auto panel = [&](int k) { return panels[static_cast<std::size_t>(k)]; };
  const auto offset = [&](int k) { return (around.centroids[panel(k)] - centre) / scale; };

  auto fits = bem::PlaneFits<3>(
                  most, static_cast<double>(most),
                  [&](int k) {
                    const Vec3d r = offset(k);
                    return bem::PlaneSamples<3>{
                        dot(r, along.t1),
                        dot(r, along.t2),
                        {Task::difference(task.values, panel(k), i),
                         Task::difference(task.potential, panel(k), i), dot(r, normal)}};
                  },
                  least)
                  .polynomials();
  const auto integral = [&](bem::PlanePolynomial& f, double own) {
    f.constant = own;
    return bem::integral_over(task.shapes[i], task.rule, f, centre, scale, along.t1, along.t2);
  };
  if (task.of_values != nullptr) task.of_values[i] = integral(fits[0], task.values[i]);
  if (task.of_potential != nullptr) task.of_potential[i] = integral(fits[1], task.potential[i]);
  if (task.signs == nullptr) return;

  const Vec3d velocity = task.velocity[i];
  const auto missed = bem::OriginPrediction<4, double>(
                          most, static_cast<double>(most),
                          [&](int k) {
                            const Vec3d r = offset(k), v = task.velocity[panel(k)] - velocity;
                            return bem::PlaneSamples<4>{
                                dot(r, along.t1),
                                dot(r, along.t2),
                                {v.x, v.y, v.z, Task::difference(task.potential, panel(k), i)}};
                          },
                          least)
                          .values();
  task.signs[i] =
      bem::signs_of(velocity, {missed[0], missed[1], missed[2]}, missed[3], fits[1], fits[2]);
}

/// A buffer for results that are downloaded to the host; empty if there are none.
template <class T>
DeviceBuffer<T> buffer_for(const AlignedVector<T>& result, const Stream& stream) {
  return DeviceBuffer<T>(result.size(), stream);
}

}  // namespace

bem::PanelFits device_fits(const bem::PanelNeighbourhood& neighbourhood,
                           const bem::FittedFields& fields, const Stream& stream) {
  const bem::Panels& panels = neighbourhood.panels();
  const std::size_t count = panels.size();
  bem::PanelFits result(count, fields);
  const DeviceSurroundings around(neighbourhood, stream);
  const DeviceBuffer<double> values(fields.values, stream), potential(fields.potential, stream);
  const DeviceBuffer<Vec3d> velocity(fields.velocity, stream);
  DeviceBuffer<bem::SurfaceIntegral> of_values = buffer_for(result.of_values, stream),
                                     of_potential = buffer_for(result.of_potential, stream);
  DeviceBuffer<bem::PanelSigns> signs = buffer_for(result.signs, stream);
  DeviceBuffer<std::uint8_t> left_out(count, stream);
  const Task task{around.view(),    around.shapes(), integral_rule(),  values.data(),
                  potential.data(), velocity.data(), of_values.data(), of_potential.data(),
                  signs.data(),     left_out.data()};
  launch("fits around panels", &fit_kernel,
         {dim3(blocks_for(count, threads)), dim3(static_cast<unsigned>(threads))}, stream, task);
  const auto download = [&](const auto& device, auto& host) {
    if (!host.empty()) download_bytes(host.data(), device.data(), device.bytes(), stream);
  };
  download(of_values, result.of_values);
  download(of_potential, result.of_potential);
  download(signs, result.signs);
  for (const std::int32_t i : marked(left_out, stream))
    bem::fit_panel(neighbourhood, fields, i, result);
  return result;
}

}  // namespace rankine::gpu
