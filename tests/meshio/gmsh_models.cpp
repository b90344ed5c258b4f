#include "tests/meshio/gmsh_models.hpp"

#include <gmsh.h>

#include <fstream>
#include <string>

#include "rankine/meshes/gmsh_session.hpp"

namespace rankine::meshes {
namespace {

void add_box(double unit) {
  gmsh::model::add("box");
  gmsh::model::occ::addBox(0, 0, 0, 1 * unit, 2 * unit, 3 * unit);
  gmsh::model::occ::synchronize();
}

}  // namespace

void write_cad_box(const std::filesystem::path& path) {
  GmshSession session;
  session.run([&] {
    add_box(100.0);
    gmsh::write(path.string());
  });
}

void write_meshed_box(const std::filesystem::path& path, int order) {
  GmshSession session;
  session.run([&] {
    add_box(1.0);
    gmsh::model::mesh::generate(2);
    gmsh::model::mesh::setOrder(order);
    gmsh::write(path.string());
  });
}

namespace {

/// Lines of an IGES section: `width` columns of text, then the columns 73-80 with its letter.
class IgesSection {
 public:
  IgesSection(char letter, std::size_t width, std::string after = "")
      : letter_(letter), width_(width), after_(std::move(after)) {}

  void add(std::string line) {
    line.resize(width_, ' ');
    const std::string number = std::to_string(++count_);
    text_ += line + after_ + letter_ + std::string(7 - number.size(), ' ') + number + "\n";
  }
  int count() const { return count_; }
  const std::string& text() const { return text_; }

 private:
  char letter_;
  std::size_t width_;
  std::string after_, text_;
  int count_ = 0;
};

}  // namespace

/// One bilinear B-spline surface (entity 128).
void write_iges_plate(const std::filesystem::path& path) {
  IgesSection start('S', 72), global('G', 72), directory('D', 72), parameters('P', 64, "       1"),
      terminate('T', 72);
  start.add("A plate");
  global.add("1H,,1H;,5Hplate,5Hplate,1Ha,1Ha,32,38,6,308,15,5Hplate,1.0,2,2HMM,1,1.0,");
  global.add("15H20200101.000000,1E-06,3000.0,1Ha,1Ha,11,0,15H20200101.000000;");
  directory.add("     128       1       0       0       0       0       0       000000000");
  directory.add("     128       0       0       2       0                               0");
  parameters.add("128,1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,");
  parameters.add("0.,0.,0.,1000.,0.,0.,0.,2000.,0.,1000.,2000.,0.,0.,1.,0.,1.;");
  terminate.add("S      1G      2D      2P      2");
  std::ofstream(path) << start.text() << global.text() << directory.text() << parameters.text()
                      << terminate.text();
}

}  // namespace rankine::meshes
