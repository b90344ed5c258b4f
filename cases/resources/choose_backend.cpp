#include "cases/resources/choose_backend.hpp"

#include <span>

#include "cases/resources/machine.hpp"
#include "cases/resources/processes.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/distributed_backend.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/runtime/device_context.hpp"
#include "rankine/gpu/runtime/device_group.hpp"

namespace rankine::cases {

namespace {

/// Assigns the devices of a machine to its processes in turn.
void use_own_device() {
  const auto count = static_cast<int>(gpu::devices().size());
  if (count > 0) gpu::use_device(rank_on_machine() % count);
}

std::unique_ptr<bem::Backend> make_host_backend() {
  auto backend = bem::make_cpu_backend();
  if (!is_shared()) return backend;
  return bem::make_distributed_backend(std::move(backend), bem::make_host_work(processes()));
}

}  // namespace

std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, Log& log) {
  if (choice != BackendChoice::cpu && is_shared()) use_own_device();
  const bool cuda = choice == BackendChoice::cuda ||
                    (choice == BackendChoice::automatic && gpu::has_own_devices(processes()));
  if (!cuda) return make_host_backend();
  return gpu::make_cuda_backend(
      [&log](const std::string& work, const std::string& reason) {
        log.fact("on the CPU", work + ", because of " + reason);
      },
      is_shared() ? &processes() : nullptr);
}

FreeMemory free_memory(const bem::Backend& backend) {
  FreeMemory available{.host = static_cast<double>(available_host_bytes()),
                       .device = 0.0,
                       .device_name = {},
                       .swap = static_cast<double>(free_swap_bytes())};
  if (backend.memory_space() == bem::MemorySpace::host) return available;
  const gpu::Device device = gpu::current_device();
  // Summed over processes, so that all reach the same verdict.
  double used = -static_cast<double>(device.free_bytes.value_or(0));
  processes().maximum(std::span(&used, 1));
  available.device = -used;
  available.device_name = device.name;
  return available;
}

Verdict settle(std::unique_ptr<bem::Backend>& backend, const SolveSize& size, BackendChoice choice,
               Log& log) {
  Verdict verdict = judge(size, choice, backend->memory_space(), free_memory(*backend));
  if (!verdict.warning.empty()) log.warning(verdict.warning);
  if (verdict.place != backend->memory_space()) backend = make_host_backend();
  return verdict;
}

void require_memory(const Verdict& verdict) {
  if (!verdict.refusal.empty()) throw DeviceError(verdict.refusal);
}

}  // namespace rankine::cases
