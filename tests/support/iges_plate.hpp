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

/// B-spline surfaces (entity 128) in millimetres, of the lines of their parameters.
inline std::string iges_surfaces(const std::vector<std::vector<std::string>>& surfaces) {
  IgesSection start('S', 72), global('G', 72), directory('D', 72), parameters('P', 64),
      terminate('T', 72);
  start.add("A plate");
  global.add("1H,,1H;,5Hplate,5Hplate,1Ha,1Ha,32,38,6,308,15,5Hplate,1.0,2,2HMM,1,1.0,");
  global.add("15H20200101.000000,1E-06,3000.0,1Ha,1Ha,11,0,15H20200101.000000;");
  const auto right = [](std::size_t number, std::size_t width) {
    const std::string text = std::to_string(number);
    return std::string(width - text.size(), ' ') + text;
  };
  for (const std::vector<std::string>& lines : surfaces) {
    const auto next = static_cast<std::size_t>(parameters.count()) + 1;
    parameters.after("       " + std::to_string(directory.count() + 1));
    directory.add("     128" + right(next, 8) +
                  "       0       0       0       0       0       000000000");
    directory.add("     128       0       0" + right(lines.size(), 8) +
                  "       0                               0");
    for (const std::string& line : lines) parameters.add(line);
  }
  terminate.add("S      1G      2D" + right(static_cast<std::size_t>(directory.count()), 7) + "P" +
                right(static_cast<std::size_t>(parameters.count()), 7));
  return start.text() + global.text() + directory.text() + parameters.text() + terminate.text();
}

/// Quadrilaterals, in millimetres: each is a bilinear surface of the corners at (0, 0), (1, 0),
/// (0, 1) and (1, 1).
inline std::string iges_plates(const std::vector<std::array<std::string, 4>>& plates) {
  std::vector<std::vector<std::string>> surfaces;
  for (const std::array<std::string, 4>& plate : plates) {
    auto& lines = surfaces.emplace_back();
    lines.emplace_back("128,1,1,1,1,0,0,1,0,0,0.,0.,1.,1.,0.,0.,1.,1.,1.,1.,1.,1.,");
    for (const std::string& corner : plate) lines.push_back(corner + ",");
    lines.emplace_back("0.,1.,0.,1.;");
  }
  return iges_surfaces(surfaces);
}

/// One closed surface with a pole at z = -1 m and at 1 m, of degree 2. At the height z the curve of
/// the control points (+-1, +-1) m, which encloses 10/3 m^2, is (1 - z^2) / 2 as large.
inline std::string iges_lemon() {
  std::vector<std::string> lines{"128,5,2,2,2,1,0,1,0,0,0.,0.,0.,1.,2.,3.,4.,4.,4.,",
                                 "0.,0.,0.,1.,1.,1.,1.,1.,1.,1.,1.,1.,1.,1.,1.,1.,",
                                 "1.,1.,1.,1.,1.,1.,1.,1.,"};
  for (int k = 0; k < 6; ++k) lines.emplace_back("0.,0.,-1000.,");
  for (const char* xy : {"1000.,0.", "1000.,1000.", "-1000.,1000.", "-1000.,-1000.",
                         "1000.,-1000.", "1000.,0."})
    lines.push_back(std::string(xy) + ",0.,");
  for (int k = 0; k < 6; ++k) lines.emplace_back("0.,0.,1000.,");
  lines.emplace_back("0.,4.,0.,1.;");
  return iges_surfaces({lines});
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
