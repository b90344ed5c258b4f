// rankine info: version, build, libraries, processor and devices.
#include <fmt/format.h>
#include <toml++/impl/version.h>
#include <CLI/Version.hpp>

#include <nlohmann/json.hpp>

#include "cases/build_info.hpp"
#include "cases/exit_code.hpp"
#include "cases/output/show.hpp"
#include "cases/output/standard_output.hpp"
#include "cases/resources/machine.hpp"
#include "cases/resources/solve_size.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/simd/kernels.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

std::string enough_for(double panels) {
  return panels < 2e4 ? "too little for 20 000 panels"
                      : fmt::format("enough for about {:.2g} million panels", 1e-6 * panels);
}

Json describe(const gpu::Device& device) {
  Json entry{{"name", device.name}};
  if (device.multiprocessors > 0) {
    entry["compute_capability"] = fmt::format("{}.{}", device.major, device.minor);
    entry["multiprocessors"] = device.multiprocessors;
    entry["total_bytes"] = device.total_bytes;
  }
  if (device.free_bytes) {
    entry["free_bytes"] = *device.free_bytes;
    entry["panels_that_fit"] =
        panels_that_fit(static_cast<double>(*device.free_bytes), bem::MemorySpace::device);
  }
  if (!device.trouble.empty()) entry["trouble"] = device.trouble;
  return entry;
}

Json describe_libraries(const BuildInfo& build) {
  const auto dotted = [](int major, int minor, int patch) {
    return fmt::format("{}.{}.{}", major, minor, patch);
  };
  return {{"gmsh", build.gmsh},
          {"vtk", build.vtk},
          {"eigen", build.eigen},
          {"cgal", build.cgal.empty() ? "not in this build (libcgal-dev)" : build.cgal},
          {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
          {"cli11", CLI11_VERSION},
          {"tomlplusplus", dotted(TOML_LIB_MAJOR, TOML_LIB_MINOR, TOML_LIB_PATCH)},
          {"nlohmann_json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                   NLOHMANN_JSON_VERSION_PATCH)}};
}

Json describe_all(const std::vector<gpu::Device>& devices) {
  const BuildInfo& build = build_info();
  const std::size_t host_bytes = available_host_bytes();
  Json json{
      {"version", build.version},
      {"git", build.git},
      {"build", {{"type", build.type}, {"compiler", build.compiler}, {"flags", build.flags}}},
      {"cuda", build.cuda.empty() ? "not in this build (cmake --preset cuda)" : build.cuda},
      {"libraries", describe_libraries(build)},
      {"processor", bem::make_cpu_backend()->device()},
      {"vector_instructions", fmm::simd_name()},
      {"threads", thread_count()},
      {"memory_available_bytes", host_bytes},
      {"panels_that_fit", panels_that_fit(static_cast<double>(host_bytes), bem::MemorySpace::host)},
      {"licence", fmt::format("{} as linked with Gmsh{}; the libraries beneath are BSD-3-Clause",
                              build.cgal.empty() ? "GPL-2.0-or-later" : "GPL-3.0-or-later",
                              build.cgal.empty() ? "" : " and CGAL")}};
  json["devices"] = Json::array();
  for (const gpu::Device& device : devices) json["devices"].push_back(describe(device));
  if (gpu::built_with_cuda()) {
    json["cuda_runtime"] = gpu::runtime_version();
    json["cuda_driver"] = gpu::driver_version();
  }
  return json;
}

std::string device_text(const Json& device) {
  std::string text = fmt::format("{:<20} {}", "device", device["name"].get<std::string>());
  if (device.contains("total_bytes")) {
    text +=
        fmt::format(", compute capability {}, {}", device["compute_capability"].get<std::string>(),
                    show_bytes(device["total_bytes"].get<double>()));
  }
  if (device.contains("free_bytes")) {
    text += fmt::format(", {} free, {}", show_bytes(device["free_bytes"].get<double>()),
                        enough_for(device["panels_that_fit"].get<double>()));
  }
  if (device.contains("trouble"))
    text += fmt::format(", cannot be used now: {}", device["trouble"].get<std::string>());
  return text + "\n";
}

std::string text_of(const Json& json) {
  std::string text;
  for (const auto& [key, value] : json.items()) {
    if (key == "panels_that_fit") continue;
    if (value.is_object()) {
      text += key + ":\n";
      for (const auto& [name, each] : value.items())
        text += fmt::format("  {:<18} {}\n", name, each.get<std::string>());
    } else if (key == "devices") {
      for (const auto& device : value) text += device_text(device);
    } else if (key == "memory_available_bytes") {
      text += fmt::format("{:<20} {}, {}\n", "memory available", show_bytes(value.get<double>()),
                          enough_for(json["panels_that_fit"].get<double>()));
    } else {
      text += fmt::format("{:<20} {}\n", key,
                          value.is_string() ? value.get<std::string>() : value.dump());
    }
  }
  return text;
}

}  // namespace

std::string info_text(const std::vector<gpu::Device>& devices, bool json) {
  const Json all = describe_all(devices);
  return json ? all.dump() + "\n" : text_of(all);
}

int run(const InfoArguments& arguments) {
  print(info_text(gpu::devices(), arguments.json));
  return exit_solved;
}

}  // namespace rankine::cases
