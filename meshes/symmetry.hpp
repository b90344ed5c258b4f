// Symmetry of a body: by reflection at up to three planes, each normal to an axis, or by rotation
// about an axis. The mesh represents itself and its images,
//
//   R_g x ,   g = 0 ... n - 1 ,   R_0 x = x.
//
// With k planes n = 2^k, and plane i reflects where bit i of g is set. Rotation g is by g/n of a
// turn. The potential has the sign s_g in image g, the product of the signs of the reflecting
// planes, and 1 for rotations:
//
//   phi(R_g x) = s_g phi(x) ,   grad phi(R_g x) = s_g R_g grad phi(x) .
//
// Sign 1 is a wall or a plane of symmetry, with dphi/dn = 0; sign -1 means phi = 0 on the plane.
// The field of image g at x is that of the original at the inverse image of x:
//
//   phi_g(x) = s_g phi_0(R_g^-1 x) .
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

struct SymmetryPlane {
  int axis = 0;        ///< of the normal
  double place = 0.0;  ///< coordinate along the axis, m
  double sign = 1.0;   ///< of the potential in the image: 1 or -1
  bool jumps = false;  ///< given fluxes change their sign there

  bool holds(const Vec3d& x) const { return x[axis] == place; }
};

/// Images by rotation: the mesh is one of `count` equal sectors about an axis.
struct Rotation {
  Vec3d axis{1, 0, 0};  ///< any length
  Vec3d centre{};       ///< a point on the axis, m
  int count = 2;
};

class Symmetry {
 public:
  Symmetry() = default;
  /// Throws InputError for two planes with the same axis, a sign other than 1 or -1, and an invalid
  /// axis or place.
  explicit Symmetry(std::vector<SymmetryPlane> planes);
  /// Throws InputError for fewer than two sectors, and an axis or centre that is not valid.
  static Symmetry by_rotation(const Rotation& rotation);

  std::span<const SymmetryPlane> planes() const { return planes_; }
  /// With an axis of unit length; none: planes.
  const std::optional<Rotation>& rotation() const { return rotation_; }
  bool empty() const { return images() == 1; }
  /// The number of images, the original included.
  int images() const { return static_cast<int>(images_.size()); }

  Vec3d point(int image, const Vec3d& x) const;   ///< R_g x
  Vec3d vector(int image, const Vec3d& v) const;  ///< the linear part
  double sign(int image) const { return images_[static_cast<std::size_t>(image)].sign; }  ///< s_g
  /// The image R_g^-1.
  int inverse(int image) const { return rotation_ ? (images() - image) % images() : image; }
  /// The image R_g R_h.
  int product(int g, int h) const { return rotation_ ? (g + h) % images() : g ^ h; }
  /// Whether the image has an odd number of reflections, which reverses orientation.
  bool turns(int image) const { return images_[static_cast<std::size_t>(image)].turns; }
  /// The image that maps x to the side of `inside`; of planes.
  int image_towards(const Vec3d& inside, const Vec3d& x) const;
  /// The planes that contain x, as a bit mask.
  int planes_at(const Vec3d& x) const;
  /// x projected onto the planes of the bit mask `planes`.
  Vec3d onto(int planes, Vec3d x) const;
  /// x projected onto the points that are their own images: on all planes, or on the axis. With
  /// such an origin, surfaces between a body and its images contribute nothing to a volume.
  Vec3d fixed(const Vec3d& x) const;
  Vec3d origin() const { return fixed({}); }
  /// The mean of the images of a vector: the part that they have in common.
  Vec3d common_part(const Vec3d& v) const;
  /// Orthonormal vectors that span the uniform fields v with s_g R_g v = v.
  std::vector<Vec3d> uniform_fields() const;
  /// Whether all signs are 1.
  bool even() const;
  /// Whether given fluxes jump between the original and an image.
  bool jumps(int image) const { return images_[static_cast<std::size_t>(image)].jumps; }
  /// The same planes, with other values for the plane normal to `axis` if there is one.
  Symmetry with_sign(int axis, double sign, bool jumps = false) const;

 private:
  struct Image {
    std::array<Vec3d, 3> rows{Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}};
    Vec3d shift{};
    double sign = 1.0;
    bool turns = false, jumps = false;
  };

  std::vector<SymmetryPlane> planes_;
  std::optional<Rotation> rotation_;
  std::vector<Image> images_ = std::vector<Image>(1);
};

/// Throws InputError for images by rotation, which `what` does not have.
void require_planes(const Symmetry& symmetry, const std::string& what);

/// "y = 0"
std::string name(const SymmetryPlane& plane);
/// "x = 0, y = 0 and z = -1.5"
std::string names(const Symmetry& symmetry);

}  // namespace rankine::meshes
