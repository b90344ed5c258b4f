#include "rankine/meshes/gmsh/panel_sizes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

double distance_to(const BoundingBox& box, const Vec3d& x) {
  Vec3d apart{};
  for (int k = 0; k < 3; ++k) apart[k] = std::max({box.lower[k] - x[k], 0.0, x[k] - box.upper[k]});
  return norm(apart);
}

/// The minimum of the size required by the sample, which holds within its reach.
double size_at(const SizeSample& sample, const Vec3d& x) {
  return sample.size + limits::growth * std::max(0.0, norm(x - sample.place) - sample.reach);
}

}  // namespace

PanelSizes::PanelSizes(std::vector<SizeSample> samples, double largest, double budget)
    : largest_(largest) {
  std::vector<std::pair<Vec3d, double>> surface;
  for (const SizeSample& sample : samples) {
    if (sample.area > 0.0) surface.emplace_back(sample.place, sample.area);
    if (sample.size < largest) samples_.push_back(sample);
  }
  if (!samples_.empty()) {
    nodes_.push_back(
        {.box = {}, .least_value = 0.0, .child = -1, .begin = 0, .end = samples_.size()});
    divide(0);
  }
  for (const auto& [place, area] : surface) {
    sample_sizes_.push_back(std::min(largest_, wanted_at(place)));
    sample_areas_.push_back(area);
  }
  double low = largest / fitted::most_refined, high = largest;
  least_ = low;
  if (panels_with(low) <= budget) return;
  while (high > 1.01 * low) {
    const double middle = std::sqrt(low * high);
    (panels_with(middle) > budget ? low : high) = middle;
  }
  least_ = high;
}

void PanelSizes::divide(std::size_t at) {
  constexpr std::size_t leaf = 8;
  Node& node = nodes_[at];
  node.least_value = std::numeric_limits<double>::infinity();
  for (std::size_t k = node.begin; k < node.end; ++k) {
    node.box.add(samples_[k].place);
    node.least_value =
        std::min(node.least_value, samples_[k].size - limits::growth * samples_[k].reach);
  }
  if (node.end - node.begin <= leaf) return;
  const Vec3d edges = node.box.size();
  const int axis = edges.x >= edges.y && edges.x >= edges.z ? 0 : edges.y >= edges.z ? 1 : 2;
  const std::size_t begin = node.begin, end = node.end, middle = begin + (end - begin) / 2;
  const auto first = samples_.begin();
  std::nth_element(
      first + static_cast<std::ptrdiff_t>(begin), first + static_cast<std::ptrdiff_t>(middle),
      first + static_cast<std::ptrdiff_t>(end),
      [axis](const SizeSample& a, const SizeSample& b) { return a.place[axis] < b.place[axis]; });
  const std::size_t child = nodes_.size();
  node.child = static_cast<std::int32_t>(child);
  nodes_.push_back({.box = {}, .least_value = 0.0, .child = -1, .begin = begin, .end = middle});
  nodes_.push_back({.box = {}, .least_value = 0.0, .child = -1, .begin = middle, .end = end});
  divide(child);
  divide(child + 1);
}

/// The smallest size required by any sample at x, by a branch-and-bound search from the nearest
/// boxes.
double PanelSizes::wanted_at(const Vec3d& x) const {
  if (nodes_.empty()) return largest_;
  const auto bound = [&](std::size_t at) {
    return nodes_[at].least_value + limits::growth * distance_to(nodes_[at].box, x);
  };
  double best = largest_;
  constexpr std::size_t most_left = 64;  // two per level of a binary tree with at most 2^31 samples
  std::array<std::pair<double, std::size_t>, most_left> left;
  left[0] = {bound(0), 0};
  for (std::size_t count = 1; count > 0;) {
    const auto [least, at] = left[--count];
    if (least >= best) continue;
    const Node& node = nodes_[at];
    if (node.child < 0) {
      for (std::size_t k = node.begin; k < node.end; ++k)
        best = std::min(best, size_at(samples_[k], x));
      continue;
    }
    const auto child = static_cast<std::size_t>(node.child);
    std::pair<double, std::size_t> one{bound(child), child}, other{bound(child + 1), child + 1};
    if (one < other) std::swap(one, other);
    left[count++] = one;
    left[count++] = other;
  }
  return best;
}

double PanelSizes::at(const Vec3d& x) const { return std::max(least_, wanted_at(x)); }

double PanelSizes::panels_with(double least) const {
  double panels = 0.0;
  for (std::size_t k = 0; k < sample_sizes_.size(); ++k) {
    const double edge = std::max(least, sample_sizes_[k]);
    panels += sample_areas_[k] / (triangle_area * edge * edge);
  }
  return panels;
}

double PanelSizes::edge_for(double area, double panels) {
  return std::sqrt(area / (triangle_area * panels));
}

}  // namespace rankine::meshes
