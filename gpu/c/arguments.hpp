// Converts the arguments of rankine/fmm.h to those of fmm/. All functions throw InputError for
// invalid arguments.
#pragma once

#include <rankine/fmm.h>

#include <cstddef>
#include <exception>
#include <new>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::c {

// For C callers an exception is converted to a status and a message, which is stored per thread.

/// Stores `message` for rankine_message(), truncated to the thread's buffer, and returns `status`.
int failed(int status, const char* message) noexcept;

/// The message of the last failed() of this thread.
const char* last_message() noexcept;

/// Calls work() and returns the status of the exception that it throws, or RANKINE_OK.
template <class Work>
int status_of(Work&& work) noexcept {
  try {
    work();
    return RANKINE_OK;
  } catch (const InputError& error) {
    return failed(RANKINE_INPUT_ERROR, error.what());
  } catch (const DeviceError& error) {
    return failed(RANKINE_DEVICE_ERROR, error.what());
  } catch (const std::bad_alloc&) {
    return failed(
        RANKINE_DEVICE_ERROR,
        "there is not enough memory; use fewer points or right-hand sides, or a lower order");
  } catch (const std::exception& error) {
    return failed(RANKINE_INTERNAL_ERROR, error.what());
  } catch (...) {
    return failed(RANKINE_INTERNAL_ERROR, "something unknown was thrown");
  }
}

/// Throws InputError if the pointer named `what` is NULL.
void require(const void* pointer, const char* what);

MemorySpace memory_space(int memory);

/// If `options` is NULL: the defaults. Members that do not exist in a smaller, older struct have
/// their defaults.
rankine_fmm_options complete(const rankine_fmm_options* options);

/// Size of the first version of a struct, the smallest that a caller can have.
inline constexpr std::size_t first_options = 72, first_info = 112;

/// Throws InputError unless `size`, the size of the struct in the caller's program, is at most the
/// size in this library, `known`, and at least `least` bytes (an older version).
void check_size(const char* what, std::size_t size, std::size_t least, std::size_t known);

enum class Place { automatic, cpu, cuda };
Place place(const rankine_fmm_options& options);

fmm::Options options(const rankine_fmm_options& given);

/// Spans over the caller's arrays.
fmm::Points points(const rankine_fmm_points& given);
fmm::Strengths strengths(const rankine_fmm_strengths& given, int rhs,
                         const fmm::OperatorInfo& info);
fmm::Results results(const rankine_fmm_results& given, int rhs, const fmm::OperatorInfo& info);

}  // namespace rankine::c
