#include "rankine/meshes/edge_strip.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/shapes/wing.hpp"

namespace rankine::meshes {
namespace {

/// A wing, its panels cut into triangles along diagonals drawn at random; the nodes in front of the
/// edge are displaced along the chord, at the plane y = 0 as well. `half`: the part with y >= 0.
SurfaceMesh uneven_wing(bool half, bool triangles = true) {
  const SurfaceMesh whole = make_wing({20, 8}, naca_section("0012"), {.span = 4.0, .sweep = 20.0});
  SurfaceMesh mesh = whole;
  mesh.elements.clear();
  std::mt19937 random(7);
  std::uniform_real_distribution<double> off(-0.3, 0.3);
  for (const Element& each : whole.elements) {
    double y = 0.0;
    for (int k = 0; k < corner_count(each); ++k) y += whole.nodes[each[k]].y;
    if (half && y < 0.0) continue;
    if (!triangles || corner_count(each) == 3) {
      mesh.elements.push_back(each);
      continue;
    }
    const int from = off(random) > 0.0 ? 1 : 0;
    for (const int k : {from, from + 2})
      mesh.elements.push_back({each[k % 4], each[(k + 1) % 4], each[(k + 2) % 4], -1});
  }
  for (Vec3d& x : mesh.nodes) {
    const double chord = x.x - std::abs(x.y) * std::tan(20.0 * 3.14159265358979 / 180.0);
    if (chord > 0.9 && chord < 0.99) x.x += 0.02 * off(random);
  }
  mesh.patch.assign(mesh.elements.size(), 0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) mesh.patch[e] = static_cast<int>(e % 3);
  mesh.patch_names = {"a", "b", "c"};
  return mesh;
}

/// The edges between nodes at the rear of the sections.
std::vector<std::array<std::int32_t, 2>> rear_edges(const SurfaceMesh& mesh) {
  std::vector<std::array<std::int32_t, 2>> line;
  const auto at_rear = [&](std::int32_t node) {
    const Vec3d& x = mesh.nodes[node];
    return std::abs(x.x - std::abs(x.y) * std::tan(20.0 * 3.14159265358979 / 180.0) - 1.0) < 1e-9;
  };
  for (const Element& each : mesh.elements) {
    for (int k = 0; k < corner_count(each); ++k) {
      const std::int32_t a = each[k], b = each[(k + 1) % corner_count(each)];
      if (a < b && at_rear(a) && at_rear(b)) line.push_back({a, b});
    }
  }
  return line;
}

std::array<double, 3> area_of_patches(const SurfaceMesh& mesh) {
  std::array<double, 3> area{};
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const Element& n = mesh.elements[e];
    const Vec3d& a = mesh.nodes[n[0]];
    for (int k = 1; k + 1 < corner_count(n); ++k)
      area[static_cast<std::size_t>(mesh.patch[e])] +=
          0.5 * norm(cross(mesh.nodes[n[k]] - a, mesh.nodes[n[k + 1]] - a));
  }
  return area;
}

/// Triangles that touch the edge by a side or by a corner: the surface, its patches and nodes stay,
/// and all new nodes are at one distance from the edge.
TEST(EdgeStrip, DividesTheSameSurfaceAtOneDistance) {
  for (const bool half : {false, true}) {
    SurfaceMesh mesh = uneven_wing(half);
    const Symmetry plane = half ? Symmetry({{1, 0.0, 1.0}}) : Symmetry{};
    const SurfaceMesh before = mesh;
    const MeshReport closed = check_mesh(before, plane);
    const auto line = rear_edges(mesh);
    ASSERT_EQ(line.size(), half ? 4u : 8u);
    const EdgeStrip strip = cut_strip(mesh, line, {}, plane);
    EXPECT_GT(strip.cut, half ? 8u : 16u);
    EXPECT_LT(strip.depth, strip.shallowest);
    EXPECT_EQ(mesh.elements.size(), before.elements.size() + strip.cut);  // two of each triangle
    EXPECT_TRUE(std::equal(before.nodes.begin(), before.nodes.end(), mesh.nodes.begin()));
    const MeshReport report = check_mesh(mesh, plane);
    EXPECT_EQ(report.boundary_edges.count, closed.boundary_edges.count);
    EXPECT_EQ(report.non_manifold_edges.count, 0u);
    EXPECT_NEAR(report.volume, closed.volume, 1e-13);
    const auto area = area_of_patches(mesh), same = area_of_patches(before);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(area[k], same[k], 1e-13);
    for (std::size_t n = before.nodes.size(); n < mesh.nodes.size(); ++n) {
      double least = 1e9;
      for (const auto& [a, b] : line) {
        const Vec3d along = mesh.nodes[b] - mesh.nodes[a], r = mesh.nodes[n] - mesh.nodes[a];
        const double t = std::clamp(dot(r, along) / dot(along, along), 0.0, 1.0);
        least = std::min(least, norm(r - t * along));
      }
      // Nodes of the tips, and in the plane, may have their closest point beyond the ends.
      EXPECT_NEAR(least, strip.depth, (half && mesh.nodes[n].y == 0.0 ? 0.1 : 1e-12) * strip.depth);
    }
  }
}

/// Both halves of a wing get the nodes that the half model has: at the plane, its image continues
/// the edge.
TEST(EdgeStrip, OfHalfAWingIsThatOfTheWhole) {
  SurfaceMesh half = uneven_wing(true, false);
  SurfaceMesh whole = half;
  std::map<std::int32_t, std::int32_t> image;
  for (std::int32_t n = 0; n < std::ssize(half.nodes); ++n) {
    const Vec3d& x = half.nodes[n];
    image[n] = x.y == 0.0 ? n : static_cast<std::int32_t>(whole.nodes.size());
    if (x.y != 0.0) whole.nodes.push_back({x.x, -x.y, x.z});
  }
  for (std::size_t e = 0; e < half.elements.size(); ++e) {
    Element there = reversed(half.elements[e]);
    for (int k = 0; k < corner_count(there); ++k) there[k] = image[there[k]];
    append_copy(whole, e);
    whole.elements.back() = there;
  }
  const std::size_t before = half.nodes.size(), all = whole.nodes.size();
  auto line = rear_edges(half), both = line;
  for (const auto& [a, b] : line) both.push_back({image[a], image[b]});
  const EdgeStrip of_half = cut_strip(half, line, {}, Symmetry({{1, 0.0, 1.0}})),
                  of_whole = cut_strip(whole, both, {}, {});
  EXPECT_EQ(of_whole.cut, 2 * of_half.cut);
  EXPECT_DOUBLE_EQ(of_whole.depth, of_half.depth);
  std::size_t in_plane = 0;
  for (std::size_t n = before; n < half.nodes.size(); ++n) {
    double least = 1e9;
    for (std::size_t m = all; m < whole.nodes.size(); ++m)
      least = std::min(least, norm(whole.nodes[m] - half.nodes[n]));
    EXPECT_LT(least, 1e-14);
    in_plane += half.nodes[n].y == 0.0 ? 1 : 0;
  }
  EXPECT_EQ(in_plane, 2u);  // above and below
}

/// Mid-nodes of the pieces are on the parabolas of the elements: a quadratic surface stays.
TEST(EdgeStrip, KeepsCurvedElements) {
  const auto surface = [](double x, double y) { return Vec3d{x, y, x * x + 0.5 * x * y - y * y}; };
  for (const bool triangles : {true, false}) {
    SurfaceMesh mesh;
    for (const auto& [x, y] : {std::pair{0.0, 0.0}, {0.1, 1.0}, {1.0, 0.0}, {1.1, 1.0}})
      mesh.nodes.push_back(surface(x, y));
    if (triangles)
      mesh.elements = {{0, 2, 1, -1}, {2, 3, 1, -1}};
    else
      mesh.elements = {{0, 2, 3, 1}};
    mesh.patch.assign(mesh.elements.size(), 0);
    const auto middle = [&](const Element& nodes, int k) {
      const Vec3d x =
          0.5 * (mesh.nodes[nodes[k]] + mesh.nodes[nodes[(k + 1) % corner_count(nodes)]]);
      return surface(x.x, x.y);
    };
    for (const Element& each : mesh.elements) {
      mesh.mid_nodes.emplace_back();
      for (int k = 0; k < corner_count(each); ++k) mesh.mid_nodes.back()[k] = middle(each, k);
    }
    const std::array<std::int32_t, 2> edge{0, 1};
    const EdgeStrip strip = cut_strip(mesh, {&edge, 1}, {}, {});
    ASSERT_EQ(strip.cut, triangles ? 2u : 1u);
    ASSERT_EQ(mesh.mid_nodes.size(), mesh.elements.size());
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      const Element& each = mesh.elements[e];
      for (int k = 0; k < corner_count(each); ++k) {
        const Vec3d& x = mesh.nodes[each[k]];
        EXPECT_NEAR(norm(x - surface(x.x, x.y)), 0.0, 1e-14);
        EXPECT_NEAR(norm(mesh.mid_nodes[e][k] - middle(each, k)), 0.0, 1e-14);
      }
    }
  }
}

/// The depths of equal panels, and one panel a hundredth as deep as others.
TEST(EdgeStrip, LeavesPanelsThatItWouldNotImprove) {
  SurfaceMesh mesh = make_wing({20, 8}, naca_section("0012"), {.span = 4.0, .sweep = 20.0});
  const SurfaceMesh before = mesh;
  const auto line = rear_edges(mesh);
  EXPECT_TRUE(cut_strip(mesh, line, {}, {}).equal);
  EXPECT_EQ(mesh.elements, before.elements);
  for (Vec3d& x : mesh.nodes) {
    const double chord = x.x - std::abs(x.y) * std::tan(20.0 * 3.14159265358979 / 180.0);
    if (x.y > 1.9 && chord > 0.95 && chord < 0.99)
      x = {x.x + 0.99 * (1.0 - chord), x.y, 0.01 * x.z};
  }
  const EdgeStrip strip = cut_strip(mesh, line, {}, {});
  EXPECT_FALSE(strip.equal);
  EXPECT_EQ(strip.cut, 0u);
  EXPECT_LT(strip.shallowest, 0.1 * strip.median);
}

}  // namespace
}  // namespace rankine::meshes
