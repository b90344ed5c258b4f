#include "rankine/bem/panels/surface_gradient.hpp"

#include <cassert>

#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {

SurfaceGradient surface_gradient(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values) {
  const std::size_t count = neighbourhood.panels().size();
  assert(values.size() == count);
  SurfaceGradient result;
  result.normal.resize(count);
  result.gradient.resize(count);
  constexpr std::size_t chunk = 256;
  const auto patch_of_thread = [&] { return PanelPatch(neighbourhood); };
  parallel_chunks(count, chunk, patch_of_thread, [&](std::size_t i, PanelPatch& patch) {
    patch.move_to(static_cast<std::int32_t>(i));
    result.gradient[i] =
        patch.gradient([&](std::int32_t j) { return neighbourhood.value(values, j); });
    result.normal[i] = patch.normal();
  });
  return result;
}

}  // namespace rankine::bem
