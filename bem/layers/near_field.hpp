// The host's near-field matrix: compressed rows of near_entry() values,
// built in parallel, applied in parallel.
#pragma once

#include <memory>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/near_entry.hpp"
#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// Pointers into host panels and discretization, which must outlive the view.
NearEntryView near_entry_view(const Panels& panels, const Discretization& discretization);

/// Finds the near pairs and integrates them; `threads` = 0 takes OpenMP's number.
std::unique_ptr<NearField> make_cpu_near_field(const Panels& panels,
                                               const Discretization& discretization, Layer layer,
                                               int threads = 0);

}  // namespace rankine::bem
