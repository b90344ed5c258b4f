// Panel sizes on a geometry: small at its features, growing with distance at a limited slope,
// within a budget of panels:
//
//   h(x) = max(least, min(largest, min_i (h_i + growth max(0, |x - x_i| - reach_i)))) .
//
// `least` is the smallest size within the budget: if the features require more panels, the finest
// are coarsened first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::meshes {

/// A sample point of the geometry with the size required there. Lengths in metres.
struct SizeSample {
  Vec3d place;
  double size = 0.0;   ///< panel edge required at the point
  double reach = 0.0;  ///< radius within which it is required
  double area = 0.0;   ///< of the surface that it represents, m^2; 0 for a point on a curve
};

class PanelSizes {
 public:
  /// Area of an equilateral triangle over its edge squared.
  static constexpr double triangle_area = 0.4330127018922193;

  /// `largest`: panel edge far from features, m. `budget`: maximum number of panels.
  PanelSizes(std::vector<SizeSample> samples, double largest, double budget);

  /// The panel edge at x, m.
  double at(const Vec3d& x) const;
  double least() const { return least_; }
  double largest() const { return largest_; }
  /// The expected number of panels, for equilateral triangles.
  double panels() const { return panels_with(least_); }

  /// The edge for which a surface of the given area, m^2, has `panels` equilateral panels.
  static double edge_for(double area, double panels);

 private:
  struct Node {
    BoundingBox box;           ///< of the samples below
    double least_value = 0.0;  ///< minimum of size - growth * reach below
    std::int32_t child = -1;   ///< first of two consecutive children; -1: a leaf
    std::size_t begin = 0, end = 0;
  };

  void divide(std::size_t node);
  double wanted_at(const Vec3d& x) const;
  double panels_with(double least) const;

  std::vector<SizeSample> samples_;  ///< samples of a node are contiguous
  std::vector<Node> nodes_;
  double largest_, least_ = 0.0;
  std::vector<double> sample_sizes_, sample_areas_;  ///< graded sizes and areas of samples with an
                                                     ///< area
};

}  // namespace rankine::meshes
