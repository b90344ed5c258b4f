// What the summaries of all kinds of runs share.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cases/build_info.hpp"

namespace rankine::cases {

struct HostOfRun {
  std::string device;
  int threads = 0;
};
struct CaseOfRun {
  std::filesystem::path path;
  std::string sha256;
};
struct PeakBytes {
  std::size_t host = 0, device = 0;
};

template <class Value>
nlohmann::ordered_json object_json(const std::vector<std::pair<std::string, Value>>& pairs) {
  auto json = nlohmann::ordered_json::object();
  for (const auto& [key, value] : pairs) json[key] = value;
  return json;
}

/// schema, status, exit_code, code, host, case.
inline nlohmann::ordered_json head_json(const std::string& status, int exit_code,
                                        const HostOfRun& host, const CaseOfRun& of) {
  const BuildInfo& build = build_info();
  nlohmann::ordered_json json{
      {"schema", 1},
      {"status", status},
      {"exit_code", exit_code},
      {"code", {{"name", "rankine"}, {"version", build.version}, {"git", build.git}}},
      {"host", {{"device", host.device}, {"threads", host.threads}}},
      {"case", {{"path", of.path.string()}, {"sha256", of.sha256}}}};
  if (!build.cuda.empty()) json["code"]["cuda"] = build.cuda;
  return json;
}

/// seconds, peak_bytes, files, warnings.
inline void add_tail(nlohmann::ordered_json& json,
                     const std::vector<std::pair<std::string, double>>& seconds,
                     const PeakBytes& peak, const std::vector<std::string>& files,
                     const std::vector<std::string>& warnings) {
  json["seconds"] = object_json(seconds);
  json["peak_bytes"] = {{"host", peak.host}, {"device", peak.device}};
  json["files"] = files;
  json["warnings"] = warnings;
}

/// The text; a path need not be UTF-8.
inline std::string dump(const nlohmann::ordered_json& json, int indent) {
  return json.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace rankine::cases
