#include "cases/output/checkpoint.hpp"

#include <fmt/format.h>

#include <bit>

#include "cases/output/standard_output.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/output_file.hpp"

namespace rankine::cases {
namespace {

static_assert(std::endian::native == std::endian::little, "checkpoints are little-endian");

constexpr auto magic = "rankine-checkpoint";
constexpr int version = 2;

}  // namespace

CheckpointReader::CheckpointReader(const std::filesystem::path& file, const std::string& magic,
                                   int version)
    : file_(file) {
  std::optional<std::string> bytes = read_own_file(file);
  std::error_code ignored;
  if (!bytes) {
    fail(std::filesystem::exists(std::filesystem::symlink_status(file, ignored))
             ? "not a readable regular file of this user"
             : "no checkpoint to resume from");
  }
  stream_.str(std::move(*bytes));
  std::string found;
  if (!(stream_ >> found) || found != magic) fail("not a checkpoint of this kind of case");
  int of_version = 0;
  if (!(stream_ >> of_version) || of_version != version) fail("not a checkpoint of this version");
}

std::vector<double> CheckpointReader::values(std::size_t count) {
  const auto left = stream_.view().size() - static_cast<std::size_t>(stream_.tellg());
  if (!stream_ || count > left / sizeof(double)) fail("the checkpoint is cut short");
  std::vector<double> values(count);
  stream_.read(reinterpret_cast<char*>(values.data()),
               static_cast<std::streamsize>(count * sizeof(double)));
  return values;
}

void CheckpointReader::fail(const std::string& what) const {
  throw InputError(fmt::format("{}: {}; run without --resume", file_.string(), what));
}

bool is_checkpoint(const std::filesystem::path& file) {
  constexpr std::string_view begin = "rankine-";
  return read_own_file(file, begin.size()) == begin;
}

void write_checkpoint(const std::filesystem::path& file, const Checkpoint& checkpoint) {
  meshes::write_file(file, [&](std::ostream& stream) {
    stream << fmt::format("{} {}\nproblem {}\nformulation {}\niterations {}\npanels {}\n", magic,
                          version, checkpoint.problem, checkpoint.formulation,
                          checkpoint.iterations, checkpoint.unknown.size());
    stream.write(reinterpret_cast<const char*>(checkpoint.unknown.data()),
                 static_cast<std::streamsize>(checkpoint.unknown.size() * sizeof(double)));
  });
}

Checkpoint read_checkpoint(const std::filesystem::path& file, const std::string& problem,
                           const std::string& formulation, std::size_t panels) {
  CheckpointReader reader(file, magic, version);
  Checkpoint checkpoint;
  checkpoint.problem = reader.next<std::string>("problem");
  checkpoint.formulation = reader.next<std::string>("formulation");
  checkpoint.iterations = reader.next<int>("iterations");
  const auto count = reader.next<std::size_t>("panels");
  if (checkpoint.formulation != formulation || count != panels) {
    reader.fail(
        fmt::format("the checkpoint holds {} panels of formulation {}, the case has {} of {}",
                    count, checkpoint.formulation, panels, formulation));
  }
  if (checkpoint.problem != problem) {
    reader.fail("the checkpoint is of another mesh, or of other types of boundary conditions");
  }
  reader.end_of_header();
  checkpoint.unknown = reader.values(count);
  return checkpoint;
}

}  // namespace rankine::cases
