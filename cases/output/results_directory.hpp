// The folder a case writes into. Every file is written under a temporary name and renamed when it
// is whole, so that a reader never sees half a file and a failure leaves the results of an earlier
// run as they were.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rankine::cases {

class ResultsDirectory {
 public:
  /// Makes the folder where it is missing and proves that files can be written there. Throws
  /// InputError otherwise: called before the solve, so that no work is lost
  /// to a full or protected disk.
  explicit ResultsDirectory(std::filesystem::path folder);

  /// Removes the folder again where this object made it and nothing was written.
  ~ResultsDirectory();
  ResultsDirectory(const ResultsDirectory&) = delete;
  ResultsDirectory& operator=(const ResultsDirectory&) = delete;

  /// Calls `write` with a temporary path that ends like `name`, then renames the file to `name`.
  void write(const std::string& name,
             const std::function<void(const std::filesystem::path&)>& write);
  void write_text(const std::string& name, std::string_view text);
  /// Removes a file that an earlier run left and that would now mislead.
  void remove(const std::string& name) const;

  const std::filesystem::path& path() const { return folder_; }
  /// Names written so far, in order.
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> made_;  ///< folders that this object created, outermost first
  std::vector<std::string> files_;
};

}  // namespace rankine::cases
