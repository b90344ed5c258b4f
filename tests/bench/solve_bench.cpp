// Times whole solves on this device, from a mesh in memory to surface velocities and Cp, and the
// pieces of the backend.
//
//   gpu_solve_bench solve PANELS [green|source] [double|mixed|relaxed] [TOLERANCE] [BODY]
//                   [curved|flat] [auto|none|block] [DEVICES]
//       a body in a uniform stream: the unit sphere; disc: the ellipsoid 1:1:0.01 broadside;
//       ellipsoid: 3:2:1, oblique; blade: 10:1:0.1, oblique; torus: panels 1 to 32 times as long
//       around the axis; plate: a wing one hundredth as thick as deep; on several devices, each
//       with a process that a thread plays
//   gpu_solve_bench streams PANELS [green|source] [double|mixed|relaxed] [TOLERANCE]
//       the ellipsoid 3:2:1 in three streams, one after the other and together
//   gpu_solve_bench wing PANELS [green] [double|mixed|relaxed] [TOLERANCE]
//       NACA 0012 of aspect ratio 4 at 5 degrees, and the loads of its six motions
//   gpu_solve_bench near PANELS         near-field matrices of a sphere
//   gpu_solve_bench vectors SIZE        V^T w and w - V h
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/load_forms.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/gpu/runtime/device.hpp"
#include "rankine/gpu/runtime/device_context.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "tests/support/thread_ranks.hpp"

namespace rankine::gpu {
namespace {

struct Body {
  meshes::SurfaceMesh mesh;
  Vec3d stream;
  Vec3d semi_axes = {};  ///< zero unless an ellipsoid
};

Body make_body(const std::string& name, std::int64_t panels) {
  if (name == "torus") {
    Body torus{meshes::make_torus(panels, 1.0, 0.3), {0.6, 0.0, 0.8}};
    for (Vec3d& node : torus.mesh.nodes) {
      constexpr double amplitude = 31.0 / 33.0;  // steps are 1 + amplitude cos(angle) times as long
      const double r = std::hypot(node.x, node.y), angle = std::atan2(node.y, node.x),
                   moved = angle + amplitude * std::sin(angle);
      node = {r * std::cos(moved), r * std::sin(moved), node.z};
    }
    return torus;
  }
  if (name == "plate") {
    const meshes::WingPlan plan{.span = 4.0};
    return {
        meshes::make_wing(meshes::wing_panels(panels, plan), meshes::naca_section("0001"), plan),
        {1.0, 0.0, 0.0}};
  }
  const auto ellipsoid = [&](const Vec3d& semi_axes, const Vec3d& stream) {
    return Body{meshes::make_ellipsoid(panels, semi_axes), stream, semi_axes};
  };
  if (name == "disc") return ellipsoid({1.0, 1.0, 0.01}, {0.0, 0.0, 1.0});
  if (name == "blade") return ellipsoid({10.0, 1.0, 0.1}, {0.6, 0.0, 0.8});
  if (name == "ellipsoid") return ellipsoid({3.0, 2.0, 1.0}, {0.48, 0.6, 0.64});
  return {meshes::make_sphere(panels), {1.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
}

/// Area-weighted relative L2 error against the exact potential; not a number if it is not known.
double potential_error(const bem::Panels& panels, const Body& body,
                       const std::vector<double>& phi) {
  if (body.semi_axes.x == 0.0) return std::nan("");
  const bem::EllipsoidFlow flow(body.semi_axes, body.stream);
  std::vector<double> exact(phi.size());
  for (std::size_t i = 0; i < phi.size(); ++i) exact[i] = flow.on_surface(panels.centroid[i]).phi;
  return bem::relative_error(panels.area, phi, exact).l2;
}

bem::FlowOptions solve_options(const std::string& formulation, const std::string& precision,
                               double tolerance) {
  bem::FlowOptions options;
  options.formulation =
      formulation == "source" ? bem::Formulation::source : bem::Formulation::green;
  options.gmres.tolerance = tolerance;
  options.fmm.tolerance = 0.1 * tolerance;
  options.mixed_precision = precision == "mixed";
  if (precision == "relaxed") options.relaxation = bem::Relaxation::on;
  return options;
}

void report(const bem::Solution& s, double panels) {
  std::printf(
      "  panels %.3f  set-up %.3f  near field %.3f  right-hand side %.3f  GMRES %.3f  evaluation "
      "%.3f s, of these checks %.3f, raises %.3f s\n",
      panels, s.seconds.setup, s.seconds.near_field, s.seconds.right_hand_side, s.seconds.solve,
      s.seconds.evaluate, s.seconds.check, s.seconds.refinement);
  std::printf("  preconditioner %s, %.3f s\n",
              s.preconditioner == bem::Preconditioner::none ? "none" : "block",
              s.seconds.preconditioner);
  std::printf(
      "  %d iterations, product %.2f ms, true residual %.1e, far field %.1e: order %d, leaf %d, "
      "%.2e pairs, %.2e M2L\n",
      s.gmres.iterations, 1e3 * s.seconds.matvec, s.gmres.true_residual, s.fmm_sampled_error,
      s.fmm.order, s.fmm.leaf_capacity, static_cast<double>(s.fmm.near_pairs),
      static_cast<double>(s.fmm.m2l));
}

void time_solve(std::int64_t count, const std::string& name, bem::PanelGeometry geometry,
                const bem::FlowOptions& options, Communicator* processes) {
  const bool prints = processes == nullptr || processes->rank() == 0;
  const Body body = make_body(name, count);
  const auto backend = make_cuda_backend({}, processes);
  for (const char* run : {"first", "second"}) {
    Stopwatch watch;
    const bem::FlowProblem problem{
        .panels = bem::make_panels(body.mesh, geometry, {}, bem::panel_fit(*backend)),
        .stream = body.stream};
    const double panels = watch.lap();
    const bem::Solution s = bem::solve(problem, options, *backend);
    const double solve = watch.lap();
    if (!prints) continue;
    std::printf("%s run, %zu panels: %.3f s from mesh to Cp, error of phi %.2e, peak %.2f GB\n",
                run, problem.panels.size(), panels + solve,
                potential_error(problem.panels, body, s.phi),
                1e-9 * static_cast<double>(backend->peak_device_bytes()));
    report(s, panels);
  }
}

void time_streams(std::int64_t count, const bem::FlowOptions& options) {
  const bem::Panels panels = bem::make_panels(meshes::make_ellipsoid(count, {3.0, 2.0, 1.0}));
  const std::vector<Vec3d> streams = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
  const auto backend = make_cuda_backend();
  bem::FlowProblem problem{.panels = panels, .stream = {1.0, 0.0, 0.0}};
  for (const char* run : {"first", "second"}) {
    Stopwatch watch;
    double products = 0.0;
    for (const Vec3d& stream : streams) {
      problem.stream = stream;
      products += bem::solve(problem, options, *backend).seconds.solve;
    }
    const double separately = watch.lap();
    const std::vector<bem::Solution> all = bem::solve(problem, streams, options, *backend);
    const double together = watch.lap();
    std::printf(
        "%s run, %zu panels, three streams: %.3f s one by one (GMRES %.3f), %.3f s together "
        "(%.3f)\n",
        run, panels.size(), separately, products, together, all[0].seconds.solve);
    report(all[0], 0.0);
  }
}

void time_wing(std::int64_t count, const bem::FlowOptions& options) {
  const meshes::WingPlan plan{.span = 4.0};
  const meshes::SurfaceMesh mesh =
      meshes::make_wing(meshes::wing_panels(count, plan), meshes::naca_section("0012"), plan);
  const auto backend = make_cuda_backend();
  for (const char* run : {"first", "second"}) {
    Stopwatch watch;
    bem::FlowProblem problem{.panels = bem::make_panels(mesh, bem::PanelGeometry::flat, {},
                                                        bem::panel_fit(*backend)),
                             .stream = {std::cos(0.0873), 0.0, std::sin(0.0873)}};
    problem.lift =
        std::make_shared<bem::LiftingEdges>(bem::lifting_edges(problem.panels, problem.stream));
    const double panels = watch.lap();
    const bem::Solution s = bem::solve(problem, options, *backend);
    const double one = watch.lap();
    const bem::LoadForms forms = bem::load_forms(problem, {}, options, *backend);
    const double six = watch.lap();
    std::printf("%s run, %zu panels and %zu of wakes: %.3f s from mesh to Cp, six motions %.3f s\n",
                run, problem.panels.size(), problem.lift->sources.of_sheet.size(), panels + one,
                six);
    report(s, panels);
    std::printf("  preconditioner %.3f s, lift of a motion %.6f N\n", s.seconds.preconditioner,
                forms.force[2]({-1.0, 0.0, -0.0873, 0.0, 0.0, 0.0}));
  }
}

/// Waits for the device.
void wait(bem::Backend& backend, const bem::Array& any) {
  double value = 0.0;
  backend.download(any.data(), {&value, 1});
}

/// Best seconds of one call out of `repeat`, after one to warm up.
template <class Work>
double best_of(int repeat, bem::Backend& backend, const bem::Array& any, Work&& work) {
  double best = 1e30;
  for (int i = 0; i <= repeat; ++i) {
    Stopwatch watch;
    work();
    wait(backend, any);
    if (i > 0) best = std::min(best, watch.lap());
  }
  return best;
}

void time_near_field(std::int64_t count) {
  const bem::Panels panels = bem::make_panels(meshes::make_sphere(count));
  const bem::CollocatedPanels discretization(panels);
  const auto backend = make_cuda_backend();
  bem::Array x = backend->allocate(panels.size()), y = backend->allocate(panels.size());
  using enum bem::Layer;
  const std::pair<const char*, std::vector<bem::Layer>> sets[] = {
      {"S", {single_layer}},
      {"D", {double_layer}},
      {"K'", {adjoint_double_layer}},
      {"S and D", {single_layer, double_layer}}};
  for (const auto& [name, layers] : sets) {
    std::vector<std::unique_ptr<bem::SparseMatrix>> near;
    const double build = best_of(3, *backend, y, [&, &layers = layers] {
      near.clear();
      near = backend->assemble(discretization, layers, {});
    });
    const double product = best_of(20, *backend, y, [&] { near[0]->add(1.0, x.data(), y.data()); });
    std::printf("%-7s %zu panels, %zu entries: built in %.1f ms, product %.3f ms (%.2f TB/s)\n",
                name, panels.size(), near[0]->entries(), 1e3 * build, 1e3 * product,
                1e-12 * static_cast<double>(near[0]->bytes()) / product);
  }
}

void time_vectors(std::size_t n) {
  const auto backend = make_cuda_backend();
  const std::vector<double> ones(n, 1e-3);
  for (const int k : {1, 4, 10, 30}) {
    const auto columns = static_cast<std::size_t>(k);
    bem::Array v = backend->allocate(n * columns), w = backend->allocate(n);
    for (std::size_t j = 0; j < columns; ++j) backend->upload(ones, v.data() + j * n);
    backend->upload(ones, w.data());
    std::vector<double> h(columns);
    const double project =
        best_of(20, *backend, w, [&] { backend->project(n, k, v.data(), w.data(), h.data()); });
    const double subtract =
        best_of(20, *backend, w, [&] { backend->subtract(n, k, v.data(), h.data(), w.data()); });
    const double column = 8e-12 * static_cast<double>(n);
    std::printf("n %zu, k %2d: V^T w %.1f us (%.2f TB/s), w - V h %.1f us (%.2f TB/s)\n", n, k,
                1e6 * project, column * (k + 1) / project, 1e6 * subtract,
                column * (k + 2) / subtract);
  }
}

}  // namespace
}  // namespace rankine::gpu

int main(int argc, char** argv) {
  using namespace rankine::gpu;
  const auto argument = [&](int i, const char* otherwise) {
    return std::string(argc > i ? argv[i] : otherwise);
  };
  try {
    const auto size = static_cast<std::int64_t>(std::stod(argument(2, "1e6")));
    const std::string what = argument(1, "solve");
    rankine::bem::FlowOptions options =
        solve_options(argument(3, "green"), argument(4, "double"), std::stod(argument(5, "1e-6")));
    const auto geometry = argument(7, "curved") == "flat" ? rankine::bem::PanelGeometry::flat
                                                          : rankine::bem::PanelGeometry::curved;
    if (argument(8, "") == "none") options.preconditioner = rankine::bem::Preconditioner::none;
    if (argument(8, "") == "block") options.preconditioner = rankine::bem::Preconditioner::block;
    const int processes = std::stoi(argument(9, "1"));
    const auto solve = [&](rankine::Communicator* of) {
      time_solve(size, argument(6, "sphere"), geometry, options, of);
    };
    if (what == "solve" && processes == 1) solve(nullptr);
    if (what == "solve" && processes > 1) {
      rankine::ThreadRanks(processes, rankine::default_thread_count() / processes)
          .run([&](rankine::Communicator& all) {
            use_device(all.rank() % static_cast<int>(devices().size()));
            solve(&all);
          });
    }
    if (what == "streams") time_streams(size, options);
    if (what == "wing") time_wing(size, options);
    if (what == "near") time_near_field(size);
    if (what == "vectors") time_vectors(static_cast<std::size_t>(size));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
