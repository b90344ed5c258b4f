#include "cases/output/results_directory.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "cases/output/commit.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto advice = "choose another with --output DIR";

/// Without a slash at the end, and never empty.
fs::path plain(fs::path folder) {
  if (!folder.has_filename()) folder = folder.parent_path();
  return folder.empty() ? "." : folder;
}

/// A new folder in `folder`, in which a file can be written; empty where `folder` is gone.
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

/// The message of an error about a file in `staging`, about its place in `folder` instead.
std::string about_place(std::string message, const fs::path& staging, const fs::path& folder) {
  const std::string from = staging.string();
  const std::size_t at = message.find(from);
  return at == std::string::npos ? message : message.replace(at, from.size(), folder.string());
}

}  // namespace

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

ResultsDirectory::ResultsDirectory(const fs::path& folder)
    : folder_(plain(folder)), made_(folder_) {
  // Another run that made the folder, too, may remove it again where it leaves nothing there.
  for (int attempt = 0; attempt < 3 && staging_.empty(); ++attempt) {
    const MadeFolders again(folder_);
    lock_ = std::make_unique<FolderLock>(folder_);
    if (lock_->state() == FolderLock::State::busy) {
      throw InputError(fmt::format("{}: another run is writing there; wait for it, or {}",
                                   folder_.string(), advice));
    }
    if (lock_->state() == FolderLock::State::gone) continue;
    recover(folder_);
    staging_ = make_staging(folder_);
  }
  if (!staging_.empty()) return;
  throw InputError(fmt::format("{}: the results directory is removed while it is made; {}",
                               folder_.string(), advice));
}

ResultsDirectory::~ResultsDirectory() { abandon()(); }

std::function<void()> ResultsDirectory::abandon() const {
  return [staging = staging_, made = made_.made()] {
    std::error_code ignored;
    if (!commit_begun(staging)) fs::remove_all(staging, ignored);
    MadeFolders::remove_empty(made);
  };
}

void ResultsDirectory::stage(const std::string& name,
                             const std::function<void(const fs::path&)>& write) const {
  try {
    fs::create_directory(staging_);  // gone with the last commit
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
  if (std::find(files_.begin(), files_.end(), name) == files_.end()) files_.push_back(name);
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

void ResultsDirectory::commit() { cases::commit(folder_, staging_, files_); }

void ResultsDirectory::adopt(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    if (std::find(files_.begin(), files_.end(), name) == files_.end()) files_.push_back(name);
  }
}

void ResultsDirectory::drop(const std::string& name) { std::erase(files_, name); }

void require_writable(const fs::path& folder) {
  const MadeFolders made(plain(folder));
  const FolderLock lock(plain(folder));
  if (lock.state() != FolderLock::State::held) return;
  std::error_code ignored;
  fs::remove_all(make_staging(plain(folder)), ignored);
}

}  // namespace rankine::cases
