#include "rankine/fmm/operator.hpp"

#include <array>
#include <cmath>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::fmm {
namespace {

void check_tolerance(const Options& options) {
  const bool single = options.precision == Precision::float32;
  const double least = least_tolerance(options.precision);
  if (options.tolerance >= least && options.tolerance <= most_tolerance) return;
  throw InputError(text_of(
      "tolerance ", options.tolerance, " is outside ", least, " ... ", most_tolerance, ", what ",
      to_string(options.precision), " precision can keep; ",
      single && options.tolerance >= least_tolerance(Precision::float64) ? "use double precision"
                                                                         : "choose one inside"));
}

/// Checks that there are `width` values for each of `rhs` right-hand sides and `points` points.
void check_size(const char* what, std::size_t given, int rhs, std::int64_t points, int width,
                const char* of_what) {
  const std::size_t needed =
      static_cast<std::size_t>(rhs) * static_cast<std::size_t>(points) * width;
  if (given == 0 || given == needed) return;
  throw InputError(text_of(what, " ", given, " values, but ", rhs,
                           rhs == 1 ? " right-hand side of " : " right-hand sides of ", points, " ",
                           of_what, rhs == 1 ? " needs " : " need ", needed));
}

/// There must be one core radius per source.
void check_core_radius_count(const Points& points) {
  if (points.core_radii.size() == points.sources.size()) return;
  throw InputError("there are " + std::to_string(points.core_radii.size()) + " core radii for " +
                   std::to_string(points.sources.size()) + " vortices; give one each");
}

void check_kernel(const Points& points, const Options& options) {
  const std::string kernel(to_string(options.kernel));
  if (!(options.softening >= 0.0) || !std::isfinite(options.softening)) {
    throw InputError(text_of("softening ", options.softening, " m is not a length; use 0 or more"));
  }
  if (options.softening > 0.0 && options.kernel != Kernel::plummer) {
    throw InputError(text_of("softening ", options.softening, " m was given for kernel ", kernel,
                             ", which is not softened; leave it out or use kernel plummer"));
  }
  if (is_vortex(options.kernel)) {
    check_core_radius_count(points);
    check_core_radii(points.core_radii);
  } else if (!points.core_radii.empty()) {
    throw InputError("core radii were given for kernel " + kernel +
                     ", which has none; leave them out or use a vortex kernel");
  }
}

}  // namespace

void check_core_radii(std::span<const double> radii) {
  for (std::size_t i = 0; i < radii.size(); ++i) {
    if (radii[i] > 0.0 && std::isfinite(radii[i])) continue;
    throw InputError(text_of("core radius number ", i, " is ", radii[i],
                             " m; core radii must be positive and finite"));
  }
}

void check_options(const Points& points, const Options& options) {
  check_tolerance(options);
  check_kernel(points, options);
  if (options.order < 0 || options.order >= max_order) {
    throw InputError("order " + std::to_string(options.order) + " is outside 1 ... " +
                     std::to_string(max_order - 1) +
                     "; leave it out to have it chosen from the tolerance");
  }
  if (options.leaf_capacity < 0) {
    throw InputError("leaf capacity " + std::to_string(options.leaf_capacity) +
                     " is not positive; use 1 or more, or 0 to have it chosen");
  }
  if (options.rhs < 1) {
    throw InputError("number of right-hand sides " + std::to_string(options.rhs) +
                     " is not positive; use 1 or more");
  }
  if (!points.normals.empty() && points.normals.size() != points.sources.size()) {
    throw InputError("there are " + std::to_string(points.normals.size()) + " normals for " +
                     std::to_string(points.sources.size()) +
                     " sources; give one per source or none");
  }
}

void check_move(const Points& points, const OperatorInfo& info, bool has_normals,
                MemorySpace where) {
  if (points.normals.size() != (has_normals ? points.sources.size() : 0)) {
    throw InputError("there are " + std::to_string(points.normals.size()) + " normals for " +
                     std::to_string(points.sources.size()) +
                     " sources, but the operator was built " +
                     (has_normals ? "with normals; give one per source" : "without; give none"));
  }
  if (!is_vortex(info.kernel)) return;
  check_core_radius_count(points);
  if (where == MemorySpace::host) check_core_radii(points.core_radii);
}

void check_apply(const Strengths& strengths, const Results& results, int rhs,
                 const OperatorInfo& info, bool has_normals) {
  if (rhs < 1) {
    throw InputError("apply was asked for " + std::to_string(rhs) +
                     " right-hand sides; use 1 or more");
  }
  if (!strengths.normal_dipoles.empty() && !has_normals) {
    throw InputError(
        "apply was given normal dipoles, but the operator was built without normals; set "
        "Points::normals");
  }
  const bool vortices = is_vortex(info.kernel);
  const auto check_kind = [&](bool given, bool of_vortices, const char* what) {
    if (!given || of_vortices == vortices) return;
    throw InputError("apply was given " + std::string(what) + ", which kernel " +
                     std::string(to_string(info.kernel)) + " does not have; " +
                     (vortices
                          ? "its strengths are vortices, its results velocities and their gradients"
                          : "its strengths are charges and dipoles, its results potentials and "
                            "their derivatives"));
  };
  check_kind(!strengths.charges.empty(), false, "charges");
  check_kind(!strengths.normal_dipoles.empty() || !strengths.dipoles.empty(), false, "dipoles");
  check_kind(!strengths.vortices.empty(), true, "vortices");
  check_kind(!results.potential.empty() || !results.gradient.empty() || !results.hessian.empty(),
             false, "arrays for potentials");
  check_kind(!results.velocity.empty() || !results.velocity_gradient.empty(), true,
             "arrays for velocities");
  check_size("vortices hold", strengths.vortices.size(), rhs, info.sources, 3, "sources");
  check_size("the velocity holds", results.velocity.size(), rhs, info.targets, 3, "targets");
  check_size("the velocity gradient holds", results.velocity_gradient.size(), rhs, info.targets, 9,
             "targets");
  check_size("charges hold", strengths.charges.size(), rhs, info.sources, 1, "sources");
  check_size("normal dipoles hold", strengths.normal_dipoles.size(), rhs, info.sources, 1,
             "sources");
  check_size("dipoles hold", strengths.dipoles.size(), rhs, info.sources, 3, "sources");
  check_size("the potential holds", results.potential.size(), rhs, info.targets, 1, "targets");
  check_size("the gradient holds", results.gradient.size(), rhs, info.targets, 3, "targets");
  check_size("the second derivatives hold", results.hessian.size(), rhs, info.targets, 6,
             "targets");
  if (info.sources > 0 && strengths.charges.empty() && strengths.normal_dipoles.empty() &&
      strengths.dipoles.empty() && strengths.vortices.empty()) {
    throw InputError(vortices ? "apply was given no strengths; pass vortices"
                              : "apply was given no strengths; pass charges or dipoles");
  }
  if (info.targets > 0 && results.potential.empty() && results.gradient.empty() &&
      results.hessian.empty() && results.velocity.empty() && results.velocity_gradient.empty()) {
    throw InputError(
        vortices
            ? "apply was asked for nothing; pass an array for the velocity or its gradient"
            : "apply was asked for nothing; pass an array for the potential or its derivatives");
  }
}

std::string_view to_string(Method method) {
  constexpr std::array words{"direct", "treecode", "fmm"};
  return words[static_cast<std::size_t>(method)];
}

std::string_view to_string(Precision precision) {
  return precision == Precision::float32 ? "float" : "double";
}

}  // namespace rankine::fmm
