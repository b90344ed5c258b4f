#include "rankine/bem/layers/near_integrals.hpp"

#include <cstddef>
#include <cstdint>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

void integrate_near(const NearEntryView& view, std::span<const Layer> layers,
                    const SparsityPattern& pairs, std::span<double* const> values) {
  for_each_layer_set(
      layers, values, [&]<Layer... set>(auto*... of_layer) {
        parallel_chunks(pairs.rows(), 256, [&](std::size_t row) {
          const auto target = static_cast<std::int64_t>(row);
          for (std::int64_t k = pairs.offsets[row]; k < pairs.offsets[row + 1]; ++k) {
            double entries[sizeof...(set)];
            near_entries<set...>(view, target, pairs.columns[k], entries);
            const double* entry = entries;
            ((of_layer[k] = *entry++), ...);
          }
        });
      });
}

}  // namespace rankine::bem
