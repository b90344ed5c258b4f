// The errors a user can cause or meet. The message says what is wrong, the value found and what to
// do; the type decides the exit code of the program (see cases/README.md).
#pragma once

#include <stdexcept>
#include <string>

namespace rankine {

/// Base of every error that is reported to the user rather than asserted.
class Error : public std::runtime_error {
 public:
  Error(int exit_code, const std::string& message)
      : std::runtime_error(message), exit_code_(exit_code) {}
  int exit_code() const noexcept { return exit_code_; }

 private:
  int exit_code_;
};

/// Wrong usage, option or case file: exit code 2.
struct InputError : Error {
  explicit InputError(const std::string& message) : Error(2, message) {}
};

/// Mesh missing, unreadable or unusable: exit code 3.
struct MeshError : Error {
  explicit MeshError(const std::string& message) : Error(3, message) {}
};

/// Device missing or out of memory: exit code 6.
struct DeviceError : Error {
  explicit DeviceError(const std::string& message) : Error(6, message) {}
};

}  // namespace rankine
