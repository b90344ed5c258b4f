#include "rankine/bem/layers/near_integrals.hpp"

#include <cstddef>
#include <cstdint>

#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// From so many nodes on lanes are worth filling.
constexpr std::int64_t many_nodes = 12;

/// near_entries(), nodes of panels that have many of them in SIMD lanes.
template <Layer... layers>
class HostEntries {
 public:
  HostEntries(const NearEntryView& view, std::size_t panels)
      : view_(view),
        nodes_(view.far_points, view.far_normals, view.far_weights,
               static_cast<std::size_t>(view.first_node[panels])),
        arrays_(nodes_.arrays()),
        subtract_(subtract_nodes(integrals_of<layers...>)) {}

  void write(std::int64_t target, std::int64_t panel, double* entries) const {
    const std::int64_t begin = view_.first_node[panel], end = view_.first_node[panel + 1];
    if (end - begin < many_nodes) return near_entries<layers...>(view_, target, panel, entries);
    PanelIntegrals<double> sum = accurate_integrals<integrals_of<layers...>>(view_, target, panel);
    subtract_(arrays_, begin, end, view_.target[target], view_.middle_radius[panel], sum);
    write_entries<layers...>(view_, target, sum, entries);
  }

 private:
  const NearEntryView& view_;
  SeparateNodes nodes_;
  NodeArrays arrays_;
  SubtractNodes subtract_;
};

}  // namespace

void integrate_near(const NearEntryView& view, std::size_t panels, std::span<const Layer> layers,
                    const SparsityPattern& pairs, std::span<double* const> values) {
  for_each_layer_set(
      layers, values, [&]<Layer... set>(auto*... of_layer) {
        const HostEntries<set...> host(view, panels);
        parallel_chunks(pairs.rows(), 256, [&](std::size_t row) {
          const auto target = static_cast<std::int64_t>(row);
          for (std::int64_t k = pairs.offsets[row]; k < pairs.offsets[row + 1]; ++k) {
            double entries[sizeof...(set)];
            host.write(target, pairs.columns[k], entries);
            const double* entry = entries;
            ((of_layer[k] = *entry++), ...);
          }
        });
      });
}

}  // namespace rankine::bem
