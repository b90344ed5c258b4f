#include "cases/output/results_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>
#include <utility>

#include "cases/output/checkpoint.hpp"
#include "cases/output/standard_output.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr auto advice = "choose another with --output DIR";

/// The path without a trailing slash; "." if empty.
fs::path plain(fs::path folder) {
  if (!folder.has_filename()) folder = folder.parent_path();
  return folder.empty() ? "." : folder;
}

/// Whether a run can have written a file of this name; the list that names it may have been edited.
bool is_name_of_result(const fs::path& name) {
  constexpr std::array written{".vtp",  ".pvtp", ".vti",  ".pvd", ".csv",
                               ".toml", ".py",   ".json", ".nc",  ".bin"};
  return name == name.filename() && std::any_of(written.begin(), written.end(), [&](const char* e) {
           return name.extension() == e;
         });
}

/// The files of earlier runs, listed in summary.json and unfinished.json.
std::set<std::string> earlier_files(const fs::path& folder) {
  std::set<std::string> names;
  for (const char* list : {summary_name, unfinished_name}) {
    const Json json = Json::parse(read_own_file(folder / list).value_or(""), nullptr, false);
    if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) continue;
    names.insert(list);
    for (const Json& file : json["files"]) {
      if (file.is_string() && is_name_of_result(file.get<std::string>()))
        names.insert(file.get<std::string>());
    }
  }
  if (is_checkpoint(folder / checkpoint_name)) names.insert(checkpoint_name);
  return names;
}

/// Throws InputError if results would replace a file of the user.
void require_free(const fs::path& folder, const RunFiles& files) {
  const std::set<std::string> earlier = earlier_files(folder);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    const bool known = earlier.contains(name);
    if (!known && !files.writes(name)) continue;
    for (const fs::path& input : files.inputs) {
      if (!fs::equivalent(entry.path(), input, error)) continue;
      throw InputError(fmt::format(
          "{}: is an input of the case ({}), which the results would replace; choose another "
          "results directory with --output DIR",
          entry.path().string(), input.string()));
    }
    if (entry.symlink_status(error).type() == fs::file_type::directory) {
      throw InputError(fmt::format("{}: cannot be written: a folder has that name; rename it",
                                   entry.path().string()));
    }
    if (known || files.force) continue;
    throw InputError(fmt::format(
        "{}: exists, and no summary.json lists it as the result of an earlier run; rename it, "
        "choose another results directory with --output DIR, or replace it with --force",
        entry.path().string()));
  }
}

/// Creates a writable staging folder in `folder`; returns an empty path if `folder` is gone.
fs::path make_staging(const fs::path& folder) {
  std::string name = (folder / staging_prefix).string() + "XXXXXX";
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: the results directory is not writable: {}; {}",
                                 folder.string(), why, advice));
  };
  if (::mkdtemp(name.data()) == nullptr) {
    if (errno == ENOENT) return {};
    refuse(std::generic_category().message(errno));
  }
  try {
    meshes::write_file(fs::path(name) / "probe", [](std::ostream& stream) { stream << "x"; });
    fs::remove(fs::path(name) / "probe");
  } catch (const InputError&) {
    std::error_code ignored;
    fs::remove_all(name, ignored);
    refuse("there is no room");
  }
  return name;
}

/// Removes the staging folders of killed runs of this user, and returns whether there were any. The
/// folder must be locked.
bool remove_abandoned(const fs::path& folder) {
  std::vector<fs::path> left;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    struct stat status {};
    if (entry.path().filename().string().starts_with(staging_prefix) &&
        ::lstat(entry.path().c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
        status.st_uid == ::geteuid())
      left.push_back(entry.path());
  }
  for (const fs::path& staging : left) fs::remove_all(staging, ignored);
  return !left.empty();
}

/// Replaces the folder `from` in an error message by `to`.
std::string about_place(std::string message, const fs::path& from, const fs::path& to) {
  const std::size_t at = message.find(from.string());
  return at == std::string::npos ? message : message.replace(at, from.string().size(), to.string());
}

}  // namespace

bool RunFiles::writes(const std::string& name) const {
  const bool always = name == summary_name || name == unfinished_name || name == checkpoint_name;
  if (always || names.contains(name)) return true;
  const fs::path path(name);
  std::string stem = path.stem().string();
  const std::size_t end = stem.find_last_not_of("0123456789");
  if (end == std::string::npos || stem[end] != '_') return false;
  return series.contains(stem.substr(0, end) + path.extension().string());
}

MadeFolders::MadeFolders(const fs::path& folder) {
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    throw InputError(fmt::format("{}: is a file, not a directory; {}", folder.string(), advice));
  }
  for (fs::path each = folder; !each.empty() && !fs::exists(each, error);
       each = each.parent_path()) {
    made_.insert(made_.begin(), each);
    if (each == each.parent_path()) break;
  }
  fs::create_directories(folder, error);
  if (!error) return;
  remove_empty(made_);
  throw InputError(fmt::format("{}: the results directory cannot be made: {}; {}", folder.string(),
                               error.message(), advice));
}

void MadeFolders::remove_empty(const std::vector<fs::path>& made) {
  for (auto each = made.rbegin(); each != made.rend(); ++each) ::rmdir(each->c_str());
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) {
    if (errno == ENOENT) state_ = State::gone;
    return;
  }
  constexpr int attempts = 10;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const bool busy = ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    state_ = busy ? State::busy : State::held;
    if (!busy) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

FolderLock::~FolderLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

ResultsDirectory::ResultsDirectory(const fs::path& folder, RunFiles files)
    : folder_(plain(folder)), declared_(std::move(files)) {
  killed_ = declared_.elsewhere;  // the first process knows
  if (declared_.elsewhere) return;
  made_.emplace(folder_);
  // Another run may remove the folder that it created.
  for (int attempt = 0; attempt < 3 && staging_.empty(); ++attempt) {
    const MadeFolders again(folder_);
    lock_.emplace(folder_);
    if (lock_->state() == FolderLock::State::busy) {
      throw InputError(fmt::format("{}: another run is writing there; wait for it, or {}",
                                   folder_.string(), advice));
    }
    if (lock_->state() == FolderLock::State::gone) continue;
    require_free(folder_, declared_);
    killed_ = remove_abandoned(folder_);
    staging_ = make_staging(folder_);
  }
  if (!staging_.empty()) return;
  throw InputError(fmt::format("{}: the results directory is removed while it is made; {}",
                               folder_.string(), advice));
}

bool ResultsDirectory::follows_killed_run() const {
  std::error_code error;
  return killed_ && !fs::exists(folder_ / summary_name, error) &&
         !fs::exists(folder_ / checkpoint_name, error);
}

ResultsDirectory::~ResultsDirectory() { abandon()(); }

std::function<void()> ResultsDirectory::abandon() const {
  return [staging = staging_, made = made_ ? made_->made() : std::vector<fs::path>{}] {
    std::error_code ignored;
    if (!staging.empty()) fs::remove_all(staging, ignored);
    MadeFolders::remove_empty(made);
  };
}

void ResultsDirectory::stage(const std::string& name,
                             const std::function<void(const fs::path&)>& write) const {
  if (declared_.elsewhere) return;
  try {
    write(staging_ / name);
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: cannot be written: {}", (folder_ / name).string(),
                                 error.code().message()));
  } catch (const InputError& error) {
    throw InputError(about_place(error.what(), staging_, folder_));
  }
}

void ResultsDirectory::write(const std::string& name,
                             const std::function<void(const fs::path&)>& write) {
  stage(name, write);
  adopt({name});
}

void ResultsDirectory::write_text(const std::string& name, std::string_view text) {
  write(name, [&](const fs::path& path) {
    meshes::write_file(path, [&](std::ostream& stream) { stream << text; });
  });
}

void ResultsDirectory::write_beside(const std::string& name,
                                    const std::function<void(const fs::path&)>& write) {
  stage(name, [&](const fs::path& path) {
    write(path);
    fs::rename(path, folder_ / name);
  });
}

void ResultsDirectory::commit() {
  if (declared_.elsewhere) return;
  const std::set<std::string> now(files_.begin(), files_.end());
  require_free(folder_, {declared_.inputs, now, {}, declared_.force});
  std::set<std::string> earlier = earlier_files(folder_), both = now;
  both.merge(std::set(earlier));
  const Json list{{"status", "unfinished"},
                  {"message",
                   "A run was stopped while it put its results in place. Without summary.json the "
                   "files here are not complete. The next run replaces those listed."},
                  {"files", both}};
  write_beside(unfinished_name, [&](const fs::path& path) {
    meshes::write_file(path, [&](std::ostream& stream) { stream << list.dump(2) << '\n'; });
  });
  const auto move = [&](const std::string& name) {
    if (fs::exists(staging_ / name)) fs::rename(staging_ / name, folder_ / name);
  };
  try {
    // Later commits add and replace files; the summary stays until the next one.
    if (!std::exchange(committed_, true)) fs::remove(folder_ / summary_name);
    for (const std::string& name : earlier) {
      const bool kept = now.contains(name) || name == unfinished_name || name == checkpoint_name;
      if (!kept) fs::remove(folder_ / name);
    }
    for (const std::string& name : files_) {
      if (name != summary_name) move(name);
    }
    move(summary_name);
    fs::remove(folder_ / unfinished_name);
  } catch (const fs::filesystem_error& error) {
    throw InputError(fmt::format("{}: the results cannot be put in place: {}",
                                 error.path1().string(), error.code().message()));
  }
}

void ResultsDirectory::remove_checkpoint() const {
  if (declared_.elsewhere) return;
  std::error_code ignored;
  if (is_checkpoint(folder_ / checkpoint_name)) fs::remove(folder_ / checkpoint_name, ignored);
}

void ResultsDirectory::adopt(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(files_.begin(), files_.end(), name) == files_.end()) files_.push_back(name);
  }
}

void ResultsDirectory::drop(const std::string& name) { std::erase(files_, name); }

void require_writable(const fs::path& folder, const RunFiles& files) {
  const MadeFolders made(plain(folder));
  require_free(plain(folder), files);
  const FolderLock lock(plain(folder));
  if (lock.state() != FolderLock::State::held) return;
  std::error_code ignored;
  fs::remove_all(make_staging(plain(folder)), ignored);
}

void warn_of_unfinished(const fs::path& folder, Log& log) {
  std::error_code error;
  if (!read_own_file(folder / unfinished_name, 0) ||
      fs::exists(fs::symlink_status(folder / summary_name, error)))
    return;
  log.warning(fmt::format(
      "{}: an earlier run was stopped while it put its results in place; what it left is not "
      "complete, and is replaced by the next run that ends",
      folder.string()));
}

}  // namespace rankine::cases
