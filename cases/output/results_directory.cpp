#include "cases/output/results_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <system_error>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

std::string temporary_name(const std::string& name) {
  return fmt::format(".{}.{}", ::getpid(), name);
}

/// Creates `folder` and its parents; returns those that were missing, outermost first.
std::vector<fs::path> make_folders(const fs::path& folder) {
  std::vector<fs::path> missing;
  for (fs::path each = folder; !each.empty() && !fs::exists(each); each = each.parent_path()) {
    missing.insert(missing.begin(), each);
    if (each == each.parent_path()) break;
  }
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw InputError(fmt::format(
        "{}: the results directory cannot be made: {}; choose another with --output DIR",
        folder.string(), error.message()));
  }
  return missing;
}

}  // namespace

ResultsDirectory::ResultsDirectory(fs::path folder) : folder_(std::move(folder)) {
  if (!folder_.has_filename()) folder_ = folder_.parent_path();
  if (folder_.empty()) folder_ = ".";
  if (fs::exists(folder_) && !fs::is_directory(folder_)) {
    throw InputError(fmt::format("{}: is a file, not a directory; choose another with --output DIR",
                                 folder_.string()));
  }
  made_ = make_folders(folder_);
  const fs::path probe = folder_ / temporary_name("probe");
  const bool writable = (std::ofstream(probe) << "x").flush().good();
  std::error_code ignored;
  fs::remove(probe, ignored);
  if (!writable) {
    throw InputError(
        fmt::format("{}: the results directory is not writable (permissions or disk space); choose "
                    "another with --output DIR",
                    folder_.string()));
  }
}

ResultsDirectory::~ResultsDirectory() {
  if (!files_.empty()) return;
  std::error_code ignored;
  for (auto each = made_.rbegin(); each != made_.rend(); ++each) {
    if (!fs::is_empty(*each, ignored) || ignored) return;
    fs::remove(*each, ignored);
  }
}

void ResultsDirectory::write(const std::string& name,
                             const std::function<void(const fs::path&)>& write) {
  const fs::path temporary = folder_ / temporary_name(name);
  std::error_code ignored;
  try {
    write(temporary);
    fs::rename(temporary, folder_ / name);
  } catch (const fs::filesystem_error& error) {
    fs::remove(temporary, ignored);
    throw InputError(fmt::format("{}: cannot be written: {}", (folder_ / name).string(),
                                 error.code().message()));
  } catch (...) {
    fs::remove(temporary, ignored);
    throw;
  }
  if (std::find(files_.begin(), files_.end(), name) == files_.end()) files_.push_back(name);
}

void ResultsDirectory::write_text(const std::string& name, std::string_view text) {
  write(name, [&](const fs::path& path) {
    std::ofstream file(path, std::ios::binary);
    file << text;
    file.close();
    if (!file)
      throw InputError(
          fmt::format("{}: cannot be written (disk full?)", (folder_ / name).string()));
  });
}

void ResultsDirectory::remove(const std::string& name) const {
  std::error_code ignored;
  fs::remove(folder_ / name, ignored);
}

}  // namespace rankine::cases
