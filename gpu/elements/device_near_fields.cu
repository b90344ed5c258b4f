#include <algorithm>
#include <cstdint>
#include <utility>

#include "rankine/bem/layers/near_field.hpp"
#include "rankine/gpu/elements/device_pairs.hpp"
#include "rankine/gpu/elements/device_panels.hpp"
#include "rankine/gpu/runtime/device_copy.hpp"
#include "rankine/gpu/runtime/device_loops.cuh"

namespace rankine::gpu {
namespace {

/// Lanes of a warp that share a target. Most targets have a few panels nearby, or none.
constexpr int lanes = 8;

__device__ double sum_of_lanes(double value) {
  for (int apart = lanes / 2; apart > 0; apart /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, apart, lanes);
  return value;
}

__global__ void __launch_bounds__(loop_threads)
    near_kernel(const __grid_constant__ bem::NearFieldView view, std::int64_t count,
                const Vec3d* targets, const std::int64_t* offsets, const std::int32_t* columns,
                bem::LinearStrengths charges, bem::LinearStrengths doublets, double* potential,
                Vec3d* gradient) {
  const std::int64_t i = thread_index() / lanes;
  bem::PointField field;
  if (i < count) {
    for (std::int64_t k = offsets[i] + threadIdx.x % lanes; k < offsets[i + 1]; k += lanes)
      bem::NearPanelField(view, columns[k], charges, doublets).add_to(targets[i], field);
  }
  field.potential = sum_of_lanes(field.potential);
  for (int axis = 0; axis < 3; ++axis) field.gradient[axis] = sum_of_lanes(field.gradient[axis]);
  if (i >= count || threadIdx.x % lanes != 0) return;
  potential[i] += field.potential;
  gradient[i] += field.gradient;
}

class DeviceNearFields final : public bem::NearFields {
 public:
  DeviceNearFields(const bem::CollocatedPanels& discretization,
                   std::shared_ptr<const Stream> stream)
      : stream_(std::move(stream)),
        shape_(discretization.panels().shape, *stream_),
        centroid_(discretization.panels().centroid, *stream_),
        normal_(discretization.panels().normal, *stream_),
        radius_(discretization.panels().radius, *stream_),
        first_node_(discretization.panel_nodes().first, *stream_),
        points_(discretization.panel_nodes().points, *stream_),
        normals_(discretization.panel_nodes().normals, *stream_),
        weights_(discretization.panel_nodes().weights, *stream_),
        first_ball_(discretization.panel_nodes().balls.first, *stream_),
        ball_centre_(discretization.panel_nodes().balls.centre, *stream_),
        ball_radius_(discretization.panel_nodes().balls.radius, *stream_) {
    const std::vector<bem::TrianglePoint> rule = bem::triangle_rule(bem::fine_nodes);
    std::copy(rule.begin(), rule.end(), rule_.begin());
  }

  void move_to(std::span<const Vec3d> targets, MemorySpace where) override {
    targets_ = where == MemorySpace::host ? DeviceBuffer<Vec3d>(targets, *stream_)
                                          : copied<Vec3d>(targets, *stream_);
    near_ = find_near_pairs(targets_.span(), NearTargets::anything,
                            {first_ball_.data(), ball_centre_.data(), ball_radius_.data(),
                             first_ball_.size() - 1, ball_radius_.size()},
                            {0, targets.size()}, 0, *stream_);
  }

  void add(const bem::LinearStrengths& charges, const bem::LinearStrengths& doublets,
           double* potential, Vec3d* gradient) override {
    const bem::NearFieldView view{.shape = shape_.data(),
                                  .centroid = centroid_.data(),
                                  .normal = normal_.data(),
                                  .radius = radius_.data(),
                                  .first_node = first_node_.data(),
                                  .far_points = points_.data(),
                                  .far_normals = normals_.data(),
                                  .far_weights = weights_.data(),
                                  .rule = rule_};
    launch("near fields", &near_kernel, one_thread_each(lanes * targets_.size()), *stream_, view,
           static_cast<std::int64_t>(targets_.size()), targets_.data(), near_.offsets.data(),
           near_.columns.data(), charges, doublets, potential, gradient);
  }

 private:
  std::shared_ptr<const Stream> stream_;
  DeviceCopy<bem::PanelShape<double>> shape_;
  DeviceCopy<Vec3d> centroid_, normal_;
  DeviceCopy<double> radius_;
  DeviceCopy<std::int64_t> first_node_;
  DeviceCopy<Vec3d> points_, normals_;
  DeviceCopy<double> weights_;
  DeviceCopy<std::int32_t> first_ball_;
  DeviceCopy<Vec3d> ball_centre_;
  DeviceCopy<double> ball_radius_;
  std::array<bem::TrianglePoint, bem::fine_nodes> rule_;
  DeviceBuffer<Vec3d> targets_;
  DevicePattern near_;
};

}  // namespace

std::unique_ptr<bem::NearFields> device_near_fields(const bem::CollocatedPanels& discretization,
                                                    std::shared_ptr<const Stream> stream) {
  return std::make_unique<DeviceNearFields>(discretization, std::move(stream));
}

}  // namespace rankine::gpu
