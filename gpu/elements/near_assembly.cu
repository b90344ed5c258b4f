#include "rankine/gpu/elements/near_assembly.hpp"

#include <algorithm>
#include <utility>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_pairs.hpp"
#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

/// One warp per row, one entry per lane at a time.
template <bem::Layer layer>
__global__ void __launch_bounds__(threads)
    integrate(bem::NearEntryView view, std::int64_t rows, const std::int64_t* __restrict__ offsets,
              const std::int32_t* __restrict__ columns, double* __restrict__ values) {
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (row >= rows) return;
  for (std::int64_t k = offsets[row] + threadIdx.x % 32; k < offsets[row + 1]; k += 32) {
    values[k] = bem::near_entry<layer>(view, row, columns[k]);
  }
}

template <bem::Layer layer>
void fill(const bem::NearEntryView& view, const DevicePattern& pattern, double* values,
          const Stream& stream) {
  const std::size_t rows = pattern.offsets.size() - 1;
  launch("integrate", integrate<layer>, {blocks_for(rows * 32, threads), threads}, stream, view,
         static_cast<std::int64_t>(rows), pattern.offsets.data(), pattern.columns.data(), values);
}

/// What the entries read, on the device.
class Geometry {
 public:
  Geometry(const bem::FlatPanels& discretization, bool with_node_normals, const Stream& stream)
      : shape_(discretization.panels().shape, stream),
        centroid_(discretization.panels().centroid, stream),
        normal_(discretization.panels().normal, stream),
        middle_radius_(discretization.panel_nodes().middle_radius, stream),
        near_radius_(discretization.panel_nodes().near_radius, stream),
        points_(discretization.nodes(), stream),
        weights_(discretization.panel_nodes().weights, stream),
        per_panel_(discretization.panel_nodes().per_panel) {
    if (with_node_normals) normals_ = {discretization.node_normals(), stream};
  }

  bem::NearEntryView view() const {
    return {.shape = shape_.data(),
            .centroid = centroid_.data(),
            .normal = normal_.data(),
            .middle_radius = middle_radius_.data(),
            .far_points = points_.data(),
            // Charges have no use for normals; any valid address serves.
            .far_normals = normals_.size() > 0 ? normals_.data() : points_.data(),
            .far_weights = weights_.data(),
            .nodes = per_panel_};
  }
  NearPairs near_pairs(std::size_t layers, const Stream& stream) const {
    return find_near_pairs(centroid_.data(), near_radius_.data(), centroid_.size(),
                           layers * sizeof(double), stream);
  }

 private:
  DeviceBuffer<bem::PanelShape<double>> shape_;
  DeviceBuffer<Vec3d> centroid_, normal_;
  DeviceBuffer<double> middle_radius_, near_radius_;
  DeviceBuffer<Vec3d> points_, normals_;
  DeviceBuffer<double> weights_;
  int per_panel_;
};

bool sums_dipoles(bem::Layer layer) {
  return layer == bem::Layer::double_layer || layer == bem::Layer::hypersingular;
}

}  // namespace

std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_flat_panels(
    const bem::FlatPanels& discretization, std::span<const bem::Layer> layers,
    std::shared_ptr<const Stream> stream) {
  const Geometry geometry(discretization, std::any_of(layers.begin(), layers.end(), sums_dipoles),
                          *stream);
  NearPairs pairs = geometry.near_pairs(layers.size(), *stream);
  auto pattern = std::make_shared<const DevicePattern>(
      DevicePattern{std::move(pairs.offsets), std::move(pairs.columns)});
  std::vector<std::unique_ptr<bem::SparseMatrix>> matrices;
  for (const bem::Layer layer : layers) {
    DeviceBuffer<double> values(pattern->columns.size(), *stream);
    switch (layer) {
      case bem::Layer::single_layer:
        fill<bem::Layer::single_layer>(geometry.view(), *pattern, values.data(), *stream);
        break;
      case bem::Layer::double_layer:
        fill<bem::Layer::double_layer>(geometry.view(), *pattern, values.data(), *stream);
        break;
      case bem::Layer::adjoint_double_layer:
        fill<bem::Layer::adjoint_double_layer>(geometry.view(), *pattern, values.data(), *stream);
        break;
      case bem::Layer::hypersingular:
        break;
    }
    matrices.push_back(
        make_cuda_sparse(discretization.unknowns(), pattern, std::move(values), stream));
  }
  return matrices;
}

}  // namespace rankine::gpu
