// The functions of rankine/fmm.h.
#include <rankine/fmm.h>

#include <cstring>
#include <memory>

#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/gpu/c/arguments.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/sums/staged_sum.hpp"

using namespace rankine;

struct rankine_fmm_plan {
  gpu::StreamedOperator operator_;  ///< has no stream on the CPU

  bool on_device() const { return operator_.stream != nullptr; }
  fmm::Operator& sum() const { return *operator_.sum; }
};

namespace {

std::unique_ptr<rankine_fmm_plan> make_plan(const rankine_fmm_points& given,
                                            const rankine_fmm_options& wanted) {
  const fmm::Options options = c::options(wanted);
  const fmm::Points points = c::points(given);
  const c::Place place = c::place(wanted);
  auto plan = std::make_unique<rankine_fmm_plan>();
  if (place == c::Place::cuda || (place == c::Place::automatic && gpu::available())) {
    plan->operator_ = gpu::make_streamed_operator(points, options);
  } else {
    plan->operator_.sum = fmm::make_cpu_operator(points, options);
  }
  return plan;
}

void apply(const rankine_fmm_plan& plan, const rankine_fmm_strengths& given,
           const rankine_fmm_results& wanted, int rhs, MemorySpace where) {
  const fmm::OperatorInfo& info = plan.sum().info();
  const fmm::Strengths strengths = c::strengths(given, rhs, info);
  const fmm::Results results = c::results(wanted, rhs, info);
  if (where == MemorySpace::host && plan.on_device()) {
    gpu::apply_staged(plan.operator_, strengths, results, rhs);
  } else if (where == MemorySpace::device && !plan.on_device()) {
    throw InputError(
        "arrays are said to lie on a device, but this plan computes on the processor; use "
        "RANKINE_HOST, or create the plan with RANKINE_CUDA");
  } else {
    plan.sum().apply(strengths, results, rhs);
  }
}

rankine_fmm_info describe(const rankine_fmm_plan& plan) {
  const fmm::OperatorInfo& info = plan.sum().info();
  return {.sources = info.sources,
          .targets = info.targets,
          .boxes = info.boxes,
          .leaves = info.leaves,
          .near_pairs = info.near_pairs,
          .host_bytes = static_cast<std::int64_t>(info.host_bytes),
          .device_bytes = static_cast<std::int64_t>(info.device_bytes),
          .tolerance = info.tolerance,
          .kept_tolerance = info.kept_tolerance,
          .setup_seconds = info.setup_seconds,
          .stream = plan.on_device() ? plan.operator_.stream->handle() : nullptr,
          .backend = plan.on_device() ? RANKINE_CUDA : RANKINE_CPU,
          .method = static_cast<int>(info.method),
          .precision = static_cast<int>(info.precision),
          .order = info.order,
          .leaf_capacity = info.leaf_capacity,
          .depth = info.depth};
}

/// Copies the part of `all` that fits into a caller's struct of `size` bytes.
template <class Struct>
void copy_known(const char* what, const Struct& all, Struct* to, std::size_t size,
                std::size_t first) {
  c::require(to, what);
  c::check_size(what, size, first, sizeof all);
  std::memcpy(to, &all, size);
}

}  // namespace

extern "C" {

const char* rankine_message(void) { return c::last_message(); }

int rankine_fmm_default_options(rankine_fmm_options* options, size_t size) {
  return c::status_of([&] {
    copy_known("options", c::complete(nullptr), options, size, c::first_options);
    options->size = size;
  });
}

int rankine_fmm_create(rankine_fmm_plan** plan, const rankine_fmm_points* points,
                       const rankine_fmm_options* options) {
  return c::status_of([&] {
    c::require(plan, "plan");
    *plan = nullptr;
    c::require(points, "points");
    *plan = make_plan(*points, c::complete(options)).release();
  });
}

int rankine_fmm_move(rankine_fmm_plan* plan, const rankine_fmm_points* points, int memory) {
  return c::status_of([&] {
    c::require(plan, "plan");
    c::require(points, "points");
    plan->sum().move(c::points(*points), c::memory_space(memory));
    plan->sum().synchronize();  // the caller's stream is not synchronised with that of the plan
  });
}

int rankine_fmm_apply(rankine_fmm_plan* plan, const rankine_fmm_strengths* strengths,
                      const rankine_fmm_results* results, int rhs, int memory) {
  return c::status_of([&] {
    c::require(plan, "plan");
    c::require(strengths, "strengths");
    c::require(results, "results");
    apply(*plan, *strengths, *results, rhs, c::memory_space(memory));
  });
}

int rankine_fmm_synchronize(rankine_fmm_plan* plan) {
  return c::status_of([&] {
    c::require(plan, "plan");
    plan->sum().synchronize();
  });
}

int rankine_fmm_get_info(const rankine_fmm_plan* plan, rankine_fmm_info* info, size_t size) {
  return c::status_of([&] {
    c::require(plan, "plan");
    copy_known("info", describe(*plan), info, size, c::first_info);
  });
}

void rankine_fmm_destroy(rankine_fmm_plan* plan) { delete plan; }
}
