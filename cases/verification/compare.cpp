#include "cases/verification/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "cases/case_constants.hpp"
#include "cases/input/words.hpp"
#include "cases/output/show.hpp"
#include "rankine/bem/flow/exact.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/surface_errors.hpp"

namespace rankine::cases {
namespace {

/// Largest relative error of k_i = (added-mass velocity)_i / U_i over the components of the stream.
double added_mass_error(const Vec3d& found, const Vec3d& stream, const Vec3d& exact) {
  double worst = 0.0;
  for (int i = 0; i < 3; ++i) {
    if (std::abs(stream[i]) < 1e-3 * norm(stream)) continue;
    worst = std::max(worst, std::abs(found[i] / stream[i] - exact[i]) / exact[i]);
  }
  return worst;
}

void check_limit(VerifyResult& result, const std::string& name, double found,
                 const std::optional<double>& limit) {
  if (limit && !(found <= *limit)) {
    result.exceeded.push_back(
        fmt::format("{} is {:.3e}, above its limit {:.3e}", name, found, *limit));
  }
}

}  // namespace

std::optional<std::string> warning_of_body(const VerifyInput& verify,
                                           const std::vector<Vec3d>& nodes) {
  if (verify.exact == ExactFlow::none) return std::nullopt;
  double off = 0.0;
  const Vec3d& a = verify.semi_axes;
  for (const Vec3d& node : nodes) {
    const Vec3d x = node - verify.centre;
    off = std::max(off, std::abs(norm(Vec3d{x.x / a.x, x.y / a.y, x.z / a.z}) - 1.0));
  }
  if (off <= limits::most_off_body) return std::nullopt;
  return fmt::format(
      "the mesh is not the body of verify.exact = \"{}\": nodes are up to {:.3g} of its size off a "
      "body with semi-axes {:.6g}, {:.6g}, {:.6g} m about {:.6g} m, so that errors against it "
      "are not those of the solution; correct [verify], or remove it",
      word(exact_words, verify.exact), off, a.x, a.y, a.z, verify.centre);
}

std::optional<VerifyResult> compare_with_exact(const VerifyInput& verify,
                                               const bem::FlowProblem& problem,
                                               const bem::Solution& solution,
                                               const bem::SurfaceFits& fits) {
  if (verify.exact == ExactFlow::none) return std::nullopt;
  const bem::EllipsoidFlow ellipsoid(verify.semi_axes, solution.stream, verify.centre);
  const bem::SphereFlow sphere{solution.stream, verify.semi_axes.x, verify.centre};
  const bem::SurfaceErrors errors = bem::surface_errors(problem, solution, [&](const Vec3d& x) {
    return verify.exact == ExactFlow::sphere ? sphere.on_surface(x) : ellipsoid.on_surface(x);
  });

  VerifyResult result;
  result.exact = word(exact_words, verify.exact);
  result.potential_l2 = errors.phi.l2;
  result.velocity_l2 = errors.velocity.l2;
  result.velocity_max = errors.velocity.max;
  result.added_mass = added_mass_error(bem::added_mass_velocity(problem, fits), solution.stream,
                                       ellipsoid.added_mass());
  check_limit(result, "potential_l2", result.potential_l2, verify.potential_l2);
  check_limit(result, "velocity_l2", result.velocity_l2, verify.velocity_l2);
  check_limit(result, "velocity_max", result.velocity_max, verify.velocity_max);
  check_limit(result, "added_mass", *result.added_mass, verify.added_mass);
  return result;
}

}  // namespace rankine::cases
