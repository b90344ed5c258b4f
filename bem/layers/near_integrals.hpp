// Near-field matrices of several layers on the host, computed in one pass over the near pairs.
#pragma once

#include <span>

#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/panels/near_pairs.hpp"

namespace rankine::bem {

/// values[l][k] = entry k of the near-field matrix of layers[l], in the order of `pairs`, without
/// the factor 1/(4 pi). `view` has `panels` panels; its nodes for intermediate distances are not
/// read. Each layer occurs at most once; every array has as many entries as there are pairs.
void integrate_near(const NearEntryView& view, std::size_t panels, std::span<const Layer> layers,
                    const SparsityPattern& pairs, std::span<double* const> values);

}  // namespace rankine::bem
