#include "rankine/gpu/c/arguments.hpp"

#include <cstddef>
#include <cstdio>
#include <cstring>
#include <string>

#include "rankine/fmm/core/error.hpp"

namespace rankine::c {
namespace {

thread_local char message_of_thread[2048] = "";

using fmm::Kernel;
using fmm::Method;
using fmm::Precision;

// The constants of the header equal the enumerators.
static_assert(static_cast<int>(Method::direct) == RANKINE_DIRECT);
static_assert(static_cast<int>(Method::treecode) == RANKINE_TREECODE);
static_assert(static_cast<int>(Method::fmm) == RANKINE_FAST_MULTIPOLE);
static_assert(static_cast<int>(Precision::float64) == RANKINE_FLOAT64);
static_assert(static_cast<int>(Precision::float32) == RANKINE_FLOAT32);
static_assert(static_cast<int>(Kernel::laplace) == RANKINE_LAPLACE);
static_assert(static_cast<int>(Kernel::plummer) == RANKINE_PLUMMER);
static_assert(static_cast<int>(Kernel::vortex_exponential) == RANKINE_VORTEX_EXPONENTIAL);
static_assert(static_cast<int>(Kernel::vortex_gaussian) == RANKINE_VORTEX_GAUSSIAN);
static_assert(static_cast<int>(Place::automatic) == RANKINE_AUTO);
static_assert(static_cast<int>(Place::cpu) == RANKINE_CPU);
static_assert(static_cast<int>(Place::cuda) == RANKINE_CUDA);
static_assert(static_cast<int>(MemorySpace::host) == RANKINE_HOST);
static_assert(static_cast<int>(MemorySpace::device) == RANKINE_DEVICE);
// There is no padding at the end, so that every new member increases the size of a struct.
static_assert(sizeof(rankine_fmm_options) ==
              offsetof(rankine_fmm_options, threads) + sizeof(rankine_fmm_options::threads));
static_assert(sizeof(rankine_fmm_info) ==
              offsetof(rankine_fmm_info, depth) + sizeof(rankine_fmm_info::depth));
static_assert(sizeof(Vec3d) == 3 * sizeof(double) && alignof(Vec3d) == alignof(double));

template <class Enum>
Enum one_of(const char* what, int value, Enum last) {
  if (value >= 0 && value <= static_cast<int>(last)) return static_cast<Enum>(value);
  throw InputError(std::string(what) + " " + std::to_string(value) +
                   " is not known; use one of 0 to " + std::to_string(static_cast<int>(last)) +
                   ", which rankine/fmm.h names");
}

std::size_t count(const char* what, std::int64_t n) {
  if (n >= 0) return static_cast<std::size_t>(n);
  throw InputError("the number of " + std::string(what) + " is " + std::to_string(n) +
                   "; use 0 or more");
}

std::span<const Vec3d> vectors(const char* what, const double* data, std::size_t n) {
  if (data == nullptr && n > 0)
    throw InputError("there are " + std::to_string(n) + " " + what + ", but their array is NULL");
  return {reinterpret_cast<const Vec3d*>(data), n};
}

/// The array of `width` values for each of `n` points and right-hand sides; empty if it is NULL.
template <class T>
std::span<T> values(T* data, int rhs, std::int64_t n, std::size_t width) {
  if (data == nullptr || rhs < 1) return {};
  return {data, static_cast<std::size_t>(rhs) * static_cast<std::size_t>(n) * width};
}

}  // namespace

int failed(int status, const char* message) noexcept {
  std::snprintf(message_of_thread, sizeof message_of_thread, "%s", message);
  return status;
}

const char* last_message() noexcept { return message_of_thread; }

void require(const void* pointer, const char* what) {
  if (pointer == nullptr) throw InputError(std::string(what) + " is NULL");
}

MemorySpace memory_space(int memory) { return one_of("memory", memory, MemorySpace::device); }

void check_size(const char* what, std::size_t size, std::size_t least, std::size_t known) {
  if (size >= least && size <= known) return;
  const std::string text = std::string(what) + " of " + std::to_string(size) +
                           " bytes, but this library knows " + std::to_string(least) +
                           (known > least ? " to " + std::to_string(known) : std::string());
  throw InputError(text + (size > known ? "; compile with the header that was installed with it"
                                        : "; give sizeof of the struct"));
}

rankine_fmm_options complete(const rankine_fmm_options* options) {
  const fmm::Options defaults;
  rankine_fmm_options all{.size = sizeof all,
                          .tolerance = defaults.tolerance,
                          .softening = defaults.softening,
                          .direct_pairs = defaults.direct_pairs,
                          .backend = RANKINE_AUTO,
                          .kernel = static_cast<int>(defaults.kernel),
                          .method = static_cast<int>(defaults.method),
                          .precision = static_cast<int>(defaults.precision),
                          .order = defaults.order,
                          .leaf_capacity = defaults.leaf_capacity,
                          .derivatives = 0,
                          .dipoles = defaults.dipoles,
                          .rhs = defaults.rhs,
                          .threads = defaults.execution.threads};
  if (options == nullptr) return all;
  check_size("options", options->size, first_options, sizeof all);
  std::memcpy(&all, options, options->size);
  return all;
}

Place place(const rankine_fmm_options& options) {
  return one_of("backend", options.backend, Place::cuda);
}

fmm::Options options(const rankine_fmm_options& given) {
  if (given.threads < 0) {
    throw InputError("threads " + std::to_string(given.threads) +
                     " is negative; use 1 or more, or 0 for all");
  }
  if (given.derivatives < 0 || given.derivatives > 2) {
    throw InputError(
        "derivatives " + std::to_string(given.derivatives) +
        " is outside 0 ... 2; use 0 for none, 1 for gradients, 2 for second derivatives");
  }
  return {.method = one_of("method", given.method, Method::fmm),
          .kernel = one_of("kernel", given.kernel, Kernel::vortex_gaussian),
          .softening = given.softening,
          .precision = one_of("precision", given.precision, Precision::float32),
          .tolerance = given.tolerance,
          .order = given.order,
          .leaf_capacity = given.leaf_capacity,
          .gradient = given.derivatives > 0,
          .hessian = given.derivatives > 1,
          .dipoles = given.dipoles != 0,
          .rhs = given.rhs,
          .execution = {.threads = given.threads},
          .direct_pairs = given.direct_pairs};
}

fmm::Points points(const rankine_fmm_points& given) {
  const std::size_t n = count("sources", given.source_count);
  const std::size_t targets = count("targets", given.target_count);
  fmm::Points points;
  points.sources = vectors("sources", given.sources, n);
  if (given.targets == nullptr && targets == 0) {
    points.targets = points.sources;
  } else {
    points.targets = vectors("targets", given.targets, targets);
  }
  if (given.normals != nullptr) points.normals = vectors("normals", given.normals, n);
  if (given.core_radii != nullptr) points.core_radii = {given.core_radii, n};
  return points;
}

fmm::Strengths strengths(const rankine_fmm_strengths& given, int rhs,
                         const fmm::OperatorInfo& info) {
  return {.charges = values(given.charges, rhs, info.sources, 1),
          .normal_dipoles = values(given.normal_dipoles, rhs, info.sources, 1),
          .dipoles = values(given.dipoles, rhs, info.sources, 3),
          .vortices = values(given.vortices, rhs, info.sources, 3)};
}

fmm::Results results(const rankine_fmm_results& given, int rhs, const fmm::OperatorInfo& info) {
  return {.potential = values(given.potential, rhs, info.targets, 1),
          .gradient = values(given.gradient, rhs, info.targets, 3),
          .hessian = values(given.hessian, rhs, info.targets, 6),
          .velocity = values(given.velocity, rhs, info.targets, 3),
          .velocity_gradient = values(given.velocity_gradient, rhs, info.targets, 9)};
}

}  // namespace rankine::c
