// Propeller: blades on a hub. x is the axis, downstream; a turn as a right-hand screw about it in a
// stream along x gives thrust. Sections lie on cylinders of the radii r. With the pitch angle
// tan(a) = P/(2 pi r), the place xi from mid-chord and the offset eta of a section's side,
//
//   x = rake + xi sin(a) - eta cos(a) ,   angle = -(xi cos(a) + eta sin(a))/r - skew .
//
// Mean lines are those of the load a = 0.8 [AvD59], thicknesses the modified NACA 66 [Bro66],
// closed at the trailing edge. Squares of chords are interpolated between sections, so that round
// tips stay round, and the other values themselves, by natural splines. Points on chords have
// cosine spacing, and so have radii, but only towards the tip, where the circulation falls like the
// root of the distance. The hub is a cylinder through the first section with ellipsoidal ends, its
// panels between blades on lines from side to side.
#pragma once

#include <vector>

#include "rankine/meshes/shapes/wing.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct BladeSection {
  double radius;             ///< over that of the propeller
  double chord, pitch;       ///< over the diameter
  double thickness, camber;  ///< the largest, over the chord
  double skew, rake;         ///< degrees; over the diameter
};

struct PropellerPlan {
  double diameter = 1.0;  ///< m
  int blades = 3;
  std::vector<BladeSection> sections;  ///< from the hub to the tip
};

/// Quadrilaterals, with triangles at the noses of tips and the ends of the hub. Blades end where
/// the chord is a quarter of the largest, if it falls below: further out a trailing edge lies along
/// the stream. `panels`: around a section (an even number), and
/// from the hub to the tip. Throws InputError for sections that do not make a blade.
SurfaceMesh make_propeller(const WingPanels& panels, const PropellerPlan& plan,
                           const Vec3d& centre = {});

}  // namespace rankine::meshes
