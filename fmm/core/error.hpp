// The errors a user can cause or meet. The message says what is wrong, the value found and what to
// do; what a program makes of the kind of an error is its own affair.
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

/// Device missing or out of memory.
struct DeviceError : Error {
  using Error::Error;
};

/// Work that was asked to stop (fmm/core/parallel.hpp) ended unfinished.
struct Stopped : Error {
  using Error::Error;
};

}  // namespace rankine
