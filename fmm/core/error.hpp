// The errors that a user can cause or meet. The message says what is wrong, the value found and
// what to do. A program decides what it does about each kind of error.
#pragma once

#include <stdexcept>

namespace rankine {

/// Base of every error that is reported to the user rather than asserted.
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

/// A device lacks memory. Work that needs less may still succeed, while any other DeviceError ends
/// a run.
struct DeviceMemoryError : DeviceError {
  using DeviceError::DeviceError;
};

/// Work ended unfinished because it was asked to stop (fmm/core/parallel.hpp).
struct Stopped : Error {
  using Error::Error;
};

}  // namespace rankine
