// Wakes, Kutta conditions and loads of lifting bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/surface_fits.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/bem/lift/kutta.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/bem/lift/wake.hpp"
#include "rankine/bem/lift/wing_strips.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/lifting_flow.hpp"
#include "tests/support/meshes_together.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

meshes::SurfaceMesh wing(int around, int along, double span = 4.0) {
  return meshes::make_wing({around, along}, meshes::naca_section("0012"), {.span = span});
}

Vec3d stream_at(double degrees) {
  return {std::cos(degrees * pi / 180.0), 0.0, std::sin(degrees * pi / 180.0)};
}

struct WingLift {
  double by_pressure, by_circulation, induced_drag;
  std::vector<double> circulation;
};

/// Coefficients of a wing of the area `area`.
WingLift lift_of(Panels panels, double degrees, double area) {
  const FlowProblem problem = testing::lifting_flow(std::move(panels), stream_at(degrees));
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, FlowOptions{}, *backend);
  EXPECT_TRUE(solution.converged());
  EXPECT_LE(solution.gmres.iterations, 12);
  const TrefftzLoads far =
      trefftz_loads(problem.panels, *problem.lift, solution.sheets, problem.stream, 1.0);
  const Vec3d up{-problem.stream.z, 0.0, problem.stream.x};
  const Loads near = pressure_loads(fit_surface(problem, solution));
  return {2.0 * dot(near.force, up) / area, 2.0 * dot(far.force, up) / area,
          2.0 * far.induced_drag / area, solution.sheets};
}

/// Solid angle over 4 pi of the rectangle x0 < x < x1, |y| < b in z = 0, positive from above.
double doublets_of_rectangle(const Vec3d& at, double x0, double x1, double b) {
  const auto corner = [&](double x, double y) {
    const double dx = x - at.x, dy = y - at.y;
    return std::atan2(dx * dy, at.z * std::sqrt(dx * dx + dy * dy + at.z * at.z));
  };
  return (corner(x1, b) - corner(x0, b) - corner(x1, -b) + corner(x0, -b)) / (4.0 * pi);
}

TEST(TrailingEdges, OfAWingAreItsSections) {
  const Panels panels = make_panels(wing(24, 12));
  const std::vector<EdgeSegment> edges = trailing_edges(panels, {1, 0, 0});
  ASSERT_EQ(edges.size(), 12u);
  for (const EdgeSegment& edge : edges) {
    EXPECT_GT(panels.normal[static_cast<std::size_t>(edge.upper)].z, 0.0);
    EXPECT_LT(panels.normal[static_cast<std::size_t>(edge.lower)].z, 0.0);
    EXPECT_DOUBLE_EQ(corner_at(panels, edge.upper, edge.first).x, 1.0);
    // 2 atan(1.169 * 0.12), the slope of NACA's closed section at its end
    EXPECT_NEAR(edge.angle, 2.0 * std::atan(1.169 * 0.12), 0.05);
  }
}

/// A wing of the chord 1 m whose sides are moved apart in proportion to x, with a base of
/// `thickness` m at its trailing edge.
meshes::SurfaceMesh with_base(const meshes::SurfaceMesh& sharp, double thickness) {
  meshes::SurfaceMesh mesh = sharp;
  std::map<std::int32_t, std::int32_t> below;  // of nodes at the trailing edge
  for (std::size_t node = 0; node < sharp.nodes.size(); ++node) {
    Vec3d& x = mesh.nodes[node];
    const bool at_edge = x.x == 1.0;
    x.z += (at_edge || x.z > 0.0 ? 0.5 : x.z < 0.0 ? -0.5 : 0.0) * thickness * x.x;
    if (!at_edge) continue;
    below[static_cast<std::int32_t>(node)] = static_cast<std::int32_t>(mesh.nodes.size());
    mesh.nodes.push_back({x.x, x.y, x.z - thickness});
  }
  const auto add = [&](const meshes::Element& element) {
    mesh.elements.push_back(element);
    mesh.patch.push_back(0);
  };
  for (std::size_t e = 0; e < sharp.elements.size(); ++e) {
    const meshes::Element& element = sharp.elements[e];
    double height = 0.0;
    std::vector<int> at_edge;
    for (int k = 0; k < meshes::corner_count(element); ++k) {
      height += sharp.nodes[static_cast<std::size_t>(element[k])].z;
      if (below.contains(element[k])) at_edge.push_back(k);
    }
    if (at_edge.size() == 2 && height > 0.0) {
      const bool next = at_edge[1] == at_edge[0] + 1;
      const std::int32_t a = element[at_edge[next ? 0 : 1]], b = element[at_edge[next ? 1 : 0]];
      add({b, a, below[a], below[b]});
    } else if (at_edge.size() == 2) {
      for (const int k : at_edge) mesh.elements[e][k] = below[element[k]];
    } else if (at_edge.size() == 1) {  // a triangle at a tip
      const int k = at_edge[0];
      const std::int32_t t = element[k], next = element[(k + 1) % 3], last = element[(k + 2) % 3];
      const bool up = sharp.nodes[static_cast<std::size_t>(next)].z > 0.0;
      mesh.elements[e] =
          up ? meshes::Element{last, below[t], t, next} : meshes::Element{last, t, below[t], next};
    }
  }
  return mesh;
}

TEST(TrailingEdges, OfABaseAreItsUpperCorners) {
  const Panels panels = make_panels(with_base(wing(24, 12), 0.005), PanelGeometry::flat);
  const std::vector<EdgeSegment> edges = trailing_edges(panels, {1, 0, 0.1});
  ASSERT_EQ(edges.size(), 12u);
  for (const EdgeSegment& edge : edges) {
    EXPECT_NEAR(norm(edge.base - Vec3d{0, 0, -0.005}), 0.0, 1e-15);
    EXPECT_EQ(corner_at(panels, edge.upper, edge.first).x, 1.0);
    EXPECT_LT(panels.normal[static_cast<std::size_t>(edge.lower)].z, -0.9);
    EXPECT_NEAR(depth_ratio(panels, edge), 1.0, 1e-3);  // quadrilaterals are warped
  }
  // A base as thick as a tenth of its length is the end of a body, with a wake that has a volume.
  EXPECT_TRUE(trailing_edges(make_panels(with_base(wing(24, 12, 1.0), 0.1)), {1, 0, 0}).empty());
}

TEST(TrailingEdges, OfASphereAndAWingAcrossTheStreamAreNone) {
  EXPECT_TRUE(trailing_edges(make_panels(testing::cubed_sphere(384)), {1, 0, 0}).empty());
  EXPECT_TRUE(trailing_edges(make_panels(wing(24, 12)), {0, 1, 0}).empty());
  Panels panels = make_panels(wing(24, 12));
  EXPECT_THROW(lifting_edges(panels, {-1, 0, 0}), InputError);
}

TEST(Wake, OfConstantStrengthIsTheSolidAngleOfItsRectangle) {
  Panels body = make_panels(wing(40, 16));
  const LiftingEdges edges = lifting_edges(body, {1, 0, 0});
  double end = 0.0;
  for (const PanelShape<double>& shape : edges.sources.panels.shape.on_host())
    for (int k = 0; k < shape.corners; ++k) end = std::max(end, shape.corner[k].x);
  const auto backend = make_cpu_backend();
  const SourcePanels discretization(edges.sources, {.tolerance = 1e-6}, *backend);
  LayerSet layers(*backend, discretization);
  FarField far(layers, {.tolerance = 1e-9, .dipoles = true});
  BoundaryOperator system(far, green_with_sheets({}, edges.kutta).system);
  std::vector<double> x(edges.sources.unknowns(), 0.0), y(x.size(), 0.0);
  std::fill(x.begin() + static_cast<std::ptrdiff_t>(body.size()), x.end(), 1.0);
  system.add(1.0, x.data(), y.data());
  for (std::size_t i = 0; i < body.size(); ++i) {
    EXPECT_NEAR(-y[i], doublets_of_rectangle(body.centroid[i], 1.0, end, 2.0), 1e-5);
  }
  for (std::size_t s = body.size(); s < y.size(); ++s) EXPECT_DOUBLE_EQ(y[s], 1.0);
}

/// A wake 120 chords long, 0.2 chords above its image.
TEST(Wake, RunsAlongTheGround) {
  const meshes::Symmetry ground({{.axis = 2, .place = -0.1, .sign = 1.0}});
  Panels body = make_panels(wing(24, 8), PanelGeometry::curved, ground);
  const LiftingEdges edges = lifting_edges(body, {1, 0, 0});
  double end = 0.0;
  for (std::size_t j = body.size(); j < edges.sources.panels.size(); ++j) {
    EXPECT_EQ(edges.sources.panels.centroid[j].z, 0.0);
    end = std::max(end, edges.sources.panels.centroid[j].x);
  }
  EXPECT_GT(end, 100.0);
}

/// A wing whose lower panels at the edge are deeper than the upper ones, by a ratio; its section is
/// the same.
meshes::SurfaceMesh uneven_wing(double ratio, int around = 40, int along = 20) {
  meshes::SurfaceMesh mesh = wing(around, along);
  const double depth = 0.5 * (1.0 - std::cos(2.0 * pi / around)), c = 1.0 - ratio * depth;
  const double thickness =
      0.6 * (0.2969 * std::sqrt(c) + c * (-0.126 + c * (-0.3516 + c * (0.2843 - c * 0.1036))));
  for (Vec3d& x : mesh.nodes) {
    if (x.z < 0.0 && x.x < 1.0 && x.x > 1.0 - 1.5 * depth) {
      x.x = c;
      x.z = -thickness;
    }
  }
  return mesh;
}

TEST(Kutta, RefusesPanelsOfUnequalDepths) {
  Panels panels = make_panels(uneven_wing(4.5));
  EXPECT_THROW(lifting_edges(panels, {1, 0, 0}), InputError);
}

/// The potential around the edge x = 1, z = 0 with the exponent a of the first term.
double edge_potential(const Vec3d& x, double a, double jump, double odd) {
  const double d = std::hypot(x.x - 1.0, x.z), side = x.z > 0.0 ? 1.0 : -1.0;
  return 0.3 + (0.5 * jump * (1.0 + 0.2 * x.y + 0.1 * x.y * x.y) + odd * std::pow(d, a)) * side +
         0.7 * std::pow(d, 2.0 * a) + 0.4 * x.y;
}

TEST(Kutta, RowsFindTheJumpAndTheSingularPart) {
  const Panels body = make_panels(wing(40, 16));
  const std::vector<EdgeSegment> edges = trailing_edges(body, {1, 0, 0});
  const std::vector<Vec3d> points = half_way_points(body, edges);
  const SparseRows rows = kutta_rows(body, edges, points);
  for (std::size_t s = 0; s < edges.size(); ++s) {
    const Vec3d& middle = points[s];
    if (std::abs(middle.y) > 1.95) continue;  // at the tips rows have no curvature along the edge
    const double a = pi / (2.0 * pi - edges[s].angle);
    double constant = 0.0, regular = 0.0, singular = 0.0;
    for (std::int64_t k = rows.pattern->offsets[s]; k < rows.pattern->offsets[s + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      const Vec3d& x = body.centroid[static_cast<std::size_t>(rows.pattern->columns[at])];
      constant += rows.values[at];
      regular += rows.values[at] * edge_potential(x, a, 1.0, 0.0);
      singular += rows.values[at] * edge_potential(x, a, 0.0, 1.0);
    }
    const auto upper = static_cast<std::size_t>(edges[s].upper),
               lower = static_cast<std::size_t>(edges[s].lower);
    const double y = middle.y;
    const auto depth = [&](std::size_t j) {
      return std::hypot(body.centroid[j].x - 1.0, body.centroid[j].z);
    };
    const double D = 0.5 * (depth(upper) + depth(lower));
    EXPECT_NEAR(constant, 0.0, 1e-10);
    EXPECT_NEAR(regular, 1.0 + 0.2 * y + 0.1 * y * y, 1e-6);
    EXPECT_NEAR(singular, 2.0 * std::pow(D, a), 1e-6);
  }
}

/// m = sqrt(1 - (2 y/b)^2): F = rho U pi b/4, D_i = pi rho/8 (Prandtl).
TEST(TrefftzLoads, OfEllipticCirculationConvergeToPrandtl) {
  double before = 0.0;
  for (const int along : {20, 40, 80}) {
    Panels body = make_panels(wing(8, along));
    const LiftingEdges edges = lifting_edges(body, {1, 0, 0});
    std::vector<double> m;
    for (const Vec3d& x : edges.sources.point) m.push_back(std::sqrt(1.0 - 0.25 * x.y * x.y));
    const TrefftzLoads loads = trefftz_loads(body, edges, m, {1, 0, 0}, 1.0);
    EXPECT_NEAR(loads.force.z / pi, 1.0, 10.0 / (along * along));
    const double error = std::abs(loads.induced_drag / (pi / 8.0) - 1.0);
    if (before > 0.0) {
      EXPECT_NEAR(error / before, 0.25, 0.05);
    }
    before = error;
  }
  EXPECT_LT(before, 6e-4);
}

/// The field of the images changes its sign with that of the plane, so its drag does, too. That of
/// the ground is negative.
TEST(TrefftzLoads, OfImagesOfBothSignsAreOpposite) {
  const auto drag = [](const meshes::Symmetry& planes) {
    Panels body = make_panels(wing(8, 20), PanelGeometry::flat, planes);
    const LiftingEdges edges = lifting_edges(body, {1, 0, 0});
    std::vector<double> m;
    for (const Vec3d& x : edges.sources.point) m.push_back(std::sqrt(1.0 - 0.25 * x.y * x.y));
    return trefftz_loads(body, edges, m, {1, 0, 0}, 1.0).induced_drag;
  };
  const auto below = [](double sign) { return meshes::Symmetry({{2, -0.5, sign}}); };
  const double alone = drag({}), ground = drag(below(1.0)), zero_potential = drag(below(-1.0));
  EXPECT_LT(ground, 0.8 * alone);
  EXPECT_NEAR(ground + zero_potential, 2.0 * alone, 1e-12 * alone);
}

/// The halves of quadrilaterals are not mirrored, so that some circulation is left: the error of
/// the method, which is compared with the circulation at 5 degrees.
TEST(LiftingFlow, OfASymmetricWingAtNoAngleHasHardlyAnyCirculation) {
  const Panels panels = make_panels(wing(40, 12));
  const auto most = [](const std::vector<double>& values) {
    double largest = 0.0;
    for (const double m : values) largest = std::max(largest, std::abs(m));
    return largest;
  };
  EXPECT_LT(most(lift_of(panels, 0.0, 4.0).circulation),
            0.01 * most(lift_of(panels, 5.0, 4.0).circulation));
}

/// Each quadrilateral in two triangles, in a pattern without a period of the mesh.
meshes::SurfaceMesh in_triangles(meshes::SurfaceMesh mesh) {
  std::vector<meshes::Element> triangles;
  for (const meshes::Element& e : mesh.elements) {
    const bool first = triangles.size() % 3 == 0;
    triangles.push_back({e[0], e[1], first || e[3] < 0 ? e[2] : e[3], -1});
    if (e[3] >= 0) triangles.push_back({first ? e[0] : e[1], e[2], e[3], -1});
  }
  mesh.elements = triangles;
  mesh.patch.assign(triangles.size(), 0);
  return mesh;
}

/// Reference: converged panel codes, C_L by pressure 0.335 +- 0.0015, in the Trefftz plane 0.338 +-
/// 0.002, C_D,i 0.00925.
TEST(LiftingFlow, OfARectangularWingHasTheReferenceLift) {
  for (const int along : {16, 40}) {
    const WingLift lift = lift_of(make_panels(wing(80, along)), 5.0, 4.0);
    EXPECT_NEAR(lift.by_pressure, 0.335, 0.0015);
    EXPECT_NEAR(lift.by_circulation, 0.338, 0.002);
    EXPECT_NEAR(lift.induced_drag, 0.00925, 0.0001);
  }
}

/// The wing of Weber and Brebner but for its section, as thick: 0.2616 +- 0.0025 in the Trefftz
/// plane. By pressure C_L is less by the load on the wake, 0.0004. Its edge turns by 90 degrees at
/// the root, where panels are 60 to 240 times longer than deep.
TEST(LiftingFlow, OfASweptWingHasTheReferenceLift) {
  for (const int around : {40, 80}) {
    const WingLift lift =
        lift_of(make_panels(meshes::make_wing({around, 30}, meshes::naca_section("0012"),
                                              {.span = 5.0, .sweep = 45.0}),
                            PanelGeometry::flat),
                4.2, 5.0);
    EXPECT_NEAR(lift.by_pressure, lift.by_circulation - 0.0004, 0.0035);
    EXPECT_NEAR(lift.by_circulation, 0.2616, 0.003);
  }
}

/// Triangles at the edge are 4, 40 and 16 times longer than deep, in a swept wing as well, whose
/// edge is not normal to the stream. On the longest ones strengths are constant, with errors of
/// first order in the depth D of panels that the Kutta condition divides by D^(1/2): up to 5 %.
TEST(LiftingFlow, IsTheSameOnTriangles) {
  for (const auto& [around, along, sweep] :
       {std::tuple{20, 40, 0.0}, std::tuple{40, 16, 0.0}, std::tuple{40, 32, 20.0}}) {
    const meshes::SurfaceMesh mesh = meshes::make_wing(
        {around, along}, meshes::naca_section("0012"), {.span = 4.0, .sweep = sweep});
    const WingLift lift = lift_of(make_panels(mesh), 5.0, 4.0),
                   of_triangles = lift_of(make_panels(in_triangles(mesh)), 5.0, 4.0);
    EXPECT_EQ(of_triangles.circulation.size(), lift.circulation.size());
    EXPECT_NEAR(of_triangles.by_circulation / lift.by_circulation, 1.0, 0.06);
    EXPECT_NEAR(of_triangles.by_pressure / lift.by_pressure, 1.0, 0.06);
  }
}

/// NACA 0012 has a base of 0.00252 chords. A change of the section by t changes the lift by about
/// t, and panels at the edge see it while t is below their depth, here 0.0015 chords.
TEST(LiftingFlow, IsContinuousInTheThicknessOfTheTrailingEdge) {
  const WingLift sharp = lift_of(make_panels(wing(80, 12), PanelGeometry::flat), 5.0, 4.0);
  for (const double thickness : {1e-4, 5e-4, 2.5e-3, 1e-2}) {
    const WingLift blunt =
        lift_of(make_panels(with_base(wing(80, 12), thickness), PanelGeometry::flat), 5.0, 4.0);
    EXPECT_NEAR(blunt.by_circulation / sharp.by_circulation, 1.0, 1e-3 + 2.0 * thickness);
    EXPECT_NEAR(blunt.by_pressure / sharp.by_pressure, 1.0, 1e-3 + 2.0 * thickness);
  }
}

/// With strengths that are linear up to the edge, circulations would differ by 2 %.
TEST(LiftingFlow, IsTheSameWithUnequalPanelsAtTheEdge) {
  const auto lift = [](const meshes::SurfaceMesh& mesh) {
    return lift_of(make_panels(mesh), 5.0, 4.0).by_circulation;
  };
  const double quadrilaterals = lift(wing(40, 20)),
               triangles = lift(in_triangles(uneven_wing(1.0, 20, 40)));
  for (const double ratio : {1.2, 2.4, 3.2}) {
    EXPECT_NEAR(lift(uneven_wing(ratio)) / quadrilaterals, 1.0, 0.003) << ratio;
    EXPECT_NEAR(lift(in_triangles(uneven_wing(ratio, 20, 40))) / triangles, 1.0, 0.01) << ratio;
  }
}

TEST(LiftingFlow, DoesNotDependOnTheDepthOfPanelsAtTheEdge) {
  const WingLift coarse = lift_of(make_panels(wing(40, 12)), 5.0, 4.0),
                 fine = lift_of(make_panels(wing(160, 12)), 5.0, 4.0);
  EXPECT_NEAR(coarse.by_circulation / fine.by_circulation, 1.0, 0.02);
}

/// Of triangles, since the halves of mirrored quadrilaterals are not mirrored.
TEST(LiftingFlow, OfHalfAWingIsThatOfTheWhole) {
  const meshes::Symmetry symmetry({{.axis = 1, .sign = 1.0}});
  meshes::SurfaceMesh half = in_triangles(testing::positive_part(
      meshes::make_wing({20, 32}, meshes::naca_section("0012"), {.span = 4.0, .sweep = 20.0}),
      {1}));
  meshes::meet_planes(half, symmetry);
  const WingLift of_half = lift_of(make_panels(half, PanelGeometry::curved, symmetry), 5.0, 2.0),
                 of_whole = lift_of(make_panels(testing::with_images(half, symmetry)), 5.0, 4.0);
  EXPECT_NEAR(of_half.by_circulation, of_whole.by_circulation, 1e-4 * of_whole.by_circulation);
  EXPECT_NEAR(of_half.induced_drag, of_whole.induced_drag, 1e-3 * of_whole.induced_drag);
  EXPECT_NEAR(of_half.by_pressure, of_whole.by_pressure, 1e-3 * of_whole.by_pressure);
}

/// Across the wake the potential jumps by m, and the normal velocity is continuous.
TEST(LiftingFlow, JumpsAcrossTheWake) {
  const FlowProblem problem = testing::lifting_flow(make_panels(wing(40, 20)), stream_at(5.0));
  const auto backend = make_cpu_backend();
  const Solution solution = solve(problem, FlowOptions{}, *backend);
  const SourceSet& sources = problem.lift->sources;
  for (std::size_t s = 4; s < 16; s += 3) {
    const Vec3d at = sources.point[s] + 0.5 * problem.lift->direction;
    const Vec3d off = 1e-3 * sources.normal[s];
    const std::vector<Vec3d> points{at + off, at - off};
    const Field field = evaluate_field(problem, solution, points, {}, *backend);
    EXPECT_NEAR(field.phi[0] - field.phi[1], solution.sheets[s], 2e-2);
    EXPECT_NEAR(dot(field.velocity[0] - field.velocity[1], sources.normal[s]), 0.0, 2e-2);
  }
}

}  // namespace
}  // namespace rankine::bem
