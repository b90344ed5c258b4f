// Wing: one section from tip to tip. x points aft, y to starboard, z up; the nose of the root is
// the origin. Sections lie in planes y = const, with the chord
//
//   c(y) = root + (tip - root) 2 |y| / span
//
// the quarter-chord points on the line x = c(0)/4 + |y| tan(sweep), z = |y| tan(dihedral), and
// turned about them by twist 2 |y| / span, nose up. Points of a section are at the places
// s = (1 - cos(pi i / n)) / 2, and sections at y = -span/2 cos(pi j / m): panels become smaller
// towards nose, trailing edge and tips. The same places on both sides make the two panels at the
// trailing edge equally deep.
#pragma once

#include <cstdint>

#include "rankine/meshes/shapes/shape_arguments.hpp"
#include "rankine/meshes/shapes/wing_section.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Flat: closed between facing points of the last section. Round: the half-thickness of the last
/// section is revolved about its camber line, and reaches so far beyond the span.
enum class WingTip { flat, round };

struct WingPlan {
  double span = 6.0;                         ///< between the last sections, along y, m
  double root_chord = 1.0, tip_chord = 1.0;  ///< m
  double sweep = 0.0;                        ///< of the quarter-chord line, aft, degrees
  double dihedral = 0.0;                     ///< of the quarter-chord line, up, degrees
  double twist = 0.0;                        ///< of the tip against the root, nose up, degrees
  WingTip tip = WingTip::flat;
};

/// Panels around a section and from tip to tip; both even.
struct WingPanels {
  std::int64_t around, along;
};

/// The coarsest grid with at least so many panels, tips included. Panels are on average 6 times as
/// long along the span as along the chord.
WingPanels wing_panels(std::int64_t panels, const WingPlan& plan);

/// Quadrilaterals; triangles at nose and trailing edge of the tips. Odd numbers of panels are
/// increased by 1. Mirror-symmetric in y to the last digit. Throws InputError for arguments that
/// are no wing: lengths that are not positive, angles of 80 degrees or more, fewer than 4 panels
/// around or 2 along, a section whose sides cross.
SurfaceMesh make_wing(const WingPanels& panels, const WingSection& section, const WingPlan& plan,
                      const Vec3d& nose = {});

}  // namespace rankine::meshes
