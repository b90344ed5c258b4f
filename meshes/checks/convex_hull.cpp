#include "rankine/meshes/checks/convex_hull.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <ranges>
#include <set>
#include <utility>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/uniform.hpp"
#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

struct Facet : HalfSpace {
  std::array<std::size_t, 3> corner;
  std::vector<std::size_t> outside;  ///< points above it, the highest one first
};

/// The points in general position, moved at random by at most `shift` along each axis.
std::vector<Vec3d> shifted(std::span<const Vec3d> points, double shift) {
  std::vector<Vec3d> result(points.begin(), points.end());
  Uniform uniform(1);
  for (Vec3d& x : result) {
    for (int axis = 0; axis < 3; ++axis) x[axis] += uniform.between(-shift, shift);
  }
  return result;
}

}  // namespace

std::vector<HalfSpace> convex_hull(std::span<const Vec3d> points, double within) {
  const double shift = limits::same_place * bounding_box(points).diagonal();
  const std::vector<Vec3d> at = shifted(points, shift);
  std::vector<Facet> facets;
  const auto add_facet = [&](std::size_t a, std::size_t b, std::size_t c) {
    const Vec3d normal = normalized(cross(at[b] - at[a], at[c] - at[a]));
    facets.push_back({{normal, dot(normal, at[a])}, {a, b, c}, {}});
  };
  // Each point belongs to the facet from `first` on that it is highest above, if any.
  const auto assign = [&](const std::vector<std::size_t>& outside, std::size_t first) {
    for (const std::size_t p : outside) {
      const auto height = [&](const Facet& each) { return each.above(at[p]); };
      Facet& own = *std::ranges::max_element(facets | std::views::drop(first), {}, height);
      if (height(own) <= 0.0) continue;
      own.outside.push_back(p);
      if (height(own) > own.above(at[own.outside.front()]))
        std::swap(own.outside.front(), own.outside.back());
    }
  };
  const auto must_move = [&](const Facet& each) {
    return !each.outside.empty() && each.above(at[each.outside.front()]) > std::max(within, shift);
  };
  std::vector<std::size_t> outside(at.size());
  std::iota(outside.begin(), outside.end(), 0);
  add_facet(0, 1, 2);
  add_facet(0, 2, 1);
  assign(outside, 0);
  for (auto found = facets.begin();
       (found = std::ranges::find_if(facets, must_move)) != facets.end();) {
    // Facets between the edges that the highest point sees on their other side and that point.
    const std::size_t apex = found->outside.front();
    const auto seen = std::partition(facets.begin(), facets.end(), [&](const Facet& each) {
      return each.above(at[apex]) <= 0.0;
    });
    std::set<std::pair<std::size_t, std::size_t>> horizon;
    outside.clear();
    for (auto each = seen; each != facets.end(); ++each) {
      outside.insert(outside.end(), each->outside.begin(), each->outside.end());
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t near = each->corner[k], far = each->corner[(k + 1) % 3];
        if (horizon.erase({far, near}) == 0) horizon.emplace(near, far);
      }
    }
    facets.erase(seen, facets.end());
    const std::size_t first = facets.size();
    for (const auto& [near, far] : horizon) add_facet(near, far, apex);
    assign(outside, first);
  }
  return {facets.begin(), facets.end()};
}

}  // namespace rankine::meshes
