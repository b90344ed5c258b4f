#include "cases/verification/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "cases/verification/operator_trial.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::cases {
namespace {

bem::SurfaceErrors sphere_errors(int panels, bem::Backend& backend) {
  bem::FlowProblem problem;
  problem.panels = bem::make_panels(meshes::make_sphere(panels));
  problem.stream = {1.0, 0.0, 0.0};
  // Tolerances at which discretization errors dominate.
  bem::FlowOptions options;
  options.gmres.tolerance = 1e-7;
  options.fmm.tolerance = 1e-8;
  options.error_samples = 0;
  const bem::Solution solution = bem::solve(problem, options, backend);
  const bem::SphereFlow exact{problem.stream};
  return bem::surface_errors(problem, solution,
                             [&](const Vec3d& x) { return exact.on_surface(x); });
}

/// x.(A x)/(x.x) with areas as weights.
double rayleigh_quotient(const bem::Panels& panels, const std::vector<double>& x,
                         const std::vector<double>& ax) {
  double above = 0.0, below = 0.0;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    above += panels.area[i] * x[i] * ax[i];
    below += panels.area[i] * x[i] * x[i];
  }
  return above / below;
}

/// |eigenvalue - exact| over the largest eigenvalue of the layer (1 for S, 1/2 for D),
/// for degrees 0 to 3.
struct EigenvalueErrors {
  std::vector<double> single_layer, double_layer;
};

EigenvalueErrors eigenvalue_errors(int count, bem::Backend& backend) {
  // Zonal harmonics P_l(t) about an axis in general position.
  const std::vector<std::function<double(double)>> legendre{
      [](double) { return 1.0; }, [](double t) { return t; },
      [](double t) { return 0.5 * (3.0 * t * t - 1.0); },
      [](double t) { return 0.5 * t * (5.0 * t * t - 3.0); }};
  const Vec3d axis = normalized(Vec3d{0.3, -0.5, 0.8});
  const bem::Panels panels = bem::make_panels(meshes::make_sphere(count));
  const bem::CollocatedPanels discretization(panels);
  fmm::Options options{.tolerance = 1e-9};
  bem::LayerSet layers(backend, discretization);
  bem::FarField far(layers, options);
  bem::Array x = backend.allocate(panels.size());

  EigenvalueErrors errors;
  std::vector<double> image(panels.size());
  for (std::size_t l = 0; l < legendre.size(); ++l) {
    std::vector<double> harmonic;
    for (const Vec3d& c : panels.centroid)
      harmonic.push_back(legendre[l](dot(normalized(c), axis)));
    backend.upload(harmonic, x.data());
    const auto eigenvalue = [&](bem::Layer layer) {
      bem::Array y = backend.allocate(panels.size());
      bem::BoundaryOperator(far, {{{layer}}}).add(1.0, x.data(), y.data());
      backend.download(y.data(), image);
      return rayleigh_quotient(panels, harmonic, image);
    };
    const double exact = 1.0 / (2.0 * static_cast<double>(l) + 1.0);
    errors.single_layer.push_back(std::abs(eigenvalue(bem::Layer::single_layer) - exact));
    errors.double_layer.push_back(std::abs(eigenvalue(bem::Layer::double_layer) + 0.5 * exact) /
                                  0.5);
  }
  return errors;
}

}  // namespace

std::vector<SuiteCheck> check_sphere_refinement(bem::Backend& backend) {
  const std::vector<int> counts{320, 1280, 5120, 20480};
  std::vector<bem::SurfaceErrors> errors;
  for (const int panels : counts) errors.push_back(sphere_errors(panels, backend));

  std::vector<SuiteCheck> checks;
  const auto quantity = [&](const std::string& name, bem::FieldError bem::SurfaceErrors::*member,
                            double limit, double order) {
    // The limit for the finest mesh; at second order, four times as much for each coarser mesh.
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const double factor = std::pow(4.0, static_cast<double>(counts.size() - 1 - i));
      checks.push_back({"sphere", fmt::format("{}, {} panels", name, counts[i]),
                        (errors[i].*member).l2, limit * factor});
    }
    const bem::SurfaceErrors &coarse = errors[counts.size() - 2], &fine = errors.back();
    checks.push_back({"sphere", name + ", order",
                      std::log2((coarse.*member).l2 / (fine.*member).l2), order, true});
  };
  quantity("potential", &bem::SurfaceErrors::phi, 4.5e-5, 1.9);
  quantity("velocity", &bem::SurfaceErrors::velocity, 1.5e-5, 1.9);
  quantity("Cp", &bem::SurfaceErrors::pressure, 5e-5, 1.9);
  return checks;
}

std::vector<SuiteCheck> check_sphere_eigenvalues(bem::Backend& backend) {
  const EigenvalueErrors coarse = eigenvalue_errors(5120, backend);
  const EigenvalueErrors fine = eigenvalue_errors(20480, backend);
  std::vector<SuiteCheck> checks;
  constexpr std::array limits{7.5e-7, 5.5e-5, 1e-4, 1.45e-4};
  const auto layer = [&](const std::string& name, const std::vector<double>& coarse_errors,
                         const std::vector<double>& fine_errors) {
    for (std::size_t l = 0; l < fine_errors.size(); ++l) {
      checks.push_back({"eigenvalues", fmt::format("{} Y_{}, 20480 panels", name, l),
                        fine_errors[l], limits[l]});
    }
    const double before = *std::max_element(coarse_errors.begin(), coarse_errors.end());
    const double after = *std::max_element(fine_errors.begin(), fine_errors.end());
    checks.push_back({"eigenvalues", name + ", order of the largest error",
                      std::log2(before / after), 1.9, true});
  };
  layer("S", coarse.single_layer, fine.single_layer);
  layer("D", coarse.double_layer, fine.double_layer);
  return checks;
}

std::vector<SuiteCheck> check_operator_errors(bem::Backend& backend) {
  constexpr std::size_t points = 20000, samples = 1000;
  const auto error_of = [&](std::string_view name, const fmm::Options& options) {
    const TrialProblem problem(std::string(name), points, false, 1, options);
    const auto op =
        backend.make_operator({problem.sources, problem.targets, problem.normals}, options);
    TrialBuffers buffers(backend, problem, points, options);
    op->apply(buffers.strengths(), buffers.results());
    op->synchronize();
    const TrialErrors errors = measure_errors(problem, buffers, options, samples, 2);
    return std::max(errors.potential, errors.gradient);
  };
  std::vector<SuiteCheck> checks;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    SuiteCheck worst{"operator", "", 0.0, tolerance};
    for (const std::string_view name : fmm::distribution_names()) {
      if (name == "coincident" || name == "ray") continue;  // all pairs are near or coincident
      const double error = error_of(name, {.tolerance = tolerance, .gradient = true});
      if (error <= worst.value) continue;
      worst.value = error;
      worst.name = fmt::format("charges, worst of all distributions: {}", name);
    }
    checks.push_back(worst);
  }
  // Lattice points have the largest errors. These limits are three times the measured errors.
  const auto on_lattice = [&](const std::string& name, double limit, const fmm::Options& options) {
    checks.push_back({"operator", name + ", lattice", error_of("lattice", options), limit});
  };
  on_lattice("dipoles", 7e-5, {.tolerance = 1e-3, .gradient = true, .dipoles = true});
  on_lattice("treecode", 6.5e-4,
             {.method = fmm::Method::treecode, .tolerance = 1e-3, .gradient = true});
  on_lattice("single precision", 8e-6,
             {.precision = fmm::Precision::float32, .tolerance = 1e-5, .gradient = true});
  return checks;
}

}  // namespace rankine::cases
