// Replacements for a build without CUDA: there is no device, and the messages say how to build with
// CUDA.
#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/runtime/device_context.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "rankine/gpu/sums/staged_sum.hpp"

namespace rankine::gpu {
namespace {

[[noreturn]] void not_built() {
  throw DeviceError(
      "this build contains no CUDA code: configure with `cmake --preset cuda` (or `release`) and "
      "build again, or choose "
      "--backend cpu.");
}

}  // namespace

bool built_with_cuda() noexcept { return false; }
std::string runtime_version() { return ""; }
std::string driver_version() { return ""; }
std::vector<Device> devices() { return {}; }
bool available() noexcept { return false; }
Device current_device() { not_built(); }
void use_device(int) { not_built(); }

bool has_own_devices(Communicator&) { return false; }

class DeviceGroup::Connections {};
DeviceGroup::DeviceGroup(Communicator& processes) : processes_(processes) { not_built(); }
DeviceGroup::~DeviceGroup() = default;

std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points&, const fmm::Options&,
                                                  std::shared_ptr<const Stream>,
                                                  const DeviceGroup*) {
  not_built();
}

StreamedOperator make_streamed_operator(const fmm::Points&, const fmm::Options&) { not_built(); }

void apply_staged(const StreamedOperator&, const fmm::Strengths&, const fmm::Results&, int) {
  not_built();
}

std::unique_ptr<bem::Backend> make_cuda_backend(HostWork, Communicator*) { not_built(); }

}  // namespace rankine::gpu
