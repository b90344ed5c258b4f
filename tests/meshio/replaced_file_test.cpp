// A file that stands where another stood: whoever reads the old one keeps it whole.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/shapes/box.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/files/output_file.hpp"
#include "tests/support/error_messages.hpp"
#include "tests/support/temporary_folder.hpp"

namespace rankine::meshes {
namespace {

namespace fs = std::filesystem;
using testing::message_of;
using testing::read_text;
using testing::says;

class ReplacedFile : public testing::FolderTest {
 protected:
  static void write(const fs::path& path, const std::string& text) {
    write_then_rename(path, [&](const fs::path& temporary) {
      std::ofstream(temporary, std::ios::binary) << text;
    });
  }
};

TEST_F(ReplacedFile, StaysWholeForThoseWhoReadIt) {
  const auto path = in_folder("surface.txt");
  write(path, "old\n");
  std::ifstream reader(path);  // has read nothing yet
  write(path, "new\n");
  std::string line;
  std::getline(reader, line);
  EXPECT_EQ(line, "old");
  EXPECT_EQ(read_text(path), "new\n");
  EXPECT_EQ(testing::entries(folder().path()), 1u) << "no temporary file is left";
}

TEST_F(ReplacedFile, IsKeptWhereNothingWasWritten) {
  const auto path = in_folder("surface.txt");
  write(path, "old\n");
  EXPECT_TRUE(says(message_of<InputError>([&] { write(path, ""); }), "nothing was written"));
  EXPECT_EQ(read_text(path), "old\n");
}

TEST_F(ReplacedFile, ExtensionsMayBeInCapitals) {
  const SurfaceMesh mesh = make_box(6, {1.0, 2.0, 3.0});
  write_mesh(in_folder("BOX.VTP"), mesh);
  EXPECT_EQ(read_mesh(in_folder("BOX.VTP")).elements, mesh.elements);
}

}  // namespace
}  // namespace rankine::meshes
