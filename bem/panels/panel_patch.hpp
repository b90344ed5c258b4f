// The neighbourhood of a panel: the panels near it on the surface, and fits to values at their
// collocation points, in the tangent plane at the panel's own point (bem/panels/plane_fit.hpp).
//
// Panels across a sharp edge are excluded. Two rings of panels give a cubic fit; with fewer panels
// it is quadratic, then linear.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/plane_fit.hpp"

namespace rankine::bem {

/// The neighbours of every panel: panels that share a node and are not across a sharp edge. Across
/// symmetry planes they are images; the number `panels().size()` + k is image k of `panels().halo`.
class PanelNeighbourhood {
 public:
  /// `panels` must outlive this object.
  explicit PanelNeighbourhood(const Panels& panels);

  /// The neighbours of a panel, and the nodes through which they were found.
  struct Ring {
    std::vector<std::int32_t> panels, nodes;
  };

  /// Fills `ring` with the panels that share a node with `panel`, and if `rings` = 2 those that
  /// share a node with these. If the panels store two rings, these are copied, without nodes.
  void collect(std::int32_t panel, int rings, Ring& ring) const;

  /// Fills `beside` with the panels across an edge of `panel` that is not sharp.
  void collect_beside(std::int32_t panel, std::vector<std::int32_t>& beside) const;

  const Panels& panels() const { return panels_; }
  double least_cosine() const { return least_cosine_; }
  /// Start of the panels of each node in at_node(); nodes + 1 entries.
  const FetchedVector<std::int64_t>& offsets() const { return at_nodes_->offsets; }
  const FetchedVector<std::int32_t>& at_node() const { return at_nodes_->panels; }

  // `panel` may be an image.
  const meshes::Element& nodes(std::int32_t panel) const {
    return is_image(panel) ? halo_at(panel).nodes : panels_.nodes[panel];
  }
  Vec3d centroid(std::int32_t panel) const {
    if (!is_image(panel)) return panels_.centroid[panel];
    const HaloPanel& halo = halo_at(panel);
    return panels_.symmetry.point(halo.image, panels_.centroid[halo.origin]);
  }
  Vec3d normal(std::int32_t panel) const {
    if (!is_image(panel)) return panels_.normal[panel];
    const HaloPanel& halo = halo_at(panel);
    return panels_.symmetry.vector(halo.image, panels_.normal[halo.origin]);
  }
  /// The panel itself, or the panel of which it is the image.
  std::int32_t origin(std::int32_t panel) const {
    return is_image(panel) ? halo_at(panel).origin : panel;
  }
  /// The number of the image; 0 for a panel itself.
  int image(std::int32_t panel) const { return is_image(panel) ? halo_at(panel).image : 0; }
  /// The sign of potentials and densities on it.
  double sign(std::int32_t panel) const {
    return is_image(panel) ? panels_.symmetry.sign(halo_at(panel).image) : 1.0;
  }
  /// Whether it is an image behind a plane where the given flux may jump.
  bool jumps(std::int32_t panel) const {
    return is_image(panel) && panels_.symmetry.jumps(halo_at(panel).image);
  }
  /// The value on it of a potential or density given per panel.
  double value(std::span<const double> values, std::int32_t panel) const {
    return sign(panel) * values[static_cast<std::size_t>(origin(panel))];
  }
  /// The value on it of a velocity given per panel.
  Vec3d value(std::span<const Vec3d> vectors, std::int32_t panel) const {
    const Vec3d& vector = vectors[static_cast<std::size_t>(origin(panel))];
    return is_image(panel) ? sign(panel) * panels_.symmetry.vector(halo_at(panel).image, vector)
                           : vector;
  }

  /// The panels that have a node as a corner.
  std::span<const std::int32_t> panels_at(std::int32_t node) const {
    const auto begin = static_cast<std::size_t>(offsets()[static_cast<std::size_t>(node)]);
    const auto end = static_cast<std::size_t>(offsets()[static_cast<std::size_t>(node) + 1]);
    return std::span<const std::int32_t>(at_node()).subspan(begin, end - begin);
  }
  /// Calls visit(panel) for the panels that have both nodes as corners.
  template <class Visit>
  void for_each_at_edge(std::int32_t a, std::int32_t b, const Visit& visit) const {
    visit_at_edge(*this, a, b, visit);
  }

 private:
  bool is_image(std::int32_t panel) const {
    return static_cast<std::size_t>(panel) >= panels_.size();
  }
  const HaloPanel& halo_at(std::int32_t panel) const {
    return panels_.halo[static_cast<std::size_t>(panel) - panels_.size()];
  }

  const Panels& panels_;
  std::shared_ptr<const NodePanels> at_nodes_;
  double least_cosine_;
};

/// The two rings around every panel, for `Panels::rings`: about 80 bytes per panel. Fits of several
/// solutions on the same panels then need no search, which is a third of their time.
std::shared_ptr<const PanelRings> all_rings(const Panels& panels);

/// Normal of the fitted surface at the collocation point of a curved or flat panel.
Vec3d surface_normal(const Panels& panels, std::int32_t panel);

class PanelPatch {
 public:
  explicit PanelPatch(const PanelNeighbourhood& neighbourhood) : neighbourhood_(neighbourhood) {}

  /// Moves to another panel.
  void move_to(std::int32_t panel);

  /// The polynomial fitted to `value_of(panel)` of the neighbours and exact at the panel itself, in
  /// coordinates along t1 and t2 in units of `scale`.
  template <class ValueOf>
  PlanePolynomial fit(ValueOf value_of) {
    return fits<1>([&](std::int32_t j) { return std::array{value_of(j)}; })[0];
  }

  /// Several polynomials at little more than the cost of one. `values_of(panel)` is a std::array.
  template <std::size_t Values, class ValuesOf>
  std::array<PlanePolynomial, Values> fits(ValuesOf values_of) {
    const std::array<double, Values> own = values_of(panel_);
    const auto sample = [&](int k) {
      const auto at = static_cast<std::size_t>(k);
      PlaneSamples<static_cast<int>(Values)> s{samples_[at].x, samples_[at].y, {}};
      const std::array<double, Values> given = values_of(ring_.panels[at]);
      for (std::size_t v = 0; v < Values; ++v) s.values[v] = given[v] - own[v];
      return s;
    };
    const PlaneFits<static_cast<int>(Values)> fitted(static_cast<int>(samples_.size()),
                                                     static_cast<double>(samples_.size()), sample,
                                                     least_spread_);
    std::array<PlanePolynomial, Values> result = fitted.polynomials();
    for (std::size_t v = 0; v < Values; ++v) result[v].constant = own[v];
    return result;
  }

  /// The surface gradient of this polynomial at the panel's own point.
  template <class ValueOf>
  Vec3d gradient(ValueOf value_of) {
    return slope(fit(value_of));
  }
  Vec3d slope(const PlanePolynomial& f) const {
    return (f.slope_x() * t1_ + f.slope_y() * t2_) / scale_;
  }

  const PanelNeighbourhood& neighbourhood() const { return neighbourhood_; }
  std::int32_t panel() const { return panel_; }
  /// The neighbours, and their points in the plane in units of `scale`, without values.
  std::span<const std::int32_t> around() const { return ring_.panels; }
  std::span<const PlaneSample> samples() const { return samples_; }
  double least_spread() const { return least_spread_; }

  double scale() const { return scale_; }
  const Vec3d& t1() const { return t1_; }
  const Vec3d& t2() const { return t2_; }
  const Vec3d& normal() const { return n_; }

 private:
  const PanelNeighbourhood& neighbourhood_;
  std::int32_t panel_ = 0;
  double scale_ = 1.0, least_spread_ = 0.0;
  Vec3d t1_, t2_, n_;
  PanelNeighbourhood::Ring ring_;
  std::vector<PlaneSample> samples_;
};

}  // namespace rankine::bem
