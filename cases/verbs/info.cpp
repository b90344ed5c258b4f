// rankine info: version, build, libraries, processor and devices.
#include <fmt/format.h>
#include <toml++/impl/version.h>
#include <CLI/Version.hpp>

#include <nlohmann/json.hpp>

#include "cases/build_info.hpp"
#include "cases/exit_code.hpp"
#include "cases/output/show.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/solve_size.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/gpu/runtime/device.hpp"

namespace rankine::cases {
namespace {

std::string enough_for(double panels) {
  return panels < 2e4 ? "too little for 20 000 panels"
                      : fmt::format("enough for about {:.2g} million panels", 1e-6 * panels);
}

}  // namespace

int run(const InfoArguments& arguments) {
  const BuildInfo& build = build_info();
  const std::size_t host_bytes = available_host_bytes();
  nlohmann::ordered_json json{
      {"version", build.version},
      {"git", build.git},
      {"build", {{"type", build.type}, {"compiler", build.compiler}, {"flags", build.flags}}},
      {"cuda", build.cuda.empty() ? "not in this build (cmake --preset cuda)" : build.cuda},
      {"libraries",
       {{"gmsh", build.gmsh},
        {"vtk", build.vtk},
        {"eigen", build.eigen},
        {"fmt",
         fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
        {"cli11", CLI11_VERSION},
        {"tomlplusplus", fmt::format("{}.{}.{}", TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
        {"nlohmann_json", fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR,
                                      NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH)}}},
      {"processor", bem::make_cpu_backend()->device()},
      {"vector_instructions", fmm::simd_name()},
      {"threads", thread_count()},
      {"memory_available_bytes", host_bytes},
      {"panels_that_fit", panels_that_fit(static_cast<double>(host_bytes), Place::host)},
      {"licence", "GPL-2.0-or-later as linked with Gmsh; the libraries beneath are BSD-3-Clause"}};
  json["devices"] = nlohmann::ordered_json::array();
  for (const gpu::Device& device : gpu::devices()) {
    nlohmann::ordered_json& entry = json["devices"].emplace_back(nlohmann::ordered_json{
        {"name", device.name},
        {"compute_capability", fmt::format("{}.{}", device.major, device.minor)},
        {"multiprocessors", device.multiprocessors},
        {"total_bytes", device.total_bytes}});
    if (!device.free_bytes) continue;
    entry["free_bytes"] = *device.free_bytes;
    entry["panels_that_fit"] =
        panels_that_fit(static_cast<double>(*device.free_bytes), Place::device);
  }
  if (gpu::built_with_cuda()) {
    json["cuda_runtime"] = gpu::runtime_version();
    json["cuda_driver"] = gpu::driver_version();
  }
  if (arguments.json) {
    fmt::print("{}\n", json.dump());
    return exit_solved;
  }
  for (const auto& [key, value] : json.items()) {
    if (key == "panels_that_fit") continue;
    if (value.is_object()) {
      fmt::print("{}:\n", key);
      for (const auto& [name, each] : value.items())
        fmt::print("  {:<18} {}\n", name, each.get<std::string>());
    } else if (key == "devices") {
      for (const auto& device : value) {
        fmt::print("{:<20} {}, compute capability {}, {}", "device",
                   device["name"].get<std::string>(),
                   device["compute_capability"].get<std::string>(),
                   show_bytes(device["total_bytes"].get<double>()));
        if (device.contains("free_bytes")) {
          fmt::print(", {} free, {}", show_bytes(device["free_bytes"].get<double>()),
                     enough_for(device["panels_that_fit"].get<double>()));
        }
        fmt::print("\n");
      }
    } else if (key == "memory_available_bytes") {
      fmt::print("{:<20} {}, {}\n", "memory available", show_bytes(value.get<double>()),
                 enough_for(json["panels_that_fit"].get<double>()));
    } else {
      fmt::print("{:<20} {}\n", key, value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  return exit_solved;
}

}  // namespace rankine::cases
