#include "cases/exit_code.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <new>
#include <system_error>

#include "cases/resources/machine.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

template <class Kind>
const Kind* as(const std::exception& error) {
  return dynamic_cast<const Kind*>(&error);
}

/// The operation that the system refused, and a remedy.
std::string message_of_file(const fs::filesystem_error& error) {
  std::error_code gone;
  static_cast<void>(fs::current_path(gone));
  if (gone) {
    return fmt::format("the working directory cannot be used: {}; change to another",
                       gone.message());
  }
  return fmt::format("{}: {}; correct the path, or its permissions", error.path1().string(),
                     error.code().message());
}

}  // namespace

ExitCode exit_code_of(const std::exception& error) {
  if (as<InputError>(error) || as<fs::filesystem_error>(error)) return exit_usage;
  if (as<MeshError>(error)) return exit_mesh;
  if (as<DeviceError>(error) || as<std::bad_alloc>(error) || as<std::system_error>(error))
    return exit_device_or_memory;
  if (as<Stopped>(error)) return exit_interrupted;
  return exit_internal_error;
}

std::string message_of(const std::exception& error, const std::string& work) {
  if (as<Error>(error)) return error.what();
  if (as<std::bad_alloc>(error)) return out_of_memory(work);
  if (const auto* files = as<fs::filesystem_error>(error)) return message_of_file(*files);
  if (as<std::system_error>(error)) {
    return fmt::format(
        "the system refused a thread, a process or a file ({}); end other programs, "
        "or raise the limits of this account (ulimit -a)",
        error.what());
  }
  return fmt::format("internal error, please report it with the output of rankine info: {}",
                     error.what());
}

}  // namespace rankine::cases
