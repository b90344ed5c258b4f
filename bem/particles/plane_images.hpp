// Images of particles in symmetry planes (meshes/symmetry.hpp), for loops on host and device. An
// image is a bit mask of the axes along which it is reflected; 0 is the original. The images R x_j
// near a point x are found by a search around R x:
//
//   R x_j - x = L (x_j - R x) ,    with the linear part L of the reflection R.
#pragma once

#include <cmath>

#include "rankine/bem/particles/particle_cells.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

struct PlaneImages {
  unsigned axes = 0;  ///< bit mask of the normals of the planes
  Vec3d place{};      ///< of the planes along their normals, m
  Vec3d inside{};     ///< a point on the side of the particles

  PlaneImages() = default;
  PlaneImages(const meshes::Symmetry& symmetry, const Vec3d& particle) : inside(particle) {
    for (const meshes::SymmetryPlane& plane : symmetry.planes()) {
      axes |= 1u << plane.axis;
      place[plane.axis] = plane.place;
    }
  }

  RANKINE_HD static bool reflects(unsigned image, int axis) { return (image >> axis & 1u) != 0; }
  RANKINE_HD Vec3d point(unsigned image, Vec3d x) const {
    for (int axis = 0; axis < 3; ++axis)
      x[axis] = reflects(image, axis) ? 2.0 * place[axis] - x[axis] : x[axis];
    return x;
  }
  RANKINE_HD static Vec3d vector(unsigned image, Vec3d v) {
    for (int axis = 0; axis < 3; ++axis) v[axis] = reflects(image, axis) ? -v[axis] : v[axis];
    return v;
  }
  /// A strength is a pseudovector.
  RANKINE_HD static Vec3d strength(unsigned image, const Vec3d& gamma) {
    const bool turns = ((image ^ image >> 1 ^ image >> 2) & 1u) != 0;
    return turns ? -vector(image, gamma) : vector(image, gamma);
  }

  /// Replaces a particle that has crossed planes by its image.
  RANKINE_HD void take_inside(Vec3d& x, Vec3d& gamma) const {
    unsigned image = 0;
    for (int axis = 0; axis < 3; ++axis) {
      if (reflects(axes, axis) && (x[axis] < place[axis]) != (inside[axis] < place[axis]))
        image |= 1u << axis;
    }
    x = point(image, x);
    gamma = strength(image, gamma);
  }

  /// ParticleCells::near for the points and their images: calls work(index, r, image).
  template <class Work, class Lanes = OneLane>
  RANKINE_HD void near(const ParticleCells& cells, const Vec3d& x, Work&& work,
                       const Lanes& lanes = {}) const {
    for (unsigned image = 0; image <= axes; ++image) {
      if ((image & ~axes) != 0 || !reaches(image, x, cells.radius)) continue;
      cells.near(
          point(image, x), [&](std::size_t j, const Vec3d& r) { work(j, vector(image, r), image); },
          lanes);
    }
  }

 private:
  /// Whether points on the inside may have images closer to x than `radius`.
  RANKINE_HD bool reaches(unsigned image, const Vec3d& x, double radius) const {
    bool reaches = true;
    for (int axis = 0; axis < 3; ++axis)
      reaches = reaches && (!reflects(image, axis) || std::abs(x[axis] - place[axis]) < radius);
    return reaches;
  }
};

}  // namespace rankine::bem
