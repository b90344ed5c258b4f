// Wing sections of chord 1: leading edge at (0, 0), trailing edge at x = 1, where both sides meet.
// NACA 4-digit sections [JWP33] have the camber line z_c and the half-thickness y_t,
//
//   z_c = m/p^2 (2 p x - x^2)                      x < p
//         m/(1 - p)^2 (1 - 2 p + 2 p x - x^2)      x > p
//   y_t = 5 t (0.2969 sqrt(x) - 0.1260 x - 0.3516 x^2 + 0.2843 x^3 - 0.1036 x^4)
//
// where y_t is normal to the camber line. The coefficient -0.1036 instead of NACA's -0.1015 closes
// the trailing edge.
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

/// Two facing points of the upper and the lower side.
struct SectionSides {
  SectionPoint upper, lower;
};

struct WingSection {
  std::string name;  ///< for messages
  /// The points at s, from 0 (leading edge) to 1 (trailing edge), where they coincide. For NACA
  /// sections s is x on the camber line; for a file it is x on both sides.
  std::function<SectionSides(double s)> sides;
  std::vector<std::string> notes;  ///< changes, for the log
};

/// Whether the word consists of four digits, the name of a 4-digit section.
bool names_naca_section(std::string_view word);

/// Throws InputError for other words, for thickness 00, and if only one of camber and its position
/// is 0.
WingSection naca_section(const std::string& digits);

/// Reads a file with a title line and points, x and z on a line: from the trailing edge around the
/// leading edge and back (Selig), or the numbers of points of both sides, then each side from the
/// leading edge (Lednicer). Lengths are scaled to a chord of 1 along x. Cubic splines interpolate
/// the points, with chord length as parameter. An open trailing edge is closed by displacing each
/// side by x times half the gap. Throws MeshError with FILE:LINE if the file is not a section.
WingSection read_section(const std::filesystem::path& file);

}  // namespace rankine::meshes
