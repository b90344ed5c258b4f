// The checkpoint of a solve, from which --resume continues: its iterate, written when GMRES ends
// and removed when the results of a converged solve are in place. All checkpoints have a header of
// lines "key value", followed by values as little-endian doubles.
#pragma once

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace rankine::cases {

inline constexpr auto checkpoint_name = "checkpoint.bin";

struct Checkpoint {
  std::string problem;  ///< hash_of() the problem: mesh and types of conditions
  std::string formulation;
  int iterations = 0;           ///< completed
  std::vector<double> unknown;  ///< one value per panel
};

/// Reads a checkpoint. All functions throw InputError if the file has other contents than expected.
class CheckpointReader {
 public:
  CheckpointReader(const std::filesystem::path& file, const std::string& magic, int version);

  /// The value of the next line, which must have this key.
  template <class T>
  T next(const std::string& key) {
    std::string found;
    T value{};
    if (!(stream_ >> found >> value) || found != key) fail("not a checkpoint of this version");
    return value;
  }
  void end_of_header() { stream_.get(); }
  std::vector<double> values(std::size_t count);

  [[noreturn]] void fail(const std::string& what) const;

 private:
  std::filesystem::path file_;
  std::istringstream stream_;
};

/// Whether `file` is a checkpoint of any kind and version, owned by this user.
bool is_checkpoint(const std::filesystem::path& file);

/// Throws InputError if the file cannot be written.
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

/// The checkpoint in `file`. Throws InputError if the file is missing, damaged, or of another
/// problem, formulation or number of panels.
Checkpoint read_checkpoint(const std::filesystem::path& file, const std::string& problem,
                           const std::string& formulation, std::size_t panels);

}  // namespace rankine::cases
