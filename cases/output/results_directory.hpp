// The folder a case writes into: a directory with a summary.json is one run's, whole.
//
// Files are written into a staging folder within and take their places together when all are whole
// (cases/output/commit.hpp). Until then an older run's results are as they were, whatever happens. A
// lock on the folder, which ends with the process, keeps runs apart.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cases/output/folder_lock.hpp"

namespace rankine::cases {

/// Folders made where they were missing, and removed again where they are empty in the end.
class MadeFolders {
 public:
  /// Throws InputError where they cannot be made.
  explicit MadeFolders(const std::filesystem::path& folder);
  ~MadeFolders() { remove_empty(made_); }
  MadeFolders(const MadeFolders&) = delete;
  MadeFolders& operator=(const MadeFolders&) = delete;

  const std::vector<std::filesystem::path>& made() const { return made_; }
  static void remove_empty(const std::vector<std::filesystem::path>& made);

 private:
  std::vector<std::filesystem::path> made_;  ///< outermost first
};

class ResultsDirectory {
 public:
  /// Makes the folder where it is missing, proves that files can be written there and ends what a
  /// run that was killed there had begun. Throws InputError where it cannot, or where another run is
  /// writing there: called before the solve, so that no work is lost.
  explicit ResultsDirectory(const std::filesystem::path& folder);

  /// What was not committed is gone, and so is the folder where this object made it for nothing.
  ~ResultsDirectory();
  ResultsDirectory(const ResultsDirectory&) = delete;
  ResultsDirectory& operator=(const ResultsDirectory&) = delete;

  /// Calls `write` with a path in the staging folder whose file name is `name`.
  void write(const std::string& name,
             const std::function<void(const std::filesystem::path&)>& write);
  void write_text(const std::string& name, std::string_view text);

  /// Puts the files written so far in the place of an older run's, and removes its checkpoint. After
  /// an error here the folder has no summary. More can be written and committed afterwards: what was
  /// not written anew stays.
  void commit();

  /// Makes files that lie in the folder, of the run that is resumed, results of this one.
  void adopt(const std::vector<std::string>& names);
  /// Takes a file out of the results: the next commit removes it.
  void drop(const std::string& name);

  /// Writes a file that is not one of the results; it takes its place at once.
  void write_beside(const std::string& name,
                    const std::function<void(const std::filesystem::path&)>& write);

  /// What the destructor would do, for a thread that ends the program in the midst of things.
  std::function<void()> abandon() const;

  const std::filesystem::path& path() const { return folder_; }
  /// Names written so far, in order.
  const std::vector<std::string>& files() const { return files_; }

 private:
  void stage(const std::string& name,
             const std::function<void(const std::filesystem::path&)>& write) const;

  std::filesystem::path folder_;
  MadeFolders made_;
  std::unique_ptr<FolderLock> lock_;
  std::filesystem::path staging_;
  std::vector<std::string> files_;
};

/// Throws InputError where a results directory could not be made or written to; leaves no trace.
/// Where a run is writing there at the moment, it can be written to.
void require_writable(const std::filesystem::path& folder);

}  // namespace rankine::cases
