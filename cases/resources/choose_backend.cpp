#include "cases/resources/choose_backend.hpp"

#include "cases/resources/machine.hpp"
#include "cases/resources/processes.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/distributed_backend.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributed/distributed_operator.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/runtime/device.hpp"

namespace rankine::cases {

namespace {

std::unique_ptr<bem::Backend> make_host_backend() {
  auto backend = bem::make_cpu_backend();
  if (!is_shared()) return backend;
  return bem::make_distributed_backend(std::move(backend), processes(), fmm::cpu_part_backend());
}

}  // namespace

std::unique_ptr<bem::Backend> make_backend(BackendChoice choice, Log& log) {
  if (is_shared() && choice == BackendChoice::cuda) {
    throw InputError(
        "several processes share this run, and they compute on processors alone; start one process "
        "for backend cuda");
  }
  const bool cuda = choice == BackendChoice::cuda ||
                    (choice == BackendChoice::automatic && !is_shared() && gpu::available());
  if (!cuda) return make_host_backend();
  return gpu::make_cuda_backend([&log](const std::string& work, const std::string& reason) {
    log.fact("on the CPU", work + ", because of " + reason);
  });
}

Room room_for(const bem::Backend& backend) {
  Room room{.host = static_cast<double>(available_host_bytes()),
            .device = 0.0,
            .device_name = {},
            .swap = static_cast<double>(free_swap_bytes())};
  if (backend.memory_space() == bem::MemorySpace::host) return room;
  const gpu::Device device = gpu::current_device();
  room.device = static_cast<double>(device.free_bytes.value_or(0));
  room.device_name = device.name;
  return room;
}

Verdict settle(std::unique_ptr<bem::Backend>& backend, const SolveSize& size, BackendChoice choice,
               Log& log) {
  Verdict verdict = judge(size, choice, backend->memory_space(), room_for(*backend));
  if (!verdict.warning.empty()) log.warning(verdict.warning);
  if (verdict.place != backend->memory_space()) backend = make_host_backend();
  return verdict;
}

void require_room(const Verdict& verdict) {
  if (!verdict.refusal.empty()) throw DeviceError(verdict.refusal);
}

}  // namespace rankine::cases
