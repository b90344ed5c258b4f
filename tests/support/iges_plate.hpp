// A CAD file that is short enough to be written by hand.
#pragma once

#include <string>
#include <utility>

namespace rankine::testing {

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

/// A plate of 1 m x 2 m in the plane z = 0, in millimetres: one bilinear B-spline surface (entity 128).
inline std::string iges_plate() {
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
  return start.text() + global.text() + directory.text() + parameters.text() + terminate.text();
}

}  // namespace rankine::testing
