// The errors that a user can cause or encounter. The message says what is wrong, the value found
// and what to do. A program decides how to handle each kind of error.
#pragma once

#include <stdexcept>

namespace rankine {

/// Base class of all errors that are reported to the user.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Wrong usage: an argument, an option, a case file.
struct InputError : Error {
  using Error::Error;
};

/// Mesh missing, unreadable or unusable.
struct MeshError : Error {
  using Error::Error;
};

/// Device missing, failed or out of memory.
struct DeviceError : Error {
  using Error::Error;
};

/// The memory of a device is insufficient. Work that needs less memory may still succeed; any other
/// DeviceError ends a run.
struct DeviceMemoryError : DeviceError {
  using DeviceError::DeviceError;
};

/// Work was ended by a stop request (fmm/core/parallel.hpp).
struct Stopped : Error {
  using Error::Error;
};

}  // namespace rankine
