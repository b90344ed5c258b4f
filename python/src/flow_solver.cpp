#include "python/src/flow_solver.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>

#include "python/src/arrays.hpp"
#include "python/src/interruptible.hpp"
#include "python/src/python_surface.hpp"
#include "python/src/python_words.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/electric/conductors.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/green_errors.hpp"
#include "rankine/bem/flow/known_values.hpp"
#include "rankine/bem/flow/streams.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/checks/orient.hpp"

namespace rankine::python {
namespace {

using meshes::SurfaceMesh;

Triple triple(const Vec3d& x) { return {x.x, x.y, x.z}; }

constexpr Words<bem::PanelGeometry, 2> geometries{
    {{{"curved", bem::PanelGeometry::curved}, {"flat", bem::PanelGeometry::flat}}}};
constexpr Words<bem::Domain, 2> domains{
    {{{"exterior", bem::Domain::exterior}, {"interior", bem::Domain::interior}}}};
constexpr Words<int, 3> axes{{{{"x", 0}, {"y", 1}, {"z", 2}}}};

/// Solver options. Tolerances are those of a case file that sets only solver.tolerance.
struct How {
  double tolerance;
  int max_iterations;
  std::string panels, device;
  int threads;

  bem::FlowOptions options() const {
    execution(threads);  // throws if negative
    bem::FlowOptions options;
    options.gmres.tolerance = tolerance;
    options.gmres.max_iterations = max_iterations;
    options.fmm.tolerance =
        std::max(0.1 * tolerance, fmm::least_tolerance(fmm::Precision::float64));
    return options;
  }
  std::unique_ptr<bem::Backend> backend() const {
    return is_device(place(device)) ? gpu::make_cuda_backend() : bem::make_cpu_backend();
  }
};

/// Symmetry planes and domain of the fluid.
struct Space {
  std::vector<std::string> symmetry{};  ///< "y", "-z", ...
  Triple origin{};                      ///< a point on all planes, m
  std::string domain = "exterior";

  meshes::Symmetry planes() const {
    std::vector<meshes::SymmetryPlane> planes;
    for (const std::string& word : symmetry) {
      const bool zero = word.starts_with("-");
      const int axis = axes.value("symmetry", zero ? word.substr(1) : word);
      planes.push_back({axis, origin[static_cast<std::size_t>(axis)], zero ? -1.0 : 1.0});
    }
    return meshes::Symmetry(std::move(planes));
  }
  bem::Domain side() const { return domains.value("domain", domain); }
  /// The panels, with normals into the fluid.
  bem::Panels make_panels(SurfaceMesh mesh, const How& how) const {
    if (side() == bem::Domain::interior) meshes::turn_inside_out(mesh);
    return bem::make_panels(mesh, geometries.value("panels", how.panels), planes());
  }
};

/// A body with solver options and backend, shared by all results.
struct Setting {
  How how;
  Body body;
  bem::FlowProblem problem;
  bem::FlowOptions options;
  std::unique_ptr<bem::Backend> backend;
  std::mutex mutex{};  ///< guards the backend

  Setting(const SurfaceMesh& mesh, How given, double density, const Space& space = {})
      : how(std::move(given)),
        body(prepare(mesh, space.planes())),
        problem{.panels = space.make_panels(body.mesh, how),
                .density = density,
                .domain = space.side()},
        options(how.options()),
        backend(how.backend()) {}
};

/// A solved flow with derived results.
struct SolvedFlow {
  std::shared_ptr<Setting> setting;
  std::shared_ptr<const bem::LiftingEdges> lift;               ///< null without wakes
  std::shared_ptr<const std::vector<double>> normal_velocity;  ///< of walls; null for walls at rest
  bem::Solution solution;
  std::vector<bem::Loads> patches{};  ///< one per patch
  bem::Loads loads{};
  Vec3d added_mass{};
  bem::ErrorEstimate errors{};
  std::vector<double> cp{};

  bem::FlowProblem problem() const {
    bem::FlowProblem mine = setting->problem;
    mine.lift = lift;
    if (lift)
      bem::cut_along_wakes(mine.panels, lift->segments, bem::RelativeStream(lift->direction));
    if (normal_velocity) mine.normal_velocity = *normal_velocity;
    return mine;
  }

  void evaluate(const bem::FlowProblem& mine, const bem::GreenErrors& green, const Vec3d& centre) {
    const bem::SurfaceFits fits = bem::fit_surface(mine, solution, *setting->backend);
    patches =
        bem::pressure_loads_by_patch(mine, fits, setting->body.mesh.patch_names.size(), centre);
    for (const bem::Loads& each : patches) {
      loads.force += each.force;
      loads.moment += each.moment;
    }
    added_mass = bem::added_mass_velocity(mine, fits);
    errors = bem::estimate_errors(mine, solution, fits, green, loads.force);
    const double reference = bem::reference_pressure(mine, solution.stream);
    cp = solution.pressure;
    for (double& each : cp)
      each = reference > 0.0 ? each / reference : std::numeric_limits<double>::quiet_NaN();
  }
};

std::vector<std::shared_ptr<SolvedFlow>> solve(const std::shared_ptr<Setting>& setting,
                                               const GivenPoints& velocity, bool wakes,
                                               const std::optional<Given>& normal_velocity,
                                               const Triple& centre) {
  require_finite("velocity", {velocity.data(), velocity.size()}, 3);
  const auto streams = vectors(velocity);
  for (std::size_t k = 0; k < streams.size(); ++k) {
    if (norm(streams[k]) > 0.0 || normal_velocity) continue;
    throw InputError("velocity[" + std::to_string(k) +
                     "] is zero; give the velocity of the undisturbed stream, m/s");
  }
  std::shared_ptr<const std::vector<double>> of_walls;
  if (normal_velocity) {
    require_finite("normal_velocity", {normal_velocity->data(), normal_velocity->size()}, 1);
    of_walls = std::make_shared<const std::vector<double>>(
        normal_velocity->data(), normal_velocity->data() + normal_velocity->size());
  }
  return interruptible(setting->how.threads, [&] {
    const std::lock_guard turn(setting->mutex);
    std::vector<std::shared_ptr<SolvedFlow>> solved;
    const auto add = [&](const bem::FlowProblem& problem, std::span<const Vec3d> some) {
      for (const Vec3d& stream : some) bem::check_stream(problem.panels, stream);
      const bem::SolvedStreams flows(problem, some, setting->options, *setting->backend);
      throw_if_stopped();
      const bem::GreenSample green(problem, *setting->backend);
      const std::vector<bem::GreenResiduals> residuals = flows.residuals(green);
      for (std::size_t k = 0; k < some.size(); ++k) {
        throw_if_stopped();
        SolvedFlow& flow = *solved.emplace_back(
            std::make_shared<SolvedFlow>(setting, problem.lift, of_walls, flows.at(k)));
        const bem::GreenResiduals mine = flows.residuals(k, residuals);
        flow.evaluate(problem, green.errors(problem, flow.solution, mine), vector(centre));
      }
    };
    bem::FlowProblem base = setting->problem;
    if (of_walls) base.normal_velocity = *of_walls;
    if (!wakes) {
      add(base, streams);
    } else {  // each stream has other wakes
      for (const Vec3d& stream : streams) {
        bem::FlowProblem problem = base;
        problem.stream = stream;
        problem.lift =
            std::make_shared<bem::LiftingEdges>(bem::lifting_edges(problem.panels, stream));
        add(problem, {&stream, 1});
      }
    }
    return solved;
  });
}

nb::tuple field_at(const SolvedFlow& flow, const GivenPoints& points) {
  const std::size_t n = points.shape(0);
  require_finite("points", {points.data(), points.size()}, 3);
  bem::Field field = interruptible(flow.setting->how.threads, [&] {
    const std::lock_guard turn(flow.setting->mutex);
    return bem::evaluate_field(flow.problem(), flow.solution, vectors(points),
                               {.fmm = flow.setting->options.fmm}, *flow.setting->backend);
  });
  return nb::make_tuple(as_numpy<double>(std::move(field.velocity), {n, 3}),
                        as_numpy<double>(std::move(field.phi), {n}),
                        as_numpy<double>(std::move(field.pressure), {n}),
                        as_numpy<std::uint8_t>(std::move(field.inside), {n}));
}

nb::dict lift_of(const SolvedFlow& flow) {
  nb::dict lift;
  if (!flow.lift) return lift;
  const bem::Panels& panels = flow.setting->problem.panels;
  const std::vector<double>& m = flow.solution.sheets;
  const bem::TrefftzLoads far = bem::trefftz_loads(panels, *flow.lift, m, flow.solution.stream,
                                                   flow.setting->problem.density);
  std::vector<Vec3d> ends;
  for (const bem::EdgeSegment& edge : flow.lift->segments) {
    ends.push_back(bem::corner_at(panels, edge.upper, edge.first));
    ends.push_back(bem::corner_at(panels, edge.upper, edge.second));
  }
  const std::size_t n = m.size();
  lift["force"] = triple(far.force);
  lift["induced_drag"] = far.induced_drag;
  lift["circulation"] = as_numpy<double>(std::vector<double>(m), {n});
  lift["edges"] = as_numpy<double>(std::move(ends), {n, 2, 3});
  return lift;
}

nb::dict figures_of(const SolvedFlow& flow) {
  const bem::ErrorFigures& all = flow.errors.figures;
  nb::dict figures;
  const auto put = [&](const char* name, const bem::FieldError& error) {
    figures[(std::string(name) + "_l2").c_str()] = error.l2;
    figures[(std::string(name) + "_max").c_str()] = error.max;
  };
  put("velocity", all.velocity);
  put("potential", all.potential);
  put("cp", all.cp);
  figures["force"] = all.force;
  figures["added_mass"] = all.added_mass;
  return figures;
}

template <class Result>
bool all_converged(const std::vector<Result>& solves) {
  return std::all_of(solves.begin(), solves.end(), [](const bem::GmresResult& each) {
    return each.status == bem::GmresStatus::converged;
  });
}

/// The matrix, its asymmetry, whether all solves converged, and warnings of the mesh.
nb::tuple added_mass(const SurfaceMesh& mesh, const How& how, double density, const Triple& centre,
                     const Space& space, const std::vector<std::string>& whole) {
  std::vector<std::string> warnings;
  bem::AddedMass found = interruptible(how.threads, [&] {
    Setting setting(mesh, how, density, space);
    warnings = setting.body.warnings;
    const meshes::Bodies& bodies = setting.body.report.connections->bodies;
    bem::RigidBodies rigid;
    rigid.body = bodies.of_element;
    rigid.centre.assign(static_cast<std::size_t>(bodies.count), vector(centre));
    for (const std::string& word : whole) rigid.halved.push_back(axes.value("whole", word));
    return bem::added_mass(setting.problem, rigid, {}, setting.options, *setting.backend);
  });
  const auto n = static_cast<std::size_t>(found.modes);
  return nb::make_tuple(as_numpy<double>(std::move(found.matrix), {n, n}), found.asymmetry,
                        all_converged(found.gmres), warnings);
}

nb::tuple capacitance(const std::vector<const SurfaceMesh*>& conductors, const How& how,
                      double permittivity) {
  std::vector<std::string> warnings;
  bem::Capacitance found = interruptible(how.threads, [&] {
    Setting setting(joined(conductors), how, 1.0);
    warnings = setting.body.warnings;
    return bem::capacitance(setting.problem.region(), setting.body.mesh.patch,
                            static_cast<int>(conductors.size()), permittivity, setting.options,
                            *setting.backend);
  });
  const std::size_t n = conductors.size();
  return nb::make_tuple(as_numpy<double>(std::move(found.matrix), {n, n}), found.asymmetry,
                        all_converged(found.gmres), warnings);
}

using Handle = nb::handle_t<SolvedFlow>;

/// A property that returns an array of the result: numbers, or vectors as rows.
template <class Get>
auto array(Get get) {
  return [get](Handle flow) {
    const auto& all = get(nb::cast<const SolvedFlow&>(flow));
    if constexpr (std::is_same_v<std::decay_t<decltype(all[0])>, Vec3d>)
      return view(flow, &all.data()->x, {all.size(), 3});
    else
      return view(flow, all.data(), {all.size()});
  };
}

}  // namespace

void define_flow(nb::module_& module) {
  using nb::arg;
  nb::class_<How>(module, "How", "How problems are solved.")
      .def(nb::init<double, int, std::string, std::string, int>(), arg("tolerance"),
           arg("max_iterations"), arg("panels"), arg("device"), arg("threads"));
  nb::class_<Space>(module, "Space", "Where the fluid is.")
      .def(nb::init<std::vector<std::string>, Triple, std::string>(), arg("symmetry"),
           arg("origin"), arg("domain"));
  nb::class_<Setting>(module, "FlowSetting", "A body in streams (rankine.Flow).")
      .def_prop_ro("surface", [](const Setting& setting) { return setting.body.mesh; })
      .def_prop_ro("warnings", [](const Setting& setting) { return setting.body.warnings; })
      .def_prop_ro("volume", [](const Setting& setting) { return setting.body.report.volume; });
  module.def(
      "flow_setting",
      [](const SurfaceMesh& mesh, const How& how, double density, const Space& space) {
        return interruptible(how.threads,
                             [&] { return std::make_shared<Setting>(mesh, how, density, space); });
      },
      arg("surface"), arg("how"), arg("density"), arg("space"));
  module.def("solve_flow", &solve, arg("setting"), arg("velocity"), arg("wakes"),
             arg("normal_velocity").none(), arg("centre"));
  module.def("added_mass", &added_mass, arg("surface"), arg("how"), arg("density"), arg("centre"),
             arg("space"), arg("whole"));
  module.def("capacitance", &capacitance, arg("conductors"), arg("how"), arg("permittivity"));

  nb::class_<SolvedFlow>(module, "SolvedFlow", "A solved flow (rankine.FlowResult).")
      .def_prop_ro("phi", array([](const SolvedFlow& f) -> auto& { return f.solution.phi; }))
      .def_prop_ro("pressure",
                   array([](const SolvedFlow& f) -> auto& { return f.solution.pressure; }))
      .def_prop_ro("Cp", array([](const SolvedFlow& f) -> auto& { return f.cp; }))
      .def_prop_ro("velocity_error",
                   array([](const SolvedFlow& f) -> auto& { return f.errors.velocity; }))
      .def_prop_ro("potential_error",
                   array([](const SolvedFlow& f) -> auto& { return f.errors.potential; }))
      .def_prop_ro("velocity",
                   array([](const SolvedFlow& f) -> auto& { return f.solution.velocity; }))
      .def_prop_ro("centroid", array([](const SolvedFlow& f) -> auto& {
                     return f.setting->problem.panels.centroid.on_host();
                   }))
      .def_prop_ro("area", array([](const SolvedFlow& f) -> auto& {
                     return f.setting->problem.panels.area.on_host();
                   }))
      .def_prop_ro("stream", [](const SolvedFlow& flow) { return triple(flow.solution.stream); })
      .def_prop_ro("force", [](const SolvedFlow& flow) { return triple(flow.loads.force); })
      .def_prop_ro("moment", [](const SolvedFlow& flow) { return triple(flow.loads.moment); })
      .def_prop_ro("patch_forces",
                   [](const SolvedFlow& flow) {
                     std::vector<Triple> forces;
                     for (const bem::Loads& each : flow.patches)
                       forces.push_back(triple(each.force));
                     return forces;
                   })
      .def_prop_ro("added_mass_velocity",
                   [](const SolvedFlow& flow) { return triple(flow.added_mass); })
      .def_prop_ro("errors", &figures_of)
      .def_prop_ro("lift", &lift_of)
      .def_prop_ro("iterations",
                   [](const SolvedFlow& flow) { return flow.solution.gmres.iterations; })
      .def_prop_ro("residual",
                   [](const SolvedFlow& flow) { return flow.solution.gmres.true_residual; })
      .def_prop_ro("converged", [](const SolvedFlow& flow) { return flow.solution.converged(); })
      .def("field_at", &field_at, arg("points"));
}

}  // namespace rankine::python
