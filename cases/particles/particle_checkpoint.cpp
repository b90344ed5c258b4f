#include "cases/particles/particle_checkpoint.hpp"

#include <fmt/format.h>

#include <bit>
#include <fstream>
#include <limits>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr auto magic = "rankine-particles";
constexpr int version = 2;

void write_values(std::ostream& stream, const std::vector<double>& values) {
  stream.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(double)));
}

/// Reads a header line by line, then values.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file)
      : file_(file), stream_(file, std::ios::binary) {
    if (!stream_) fail("no checkpoint to resume from");
    std::error_code error;
    bytes_ = std::filesystem::file_size(file, error);
  }

  template <class T>
  T next(const std::string& key) {
    std::string found;
    T value{};
    if (!(stream_ >> found >> value) || found != key)
      fail("not a checkpoint of particles of this version");
    return value;
  }
  void end_of_header() { stream_.get(); }

  std::vector<double> values(std::size_t count) {
    if (count > bytes_ / sizeof(double)) fail("the checkpoint is cut short");
    std::vector<double> values(count);
    stream_.read(reinterpret_cast<char*>(values.data()),
                 static_cast<std::streamsize>(count * sizeof(double)));
    if (!stream_) fail("the checkpoint is cut short");
    return values;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(fmt::format("{}: {}; run without --resume", file_.string(), what));
  }

 private:
  std::filesystem::path file_;
  std::ifstream stream_;
  std::size_t bytes_ = 0;
};

}  // namespace

void write_particle_checkpoint(const std::filesystem::path& file,
                               const ParticleCheckpoint& checkpoint) {
  const std::size_t width = checkpoint.rows.empty() ? 0 : checkpoint.rows.front().values.size();
  meshes::write_file(file, [&](std::ostream& stream) {
    stream << fmt::format("{} {}\ntrajectory {}\nstep {}\n", magic, version, checkpoint.trajectory,
                          checkpoint.step);
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
  Reader reader(file);
  if (reader.next<int>(magic) != version) reader.fail("not a checkpoint of this version");
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
