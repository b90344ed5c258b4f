// One sector with images by rotation against all sectors meshed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/rotor.hpp"
#include "rankine/bem/flow/surface_fits.hpp"
#include "rankine/bem/flow/unsteady.hpp"
#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/propeller.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::bem {
namespace {

using meshes::Rotation;
using meshes::Symmetry;

struct Flow {
  FlowProblem problem;
  Solution solution;
  Vec3d force{}, moment{};  ///< on the panels
};

FlowOptions options_for(fmm::Precision precision) {
  FlowOptions options;
  options.fmm = {.method = fmm::Method::direct, .precision = precision};
  if (precision == fmm::Precision::float32) options.fmm.tolerance = 1e-5;
  options.gmres.tolerance = precision == fmm::Precision::float32 ? 1e-5 : 1e-9;
  return options;
}

/// With `frame` a rotor with helical wakes of the pitch of the stream, or of the flow.
Flow solve_for(const meshes::SurfaceMesh& mesh, const Symmetry& symmetry, const Vec3d& stream,
               const RigidMotion* frame, const FlowOptions& options, bool follows = false) {
  Flow flow;
  FlowProblem& problem = flow.problem;
  problem.panels =
      make_panels(mesh, frame == nullptr ? PanelGeometry::curved : PanelGeometry::flat, symmetry);
  problem.stream = stream;
  if (frame != nullptr) {
    problem.motions = {*frame};
    problem.motion.assign(problem.panels.size(), 0);
    const std::vector<Vec3d> moments = moments_of_area(problem.panels);
    for (std::size_t i = 0; i < problem.panels.size(); ++i)
      problem.normal_velocity.push_back(
          swept_volume(*frame, problem.panels.vector_area[i], moments[i]) / problem.panels.area[i]);
    const RelativeStream seen = relative_stream(problem);
    problem.lift = std::make_shared<LiftingEdges>(lifting_edges(problem.panels, seen, seen));
  }
  const auto backend = make_cpu_backend();
  flow.solution =
      follows ? solve_with_helical_wakes(problem, options, *backend, [](const WakeSweep&) {})
              : solve(problem, options, *backend);
  EXPECT_TRUE(flow.solution.converged());
  const Loads loads = pressure_loads(fit_surface(problem, flow.solution, *backend), {});
  flow.force = loads.force;
  flow.moment = loads.moment;
  return flow;
}

/// The largest difference of the values of a sector from those of the whole body, whose panels are
/// in the same order, relative to the largest value.
template <class Value, class Size>
double difference(std::span<const Value> sector, std::span<const Value> whole, Size size) {
  double most = 0.0, off = 0.0;
  for (std::size_t i = 0; i < sector.size(); ++i) {
    most = std::max(most, size(whole[i]));
    off = std::max(off, size(sector[i] - whole[i]));
  }
  return off / most;
}
double of_numbers(std::span<const double> sector, std::span<const double> whole) {
  return difference(sector, whole, [](double x) { return std::abs(x); });
}
double of_vectors(std::span<const Vec3d> sector, std::span<const Vec3d> whole) {
  return difference(sector, whole, [](const Vec3d& x) { return norm(x); });
}

const std::vector<fmm::Precision> precisions{fmm::Precision::float64, fmm::Precision::float32};
/// Ten times the tolerance of GMRES, as the condition of the system is small.
double limit(fmm::Precision precision) {
  return precision == fmm::Precision::float32 ? 1e-4 : 1e-8;
}

/// An ellipsoid beside the axis, which is not a coordinate axis.
meshes::SurfaceMesh body_beside_axis() {
  return meshes::make_ellipsoid(200, {0.5, 0.3, 0.2}, {2.2, 0.4, 0.3});
}
const Rotation about{.axis = {1.0, 2.0, 2.0}, .centre = {0.5, -0.3, 0.1}, .count = 2};

// Bodies that do not touch their images, without lift: on the surface and in the fluid, also close
// to the images. Forces on the bodies are equal but for their directions.
TEST(Rotation, BodiesAroundAnAxisAreThoseOfTheWholeMesh) {
  const Vec3d stream = about.axis / norm(about.axis);
  for (const int count : {2, 3, 5}) {
    Rotation rotation = about;
    rotation.count = count;
    const Symmetry symmetry = Symmetry::by_rotation(rotation);
    const meshes::SurfaceMesh one = body_beside_axis(), all = meshes::with_halo(one, symmetry).mesh;
    ASSERT_EQ(all.nodes.size(), static_cast<std::size_t>(count) * one.nodes.size());
    for (const fmm::Precision precision : precisions) {
      const std::string which =
          std::to_string(count) + " in " + std::string(fmm::to_string(precision));
      const FlowOptions options = options_for(precision);
      const Flow sector = solve_for(one, symmetry, stream, nullptr, options),
                 whole = solve_for(all, {}, stream, nullptr, options);
      EXPECT_LT(of_numbers(sector.solution.phi, whole.solution.phi), limit(precision)) << which;
      EXPECT_LT(of_vectors(sector.solution.velocity, whole.solution.velocity),
                10.0 * limit(precision))
          << which;
      const double axial = dot(whole.force, stream), rounding = 10.0 * limit(precision);
      EXPECT_NEAR(count * dot(sector.force, stream), axial, rounding) << which;
      std::vector<Vec3d> points;
      for (int g = 0; g < count; ++g) {
        for (const double height : {0.01, 0.1, 1.0}) {
          const Panels& panels = sector.problem.panels;
          points.push_back(symmetry.point(g, panels.centroid[7] + height * panels.normal[7]));
        }
      }
      const auto backend = make_cpu_backend();
      const FieldOptions at_points{.fmm = options.fmm, .quadrature = {}};
      const Field of_sector =
                      evaluate_field(sector.problem, sector.solution, points, at_points, *backend),
                  of_whole =
                      evaluate_field(whole.problem, whole.solution, points, at_points, *backend);
      EXPECT_LT(of_vectors(of_sector.velocity, of_whole.velocity), 10.0 * limit(precision))
          << which;
    }
  }
}

/// Three sections of a blade, on a hub of a fifth of the diameter.
meshes::PropellerPlan plan(int blades, bool sector) {
  return {.diameter = 1.0,
          .blades = blades,
          .sections = {{0.2, 0.16, 1.1, 0.2, 0.02, 0.0, 0.0},
                       {0.6, 0.2, 1.1, 0.08, 0.02, 5.0, 0.01},
                       {1.0, 0.15, 1.1, 0.05, 0.02, 10.0, 0.02}},
          .sector = sector};
}

// The images close the sector: the whole is the propeller with all blades.
TEST(Rotation, ASectorOfAPropellerAndItsImagesAreThePropeller) {
  for (const int blades : {2, 3, 5}) {
    const Symmetry symmetry = Symmetry::by_rotation({.count = blades});
    const meshes::SurfaceMesh all =
        meshes::with_halo(meshes::make_propeller({12, 4}, plan(blades, true)), symmetry).mesh;
    const meshes::MeshReport found = meshes::check_mesh(all),
                             meant = meshes::check_mesh(
                                 meshes::make_propeller({12, 4}, plan(blades, false)));
    EXPECT_TRUE(found.watertight());
    EXPECT_EQ(found.nodes, meant.nodes);
    EXPECT_NEAR(found.volume, meant.volume, 1e-12);
    EXPECT_NEAR(found.area, meant.area, 1e-12);
  }
}

// A propeller with its wakes, which cross from the hub of the sector to that of the next one. The
// circulation is the least determined unknown: errors are up to a hundred times the tolerance.
TEST(Rotation, OneBladeHasTheCirculationAndLoadsOfAllBlades) {
  using fmm::Precision;
  for (const auto& [blades, precision] :
       {std::pair(2, Precision::float32), std::pair(3, Precision::float64),
        std::pair(5, Precision::float32)}) {
    const Symmetry symmetry = Symmetry::by_rotation({.count = blades});
    const meshes::SurfaceMesh one = meshes::make_propeller({12, 4}, plan(blades, true)),
                              all = meshes::with_halo(one, symmetry).mesh;
    const RigidMotion frame{.angular_velocity = {6.3, 0, 0}};
    const std::string which =
        std::to_string(blades) + " in " + std::string(fmm::to_string(precision));
    const FlowOptions options = options_for(precision);
    const bool follows = blades == 3;
    const Flow sector = solve_for(one, symmetry, {0.9, 0, 0}, &frame, options, follows),
               whole = solve_for(all, {}, {0.9, 0, 0}, &frame, options, follows);
    const double most = 10.0 * limit(precision);
    EXPECT_LT(of_numbers(sector.solution.phi, whole.solution.phi), most) << which;
    EXPECT_LT(of_vectors(sector.solution.velocity, whole.solution.velocity), 10.0 * most) << which;
    const std::size_t strips = sector.solution.sheets.size();
    ASSERT_EQ(whole.solution.sheets.size(), static_cast<std::size_t>(blades) * strips);
    EXPECT_LT(of_numbers(sector.solution.sheets, whole.solution.sheets), most) << which;
    const RotorLoads loads = rotor_loads(sector.problem, sector.force, sector.moment),
                     meant = rotor_loads(whole.problem, whole.force, whole.moment);
    EXPECT_NEAR(loads.thrust / meant.thrust, 1.0, 10.0 * most) << which;
    EXPECT_NEAR(loads.torque / meant.torque, 1.0, 10.0 * most) << which;
    const auto backend = make_cpu_backend();
    const FieldOptions far{.fmm = options.fmm, .quadrature = {}};
    const RotorLoads far_loads = far_rotor_loads(sector.problem, sector.solution, far, *backend),
                     far_meant = far_rotor_loads(whole.problem, whole.solution, far, *backend);
    EXPECT_NEAR(far_loads.thrust / far_meant.thrust, 1.0, 10.0 * most) << which;
    EXPECT_NEAR(far_loads.torque / far_meant.torque, 1.0, 10.0 * most) << which;
  }
}

// A stream that is not along the axis is not the same in all images; nor are motions and loads that
// planes define.
TEST(Rotation, WhatImagesExcludeIsRefused) {
  FlowProblem problem;
  problem.panels =
      make_panels(body_beside_axis(), PanelGeometry::flat, Symmetry::by_rotation(about));
  problem.stream = {1, 0, 0};
  const auto backend = make_cpu_backend();
  EXPECT_THROW(solve(problem, FlowOptions{}, *backend), InputError);
  problem.stream = about.axis;
  problem.onset.sources.push_back({{3, 0, 0}, 1.0});
  EXPECT_THROW(solve(problem, FlowOptions{}, *backend), InputError);
  EXPECT_THROW(Symmetry::by_rotation({.axis = {0, 0, 0}}), InputError);
  EXPECT_THROW(Symmetry::by_rotation({.count = 1}), InputError);
}

}  // namespace
}  // namespace rankine::bem
