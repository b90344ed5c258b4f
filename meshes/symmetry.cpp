#include "rankine/meshes/symmetry.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::meshes {
namespace {

bool reflects(int image, std::size_t plane) { return (image >> plane & 1) != 0; }

}  // namespace

Symmetry::Symmetry(std::vector<SymmetryPlane> planes) : planes_(std::move(planes)) {
  bool seen[3] = {};
  for (const SymmetryPlane& plane : planes_) {
    if (plane.axis < 0 || plane.axis > 2) {
      throw InputError("a symmetry plane is normal to axis " + std::to_string(plane.axis) +
                       "; give 0, 1 or 2");
    }
    if (!std::isfinite(plane.place))
      throw InputError("the place of a symmetry plane is not finite; give metres");
    if (plane.sign != 1.0 && plane.sign != -1.0) {
      throw InputError("the sign of a symmetry plane is " + text_of(plane.sign) + "; give 1 or -1");
    }
    if (std::exchange(seen[plane.axis], true)) {
      throw InputError(std::string("two symmetry planes are normal to ") + "xyz"[plane.axis] +
                       "; between parallel walls there are images without end; keep one");
    }
  }
  images_.resize(std::size_t{1} << planes_.size());
  for (std::size_t g = 0; g < images_.size(); ++g) {
    Image& image = images_[g];
    for (std::size_t k = 0; k < planes_.size(); ++k) {
      const auto axis = static_cast<std::size_t>(planes_[k].axis);
      if (!reflects(static_cast<int>(g), k)) continue;
      image.rows[axis] = -1.0 * image.rows[axis];
      image.shift[planes_[k].axis] = 2.0 * planes_[k].place;
      image.sign *= planes_[k].sign;
      image.turns = !image.turns;
      image.jumps = image.jumps != planes_[k].jumps;
    }
  }
}

Symmetry Symmetry::by_rotation(const Rotation& rotation) {
  const double length = norm(rotation.axis);
  if (rotation.count < 2) {
    throw InputError("images by rotation need two sectors at least, found " +
                     std::to_string(rotation.count) + "; leave them out");
  }
  if (!(length > 0.0) || !is_finite(rotation.axis) || !is_finite(rotation.centre))
    throw InputError("the axis of images by rotation is zero, or it or its centre not finite");
  Symmetry symmetry;
  symmetry.rotation_ = rotation;
  const Vec3d axis = symmetry.rotation_->axis = rotation.axis / length;
  for (int g = 1; g < rotation.count; ++g) {
    const double angle = 2.0 * std::numbers::pi * g / rotation.count, c = std::cos(angle),
                 s = std::sin(angle);
    Image& image = symmetry.images_.emplace_back();
    for (std::size_t i = 0; i < 3; ++i) {  // Rodrigues' formula
      const Vec3d e = image.rows[i];
      image.rows[i] = c * e + (1.0 - c) * dot(axis, e) * axis - s * cross(axis, e);
    }
    image.shift = rotation.centre - symmetry.vector(g, rotation.centre);
  }
  return symmetry;
}

Vec3d Symmetry::point(int image, const Vec3d& x) const {
  return vector(image, x) + images_[static_cast<std::size_t>(image)].shift;
}

Vec3d Symmetry::vector(int image, const Vec3d& v) const {
  const auto& rows = images_[static_cast<std::size_t>(image)].rows;
  return {dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)};
}

int Symmetry::image_towards(const Vec3d& inside, const Vec3d& x) const {
  int image = 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    const double place = planes_[k].place;
    const int axis = planes_[k].axis;
    if ((x[axis] - place) * (inside[axis] - place) < 0.0) image |= 1 << k;
  }
  return image;
}

int Symmetry::planes_at(const Vec3d& x) const {
  int planes = 0;
  for (std::size_t k = 0; k < planes_.size(); ++k) planes |= planes_[k].holds(x) ? 1 << k : 0;
  return planes;
}

Vec3d Symmetry::onto(int planes, Vec3d x) const {
  for (std::size_t k = 0; k < planes_.size(); ++k) {
    if (reflects(planes, k)) x[planes_[k].axis] = planes_[k].place;
  }
  return x;
}

Vec3d Symmetry::fixed(const Vec3d& x) const {
  if (!rotation_) return onto(~0, x);
  return rotation_->centre + dot(x - rotation_->centre, rotation_->axis) * rotation_->axis;
}

Vec3d Symmetry::common_part(const Vec3d& v) const {
  Vec3d sum{};
  for (int image = 0; image < images(); ++image) sum += vector(image, v);
  return sum / images();
}

std::vector<Vec3d> Symmetry::uniform_fields() const {
  if (rotation_) return {rotation_->axis};
  std::vector<Vec3d> fields;
  for (int axis = 0; axis < 3; ++axis) {
    const bool allowed = std::all_of(planes_.begin(), planes_.end(), [&](const auto& plane) {
      return (plane.axis == axis) == (plane.sign < 0.0);
    });
    if (allowed) fields.emplace_back()[axis] = 1.0;
  }
  return fields;
}

Symmetry Symmetry::with_sign(int axis, double sign, bool jumps) const {
  std::vector<SymmetryPlane> changed = planes_;
  for (SymmetryPlane& plane : changed) {
    if (plane.axis != axis) continue;
    plane.sign = sign;
    plane.jumps = jumps;
  }
  return Symmetry(std::move(changed));
}

bool Symmetry::even() const {
  return std::all_of(images_.begin(), images_.end(),
                     [](const Image& image) { return image.sign > 0.0; });
}

void require_planes(const Symmetry& symmetry, const std::string& what) {
  if (symmetry.rotation())
    throw InputError(what + " has no images by rotation; mesh the whole body, and leave them out");
}

std::string name(const SymmetryPlane& plane) {
  return std::string(1, "xyz"[plane.axis]) + " = " + text_of(plane.place);
}

std::string names(const Symmetry& symmetry) {
  std::string text;
  const std::size_t count = symmetry.planes().size();
  for (std::size_t k = 0; k < count; ++k)
    text += (k == 0 ? "" : (k + 1 == count ? " and " : ", ")) + name(symmetry.planes()[k]);
  return text;
}

}  // namespace rankine::meshes
