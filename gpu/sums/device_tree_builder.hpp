// Trees for the decisions of a plan (fmm/plan.hpp), built and counted on the device.
#pragma once

#include <memory>

#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/sums/device_tree.hpp"

namespace rankine::gpu {

/// A builder for fmm::decide. Of the host points passed to it, it reads only the core radii. Its
/// trees have no orders of the points: these remain on the device, where the builder applies them.
class DeviceTreeBuilder : public fmm::TreeBuilder {
 public:
  /// The tree that coarse() returned last, on the device with its orders. Call once.
  virtual DeviceTree take() = 0;
};

/// `points` must outlive the builder. `processes`: those of fmm::TreeBuilder.
std::unique_ptr<DeviceTreeBuilder> make_device_tree_builder(const DevicePoints& points,
                                                            const Stream& stream,
                                                            Communicator* processes = nullptr);

}  // namespace rankine::gpu
