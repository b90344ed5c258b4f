// Wing with one section shape from tip to tip. x points aft, y to starboard, z up; the origin is
// the leading edge at the root. Sections lie in planes y = const, with the chord
//
//   c(y) = root + (tip - root) 2 |y| / span
//
// the quarter-chord points on the line x = c(0)/4 + |y| tan(sweep), z = |y| tan(dihedral), and a
// rotation about them by twist 2 |y| / span, nose up. Points of a section are at s = (1 - cos(pi i
// / n)) / 2, and sections at y = -span/2 cos(pi j / m): panels are smaller towards leading edge,
// trailing edge and tips. Both sides have the same s, so the two panels at the trailing edge are
// equally deep.
#pragma once

#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/shapes/wing_section.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Flat: closed between facing points of the last section. Round: the last section revolved about
/// its camber line, which extends the wing by the half-thickness beyond the span.
enum class WingTip { flat, round };

struct WingPlan {
  double span = 6.0;                         ///< along y, between the last sections, m
  double root_chord = 1.0, tip_chord = 1.0;  ///< m
  double sweep = 0.0;                        ///< of the quarter-chord line, positive aft, degrees
  double dihedral = 0.0;                     ///< of the quarter-chord line, positive up, degrees
  double twist = 0.0;                        ///< of the tip relative to the root, nose up, degrees
  WingTip tip = WingTip::flat;
};

/// Numbers of panels around a section and from tip to tip; both even.
struct WingPanels {
  std::int64_t around, along;
};

/// The coarsest grid with at least `panels` panels, tips included. On average panels are 3 times as
/// long along the span as along the chord.
WingPanels wing_panels(std::int64_t panels, const WingPlan& plan);

/// Quadrilaterals, with triangles at leading and trailing edge of the tips. Odd numbers of panels
/// are increased by 1. Mirror-symmetric in y to the last digit. Throws InputError for lengths that
/// are not positive, angles of 80 degrees or more, fewer than 4 panels around or 2 along, and a
/// section whose sides cross.
SurfaceMesh make_wing(const WingPanels& panels, const WingSection& section, const WingPlan& plan,
                      const Vec3d& nose = {});

}  // namespace rankine::meshes
