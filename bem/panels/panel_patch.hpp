// The smooth surface around one panel: a weighted least-squares quadratic, weight 1/d^2, in the
// panel's plane (xi, eta), for the height of the surface through the mesh nodes near by (they lie
// on the surface) and for any field given at the collocation points of the panels that share a node
// (exact at the panel's own).
//
// Panels across a sharp edge take no part; where too few are left a second ring joins, then the fit
// becomes linear.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/panels/panels.hpp"

namespace rankine::bem {

/// Panels around every panel, without itself:
/// those that share a node and are not across a sharp edge.
class PanelNeighbourhood {
 public:
  /// `panels` must outlive this object; `sharp_angle` in radians between normals,
  /// 45 degrees unless told.
  explicit PanelNeighbourhood(const Panels& panels, double sharp_angle = 0.7853981633974483);

  /// Fills `ring` with the neighbours of `panel`, at least `wanted` of them
  /// where two rings give that many.
  void collect(std::int32_t panel, std::size_t wanted, std::vector<std::int32_t>& ring) const;

  const Panels& panels() const { return panels_; }

 private:
  void add_ring_of(std::int32_t panel, std::int32_t centre, std::vector<std::int32_t>& ring) const;

  const Panels& panels_;
  double least_cosine_;
  std::vector<std::int64_t> offsets_;  ///< nodes + 1
  std::vector<std::int32_t> at_node_;  ///< panels around a node
};

/// c + xi x + eta y + ... in coordinates scaled by the panel's radius.
struct Quadratic {
  double constant = 0.0, xi = 0.0, eta = 0.0, xi2 = 0.0, xi_eta = 0.0, eta2 = 0.0;

  double operator()(double x, double y) const {
    return constant + x * (xi + xi2 * x + xi_eta * y) + y * (eta + eta2 * y);
  }
};

class PanelPatch {
 public:
  explicit PanelPatch(const PanelNeighbourhood& neighbourhood) : neighbourhood_(neighbourhood) {}

  /// Moves to another panel and fits the height of the surface there.
  void move_to(std::int32_t panel);

  /// The quadratic through `value_of(panel)` of the panels around, exact at the panel itself.
  template <class ValueOf>
  Quadratic fit(ValueOf value_of) {
    const double own = value_of(panel_);
    differences_.clear();
    for (const std::int32_t j : ring_) differences_.push_back(value_of(j) - own);
    Quadratic result = fit_differences();
    result.constant = own;
    return result;
  }

  /// Height of the surface over the panel's plane, in radii.
  const Quadratic& height() const { return height_; }
  double scale() const { return scale_; }
  const Vec3d& t1() const { return t1_; }
  const Vec3d& t2() const { return t2_; }
  const Vec3d& normal() const { return n_; }

 private:
  void fit_height();
  Quadratic fit_differences() const;

  const PanelNeighbourhood& neighbourhood_;
  std::int32_t panel_ = 0;
  double scale_ = 1.0;
  Vec3d t1_, t2_, n_;
  Quadratic height_;
  std::vector<std::int32_t> ring_, seen_;
  std::vector<double> differences_;
};

}  // namespace rankine::bem
