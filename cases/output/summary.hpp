// The summary of a run: summary.json and the last lines of the log. The keys of summary.json,
// schema 1, are stable (docs/howto/results.md). Each result is defined once, with key, value and
// line.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "cases/output/log.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::cases {

using Json = nlohmann::ordered_json;

inline Json to_array(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }

template <class Value>
Json to_object(const std::vector<std::pair<std::string, Value>>& pairs) {
  Json json = Json::object();
  for (const auto& [key, value] : pairs) json[key] = value;
  return json;
}

/// The text of `json`, indented by `indent` spaces (-1: one line). Strings may contain invalid
/// UTF-8.
inline std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// One result of a run.
struct Result {
  std::string key{};  ///< in "results" of summary.json; empty: in the log only
  Json value{};
  std::string name{};  ///< of its log line; empty: continues the line above
  std::string text{};  ///< of its log line; empty: in summary.json only
};

struct Summary {
  std::string status = "converged";
  int exit_code = 0;
  std::filesystem::path case_path{};
  std::string case_sha256{};
  std::string device{};
  int threads = 0;               ///< of each process
  int processes = 1;             ///< number of processes of the run
  Json groups = Json::object();  ///< the objects "mesh", "problem", ... before "results"
  std::vector<Result> results{};
  Json verify{};                                          ///< null without an exact solution
  std::vector<std::pair<std::string, double>> seconds{};  ///< of phases, "total", and stages of
                                                          ///< phases
  std::size_t peak_host_bytes = 0, peak_device_bytes = 0;
  std::vector<std::string> files{}, warnings{};
};

/// The text of summary.json.
std::string to_json(const Summary& summary, int indent = 2);

/// Logs results, times, memory and the files in `folder`. `main_file`: the file to open first.
void describe_results(const Summary& summary, const std::filesystem::path& folder,
                      const std::string& main_file, Log& log);

/// "cpu: AMD EPYC, 2 threads", for the log.
std::string show_backend(const bem::Backend& backend);

}  // namespace rankine::cases
