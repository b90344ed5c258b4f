// The folder of the results of a run.
//
// A folder with a summary.json contains the complete results of one run. The files of a run are
// first written into a staging folder within it, accessible to this user only, and then moved into
// place together. During the move the summary of the previous run is absent and unfinished.json
// lists the files of both runs: if the run is killed then, the folder is known to be incomplete and
// the next run may replace the listed files. Later commits of the same run keep its summary until
// the new one replaces it. A lock on the folder excludes other runs until the process ends.
//
// Files of the user are not replaced: a run refuses to start if a result has the name of one of its
// inputs or of a file that no earlier run has listed.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/output/log.hpp"

namespace rankine::cases {

inline constexpr auto summary_name = "summary.json";
inline constexpr auto unfinished_name = "unfinished.json";

/// Prefix of the names of staging folders; six letters follow.
inline constexpr auto staging_prefix = ".rankine-staging-";

/// The files that a run reads and may write.
struct RunFiles {
  std::vector<std::filesystem::path> inputs{};
  std::set<std::string> names{};   ///< of results in the results directory
  std::set<std::string> series{};  ///< "particles.vtp" includes "particles_000050.vtp", ...
  bool force = false;              ///< replace files that no earlier run has listed
  bool elsewhere = false;          ///< another process writes the results; this one writes nothing

  /// Whether the run may write a file of this name.
  bool writes(const std::string& name) const;
};

/// Creates missing folders, and at the end removes those of them that are empty.
class MadeFolders {
 public:
  /// Throws InputError if a folder cannot be created.
  explicit MadeFolders(const std::filesystem::path& folder);
  ~MadeFolders() { remove_empty(made_); }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

  const std::vector<std::filesystem::path>& made() const { return made_; }
  static void remove_empty(const std::vector<std::filesystem::path>& made);

 private:
  std::vector<std::filesystem::path> made_;  ///< outermost first
};

/// A lock on a folder. On file systems without locks it always succeeds.
class FolderLock {
 public:
  enum class State { held, busy, gone };  ///< busy: held by another process; gone: no such folder

  /// Tries to lock for half a second.
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

  State state() const { return state_; }

 private:
  int descriptor_;
  State state_ = State::held;
};

class ResultsDirectory {
 public:
  /// Creates a missing folder, checks that it is writable, and removes the staging folders of
  /// killed runs. Throws InputError if files cannot be written, if another run is writing there, or
  /// if files of the user would be replaced.
  explicit ResultsDirectory(const std::filesystem::path& folder, RunFiles files = {});

  /// Removes uncommitted files, and the folder if this object created it and it is empty.
  ~ResultsDirectory();
  ResultsDirectory(const ResultsDirectory&) = delete;
  ResultsDirectory& operator=(const ResultsDirectory&) = delete;

  /// Calls `write` with the path of the file `name` in the staging folder.
  void write(const std::string& name,
             const std::function<void(const std::filesystem::path&)>& write);
  void write_text(const std::string& name, std::string_view text);

  /// Moves the files written so far into place and removes those of the previous run. Later writes
  /// and commits add to them; files not written again stay. Throws InputError if files of the user
  /// would be replaced, or if the file system reports an error.
  void commit();

  /// Adds existing files of the resumed run to the results of this run.
  void adopt(const std::vector<std::string>& names);
  /// Removes a file from the results; the next commit deletes it.
  void drop(const std::string& name);

  /// Writes a file that is not a result, directly into the folder.
  void write_beside(const std::string& name,
                    const std::function<void(const std::filesystem::path&)>& write);

  /// Removes the checkpoint of this or an earlier run.
  void remove_checkpoint() const;

  /// The work of the destructor, for a thread that ends the program.
  std::function<void()> abandon() const;

  /// Whether a run was killed that had not yet committed anything there.
  bool follows_killed_run() const;

  const std::filesystem::path& path() const { return folder_; }
  /// Names of the files written so far, in order.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void stage(const std::string& name,
             const std::function<void(const std::filesystem::path&)>& write) const;

  std::filesystem::path folder_;
  RunFiles declared_;
  std::optional<MadeFolders> made_;
  std::optional<FolderLock> lock_;
  std::filesystem::path staging_;
  std::vector<std::string> files_;
  bool committed_ = false;
  bool killed_ = false;  ///< the staging folder of a killed run was removed
};

/// Throws InputError if a run could not write its results into `folder`, which stays unchanged. A
/// folder in use by another run counts as writable.
void require_writable(const std::filesystem::path& folder, const RunFiles& files);

/// Warns if a run was killed while moving its results into `folder`.
void warn_of_unfinished(const std::filesystem::path& folder, Log& log);

}  // namespace rankine::cases
