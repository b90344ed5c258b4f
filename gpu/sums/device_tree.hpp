// Octree and interaction lists built on the device, with the same result as on the host: the work
// on one box is the host's (fmm/octree.hpp, fmm/interaction_rows.hpp), only sorting, scanning and
// the loops over boxes are kernels.
#pragma once

#include <memory>

#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// A builder for fmm::make_plan whose work is queued on `stream`.
std::unique_ptr<fmm::TreeBuilder> make_device_tree_builder(const Stream& stream);

/// The builder that is quicker for `points`: kernels build the tree of many points; for few the
/// host is done before they have started.
std::unique_ptr<fmm::TreeBuilder> tree_builder(const fmm::Points& points, const Stream& stream);

}  // namespace rankine::gpu
