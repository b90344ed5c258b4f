// Sizes of panels on a geometry: as small as its features need, larger away from them with at most
// a constant slope, and no more panels than a budget,
//
//   h(x) = max(least, min(largest, min_i (h_i + growth max(0, |x - x_i| - reach_i)))) .
//
// `least` is the smallest size that keeps the budget: if features need more, the finest are
// coarsened first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// A point of the geometry and the size that it needs. Lengths in metres.
struct SizeSample {
  Vec3d place;
  double size = 0.0;   ///< edge of panels there
  double reach = 0.0;  ///< the distance up to which it needs it
  double area = 0.0;   ///< of the surface that it stands for, m^2; 0 for a place on a curve
};

class PanelSizes {
 public:
  /// Of an equilateral triangle over the square of its edge.
  static constexpr double triangle_area = 0.4330127018922193;

  /// `largest`: edge of panels away from features, m; `budget`: number of panels.
  PanelSizes(std::vector<SizeSample> samples, double largest, double budget);

  /// Edge of panels at x, m.
  double at(const Vec3d& x) const;
  double least() const { return least_; }
  double largest() const { return largest_; }
  /// Panels that the surface will have, of equilateral triangles.
  double panels() const { return panels_with(least_); }

  /// The edge with which a surface of so much area, m^2, has so many equilateral panels.
  static double edge_for(double area, double panels);

 private:
  struct Node {
    BoundingBox box;           ///< of the places below
    double least_value = 0.0;  ///< smallest size - growth * reach below
    std::int32_t child = -1;   ///< the first of two; -1: a leaf
    std::size_t begin = 0, end = 0;
  };

  void divide(std::size_t node);
  double wanted_at(const Vec3d& x) const;
  double panels_with(double least) const;

  std::vector<SizeSample> samples_;  ///< those of a node follow one another
  std::vector<Node> nodes_;
  double largest_, least_ = 0.0;
  std::vector<double> sample_sizes_, sample_areas_;  ///< graded, at samples with an area
};

}  // namespace rankine::meshes
