// The iterate of a solve, from which --resume goes on: written when GMRES ends, and removed when the
// results are in place.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rankine::cases {

struct Checkpoint {
  std::string formulation;
  int iterations = 0;           ///< done so far
  std::vector<double> unknown;  ///< one value per panel
};

inline constexpr auto checkpoint_name = "checkpoint.bin";

/// A text header of four lines, then the values as little-endian doubles. Throws InputError where it
/// cannot be written.
void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint);

/// Throws InputError where the file is missing, damaged, or of another formulation or panel count.
Checkpoint read_checkpoint(const std::filesystem::path& file, const std::string& formulation,
                           std::size_t panels);

}  // namespace rankine::cases
