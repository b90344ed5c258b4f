// A checkpoint is read back as it was written, and refused where it is not what the case needs.
#include "cases/output/checkpoint.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "cases/solve/checkpoints.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::cases {
namespace {

using namespace testing;

using CheckpointTest = FolderTest;

TEST_F(CheckpointTest, IsReadBackBitByBit) {
  const Checkpoint written{"0123", "green", 12, {1.0, -0.0, 1e-310, 1.0 / 3.0}};
  write_checkpoint(in_folder("checkpoint.bin"), written);
  const Checkpoint read = read_checkpoint(in_folder("checkpoint.bin"), "0123", "green", 4);
  EXPECT_EQ(read.iterations, 12);
  EXPECT_EQ(read.unknown, written.unknown);
  EXPECT_TRUE(std::signbit(read.unknown[1]));
  EXPECT_TRUE(is_checkpoint(in_folder("checkpoint.bin")));
}

TEST_F(CheckpointTest, IsRefusedWhereItIsNotOfTheCase) {
  const auto file = in_folder("checkpoint.bin");
  write_checkpoint(file, {"0123", "green", 12, std::vector<double>(100, 0.5)});
  const std::string whole = read_text(file);
  const std::size_t most = std::size_t{1} << 60;
  const struct {
    std::string bytes, problem, formulation;
    std::size_t panels;
    std::string message;
  } rows[]{
      {whole, "0123", "green", 100, "accepted"},
      {whole, "0124", "green", 100, "of another mesh"},
      {whole, "0123", "source", 100, "holds 100 panels of formulation green, the case has 100 of"},
      {whole, "0123", "green", 99, "the case has 99 of green"},
      {whole.substr(0, whole.size() - 1), "0123", "green", 100, "cut short"},
      {whole.substr(0, 20), "0123", "green", 100, "not a checkpoint of this version"},
      {replaced(whole, "100", std::to_string(most)), "0123", "green", most, "cut short"},
      {replaced(whole, "checkpoint 2", "checkpoint 1"), "0123", "green", 100, "of this version"},
      {replaced(whole, "rankine-checkpoint", "rankine-particles"), "0123", "green", 100,
       "not a checkpoint of this kind of case"},
      {"", "0123", "green", 100, "not a checkpoint of this kind of case"}};
  for (const auto& row : rows) {
    folder().write("checkpoint.bin", row.bytes);
    const std::string answer = answer_of<InputError>(
        [&] { read_checkpoint(file, row.problem, row.formulation, row.panels); });
    EXPECT_TRUE(says(answer, row.message));
    EXPECT_TRUE(answer == "accepted" || says(answer, "run without --resume"));
  }
}

// Unknowns of another mesh, or of panels on which something else is known, mean something else.
TEST(HashOfAProblem, TellsMeshesAndConditionsApartAndNotStreams) {
  const meshes::SurfaceMesh mesh = meshes::make_sphere(80);
  bem::FlowProblem problem;
  problem.panels = bem::make_panels(mesh);
  const std::string hash = hash_of(mesh, problem);
  bem::FlowProblem faster = problem;
  faster.stream = {2.0, 0.0, 0.0};
  EXPECT_EQ(hash_of(mesh, faster), hash);

  std::set<std::string> all{hash};
  const auto add = [&](const std::function<void(meshes::SurfaceMesh&, bem::FlowProblem&)>& change) {
    meshes::SurfaceMesh other = mesh;
    bem::FlowProblem changed = problem;
    change(other, changed);
    EXPECT_TRUE(all.insert(hash_of(other, changed)).second) << all.size();
  };
  add([](auto& other, auto&) { other.nodes.front().x += 1e-12; });
  add([](auto& other, auto&) { other.nodes.back().z += 1e-12; });
  add([](auto& other, auto&) { std::swap(other.elements.front(), other.elements.back()); });
  add([](auto& other, auto&) { std::swap(other.elements.back()[0], other.elements.back()[1]); });
  add([](auto&, auto& changed) { changed.domain = bem::Domain::interior; });
  add([](auto&, auto& changed) {
    changed.conditions.known.assign(80, bem::Known::flux);
    changed.conditions.known.back() = bem::Known::potential;
  });
  for (const meshes::SymmetryPlane& plane :
       {meshes::SymmetryPlane{2, 0.0, 1.0}, {1, 0.0, 1.0}, {2, -1.0, 1.0}, {2, 0.0, -1.0}})
    add([&](auto&, auto& changed) { changed.panels.symmetry = meshes::Symmetry({plane}); });
}

}  // namespace
}  // namespace rankine::cases
