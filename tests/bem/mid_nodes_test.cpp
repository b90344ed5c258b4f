// Elements of second order: curved panels go through their mid-nodes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/symmetric_bodies.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

using meshes::SurfaceMesh;
using Onto = std::function<Vec3d(const Vec3d&)>;

/// The mesh with the middles of its edges put onto a surface.
SurfaceMesh of_second_order(SurfaceMesh mesh, const Onto& onto) {
  mesh.mid_nodes.clear();
  for (const meshes::Element& element : mesh.elements) {
    meshes::MidNodes middle = meshes::straight_mid_nodes(mesh, element);
    for (int k = 0; k < meshes::corner_count(element); ++k) middle[k] = onto(middle[k]);
    mesh.mid_nodes.push_back(middle);
  }
  return mesh;
}

Vec3d onto_sphere(const Vec3d& x) { return normalized(x); }

/// What no fit to the nodes of a sphere can know of: waves between them.
Vec3d onto_waves(const Vec3d& x) {
  return (1.0 + 0.005 * std::sin(40.0 * x.x) * std::sin(30.0 * x.y + 1.0)) * normalized(x);
}

void expect_edges_through_mid_nodes(const SurfaceMesh& mesh) {
  const Panels panels = make_panels(mesh);
  std::size_t off_the_chord = 0;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const PanelShape<double>& shape = panels.shape[j];
    for (int k = 0; k < shape.corners; ++k) {
      const Vec3d middle =
          0.5 * (shape.corner[k] + shape.corner[(k + 1) % shape.corners]) + shape.bulge[k];
      double nearest = 1e300;
      for (int l = 0; l < shape.corners; ++l)
        nearest = std::min(nearest, norm(middle - mesh.mid_nodes[j][l]));
      EXPECT_LE(nearest, 1e-15) << "panel " << j << ", edge " << k;
      if (norm(shape.bulge[k]) > 1e-3) ++off_the_chord;
    }
  }
  EXPECT_GT(off_the_chord, 2 * panels.size());
  EXPECT_EQ(panels.curves.straight, 0u);
}

TEST(MidNodes, EdgesGoThroughThem) {
  expect_edges_through_mid_nodes(of_second_order(meshes::make_sphere(320), onto_waves));
  // Quadrilaterals, of which some are turned to be split along their shorter diagonals.
  expect_edges_through_mid_nodes(of_second_order(testing::cubed_sphere(216), onto_waves));
}

TEST(MidNodes, OfOneElementCountForTheEdgesOfItsNeighbours) {
  SurfaceMesh mesh = of_second_order(meshes::make_sphere(320), onto_waves);
  for (std::size_t e = 0; e < mesh.elements.size(); e += 2)
    mesh.mid_nodes[e] = meshes::straight_mid_nodes(mesh, mesh.elements[e]);
  const Panels panels = make_panels(mesh);
  std::map<std::pair<std::int32_t, std::int32_t>, Vec3d> bulge_of;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    for (std::size_t k = 0; k < 3; ++k) {
      const auto edge = std::minmax(panels.nodes[j][k], panels.nodes[j][(k + 1) % 3]);
      const auto found = bulge_of.emplace(edge, panels.shape[j].bulge[k]).first;
      EXPECT_EQ(norm(found->second - panels.shape[j].bulge[k]), 0.0);
    }
  }
}

/// A file of second order whose edges are straight says nothing about the surface: it is fitted.
TEST(MidNodes, OnChordsSayNothing) {
  const SurfaceMesh mesh = testing::jittered_sphere(500);
  const Panels fitted = make_panels(mesh),
               with = make_panels(of_second_order(mesh, [](const Vec3d&x) { return x; }));
  EXPECT_EQ(with.curves.curved, with.size());
  for (std::size_t j = 0; j < with.size(); ++j)
    EXPECT_EQ(norm(with.centroid[j] - fitted.centroid[j]), 0.0);
}

TEST(MidNodes, OfHalfModelsAreThoseOfTheWhole) {
  const SurfaceMesh half =
      of_second_order(testing::positive_part(testing::cubed_sphere(216), {1}), onto_sphere);
  const meshes::Symmetry symmetry(std::vector<meshes::SymmetryPlane>{{.axis = 1}});
  SurfaceMesh part = half;
  meshes::meet_planes(part, symmetry);
  const Panels panels = make_panels(part, PanelGeometry::curved, symmetry),
               whole = make_panels(of_second_order(testing::cubed_sphere(216), onto_sphere));
  EXPECT_NEAR(2.0 * enclosed_volume(panels), enclosed_volume(whole), 1e-13);
}

/// A quadratic patch through six points of a surface leaves volumes of fourth order.
TEST(MidNodes, VolumesAreOfFourthOrder) {
  const auto error = [](const SurfaceMesh& mesh, const Vec3d& axes) {
    const Onto onto = [&](const Vec3d& x) {
      const Vec3d r{x.x / axes.x, x.y / axes.y, x.z / axes.z};
      return x / norm(r);
    };
    const double exact = 4.0 / 3.0 * std::numbers::pi * axes.x * axes.y * axes.z;
    return std::abs(enclosed_volume(make_panels(of_second_order(mesh, onto))) / exact - 1.0);
  };
  const Vec3d axes{3.0, 2.0, 1.0};
  const auto of_quads = [&](std::int64_t n) {
    return error(testing::stretched(testing::cubed_sphere(n), axes), axes);
  };
  EXPECT_GE(testing::order(of_quads(600), of_quads(2400)), 3.5);
  const auto of_triangles = [&](std::int64_t n) {
    return error(testing::stretched(testing::jittered_sphere(n), axes), axes);
  };
  EXPECT_GE(testing::order(of_triangles(500), of_triangles(2000)), 3.5);
}

/// With few panels a fit through nodes is rough; mid-nodes give the flow that the body has.
TEST(MidNodes, GiveTheFlowOfTheBodyOnFewPanels) {
  const auto backend = make_cpu_backend();
  const auto errors = [&](const SurfaceMesh& mesh) {
    const FlowProblem problem{.panels = make_panels(mesh), .stream = {0.6, -0.5, 0.62}};
    const EllipsoidFlow exact({1, 1, 1}, problem.stream);
    return surface_errors(problem, solve(problem, {}, *backend),
                          [&](const Vec3d& x) { return exact.on_surface(x); });
  };
  const SurfaceMesh mesh = testing::jittered_sphere(80);
  const SurfaceErrors through = errors(of_second_order(mesh, onto_sphere)), fitted = errors(mesh);
  EXPECT_LT(through.velocity.l2, fitted.velocity.l2);
  EXPECT_LT(through.velocity.max, fitted.velocity.max);
  // That of the potential is mostly of its means over panels, which are those of either.
  EXPECT_LT(through.phi.l2, 1.02 * fitted.phi.l2);
}

}  // namespace
}  // namespace rankine::bem
