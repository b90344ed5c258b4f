// For C callers exceptions become a status, and a message that is stored per thread.
#pragma once

#include <rankine/fmm.h>

#include <exception>
#include <new>

#include "rankine/fmm/core/error.hpp"

namespace rankine::c {

/// Stores `message` for rankine_message(), truncated to the thread's buffer, and returns `status`.
int failed(int status, const char* message) noexcept;

/// The message of the last failed() of this thread.
const char* last_message() noexcept;

/// Calls work() and returns the status of what it throws.
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

}  // namespace rankine::c
