// Sections of wings, of chord 1: the nose at (0, 0), the trailing edge at x = 1, where both sides
// meet. NACA's 4-digit sections [JWP33] have the camber line z_c and the half-thickness y_t,
//
//   z_c = m/p^2 (2 p x - x^2)                      x < p
//         m/(1 - p)^2 (1 - 2 p + 2 p x - x^2)      x > p
//   y_t = 5 t (0.2969 sqrt(x) - 0.1260 x - 0.3516 x^2 + 0.2843 x^3 - 0.1036 x^4)
//
// and y_t is measured normal to the camber line. With -0.1036 instead of NACA's -0.1015 the
// trailing edge is closed.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace rankine::meshes {

struct SectionPoint {
  double x, z;
};

/// Two points that face each other across the section.
struct SectionSides {
  SectionPoint upper, lower;
};

struct WingSection {
  std::string name;  ///< for messages
  /// At s from 0, the nose, to 1, the trailing edge; at both ends the two points are the same. Of
  /// NACA's sections s is x on the camber line; of a file it is x on both sides.
  std::function<SectionSides(double s)> sides;
  std::vector<std::string> notes;  ///< what was changed, for the log
};

/// Whether the word names a 4-digit section: four digits.
bool names_naca_section(std::string_view word);

/// Throws InputError for other words, for a thickness of 00, and if only one of camber and its
/// place is 0.
WingSection naca_section(const std::string& digits);

/// A file of points, x and z on a line, behind a title line: from the trailing edge around the nose
/// and back (Selig), or the numbers of points of both sides, then each side from the nose
/// (Lednicer). Lengths are scaled to a chord of 1, along x. Cubic splines through the points, with
/// the length of the chords as parameter, give the points between. An open trailing edge is closed:
/// each side is displaced by x times half the gap. Throws MeshError with FILE:LINE if the file is
/// no section.
WingSection read_section(const std::filesystem::path& file);

}  // namespace rankine::meshes
