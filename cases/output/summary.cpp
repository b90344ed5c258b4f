#include "cases/output/summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cases/build_info.hpp"
#include "cases/output/show.hpp"
#include "cases/output/warning_number.hpp"
#include "rankine/fmm/core/execution.hpp"

namespace rankine::cases {
std::string to_json(const Summary& s, int indent) {
  const BuildInfo& build = build_info();
  Json json{{"schema", 1},
            {"status", s.status},
            {"exit_code", s.exit_code},
            {"code", {{"name", "rankine"}, {"version", build.version}, {"git", build.git}}},
            {"host", {{"device", s.device}, {"threads", s.threads}, {"processes", s.processes}}},
            {"case", {{"path", s.case_path.string()}, {"sha256", s.case_sha256}}}};
  if (!build.cuda.empty()) json["code"]["cuda"] = build.cuda;
  json.update(s.groups);
  json["results"] = Json::object();
  for (const Result& each : s.results) {
    if (!each.key.empty()) json["results"][each.key] = each.value;
  }
  if (!s.verify.is_null()) json["verify"] = s.verify;
  json["seconds"] = to_object(s.seconds);
  json["peak_bytes"] = {{"host", s.peak_host_bytes}, {"device", s.peak_device_bytes}};
  json["files"] = s.files;
  json["warnings"] = s.warnings;
  json["warning_numbers"] = Json::array();
  for (const std::string& each : s.warnings)
    json["warning_numbers"].push_back(warning_number(each));
  return dump(json, indent);
}

void describe_results(const Summary& s, const std::filesystem::path& folder,
                      const std::string& main_file, Log& log) {
  for (const Result& each : s.results) {
    if (!each.text.empty()) log.fact(each.name, each.text);
  }
  std::string phases;
  for (const auto& [name, seconds] : s.seconds) {
    phases += fmt::format("{}{} {:.2f}", phases.empty() ? "" : ", ", name, seconds);
    if (name == "total") break;
  }
  log.fact("seconds", phases);
  const auto host = static_cast<double>(s.peak_host_bytes),
             device = static_cast<double>(s.peak_device_bytes);
  log.fact("memory",
           fmt::format("{} at most{}", show_bytes(host),
                       device > 0.0 ? fmt::format(", {} on the device", show_bytes(device)) : ""));
  constexpr std::size_t most_listed = 30;
  log.fact("written", s.files.size() > most_listed
                          ? fmt::format("{}/: {} files", folder.string(), s.files.size())
                          : fmt::format("{}/: {}", folder.string(), fmt::join(s.files, " ")));
  log.fact("open", fmt::format("paraview {}", (folder / main_file).string()));
}

std::string show_backend(const bem::Backend& backend) {
  return backend.memory_space() == bem::MemorySpace::host
             ? fmt::format("cpu: {}, {} threads", backend.device(), thread_count())
             : fmt::format("{}: {}", backend.name(), backend.device());
}

}  // namespace rankine::cases
