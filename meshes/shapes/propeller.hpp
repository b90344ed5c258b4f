// Propeller: blades on a hub. The axis is x, downstream; right-handed rotation about it in a stream
// along x gives thrust. Sections lie on cylinders of radius r. With the pitch angle a, tan(a) =
// P/(2 pi r), the chordwise position xi from mid-chord and the offset eta of a side of the section,
//
//   x = rake + xi sin(a) - eta cos(a) ,   angle = -(xi cos(a) + eta sin(a))/r - skew .
//
// Sections have the mean line a = 0.8 [AvD59] and the modified NACA 66 thickness [Bro66], closed at
// the trailing edge. Natural splines interpolate between sections: the square of the chord, so that
// round tips stay round, and the other quantities directly. Points have cosine spacing along the
// chord, and along the radius towards the tip only, where the circulation falls with the square
// root of the distance. The hub is a cylinder through the first section. Its ends are half
// ellipsoids, each as long as the diameter of the hub; its panels lie on lines from blade to blade.
#pragma once

#include <vector>

#include "rankine/meshes/shapes/wing.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct BladeSection {
  double radius;             ///< over the radius of the propeller
  double chord, pitch;       ///< over the diameter
  double thickness, camber;  ///< maximum values over the chord
  double skew, rake;         ///< degrees; over the diameter
};

struct PropellerPlan {
  double diameter = 1.0;  ///< m
  int blades = 3;
  std::vector<BladeSection> sections;  ///< from the hub to the tip
  bool sector = false;  ///< one blade with its part of the hub, the others being images by rotation
};

/// The patches "blade" and "hub". Quadrilaterals, with triangles at the leading edges of tips and
/// the ends of the hub. Blades end where the chord falls below a quarter of its maximum, because
/// further out the trailing edge lies along the stream. `panels`: around a section (even), and from
/// hub to tip. Throws InputError for sections that do not form a blade.
SurfaceMesh make_propeller(const WingPanels& panels, const PropellerPlan& plan,
                           const Vec3d& centre = {});

}  // namespace rankine::meshes
