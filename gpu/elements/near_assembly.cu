#include "rankine/gpu/elements/near_assembly.hpp"

#include <span>
#include <utility>

#include "rankine/gpu/elements/device_integrals.hpp"
#include "rankine/gpu/elements/device_pairs.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

/// y += alpha * (matrix x) for `count` vectors of `rows` values, one after the other; `lanes`
/// threads per row. Every entry is read once.
template <int lanes, int count>
__global__ void __launch_bounds__(threads)
    multiply(std::int64_t rows, const std::int64_t* __restrict__ offsets,
             const std::int32_t* __restrict__ columns, const double* __restrict__ values,
             double alpha, const double* __restrict__ x, double* __restrict__ y) {
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / lanes;
  if (row >= rows) return;
  const int lane = threadIdx.x % lanes;
  double sum[count] = {};
  for (std::int64_t k = offsets[row] + lane; k < offsets[row + 1]; k += lanes) {
    const double value = values[k];
    const double* column = x + columns[k];
#pragma unroll
    for (int c = 0; c < count; ++c) sum[c] = fma(value, column[c * rows], sum[c]);
  }
  const unsigned active =
      lanes == 32 ? 0xffffffffu : ((1u << (lanes % 32)) - 1u) << (threadIdx.x % 32 / lanes * lanes);
#pragma unroll
  for (int c = 0; c < count; ++c) {
    for (int step = lanes / 2; step > 0; step /= 2)
      sum[c] += __shfl_down_sync(active, sum[c], step, lanes);
    if (lane == 0) y[c * rows + row] = fma(alpha, sum[c], y[c * rows + row]);
  }
}

/// What the entries of one layer read, on the device.
class Geometry {
 public:
  Geometry(const bem::Panels& panels, const bem::Discretization& discretization, bem::Layer layer,
           const Stream& stream)
      : shape_(panels.shape, stream),
        centroid_(panels.centroid, stream),
        normal_(panels.normal, stream),
        middle_radius_(discretization.middle_radius, stream),
        near_radius_(discretization.near_radius, stream),
        points_(discretization.points, stream),
        weights_(discretization.weights, stream),
        nodes_(discretization.nodes) {
    if (layer == bem::Layer::double_layer || layer == bem::Layer::hypersingular) {
      normals_ = {discretization.normals, stream};
    }
  }

  bem::NearEntryView view() const {
    return {.shape = shape_.data(),
            .centroid = centroid_.data(),
            .normal = normal_.data(),
            .middle_radius = middle_radius_.data(),
            .far_points = points_.data(),
            // Only D and H use the sources' normals; elsewhere any valid address serves.
            .far_normals = normals_.size() > 0 ? normals_.data() : points_.data(),
            .far_weights = weights_.data(),
            .nodes = nodes_};
  }
  DeviceNearPairs near_pairs(const Stream& stream) const {
    return find_near_pairs(centroid_.data(), near_radius_.data(), centroid_.size(), sizeof(double),
                           stream);
  }

 private:
  DeviceBuffer<bem::PanelShape<double>> shape_;
  DeviceBuffer<Vec3d> centroid_, normal_;
  DeviceBuffer<double> middle_radius_, near_radius_;
  DeviceBuffer<Vec3d> points_, normals_;
  DeviceBuffer<double> weights_;
  int nodes_;
};

class CudaNearField final : public bem::NearField {
 public:
  CudaNearField(const bem::Panels& panels, const bem::Discretization& discretization,
                bem::Layer layer, std::shared_ptr<const Stream> stream)
      : stream_(std::move(stream)), rows_(static_cast<std::int64_t>(panels.size())) {
    const Geometry geometry(panels, discretization, layer, *stream_);
    pairs_ = geometry.near_pairs(*stream_);
    values_ = DeviceBuffer<double>(pairs_.columns.size(), *stream_);
    double* const values = values_.data();
    integrate_near(geometry.view(), {&layer, 1}, panels.size(), pairs_.offsets.data(),
                   pairs_.columns.data(), {&values, 1}, *stream_);
  }

  void add(double alpha, const double* x, double* y, int rhs) const override {
    // As many lanes as half a row has entries keep the lanes busy and the loads together.
    const std::size_t row_length = values_.size() / static_cast<std::size_t>(rows_ > 0 ? rows_ : 1);
    if (row_length >= 64) {
      add_with<32>(alpha, x, y, rhs);
    } else if (row_length >= 24) {
      add_with<16>(alpha, x, y, rhs);
    } else {
      add_with<8>(alpha, x, y, rhs);
    }
  }

  std::size_t entries() const override { return values_.size(); }
  std::size_t bytes() const override {
    return values_.bytes() + pairs_.columns.bytes() + pairs_.offsets.bytes();
  }

 private:
  template <int lanes>
  void add_with(double alpha, const double* x, double* y, int rhs) const {
    while (rhs > 0) {
      const int count = rhs >= 4 ? 4 : rhs >= 2 ? 2 : 1;
      if (count == 4) add_some<lanes, 4>(alpha, x, y);
      if (count == 2) add_some<lanes, 2>(alpha, x, y);
      if (count == 1) add_some<lanes, 1>(alpha, x, y);
      x += count * rows_;
      y += count * rows_;
      rhs -= count;
    }
  }

  template <int lanes, int count>
  void add_some(double alpha, const double* x, double* y) const {
    launch("near-field product", multiply<lanes, count>,
           {blocks_for(static_cast<std::size_t>(rows_) * lanes, threads), threads}, *stream_, rows_,
           pairs_.offsets.data(), pairs_.columns.data(), values_.data(), alpha, x, y);
  }

  std::shared_ptr<const Stream> stream_;
  std::int64_t rows_;
  DeviceNearPairs pairs_;
  DeviceBuffer<double> values_;
};

}  // namespace

std::unique_ptr<bem::NearField> make_cuda_near_field(const bem::Panels& panels,
                                                     const bem::Discretization& discretization,
                                                     bem::Layer layer,
                                                     std::shared_ptr<const Stream> stream) {
  return std::make_unique<CudaNearField>(panels, discretization, layer, std::move(stream));
}

}  // namespace rankine::gpu
