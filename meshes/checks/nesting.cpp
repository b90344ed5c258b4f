#include "rankine/meshes/checks/nesting.hpp"

#include <cmath>
#include <numbers>
#include <numeric>

#include "rankine/meshes/measures.hpp"

namespace rankine::meshes {

Nesting::Nesting(const SurfaceMesh& mesh, const Bodies& bodies, const Symmetry& symmetry)
    : mesh_(mesh),
      bodies_(bodies),
      symmetry_(symmetry),
      first_(static_cast<std::size_t>(bodies.count) + 1, 0),
      elements_(bodies.of_element.size()),
      boxes_(static_cast<std::size_t>(bodies.count), NearBoxes::Piece{}),
      around_(static_cast<std::size_t>(bodies.count)) {
  for (const std::int32_t body : bodies.of_element) ++first_[static_cast<std::size_t>(body) + 1];
  std::partial_sum(first_.begin(), first_.end(), first_.begin());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::size_t e = 0; e < elements_.size(); ++e) {
    const auto body = static_cast<std::size_t>(bodies.of_element[e]);
    elements_[next[body]++] = e;
    for (int k = 0; k < corner_count(mesh.elements[e]); ++k)
      boxes_[body].box.add(mesh.nodes[mesh.elements[e][k]]);
  }
  for (std::size_t body = 0; body < boxes_.size(); ++body)
    boxes_[body].owner = static_cast<std::int32_t>(body);
  const NearBoxes tree(boxes_);
  for (std::size_t inner = 0; inner < boxes_.size(); ++inner) {
    const Vec3d& point = mesh.nodes[mesh.elements[elements_[first_[inner]]][0]];
    tree.visit_containing(boxes_[inner].box, [&](const NearBoxes::Piece& piece) {
      const auto outer = static_cast<std::size_t>(piece.owner);
      if (outer != inner && encloses(outer, point)) around_[inner].push_back(piece.owner);
    });
  }
}

bool Nesting::encloses(std::size_t body, const Vec3d& point) const {
  if (is_thin(mesh_, elements_of(body).front())) return false;
  double angle = 0.0;
  for (int image = 0; image < symmetry_.images(); ++image) {
    const Vec3d from = symmetry_.point(image, point);
    for (const std::size_t e : elements_of(body)) {
      const double seen = solid_angle(mesh_, mesh_.elements[e], from);
      angle += bodies_.opposed[e] ? -seen : seen;
    }
  }
  return std::abs(angle) > 2.0 * std::numbers::pi;
}

std::int32_t Nesting::innermost(std::span<const std::int32_t> bodies) const {
  std::int32_t found = -1;
  for (const std::int32_t body : bodies) {
    const auto depth = [&](std::int32_t b) { return around_[static_cast<std::size_t>(b)].size(); };
    if (found < 0 || depth(body) > depth(found)) found = body;
  }
  return found;
}

std::int32_t Nesting::innermost_around(const Vec3d& point) const {
  std::vector<std::int32_t> around;
  for (std::size_t body = 0; body < boxes_.size(); ++body) {
    if (encloses(body, point)) around.push_back(static_cast<std::int32_t>(body));
  }
  return innermost(around);
}

}  // namespace rankine::meshes
