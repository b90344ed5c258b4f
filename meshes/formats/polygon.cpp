#include "rankine/meshes/formats/polygon.hpp"

#include <algorithm>
#include <numeric>

#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// The corners of a triangle, as indices.
using Indices = std::array<std::size_t, 3>;

/// The remaining corners, projected along the normal of the whole polygon.
class Ears {
 public:
  explicit Ears(std::span<const Vec3d> corners) : x_(corners), left_(corners.size()) {
    std::iota(left_.begin(), left_.end(), std::size_t{0});
    for (std::size_t k = 0; k < x_.size(); ++k)
      normal_ += cross(x_[k] - x_[0], x_[(k + 1) % x_.size()] - x_[0]);
    const double length = norm(normal_);
    if (length > 0.0) normal_ = normal_ / length;
  }

  std::size_t size() const { return left_.size(); }
  /// The triangle of the k-th remaining corner and its neighbours.
  Indices at(std::size_t k) const {
    const std::size_t n = left_.size();
    return {left_[(k + n - 1) % n], left_[k], left_[(k + 1) % n]};
  }
  void cut(std::size_t k) { left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(k)); }

  /// Area over the square of the longest edge; negative at a reflex corner.
  double shape(const Indices& t) const {
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
      const Vec3d edge = x_[t[(k + 1) % 3]] - x_[t[k]];
      longest = std::max(longest, dot(edge, edge));
    }
    return longest > 0.0 ? area(t[0], t[1], t[2]) / longest : 0.0;
  }

  bool is_empty(const Indices& t) const {
    return std::none_of(left_.begin(), left_.end(), [&](std::size_t p) {
      if (x_[p] == x_[t[0]] || x_[p] == x_[t[1]] || x_[p] == x_[t[2]]) return false;
      return area(t[0], t[1], p) >= 0.0 && area(t[1], t[2], p) >= 0.0 && area(t[2], t[0], p) >= 0.0;
    });
  }

  /// Quality of cutting off corner k: the shape of its triangle; for the last four corners the
  /// smaller of both triangles.
  double worth(std::size_t k) const {
    const double own = shape(at(k));
    constexpr std::size_t last_choice = 4;
    return left_.size() == last_choice ? std::min(own, shape(at((k + 2) % last_choice))) : own;
  }

 private:
  /// Twice the projected area of a triangle.
  double area(std::size_t a, std::size_t b, std::size_t c) const {
    return dot(cross(x_[b] - x_[a], x_[c] - x_[a]), normal_);
  }

  std::span<const Vec3d> x_;
  std::vector<std::size_t> left_;
  Vec3d normal_;
};

/// Twice the minimum relative area of a panel.
constexpr double least_shape = 2.0 * limits::no_size;

std::vector<Indices> fan(const Ears& ears) {
  std::vector<Indices> triangles;
  for (std::size_t k = 1; k + 1 < ears.size(); ++k) triangles.push_back({0, k, k + 1});
  const auto sound = [&](const Indices& t) { return ears.shape(t) > least_shape; };
  bool convex = std::all_of(triangles.begin(), triangles.end(), sound);
  for (std::size_t k = 0; convex && k < ears.size(); ++k) convex = sound(ears.at(k));
  return convex ? triangles : std::vector<Indices>{};
}

}  // namespace

std::vector<Indices> split_polygon(std::span<const Vec3d> corners) {
  Ears ears(corners);
  std::vector<Indices> triangles = fan(ears);
  if (!triangles.empty() || corners.size() > most_polygon_corners) return triangles;
  while (ears.size() >= 3) {
    std::size_t best = ears.size();
    double best_worth = least_shape;
    for (std::size_t k = 0; k < ears.size(); ++k) {
      const double worth = ears.worth(k);
      if (worth <= best_worth || !ears.is_empty(ears.at(k))) continue;
      best = k;
      best_worth = worth;
    }
    if (best == ears.size()) return {};
    triangles.push_back(ears.at(best));
    ears.cut(best);
  }
  return triangles;
}

std::string split_note(std::size_t polygons, std::size_t triangles) {
  return counted(polygons, "polygon") + " of more than four corners " +
         (polygons == 1 ? "is" : "are") + " split into " + std::to_string(triangles) + " triangles";
}

}  // namespace rankine::meshes
