// Symmetry planes: up to three, each normal to an axis. The mesh lies on one side of each plane and
// represents itself and its images,
//
//   R_g x ,   g = 0 ... 2^k - 1 ,   plane i reflects where bit i of g is set; R_0 x = x.
//
// A potential takes the sign s_g there, the product of those of the planes that reflect:
//
//   phi(R_g x) = s_g phi(x) ,   grad phi(R_g x) = s_g R_g grad phi(x) .
//
// With 1 the plane is a wall, a lid, a plane of symmetry: dphi/dn = 0; with -1 phi = 0 on it.
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
  double place = 0.0;  ///< coordinate along it, m
  double sign = 1.0;   ///< of the potential beyond: 1 or -1

  bool holds(const Vec3d& x) const { return x[axis] == place; }
};

class Symmetry {
 public:
  Symmetry() = default;
  /// Throws InputError for two planes with one axis, a sign that is not 1 or -1, and an axis or a
  /// place that is none.
  explicit Symmetry(std::vector<SymmetryPlane> planes);

  std::span<const SymmetryPlane> planes() const { return planes_; }
  bool empty() const { return planes_.empty(); }
  /// Itself included.
  int images() const { return 1 << planes_.size(); }

  Vec3d point(int image, Vec3d x) const;   ///< R_g x
  Vec3d vector(int image, Vec3d v) const;  ///< the linear part
  double sign(int image) const;            ///< s_g
  /// Whether the image has an odd number of reflections, which reverse normals.
  bool turns(int image) const;
  /// The image that brings x to the side on which `inside` lies.
  int image_towards(const Vec3d& inside, const Vec3d& x) const;
  /// The planes on which x lies, bit by bit.
  int planes_at(const Vec3d& x) const;
  /// x moved onto the planes of `planes`, bit by bit.
  Vec3d onto(int planes, Vec3d x) const;
  /// Whether all signs are 1.
  bool even() const;
  /// The same planes with another sign of the plane normal to `axis`, if there is one.
  Symmetry with_sign(int axis, double sign) const;

 private:
  std::vector<SymmetryPlane> planes_;
};

/// "y = 0"
std::string name(const SymmetryPlane& plane);
/// "x = 0, y = 0 and z = -1.5"
std::string names(const Symmetry& symmetry);

/// Moves nodes onto a plane if they are off it by rounding (1e-6 of the mesh's diagonal), or if an
/// open edge along the plane is off it by at most a hundredth of its length. Removes panels in a
/// plane: there is no fluid between the mesh and its image. Returns what was moved and removed, for
/// the log. Throws MeshError if the mesh crosses a plane.
std::vector<std::string> meet_planes(SurfaceMesh& mesh, const Symmetry& symmetry);

/// A mesh with its own nodes and elements first, then the images of elements near the planes.
struct HaloMesh {
  struct Image {
    std::int32_t element;
    std::int32_t image;
  };
  SurfaceMesh mesh;
  std::vector<Image> images;  ///< of which elements those behind the mesh's own are
};

/// The images of the elements within `halo_rings` rings of a plane; rims on planes are joined to
/// theirs. Throws MeshError for a mesh that meet_planes() refuses or would change by more than
/// rounding.
HaloMesh with_halo(const SurfaceMesh& mesh, const Symmetry& symmetry);

/// Rings of elements that surface fits need: two for a normal, one for the neighbour across an
/// edge, one to judge that neighbour.
inline constexpr int halo_rings = 4;

}  // namespace rankine::meshes
