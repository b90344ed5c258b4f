// A CAD file that is short enough to be written by hand.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

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
  void after(std::string text) { after_ = std::move(text); }
  const std::string& text() const { return text_; }

 private:
  char letter_;
  std::size_t width_;
  std::string after_, text_;
  int count_ = 0;
};

/// Quadrilaterals, in millimetres: each is a bilinear B-spline surface (entity 128) of the corners
/// at (0, 0), (1, 0), (0, 1) and (1, 1).
inline std::string iges_plates(const std::vector<std::array<std::string, 4>>& plates) {
  IgesSection start('S', 72), global('G', 72), directory('D', 72), parameters('P', 64),
      terminate('T', 72);
  start.add("A plate");
  global.add("1H,,1H;,5Hplate,5Hplate,1Ha,1Ha,32,38,6,308,15,5Hplate,1.0,2,2HMM,1,1.0,");
  global.add("15H20200101.000000,1E-06,3000.0,1Ha,1Ha,11,0,15H20200101.000000;");
  for (std::size_t k = 0; k < plates.size(); ++k) {
    const auto right = [](std::size_t number, std::size_t width) {
      const std::string text = std::to_string(number);
      return std::string(width - text.size(), ' ') + text;
    };
    directory.add("     128" + right(6 * k + 1, 8) +
                  "       0       0       0       0       0       000000000");
    directory.add("     128       0       0       6       0                               0");
    parameters.after("       " + std::to_string(2 * k + 1));
    parameters.add("128,1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,");
    for (const std::string& corner : plates[k]) parameters.add(corner + ",");
    parameters.add("0.,1.,0.,1.;");
  }
  const auto seven = [](int n) {
    const std::string text = std::to_string(n);
    return std::string(7 - text.size(), ' ') + text;
  };
  terminate.add("S      1G      2D" + seven(directory.count()) + "P" + seven(parameters.count()));
  return start.text() + global.text() + directory.text() + parameters.text() + terminate.text();
}

/// A plate of 1 m x 2 m in the plane z = 0.
inline std::string iges_plate() {
  return iges_plates({{"0.,0.,0.", "1000.,0.,0.", "0.,2000.,0.", "1000.,2000.,0."}});
}

/// The six faces of cubes of 1 m, each on its own; those across z are wider by a rounding error.
/// The second cube lies half a metre further along every axis.
inline std::string iges_cubes(int cubes) {
  std::vector<std::array<std::string, 4>> plates;
  for (int cube = 0; cube < cubes; ++cube) {
    const auto corner = [cube](int axis, int side, int i, int j) {
      std::array<std::string, 3> x;
      for (const auto& [at, value] :
           {std::pair{axis, side}, {(axis + 1) % 3, i}, {(axis + 2) % 3, j}})
        x[static_cast<std::size_t>(at)] =
            std::to_string(1000 * value + 500 * cube) + (value == 1 && axis == 2 ? ".00001" : ".");
      return x[0] + "," + x[1] + "," + x[2];
    };
    for (const int axis : {0, 1, 2}) {
      for (const int side : {0, 1}) {
        plates.push_back({corner(axis, side, 0, 0), corner(axis, side, 1, 0),
                          corner(axis, side, 0, 1), corner(axis, side, 1, 1)});
      }
    }
  }
  return iges_plates(plates);
}

}  // namespace rankine::testing
