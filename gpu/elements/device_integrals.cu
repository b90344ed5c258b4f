#include "rankine/gpu/elements/device_integrals.hpp"

#include "rankine/gpu/runtime/launch.cuh"

namespace rankine::gpu {
namespace {

constexpr int threads = 128;

template <int count>
struct Entries {
  double* of_layer[count];
};

/// One warp per row; each lane integrates one pair at a time.
template <bem::Layer... layers>
__global__ void __launch_bounds__(threads)
    integrate(bem::NearEntryView view, std::int64_t rows, const std::int64_t* __restrict__ offsets,
              const std::int32_t* __restrict__ columns, Entries<sizeof...(layers)> values) {
  const std::int64_t row = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / 32;
  if (row >= rows) return;
  for (std::int64_t k = offsets[row] + threadIdx.x % 32; k < offsets[row + 1]; k += 32) {
    double entries[sizeof...(layers)];
    bem::near_entries<layers...>(view, row, columns[k], entries);
    for (int l = 0; l < static_cast<int>(sizeof...(layers)); ++l) {
      values.of_layer[l][k] = entries[l];
    }
  }
}

__global__ void __launch_bounds__(threads)
    place(const bem::PanelShape<double>* panels, std::size_t count, int stride,
          bem::QuadratureNode* nodes) {
  const std::size_t j = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
  if (j < count) bem::place_middle_nodes(panels[j], nodes + j * stride);
}

}  // namespace

void place_middle_nodes(std::span<const bem::PanelShape<double>> panels, int stride,
                        bem::QuadratureNode* nodes, const Stream& stream) {
  const LaunchShape shape{blocks_for(panels.size(), threads), threads};
  launch("place_middle_nodes", place, shape, stream, panels.data(), panels.size(), stride, nodes);
}

void integrate_near(const bem::NearEntryView& view, std::span<const bem::Layer> layers,
                    std::size_t targets, const std::int64_t* offsets, const std::int32_t* columns,
                    std::span<double* const> values, const Stream& stream) {
  const LaunchShape shape{blocks_for(targets * 32, threads), threads};
  bem::for_each_layer_set(
      layers, values, [&]<bem::Layer... set>(auto*... of_layer) {
        launch("integrate", integrate<set...>, shape, stream, view,
               static_cast<std::int64_t>(targets), offsets, columns,
               Entries<sizeof...(set)>{{of_layer...}});
      });
}

}  // namespace rankine::gpu
