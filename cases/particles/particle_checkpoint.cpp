#include "cases/particles/particle_checkpoint.hpp"

#include <fmt/format.h>

#include <limits>

#include "cases/output/checkpoint.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {
namespace {

constexpr auto particle_magic = "rankine-particles";
constexpr int particle_version = 2;

void write_values(std::ostream& stream, const std::vector<double>& values) {
  stream.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(double)));
}

}  // namespace

void write_particle_checkpoint(const std::filesystem::path& file,
                               const ParticleCheckpoint& checkpoint) {
  const std::size_t width = checkpoint.rows.empty() ? 0 : checkpoint.rows.front().values.size();
  meshes::write_file(file, [&](std::ostream& stream) {
    stream << fmt::format("{} {}\ntrajectory {}\nstep {}\n", particle_magic, particle_version,
                          checkpoint.trajectory, checkpoint.step);
    stream << fmt::format("rows {}\nwidth {}\narrays {}\n", checkpoint.rows.size(), width,
                          checkpoint.state.size());
    for (const StateArray& each : checkpoint.state)
      stream << fmt::format("array {}\nvalues {}\n", each.name, each.values.size());
    for (const MonitorRow& row : checkpoint.rows) {
      write_values(stream, {static_cast<double>(row.step)});
      write_values(stream, row.values);
    }
    for (const StateArray& each : checkpoint.state) write_values(stream, each.values);
  });
}

ParticleCheckpoint read_particle_checkpoint(const std::filesystem::path& file,
                                            const std::string& trajectory) {
  CheckpointReader reader(file, particle_magic, particle_version);
  ParticleCheckpoint checkpoint;
  checkpoint.trajectory = reader.next<std::string>("trajectory");
  if (checkpoint.trajectory != trajectory) {
    reader.fail(
        "the checkpoint is of another case: of [problem], [particles], [fmm], [time] and "
        "output.checkpoint_every only time.steps may differ");
  }
  checkpoint.step = reader.next<int>("step");
  if (checkpoint.step < 0) reader.fail("the checkpoint is damaged");
  const auto rows = reader.next<std::size_t>("rows"), width = reader.next<std::size_t>("width"),
             arrays = reader.next<std::size_t>("arrays");
  std::vector<std::pair<std::string, std::size_t>> sizes;
  for (std::size_t i = 0; i < arrays; ++i) {
    const auto name = reader.next<std::string>("array");
    sizes.emplace_back(name, reader.next<std::size_t>("values"));
  }
  reader.end_of_header();
  for (std::size_t i = 0; i < rows; ++i) {
    const double step = reader.values(1).front();
    if (!(step >= 0.0 && step <= std::numeric_limits<int>::max()))
      reader.fail("the checkpoint is damaged");
    checkpoint.rows.push_back({static_cast<int>(step), reader.values(width)});
  }
  for (const auto& [name, size] : sizes) checkpoint.state.push_back({name, reader.values(size)});
  return checkpoint;
}

}  // namespace rankine::cases
