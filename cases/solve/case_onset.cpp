#include "cases/solve/case_onset.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

#include "cases/case_constants.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/line_triangle.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/measures.hpp"

namespace rankine::cases {
namespace {

std::string show(const Vec3d& x) {
  return fmt::format("({:.6g}, {:.6g}, {:.6g}) m", x.x, x.y, x.z);
}

/// By solid angles: a closed surface subtends 4 pi at points within it, a cavity surface -4 pi.
bool in_fluid(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem, const Vec3d& x) {
  const meshes::Symmetry& symmetry = problem.panels.symmetry;
  double angle = 0.0;
  for (int image = 0; image < symmetry.images(); ++image) {
    const Vec3d from = symmetry.point(image, x);
    for (const meshes::Element& element : mesh.elements)
      angle += meshes::solid_angle(mesh, element, from);
  }
  const bool within = std::abs(angle) > 2.0 * std::numbers::pi;
  return within == (problem.domain == bem::Domain::interior);
}

/// `what` begins the message, for example "the point source at (0, 0, 0) m".
void require_in_fluid(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                      const Vec3d& x, const std::string& what, const std::string& where) {
  const bem::Panels& panels = problem.panels;
  const Vec3d here =
      panels.symmetry.point(panels.symmetry.image_towards(panels.centroid.front(), x), x);
  const bem::ClosestPoint closest =
      bem::closest_points(panels, {&here, 1}, limits::on_surface).front();
  if (closest.panel >= 0) {
    throw InputError(
        fmt::format("{}: {} lies on the surface, {:.2g} m from element {}, where its velocity has "
                    "no bound; move it into the fluid",
                    where, what, closest.distance, closest.panel));
  }
  if (in_fluid(mesh, problem, x)) return;
  const bool inside = problem.domain == bem::Domain::interior;
  throw InputError(fmt::format("{}: {} lies {}, where there is no fluid; move it, or leave it out",
                               where, what, inside ? "outside the domain" : "in a body"));
}

/// The position along a segment, 0 to 1, at which it crosses a flat triangle.
std::optional<double> crossing(const bem::VortexSegment& segment,
                               const bem::TrianglePatch<double>& triangle) {
  constexpr double edge_tolerance = 1e-9;  // so that no segment passes between two panels
  const auto hit = bem::meet(segment.from, segment.to - segment.from, triangle);
  const bool within = hit && hit->t >= 0.0 && hit->t <= 1.0 && hit->inside >= -edge_tolerance;
  return within ? std::optional(hit->t) : std::nullopt;
}

void require_no_crossing(const bem::FlowProblem& problem, const bem::VortexSegment& segment,
                         const std::string& where) {
  const bem::Panels& panels = problem.panels;
  for (int image = 0; image < panels.symmetry.images(); ++image) {
    const bem::VortexSegment mirrored{panels.symmetry.point(image, segment.from),
                                      panels.symmetry.point(image, segment.to),
                                      segment.circulation};
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const bem::PanelShape<double>& shape = panels.shape[i];
      for (int half = 0; half + 2 < shape.corners; ++half) {
        const auto t = crossing(mirrored, bem::surface_triangle(shape, half));
        if (!t) continue;
        throw InputError(fmt::format(
            "{}: the vortex segment from {} to {} passes through the surface at {}, element {}, "
            "where its velocity has no bound; lead it through the fluid",
            where, show(segment.from), show(segment.to),
            show(segment.from + *t * (segment.to - segment.from)), i));
      }
    }
  }
}

/// The panel closest to a singularity, with distances in units of its own size.
struct Closest {
  double sizes = std::numeric_limits<double>::infinity(), distance = 0.0;
  std::size_t panel = 0;
};

/// `distance`: function, distance of a surface point from the singularity.
template <class Distance>
Closest closest_panel(const bem::Panels& panels, Distance distance) {
  Closest found;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    double least = std::numeric_limits<double>::infinity();
    for (int image = 0; image < panels.symmetry.images(); ++image)
      least = std::min(least, distance(panels.symmetry.point(image, panels.centroid[i])));
    const double sizes = least / bem::panel_size(panels.radius[i]);
    if (sizes < found.sizes) found = {sizes, least, i};
  }
  return found;
}

void warn_if_close(const Closest& closest, const std::string& what, const std::string& where,
                   Log& log) {
  if (closest.sizes >= limits::resolved_from) return;
  log.warning(fmt::format(
      "{}: {} is {:.3g} m from element {}, {:.2g} times its size: velocities next to it err by "
      "several percent; use panels of half that distance there",
      where, what, closest.distance, closest.panel, closest.sizes));
}

}  // namespace

void set_onset(const Case& flow_case, const meshes::SurfaceMesh& mesh, bem::FlowProblem& problem) {
  const OnsetInput& input = flow_case.problem.onset;
  problem.onset = input.flow;
  for (std::size_t k = 0; k < input.flow.sources.size(); ++k) {
    const Vec3d& x = input.flow.sources[k].position;
    require_in_fluid(mesh, problem, x, "the point source at " + show(x), input.source_at[k]);
  }
  for (std::size_t k = 0; k < input.flow.doublets.size(); ++k) {
    const Vec3d& x = input.flow.doublets[k].position;
    require_in_fluid(mesh, problem, x, "the point doublet at " + show(x), input.doublet_at[k]);
  }
  for (std::size_t k = 0; k < input.flow.vortices.size(); ++k) {
    const bem::VortexSegment& segment = input.flow.vortices[k];
    require_no_crossing(problem, segment, input.vortex_at[k]);
    require_in_fluid(
        mesh, problem, segment.from,
        fmt::format("the vortex segment from {} to {}", show(segment.from), show(segment.to)),
        input.vortex_at[k]);
  }
}

void describe_onset(const Case& flow_case, const bem::FlowProblem& problem, Log& log) {
  const OnsetInput& input = flow_case.problem.onset;
  const bem::Onset& onset = input.flow;
  const bem::Panels& panels = problem.panels;
  constexpr std::size_t shown = 5;
  std::size_t lines = 0;
  const auto fact = [&](const std::string& text) {
    if (lines < shown) log.fact(lines == 0 ? "onset" : "", text);
    ++lines;
  };
  for (std::size_t k = 0; k < onset.sources.size(); ++k) {
    const bem::PointSource& each = onset.sources[k];
    const std::string at = "at " + show(each.position);
    fact(fmt::format("source of {:.6g} m^3/s {}", each.strength, at));
    warn_if_close(closest_panel(panels, [&](const Vec3d& x) { return norm(x - each.position); }),
                  "the point source " + at, input.source_at[k], log);
  }
  for (std::size_t k = 0; k < onset.doublets.size(); ++k) {
    const bem::PointDoublet& each = onset.doublets[k];
    const std::string at = "at " + show(each.position);
    fact(fmt::format("doublet of ({:.6g}, {:.6g}, {:.6g}) m^4/s {}", each.moment.x, each.moment.y,
                     each.moment.z, at));
    warn_if_close(closest_panel(panels, [&](const Vec3d& x) { return norm(x - each.position); }),
                  "the point doublet " + at, input.doublet_at[k], log);
  }
  for (std::size_t k = 0; k < onset.vortices.size(); ++k) {
    const bem::VortexSegment& each = onset.vortices[k];
    const std::string at = fmt::format("from {} to {}", show(each.from), show(each.to));
    fact(fmt::format("vortex of {:.6g} m^2/s {}", each.circulation, at));
    warn_if_close(
        closest_panel(panels, [&](const Vec3d& x) { return bem::distance_from(each, x); }),
        "the vortex segment " + at, input.vortex_at[k], log);
  }
  if (lines > shown) log.fact("", fmt::format("and {} more", lines - shown));
  const std::vector<bem::LooseEnd> loose = bem::loose_ends(onset, panels.symmetry);
  if (!loose.empty()) {
    log.warning(fmt::format(
        "{}: vortex segments leave {} loose end{}, the first at {}, where a circulation of {:.3g} "
        "m^2/s has no way on: their velocity is then that of no potential, and pressures are "
        "wrong; let segments form closed loops, far away where they must",
        input.vortex_at.front(), loose.size(), loose.size() == 1 ? "" : "s",
        show(loose.front().position), std::abs(loose.front().circulation)));
  }
}

}  // namespace rankine::cases
