#include "cases/output/checkpoint.hpp"

#include <fmt/format.h>

#include <bit>
#include <fstream>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  meshes::write_file(file, [&](std::ostream& stream) {
    stream << fmt::format("rankine-checkpoint 1\nformulation {}\niterations {}\npanels {}\n",
                          checkpoint.formulation, checkpoint.iterations, checkpoint.unknown.size());
    stream.write(reinterpret_cast<const char*>(checkpoint.unknown.data()),
                 static_cast<std::streamsize>(checkpoint.unknown.size() * sizeof(double)));
  });
}

Checkpoint read_checkpoint(const std::filesystem::path& file, const std::string& formulation,
                           std::size_t panels) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    throw InputError(
        fmt::format("{}: no checkpoint to resume from; run without --resume", file.string()));
  }
  Checkpoint checkpoint;
  std::string magic, formulation_key, iterations_key, panels_key;
  int version = 0;
  std::size_t count = 0;
  stream >> magic >> version >> formulation_key >> checkpoint.formulation >> iterations_key >>
      checkpoint.iterations >> panels_key >> count;
  stream.get();
  if (magic != "rankine-checkpoint" || version != 1 || panels_key != "panels" || !stream) {
    throw InputError(
        fmt::format("{}: not a checkpoint of this version; run without --resume", file.string()));
  }
  if (checkpoint.formulation != formulation || count != panels) {
    throw InputError(fmt::format(
        "{}: the checkpoint holds {} panels of formulation {}, the case has {} of {}; run "
        "without --resume",
        file.string(), count, checkpoint.formulation, panels, formulation));
  }
  checkpoint.unknown.resize(count);
  stream.read(reinterpret_cast<char*>(checkpoint.unknown.data()),
              static_cast<std::streamsize>(count * sizeof(double)));
  if (!stream)
    throw InputError(
        fmt::format("{}: the checkpoint is cut short; run without --resume", file.string()));
  return checkpoint;
}

}  // namespace rankine::cases
