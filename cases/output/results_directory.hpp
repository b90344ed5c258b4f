// The folder that a run writes its results into.
//
// A folder with a summary.json holds the results of one run, all of them. The files of a run are
// written into a staging folder within, which only this user may open, and are moved into place
// together. While they are moved unfinished.json lists the files of this run and of the run before,
// and the summary of the run before is gone: a run that is killed then leaves a folder that is
// known to be incomplete, and the next run may replace what is listed. Later commits of the same
// run leave its summary in place until the new one replaces it. A lock on the folder keeps two runs
// apart; it ends with the process.
//
// Files of the user are not replaced: a run refuses to begin if its results have the name of one
// of its inputs, or of a file that no earlier run has listed.
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

/// How the names of staging folders begin; six letters follow.
inline constexpr auto staging_prefix = ".rankine-staging-";

/// What a run reads and what it may write.
struct RunFiles {
  std::vector<std::filesystem::path> inputs{};
  std::set<std::string> names{};   ///< of results, in the results directory
  std::set<std::string> series{};  ///< "particles.vtp": also "particles_000050.vtp", ...
  bool force = false;              ///< replace files that no earlier run has listed
  bool elsewhere = false;          ///< another process writes the results: this one writes nothing

  /// Whether a file of this name would be replaced.
  bool writes(const std::string& name) const;
};

/// Folders that are made if they are missing, and removed at the end if they are empty.
class MadeFolders {
 public:
  /// Throws InputError if they cannot be made.
  explicit MadeFolders(const std::filesystem::path& folder);
  ~MadeFolders() { remove_empty(made_); }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

  const std::vector<std::filesystem::path>& made() const { return made_; }
  static void remove_empty(const std::vector<std::filesystem::path>& made);

 private:
  std::vector<std::filesystem::path> made_;  ///< outermost first
};

/// A lock on a folder. File systems without locks always grant it.
class FolderLock {
 public:
  enum class State { held, busy, gone };  ///< busy: of another process; gone: no such folder

  /// Tries for half a second.
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
  /// Makes the folder if it is missing, tests that files can be written there, and removes staging
  /// folders of runs that were killed. Throws InputError if files cannot be written, if another run
  /// is writing there, or if files of the user would be replaced.
  explicit ResultsDirectory(const std::filesystem::path& folder, RunFiles files = {});

  /// Removes what was not committed, and the folder if this object made it and it is empty.
  ~ResultsDirectory();
  ResultsDirectory(const ResultsDirectory&) = delete;
  ResultsDirectory& operator=(const ResultsDirectory&) = delete;

  /// Calls `write` with a path in the staging folder whose file name is `name`.
  void write(const std::string& name,
             const std::function<void(const std::filesystem::path&)>& write);
  void write_text(const std::string& name, std::string_view text);

  /// Moves the files written so far into place and removes those of the run before. More can be
  /// written and committed afterwards: files that were not written again stay. Throws InputError if
  /// files of the user would be replaced, or if the file system refuses.
  void commit();

  /// Adds files of the resumed run, which are in the folder, to the results of this run.
  void adopt(const std::vector<std::string>& names);
  /// Takes a file out of the results: the next commit removes it.
  void drop(const std::string& name);

  /// Writes a file that is not one of the results. It is in place immediately.
  void write_beside(const std::string& name,
                    const std::function<void(const std::filesystem::path&)>& write);

  /// Removes the checkpoint of this or an earlier run.
  void remove_checkpoint() const;

  /// What the destructor does, for a thread that ends the program.
  std::function<void()> abandon() const;

  const std::filesystem::path& path() const { return folder_; }
  /// Names written so far, in order.
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
};

/// Throws InputError if a run could not write its results into `folder`; leaves no trace there. A
/// folder in use by another run counts as writable.
void require_writable(const std::filesystem::path& folder, const RunFiles& files);

/// Warns if a run was killed while it moved its results into `folder`.
void warn_of_unfinished(const std::filesystem::path& folder, Log& log);

}  // namespace rankine::cases
