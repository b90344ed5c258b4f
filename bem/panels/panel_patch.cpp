#include "rankine/bem/panels/panel_patch.hpp"

#include <algorithm>
#include <cmath>

#include "rankine/bem/panels/surface_point.hpp"

namespace rankine::bem {

PanelNeighbourhood::PanelNeighbourhood(const Panels& panels, double sharp_angle)
    : panels_(panels), least_cosine_(std::cos(sharp_angle)), offsets_(panels.node_count + 1, 0) {
  const std::size_t count = panels.size();
  for (std::size_t j = 0; j < count; ++j) {
    for (int k = 0; k < panels.shape[j].corners; ++k)
      ++offsets_[static_cast<std::size_t>(panels.nodes[j][k]) + 1];
  }
  for (std::size_t node = 0; node < panels.node_count; ++node) offsets_[node + 1] += offsets_[node];
  at_node_.resize(static_cast<std::size_t>(offsets_.back()));
  std::vector<std::int64_t> cursor(offsets_.begin(), offsets_.end() - 1);
  for (std::size_t j = 0; j < count; ++j) {
    for (int k = 0; k < panels.shape[j].corners; ++k) {
      at_node_[static_cast<std::size_t>(cursor[panels.nodes[j][k]]++)] =
          static_cast<std::int32_t>(j);
    }
  }
}

void PanelNeighbourhood::add_ring_of(std::int32_t panel, std::int32_t centre,
                                     std::vector<std::int32_t>& ring) const {
  for (int k = 0; k < panels_.shape[panel].corners; ++k) {
    const std::int32_t node = panels_.nodes[panel][k];
    for (std::int64_t entry = offsets_[node]; entry < offsets_[node + 1]; ++entry) {
      const std::int32_t j = at_node_[static_cast<std::size_t>(entry)];
      if (j == centre || dot(panels_.normal[j], panels_.normal[centre]) < least_cosine_) continue;
      if (std::find(ring.begin(), ring.end(), j) == ring.end()) ring.push_back(j);
    }
  }
}

void PanelNeighbourhood::collect(std::int32_t panel, int rings,
                                 std::vector<std::int32_t>& ring) const {
  ring.clear();
  add_ring_of(panel, panel, ring);
  if (rings < 2) return;
  const std::size_t first_ring = ring.size();
  for (std::size_t k = 0; k < first_ring; ++k) add_ring_of(ring[k], panel, ring);
}

void PanelNeighbourhood::collect_beside(std::int32_t panel,
                                        std::vector<std::int32_t>& beside) const {
  beside.clear();
  const int corners = panels_.shape[panel].corners;
  for (int k = 0; k < corners; ++k) {
    const std::int32_t from = panels_.nodes[panel][k], to = panels_.nodes[panel][(k + 1) % corners];
    for (const std::int32_t j : panels_at(from)) {
      if (j == panel || dot(panels_.normal[j], panels_.normal[panel]) < least_cosine_) continue;
      const meshes::Element& nodes = panels_.nodes[j];
      const auto end = nodes.begin() + panels_.shape[j].corners;
      if (std::find(nodes.begin(), end, to) != end) beside.push_back(j);
    }
  }
}

Vec3d surface_normal(const Panels& panels, std::int32_t panel) {
  const PanelShape<double>& shape = panels.shape[panel];
  return shape.curved ? panels.normal[panel] : surface_over(shape, panels.centroid[panel]).normal;
}

void PanelPatch::move_to(std::int32_t panel) {
  const Panels& panels = neighbourhood_.panels();
  panel_ = panel;
  scale_ = panels.radius[panel];
  n_ = surface_normal(panels, panel);
  const Vec3d helper = std::abs(n_.x) < 0.6 ? Vec3d{1, 0, 0} : Vec3d{0, 1, 0};
  t1_ = normalized(cross(helper, n_));
  t2_ = cross(n_, t1_);
  neighbourhood_.collect(panel, 2, ring_);
  samples_.clear();
  for (const std::int32_t j : ring_) {
    const Vec3d r = (panels.centroid[j] - panels.centroid[panel]) / scale_;
    samples_.push_back({dot(r, t1_), dot(r, t2_), 0.0});
  }
}

}  // namespace rankine::bem
