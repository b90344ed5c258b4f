#include "rankine/meshes/bodies.hpp"

#include <algorithm>
#include <string>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

/// Union-find that also stores whether each element agrees with its parent.
class SidedSets {
 public:
  explicit SidedSets(std::size_t size) : parent_(size), opposed_(size, 0) {
    for (std::size_t i = 0; i < size; ++i) parent_[i] = static_cast<std::int32_t>(i);
  }

  struct Root {
    std::int32_t element;
    std::uint8_t opposed;
  };

  Root find(std::int32_t element) {
    Root root{element, 0};
    while (parent_[root.element] != root.element) {
      root.opposed ^= opposed_[root.element];
      root.element = parent_[root.element];
    }
    std::uint8_t opposed = root.opposed;
    while (parent_[element] != root.element) {
      const std::int32_t next = parent_[element];
      const std::uint8_t step = opposed_[element];
      parent_[element] = root.element;
      opposed_[element] = opposed;
      opposed ^= step;
      element = next;
    }
    return root;
  }

  /// Joins the sets of a and b; false if they are already joined with the opposite relation.
  bool join(std::int32_t a, std::int32_t b, std::uint8_t opposed) {
    const Root root_a = find(a), root_b = find(b);
    const std::uint8_t between = root_a.opposed ^ root_b.opposed ^ opposed;
    if (root_a.element == root_b.element) return between == 0;
    const auto [parent, child] = std::minmax(root_a.element, root_b.element);
    parent_[child] = parent;
    opposed_[child] = between;
    return true;
  }

 private:
  std::vector<std::int32_t> parent_;
  std::vector<std::uint8_t> opposed_;
};

/// The origin of the volume integral of each body.
std::vector<Vec3d> volume_origins(const SurfaceMesh& mesh, const Bodies& bodies,
                                  const Symmetry& symmetry) {
  const auto count = static_cast<std::size_t>(bodies.count);
  std::vector<Vec3d> origin;
  for (const std::size_t e : first_elements(bodies))
    origin.push_back(mesh.nodes[mesh.elements[e][0]]);
  if (symmetry.empty()) return origin;
  std::vector<int> planes(count, 0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element& element = mesh.elements[e];
    for (int k = 0; k < corner_count(element); ++k)
      planes[static_cast<std::size_t>(bodies.of_element[e])] |=
          symmetry.planes_at(mesh.nodes[element[k]]);
  }
  for (std::size_t body = 0; body < count; ++body)
    origin[body] = symmetry.onto(planes[body], origin[body]);
  return origin;
}

}  // namespace

Bodies find_bodies(const SurfaceMesh& mesh, const EdgeTable& edges) {
  Bodies bodies;
  SidedSets sets(mesh.elements.size());
  edges.for_each_edge([&](std::int32_t, std::span<const HalfEdge> sides) {
    for (std::size_t k = 1; k < sides.size(); ++k) {
      const bool opposed = sides.size() == 2 && sides[0].forward == sides[1].forward;
      const bool agrees = sets.join(sides[0].element, sides[k].element, opposed ? 1 : 0);
      if (!agrees && sides.size() == 2 && !bodies.one_sided) bodies.one_sided = sides[0].element;
    }
  });
  bodies.of_element.resize(mesh.elements.size());
  bodies.opposed.resize(mesh.elements.size());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const auto root = sets.find(static_cast<std::int32_t>(e));
    const auto first = static_cast<std::size_t>(root.element);
    bodies.of_element[e] = first == e ? bodies.count++ : bodies.of_element[first];
    bodies.opposed[e] = root.opposed != 0;
  }
  return bodies;
}

std::vector<std::size_t> first_elements(const Bodies& bodies) {
  std::vector<std::size_t> first;  // bodies are numbered in the order of their first elements
  for (std::size_t e = 0; first.size() < static_cast<std::size_t>(bodies.count); ++e) {
    if (bodies.of_element[e] == static_cast<std::int32_t>(first.size())) first.push_back(e);
  }
  return first;
}

void require_two_sides(const SurfaceMesh& mesh, const Bodies& bodies) {
  if (!bodies.one_sided) return;
  const std::size_t element = *bodies.one_sided;
  throw MeshError(mesh.source + ": the surface has only one side (it comes back to element " +
                  std::to_string(element) + " at " + at(corner_mean(mesh, mesh.elements[element])) +
                  " with the other side up); a body needs an inside and an outside");
}

AlignedVector<double> volumes_under(const SurfaceMesh& mesh, const Bodies& bodies,
                                    const Symmetry& symmetry) {
  const std::vector<Vec3d> origin = volume_origins(mesh, bodies, symmetry);
  AlignedVector<double> volumes(mesh.elements.size());
  parallel_for(volumes.size(), [&](std::size_t e) {
    const auto body = static_cast<std::size_t>(bodies.of_element[e]);
    volumes[e] = volume_under(mesh, mesh.elements[e], origin[body]);
  });
  return volumes;
}

void patches_from_bodies(SurfaceMesh& mesh) {
  Bodies bodies = find_bodies(mesh, EdgeTable(mesh));
  mesh.patch = std::move(bodies.of_element);
  mesh.patch_names.clear();
  for (std::int32_t body = 0; body < bodies.count; ++body) {
    mesh.patch_names.push_back(bodies.count == 1 ? "body" : "body" + std::to_string(body + 1));
  }
}

}  // namespace rankine::meshes
