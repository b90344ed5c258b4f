// Symmetry planes: up to three, each normal to an axis. The mesh lies on one side of each plane and
// represents itself and its images,
//
//   R_g x ,   g = 0 ... 2^k - 1 ,   plane i reflects where bit i of g is set; R_0 x = x.
//
// The potential has the sign s_g in image g, the product of the signs of the reflecting planes:
//
//   phi(R_g x) = s_g phi(x) ,   grad phi(R_g x) = s_g R_g grad phi(x) .
//
// Sign 1 is a wall or a plane of symmetry, with dphi/dn = 0; sign -1 means phi = 0 on the plane.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

struct SymmetryPlane {
  int axis = 0;        ///< of the normal
  double place = 0.0;  ///< coordinate along the axis, m
  double sign = 1.0;   ///< of the potential in the image: 1 or -1

  bool holds(const Vec3d& x) const { return x[axis] == place; }
};

class Symmetry {
 public:
  Symmetry() = default;
  /// Throws InputError for two planes with the same axis, a sign other than 1 or -1, and an invalid
  /// axis or place.
  explicit Symmetry(std::vector<SymmetryPlane> planes);

  std::span<const SymmetryPlane> planes() const { return planes_; }
  bool empty() const { return planes_.empty(); }
  /// The number of images, the original included.
  int images() const { return 1 << planes_.size(); }

  Vec3d point(int image, Vec3d x) const;   ///< R_g x
  Vec3d vector(int image, Vec3d v) const;  ///< the linear part
  double sign(int image) const;            ///< s_g
  /// Whether the image has an odd number of reflections, which reverses orientation.
  bool turns(int image) const;
  /// The image that maps x to the side of `inside`.
  int image_towards(const Vec3d& inside, const Vec3d& x) const;
  /// The planes that contain x, as a bit mask.
  int planes_at(const Vec3d& x) const;
  /// x projected onto the planes of the bit mask `planes`.
  Vec3d onto(int planes, Vec3d x) const;
  /// The point on all planes that is closest to the origin.
  Vec3d origin() const { return onto(~0, {}); }
  /// Whether all signs are 1.
  bool even() const;
  /// The same planes, with `sign` for the plane normal to `axis` if there is one.
  Symmetry with_sign(int axis, double sign) const;

 private:
  std::vector<SymmetryPlane> planes_;
};

/// "y = 0"
std::string name(const SymmetryPlane& plane);
/// "x = 0, y = 0 and z = -1.5"
std::string names(const Symmetry& symmetry);

/// Moves nodes onto a plane if their distance is rounding (1e-6 of the mesh diagonal), or if an
/// open edge lies along the plane within a hundredth of its length. Removes panels in a plane,
/// because there is no fluid between them and their images. Returns notes for the log. Throws
/// MeshError if the mesh crosses a plane.
std::vector<std::string> meet_planes(SurfaceMesh& mesh, const Symmetry& symmetry);

/// A mesh followed by the images of its elements near the planes (the halo).
struct HaloMesh {
  struct Image {
    std::int32_t element;
    std::int32_t image;
  };
  SurfaceMesh mesh;
  std::vector<Image> images;  ///< of the elements after those of the mesh
};

/// Adds the images of the elements within `halo_rings` rings of a plane; they share the nodes on
/// the planes. Throws MeshError for a mesh that meet_planes() refuses or would change by more than
/// rounding.
HaloMesh with_halo(const SurfaceMesh& mesh, const Symmetry& symmetry);

/// Rings of elements required by surface fits: two for a normal, one for the neighbour across an
/// edge, one to assess that neighbour.
inline constexpr int halo_rings = 4;

}  // namespace rankine::meshes
