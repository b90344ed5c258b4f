#include "cases/verification/suite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "cases/verification/operator_trial.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/bem/flow/surface_errors.hpp"
#include "rankine/bem/layers/boundary_operator.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace rankine::cases {
namespace {

struct SphereErrors : bem::SurfaceErrors {
  double volume;  ///< of the curved panels, relative
};

SphereErrors sphere_errors(int panels, bem::Backend& backend) {
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
  return {
      bem::surface_errors(problem, solution, [&](const Vec3d& x) { return exact.on_surface(x); }),
      std::abs(bem::enclosed_volume(problem.panels) / (4.0 / 3.0 * std::numbers::pi) - 1.0)};
}

/// The boundary operators on a mesh.
class Layers {
 public:
  Layers(const meshes::SurfaceMesh& mesh, bem::Backend& backend,
         const bem::QuadratureOptions& quadrature = {})
      : panels(bem::make_panels(mesh)),
        discretization_(panels, quadrature),
        layers_(backend, discretization_),
        far_(layers_, {.tolerance = 1e-9}) {}

  std::vector<double> apply(bem::Layer layer, const std::vector<double>& strengths) {
    bem::Backend& backend = layers_.backend();
    bem::Array x = backend.allocate(panels.size()), y = backend.allocate(panels.size());
    backend.upload(strengths, x.data());
    bem::BoundaryOperator(far_, {{{layer}}}).add(1.0, x.data(), y.data());
    std::vector<double> image(panels.size());
    backend.download(y.data(), image);
    return image;
  }

  const bem::Panels panels;

 private:
  bem::CollocatedPanels discretization_;
  bem::LayerSet layers_;
  bem::FarField far_;
};

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

/// Eigenvalues of a layer for degree l on the unit sphere (bem/layers/layers.hpp).
struct LayerOnSphere {
  bem::Layer layer;
  std::string name;
  double (*eigenvalue)(double l);
  double largest;                ///< of degrees 0 to 3, in magnitude
  std::array<double, 4> limits;  ///< of errors relative to it
};

/// Relative errors of the eigenvalues of the layers, for degrees 0 to 3.
std::vector<std::array<double, 4>> eigenvalue_errors(int count,
                                                     std::span<const LayerOnSphere> of_layers,
                                                     bem::Backend& backend) {
  // Zonal harmonics P_l(t) about an axis in general position.
  const std::array<double (*)(double), 4> legendre{
      [](double) { return 1.0; }, [](double t) { return t; },
      [](double t) { return 0.5 * (3.0 * t * t - 1.0); },
      [](double t) { return 0.5 * t * (5.0 * t * t - 3.0); }};
  const Vec3d axis = normalized(Vec3d{0.3, -0.5, 0.8});
  Layers layers(meshes::make_sphere(count), backend);
  std::vector<std::array<double, 4>> errors;
  for (const LayerOnSphere& each : of_layers) {
    auto& of_layer = errors.emplace_back();
    for (std::size_t l = 0; l < legendre.size(); ++l) {
      std::vector<double> harmonic;
      for (const Vec3d& c : layers.panels.centroid)
        harmonic.push_back(legendre[l](dot(normalized(c), axis)));
      const double found =
          rayleigh_quotient(layers.panels, harmonic, layers.apply(each.layer, harmonic));
      of_layer[l] = std::abs(found - each.eigenvalue(static_cast<double>(l))) / each.largest;
    }
  }
  return errors;
}

/// A linear function, which the strengths of flat panels reproduce.
double linear(const Vec3d& x) { return 0.2 + dot(Vec3d{0.3, -0.5, 0.8}, x); }

/// max |found - exact| / max |exact|
double largest_error(const std::vector<double>& found, const std::vector<double>& exact) {
  double error = 0.0, size = 0.0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    error = std::max(error, std::abs(found[i] - exact[i]));
    size = std::max(size, std::abs(exact[i]));
  }
  return error / size;
}

/// The largest error of the triangle rules in the means of monomials a^i b^j, 2 i! j! / (i + j +
/// 2)!, which they integrate exactly.
double rule_error() {
  double largest = 0.0;
  for (const auto& [points, degree] : {std::pair{1, 1}, {3, 2}, {6, 4}, {7, 5}, {12, 6}}) {
    for (int i = 0; i <= degree; ++i) {
      for (int j = 0; i + j <= degree; ++j) {
        double error = -2.0 * std::tgamma(i + 1) * std::tgamma(j + 1) / std::tgamma(i + j + 3);
        for (const bem::TrianglePoint& p : bem::triangle_rule(points))
          error += p.weight * std::pow(p.a, i) * std::pow(p.b, j);
        largest = std::max(largest, std::abs(error));
      }
    }
  }
  return largest;
}

/// S of a linear density on a plate of irregular panels in the plane z = 0, against its closed
/// form.
double plate_error(bem::Backend& backend) {
  constexpr Vec3d size{1.0, 0.7, 0.0};
  meshes::SurfaceMesh plate = meshes::make_plate(600, size.x, size.y);
  const std::vector<double> moves = fmm::make_strengths(2 * plate.nodes.size(), 1);
  for (std::size_t i = 0; i < plate.nodes.size(); ++i) {
    Vec3d& x = plate.nodes[i];
    if (std::abs(x.x) < 0.499 * size.x && std::abs(x.y) < 0.499 * size.y)
      x += 0.008 * Vec3d{moves[2 * i], moves[2 * i + 1], 0.0};  // a fifth of a panel
  }
  Layers layers(plate, backend, {.tolerance = 1e-6});
  std::vector<double> density, exact;
  for (const Vec3d& c : layers.panels.centroid) {
    density.push_back(linear(c));
    // int 1/r, int (x - c_x)/r and int (y - c_y)/r over the plate, as sums over its corners.
    double constant = 0.0;
    Vec3d slopes{};
    for (int corner = 0; corner < 4; ++corner) {
      const double sign = corner == 0 || corner == 3 ? 1.0 : -1.0;
      const double x = (corner % 2 == 0 ? -0.5 : 0.5) * size.x - c.x,
                   y = (corner / 2 == 0 ? -0.5 : 0.5) * size.y - c.y, r = std::hypot(x, y);
      const double of_y = std::asinh(y / std::abs(x)), of_x = std::asinh(x / std::abs(y));
      constant += sign * (x * of_y + y * of_x);
      slopes += 0.5 * sign * Vec3d{y * r + x * x * of_y, x * r + y * y * of_x, 0.0};
    }
    exact.push_back(bem::inverse_four_pi *
                    (linear(c) * constant + linear(slopes) - linear(Vec3d{})));
  }
  return largest_error(layers.apply(bem::Layer::single_layer, density), exact);
}

/// Green's identity S dphi/dn - D phi = phi / 2 of a linear function on a box.
double box_error(bem::Backend& backend) {
  Layers layers(meshes::make_box(1200, {1.0, 0.7, 0.5}, {}, meshes::PanelKind::triangles), backend,
                {.tolerance = 1e-6});
  std::vector<double> phi, flux, twice;
  for (std::size_t i = 0; i < layers.panels.size(); ++i) {
    phi.push_back(linear(layers.panels.centroid[i]));
    flux.push_back(linear(layers.panels.normal[i]) - linear(Vec3d{}));
  }
  const std::vector<double> s = layers.apply(bem::Layer::single_layer, flux),
                            d = layers.apply(bem::Layer::double_layer, phi);
  for (std::size_t i = 0; i < phi.size(); ++i) twice.push_back(2.0 * (s[i] - d[i]));
  return largest_error(twice, phi);
}

/// Potential, gradient and second derivatives of charges and dipoles (fmm/operator.hpp).
struct PairField {
  double of[10] = {};

  void add(double q, const Vec3d& mu, const Vec3d& r) {
    const double u2 = 1.0 / dot(r, r), u = std::sqrt(u2), u3 = u * u2, m = dot(mu, r);
    of[0] += q * u + m * u3;
    for (int a = 0, at = 4; a < 3; ++a) {
      of[1 + a] += u3 * (mu[a] - r[a] * (q + 3.0 * m * u2));
      for (int b = a; b < 3; ++b, ++at) {
        of[at] += 3.0 * u3 * u2 * (r[a] * r[b] * (q + 5.0 * m * u2) - mu[a] * r[b] - mu[b] * r[a]) -
                  (a == b ? u3 * (q + 3.0 * m * u2) : 0.0);
      }
    }
  }
};

/// The largest error of potential, gradient and second derivatives at every 50th of some points,
/// relative L2, against a loop over the sources. Two sets of charges and dipoles along normals are
/// summed at once, then one of them with free dipoles.
double error_against_loop(bem::Backend& backend) {
  constexpr std::size_t n = 8000, every = 50;
  const std::vector<Vec3d> points = fmm::make_points("lattice", n, 1);
  std::vector<Vec3d> normals = fmm::make_points("sphere", n, 2);
  for (Vec3d& each : normals) each = normalized(each);
  const std::vector<double> charges = fmm::make_strengths(2 * n, 3);
  std::vector<double> dipoles = fmm::make_strengths(2 * n, 4), free;
  for (double& each : dipoles) each *= 0.05;  // a lattice spacing
  for (std::size_t j = 0; j < n; ++j)
    for (int axis = 0; axis < 3; ++axis) free.push_back(dipoles[j] * normals[j][axis]);
  const auto sum = backend.make_operator({points, points, normals}, {.tolerance = 1e-6,
                                                                     .gradient = true,
                                                                     .hessian = true,
                                                                     .dipoles = true,
                                                                     .rhs = 2,
                                                                     .direct_pairs = 0});
  const bem::Array q = bem::uploaded(backend, charges), along = bem::uploaded(backend, dipoles),
                   moments = bem::uploaded(backend, free);
  double largest = 0.0;
  for (const int rhs : {2, 1}) {
    const std::size_t count = n * static_cast<std::size_t>(rhs);
    bem::Array potential = backend.allocate(count), gradient = backend.allocate(3 * count),
               hessian = backend.allocate(6 * count);
    const std::span<const double> first_charges = q.all().first(count);
    const fmm::Strengths strengths =
        rhs == 2 ? fmm::Strengths{.charges = first_charges, .normal_dipoles = along.all()}
                 : fmm::Strengths{.charges = first_charges, .dipoles = moments.all()};
    sum->apply(strengths, {potential.all(), gradient.all(), hessian.all()}, rhs);
    sum->synchronize();
    std::vector<double> exact[3];
    for (std::size_t i = 0; i < count; i += every) {
      PairField field;
      for (std::size_t j = 0, first = i / n * n; j < n; ++j) {
        if (j != i % n)
          field.add(charges[first + j], dipoles[first + j] * normals[j], points[i % n] - points[j]);
      }
      exact[0].insert(exact[0].end(), field.of, field.of + 1);
      exact[1].insert(exact[1].end(), field.of + 1, field.of + 4);
      exact[2].insert(exact[2].end(), field.of + 4, field.of + 10);
    }
    const auto compare = [&](int k, std::size_t width, const bem::Array& results) {
      std::vector<double> all(width * count), found;
      backend.download(results.data(), all);
      for (std::size_t i = 0; i < count; i += every)
        found.insert(found.end(), &all[i * width], &all[i * width] + width);
      largest = std::max(largest, relative_error(found, exact[k]));
    };
    compare(0, 1, potential);
    compare(1, 3, gradient);
    compare(2, 6, hessian);
  }
  return largest;
}

}  // namespace

std::vector<SuiteCheck> check_sphere_refinement(bem::Backend& backend) {
  const std::vector<int> counts{320, 1280, 5120, 20480};
  std::vector<SphereErrors> errors;
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
    const SphereErrors &coarse = errors[counts.size() - 2], &fine = errors.back();
    checks.push_back({"sphere", name + ", order",
                      std::log2((coarse.*member).l2 / (fine.*member).l2), order, true});
  };
  quantity("potential", &bem::SurfaceErrors::phi, 4.5e-5, 1.9);
  quantity("velocity", &bem::SurfaceErrors::velocity, 1.5e-5, 1.9);
  quantity("Cp", &bem::SurfaceErrors::pressure, 5e-5, 1.9);
  checks.push_back({"sphere", "volume, order",
                    std::log2(errors[counts.size() - 2].volume / errors.back().volume), 3.9, true});
  return checks;
}

std::vector<SuiteCheck> check_layers(bem::Backend& backend) {
  using bem::Layer;
  const std::array<LayerOnSphere, 3> of_layers{{{Layer::single_layer,
                                                 "S",
                                                 [](double l) { return 1.0 / (2.0 * l + 1.0); },
                                                 1.0,
                                                 {7.5e-7, 5.5e-5, 1e-4, 1.45e-4}},
                                                {Layer::double_layer,
                                                 "D",
                                                 [](double l) { return -0.5 / (2.0 * l + 1.0); },
                                                 0.5,
                                                 {7.5e-7, 5.5e-5, 1e-4, 1.45e-4}},
                                                {Layer::adjoint_double_layer,
                                                 "K'",
                                                 [](double l) { return -0.5 / (2.0 * l + 1.0); },
                                                 0.5,
                                                 {3.5e-5, 2.2e-5, 6.8e-5, 1.1e-4}}}};
  const auto coarse = eigenvalue_errors(5120, of_layers, backend),
             fine = eigenvalue_errors(20480, of_layers, backend);
  std::vector<SuiteCheck> checks;
  for (std::size_t k = 0; k < of_layers.size(); ++k) {
    const LayerOnSphere& each = of_layers[k];
    for (std::size_t l = 0; l < fine[k].size(); ++l) {
      checks.push_back({"layers", fmt::format("{} Y_{}, 20480 panels", each.name, l), fine[k][l],
                        each.limits[l]});
    }
    if (each.layer == Layer::adjoint_double_layer) continue;  // between first and second order
    const double before = std::ranges::max(coarse[k]), after = std::ranges::max(fine[k]);
    checks.push_back({"layers", each.name + ", order of the largest error",
                      std::log2(before / after), 1.9, true});
  }
  checks.push_back({"layers", "triangle rules", rule_error(), 4e-16});
  checks.push_back({"layers", "S of a linear density on a plate", plate_error(backend), 5e-7});
  checks.push_back({"layers", "Green's identity on a box", box_error(backend), 1.2e-3});
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
  for (const auto& [tolerance, limit] : {std::pair{1e-3, 5.5e-4}, {1e-6, 1e-6}, {1e-9, 1e-9}}) {
    SuiteCheck worst{"operator", "", 0.0, limit};
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
             {.method = fmm::Method::treecode,
              .tolerance = 1e-3,
              .leaf_capacity = 64,  // the tuned one sums most pairs directly
              .gradient = true});
  on_lattice("single precision", 8e-6,
             {.precision = fmm::Precision::float32, .tolerance = 1e-5, .gradient = true});
  checks.push_back({"operator", "charges, dipoles and second derivatives against a loop",
                    error_against_loop(backend), 5e-7});
  return checks;
}

}  // namespace rankine::cases
