#include "cases/output/commit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cases/output/checkpoint.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto plan_name = "plan";

/// What is to go and what is to come, a line each.
struct Plan {
  std::vector<std::string> old_files, new_files;
};

constexpr std::string_view old_mark = "old ", new_mark = "new ";

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Could a run have written a file of this name? A summary may have been edited.
bool is_file_of_a_run(const fs::path& name) {
  constexpr std::array written{".vtp", ".vti", ".pvd", ".csv", ".toml", ".py", ".json", ".bin"};
  return name == name.filename() && std::any_of(written.begin(), written.end(), [&](const char* e) {
           return name.extension() == e;
         });
}

void write_plan(const fs::path& staging, const Plan& plan) {
  meshes::write_file(staging / plan_name, [&](std::ostream& stream) {
    for (const std::string& name : plan.old_files) stream << old_mark << name << '\n';
    for (const std::string& name : plan.new_files) stream << new_mark << name << '\n';
  });
}

Plan read_plan(const fs::path& staging) {
  Plan plan;
  std::ifstream stream(staging / plan_name);
  for (std::string line; std::getline(stream, line);) {
    const std::string name = line.substr(std::min(line.size(), old_mark.size()));
    if (!is_file_of_a_run(name)) continue;
    (line.starts_with(new_mark) ? plan.new_files : plan.old_files).push_back(name);
  }
  return plan;
}

/// Throws filesystem_error.
void carry_out(const fs::path& folder, const fs::path& staging) {
  const Plan plan = read_plan(staging);
  const auto waiting = [&](const std::string& name) { return fs::exists(staging / name); };
  if (waiting(summary_name)) {  // else all is in place but for the staging folder itself
    fs::remove(folder / summary_name);
    for (const std::string& name : plan.old_files) {
      if (waiting(name) || !contains(plan.new_files, name)) fs::remove(folder / name);
    }
    for (const std::string& name : plan.new_files) {
      if (name != summary_name && waiting(name)) fs::rename(staging / name, folder / name);
    }
    fs::rename(staging / summary_name, folder / summary_name);
  }
  fs::remove_all(staging);
}

}  // namespace

std::vector<std::string> files_of_earlier_runs(const fs::path& folder) {
  std::vector<std::string> names{"surface.vtp", "residuals.csv", "case.resolved.toml",
                                 "view.py",     checkpoint_name, summary_name};
  std::ifstream stream(folder / summary_name);
  const auto summary = nlohmann::json::parse(stream, nullptr, false);
  if (!summary.is_object() || !summary.contains("files") || !summary["files"].is_array())
    return names;
  for (const auto& file : summary["files"]) {
    if (!file.is_string()) continue;
    const std::string name = file.get<std::string>();
    if (is_file_of_a_run(name) && !contains(names, name)) names.push_back(name);
  }
  return names;
}

bool commit_begun(const fs::path& staging) {
  std::error_code ignored;
  return fs::exists(staging / plan_name, ignored);
}

void commit(const fs::path& folder, const fs::path& staging,
            const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (!fs::is_directory(folder / name)) continue;
    throw InputError(fmt::format("{}: cannot be written: a folder has that name; rename it",
                                 (folder / name).string()));
  }
  write_plan(staging, {files_of_earlier_runs(folder), names});
  try {
    carry_out(folder, staging);
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: the results cannot be put in place: {}",
                                 error.path1().string(), error.code().message()));
  }
}

void recover(const fs::path& folder) {
  std::vector<fs::path> left;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const bool staging = entry.path().filename().string().starts_with(staging_prefix);
    if (staging && entry.symlink_status().type() == fs::file_type::directory)
      left.push_back(entry.path());
  }
  for (const fs::path& staging : left) {
    try {
      if (commit_begun(staging)) carry_out(folder, staging);
      fs::remove_all(staging);
    } catch (const fs::filesystem_error& failure) {
      throw InputError(fmt::format("{}: what an earlier run left cannot be removed: {}",
                                   failure.path1().string(), failure.code().message()));
    }
  }
}

}  // namespace rankine::cases
