// The summary of a run: summary.json, schema 1, whose keys are a contract (docs/howto/results.md),
// and the last lines of the log. Each result is described once, with its key, value and line.
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

/// The text of `json`, indented by `indent` spaces (-1: one line). Strings need not be UTF-8.
inline std::string dump(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace);
}

/// One result.
struct Result {
  std::string key{};  ///< of "results" in summary.json; empty: the log alone
  Json value{};
  std::string name{};  ///< of its line in the log; empty: the line belongs to the one above
  std::string text{};  ///< of its line; empty: summary.json alone
};

struct Summary {
  std::string status = "converged";
  int exit_code = 0;
  std::filesystem::path case_path{};
  std::string case_sha256{};
  std::string device{};
  int threads = 0;               ///< of a process
  int processes = 1;             ///< that shared the run
  Json groups = Json::object();  ///< "mesh", "problem", ...: those before "results"
  std::vector<Result> results{};
  Json verify{};                                          ///< null: there is no exact solution
  std::vector<std::pair<std::string, double>> seconds{};  ///< phases, "total", and parts of phases
  std::size_t peak_host_bytes = 0, peak_device_bytes = 0;
  std::vector<std::string> files{}, warnings{};
};

/// The object of summary.json.
std::string to_json(const Summary& summary, int indent = 2);

/// Results, seconds, memory, and what was written into `folder`. `main_file`: what to open.
void describe_results(const Summary& summary, const std::filesystem::path& folder,
                      const std::string& main_file, Log& log);

/// "cpu: AMD EPYC, 2 threads", for the log.
std::string show_backend(const bem::Backend& backend);

}  // namespace rankine::cases
