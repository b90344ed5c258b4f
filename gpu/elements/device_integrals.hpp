// Near-field matrices of several layers on the device, computed in one pass over the near pairs:
// the counterpart of bem/layers/near_integrals.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// bem::place_middle_nodes of every panel. The nodes of consecutive panels are `stride` apart; all
/// arrays are in device memory.
void place_middle_nodes(std::span<const bem::PanelShape<double>> panels, int stride,
                        bem::QuadratureNode* nodes, const Stream& stream);

/// values[l][k] = entry k of the near-field matrix of layers[l], without the factor 1/(4 pi). The
/// panels near target i are columns[offsets[i] .. offsets[i + 1]). No layer may occur twice. View,
/// offsets, columns and arrays of values point to device memory. Throws DeviceError if a launch
/// fails.
void integrate_near(const bem::NearEntryView& view, std::span<const bem::Layer> layers,
                    std::size_t targets, const std::int64_t* offsets, const std::int32_t* columns,
                    std::span<double* const> values, const Stream& stream);

}  // namespace rankine::gpu
