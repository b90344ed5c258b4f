#include "cases/solve/checkpoints.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// A hash of 64-bit words. It distinguishes meshes but is not cryptographic.
class WordHash {
 public:
  void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9e3779b97f4a7c15u;
    hash_ ^= hash_ >> 32;
  }
  void add(double value) { add(std::bit_cast<std::uint64_t>(value)); }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0;
};

}  // namespace

std::string hash_of(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem, double mach) {
  WordHash hash;
  for (const Vec3d& node : mesh.nodes) {
    for (int axis = 0; axis < 3; ++axis) hash.add(node[axis]);
  }
  for (const meshes::Element& element : mesh.elements) {
    for (const std::int32_t corner : element) hash.add(static_cast<std::uint64_t>(corner));
  }
  for (const meshes::SymmetryPlane& plane : problem.panels.symmetry.planes()) {
    for (const double each : {static_cast<double>(plane.axis), plane.place, plane.sign})
      hash.add(each);
  }
  if (const auto& rotation = problem.panels.symmetry.rotation()) {
    for (int axis = 0; axis < 3; ++axis)
      for (const Vec3d& each : {rotation->axis, rotation->centre}) hash.add(each[axis]);
    hash.add(static_cast<std::uint64_t>(rotation->count));
  }
  hash.add(static_cast<std::uint64_t>(problem.domain));
  if (mach > 0.0) hash.add(mach);
  for (const bem::Known known : problem.conditions.known)
    hash.add(static_cast<std::uint64_t>(known));
  return fmt::format("{:016x}", hash.value());
}

std::vector<double> Checkpoints::read(const ResultsDirectory& results, const std::string& hash,
                                      bem::Formulation formulation, std::size_t panels) {
  if (formulation == bem::Formulation::doublet) {
    throw InputError(
        "--resume does not go on with walls without thickness, which take few iterations; leave it "
        "out");
  }
  return read_checkpoint(results.path() / checkpoint_name, hash,
                         std::string(bem::to_string(formulation)), panels)
      .unknown;
}

void Checkpoints::save(const bem::Solution& solution, bem::Formulation formulation,
                       const std::string& hash, ResultsDirectory& results, Log& log) {
  if (formulation != bem::Formulation::doublet) {  // solves with doublets cannot be resumed
    const Checkpoint checkpoint{hash, std::string(bem::to_string(formulation)),
                                solution.gmres.iterations, solution.unknown};
    try {
      results.write_beside(checkpoint_name, [&](const std::filesystem::path& path) {
        write_checkpoint(path, checkpoint);
      });
      saved_iteration_ = checkpoint.iterations;
    } catch (const InputError& error) {
      log.warning(fmt::format("no checkpoint: {}", error.what()));
    }
  }
  hold_.reset();
}

void Checkpoints::remove(const ResultsDirectory& results) {
  results.remove_checkpoint();
  saved_iteration_.reset();
}

std::string Checkpoints::advice() const {
  if (!saved_iteration_) return {};
  return fmt::format("; iteration {} is saved, go on with: {}", *saved_iteration_, resume_command_);
}

}  // namespace rankine::cases
