#include "rankine/bem/flow/green_errors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/bem/flow/thin_walls.hpp"
#include "rankine/bem/layers/sampled_layers.hpp"
#include "rankine/bem/layers/sampled_sums.hpp"
#include "rankine/bem/panels/panel_offsets.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/tangents.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace green {

/// A sampled panel and its neighbours, which give slopes.
struct Member {
  std::size_t panel;
  double weight;  ///< m^2, area of the panels that it represents
  std::vector<std::int32_t> around;
};

struct DrawnPanels {
  std::vector<Member> members;
  std::vector<std::size_t> points;  ///< of all panels in it, ascending

  std::size_t at(std::size_t panel) const {
    return static_cast<std::size_t>(std::lower_bound(points.begin(), points.end(), panel) -
                                    points.begin());
  }
};

/// Layers of linear functions along the uniform fields of the symmetry, at the points.
struct Linear {
  std::vector<Vec3d> axes;
  std::vector<Vec3d> place;    ///< y, from an origin, one per panel
  std::vector<double> values;  ///< S m - D y of every axis, and D 1, each x points
};

}  // namespace green
namespace {

using green::DrawnPanels;
using green::Linear;
using green::Member;

template <class Visit>
void for_each_panel(const PanelNeighbourhood& neighbourhood, const Member& member,
                    const Visit& visit) {
  visit(member.panel);
  for (const std::int32_t j : member.around)
    visit(static_cast<std::size_t>(neighbourhood.origin(j)));
}

DrawnPanels draw(const FlowProblem& problem, const PanelNeighbourhood& neighbourhood) {
  std::vector<std::uint8_t> eligible(problem.panels.size());
  parallel_for(eligible.size(), [&](std::size_t i) {
    eligible[i] = problem.conditions.at(i) == Known::flux ? 1 : 0;
  });
  DrawnPanels drawn;
  PanelNeighbourhood::Ring ring;
  for (const DrawnPanel& each : draw_panels(neighbourhood, eligible, 18)) {
    neighbourhood.collect(static_cast<std::int32_t>(each.panel), 2, ring);
    drawn.members.push_back({each.panel, each.weight, ring.panels});
  }
  for (const Member& member : drawn.members)
    for_each_panel(neighbourhood, member, [&](std::size_t i) { drawn.points.push_back(i); });
  std::sort(drawn.points.begin(), drawn.points.end());
  drawn.points.erase(std::unique(drawn.points.begin(), drawn.points.end()), drawn.points.end());
  return drawn;
}

Linear linear_functions(const Panels& panels, const PanelOffsets& offsets,
                        const SampledLayers& layers) {
  Linear linear{.axes = panels.symmetry.uniform_fields(),
                .place = std::vector<Vec3d>(panels.size()),
                .values = {}};
  const Vec3d origin = panels.symmetry.fixed(panels.centroid.front());
  parallel_for(panels.size(), [&](std::size_t i) {
    linear.place[i] = panels.centroid[i] - origin + offsets.height[i] * panels.normal[i];
  });
  const auto values_of = [&](auto&& value_of) {
    std::vector<double> values(panels.size());
    parallel_for(values.size(), [&](std::size_t i) { values[i] = value_of(i); });
    return values;
  };
  std::vector<Densities> given;
  for (const Vec3d& axis : linear.axes) {
    given.push_back({values_of([&](std::size_t i) {
                       return dot(panels.vector_area[i] / panels.area[i] + offsets.turn[i], axis);
                     }),
                     values_of([&](std::size_t i) { return -dot(linear.place[i], axis); })});
  }
  given.push_back({{}, std::vector<double>(panels.size(), 1.0), true});
  linear.values = layers(given);
  return linear;
}

/// (U + v - V).(m - n) of the panels in a stream U; 0 where potentials are given.
std::vector<double> turned_fluxes(const FlowProblem& problem, const Vec3d& stream,
                                  const std::vector<Vec3d>& turns) {
  std::vector<Vec3d> past = onset_velocity(problem, stream);
  std::vector<double> fluxes(past.size());
  parallel_for(fluxes.size(), [&](std::size_t i) {
    if (!problem.motions.empty())
      past[i] -= problem.motions[static_cast<std::size_t>(problem.motion[i])].at(
          problem.panels.centroid[i]);
    if (problem.conditions.at(i) == Known::flux) fluxes[i] = dot(past[i], turns[i]);
  });
  return fluxes;
}

/// S c at the points; empty: zero.
std::vector<double> of_given_fluxes(const FlowProblem& problem,
                                    const PanelNeighbourhood& neighbourhood,
                                    const SampledLayers& layers, Backend& backend) {
  const std::vector<double>& w = problem.normal_velocity;
  if (w.empty() || !problem.motions.empty() || !problem.conditions.everywhere(Known::flux))
    return {};
  const AlignedVector<SurfaceIntegral> fits = backend.fit(neighbourhood, {w, {}, {}}).of_values;
  std::vector<double> c(w.size());
  parallel_for(c.size(),
               [&](std::size_t i) { c[i] = fits[i].plain / problem.panels.area[i] - w[i]; });
  return layers({{{std::move(c), {}}}});
}

bool is_indirect(const Solution& solution) {
  return !solution.charge.empty() && solution.doublet.empty();
}

/// Number of layers of a solution: of its flux, of (U + v - V).(m - n), and for indirect
/// formulations of phi.
std::size_t layers_of(const Solution& solution) { return is_indirect(solution) ? 3 : 2; }

/// `of_flux`: these layers, one after the other.
GreenResiduals residuals_of(const Solution& solution, const std::vector<std::size_t>& points,
                            const double* of_flux, const std::vector<double>& of_c,
                            const Linear& linear) {
  const std::size_t count = points.size(), axes = linear.axes.size();
  const double *const one = linear.values.data() + axes * count, *const of_turns = of_flux + count,
                      *const of_phi = of_turns + count;
  GreenResiduals found;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t i = points[s];
    double sum = of_turns[s];
    for (std::size_t k = 0; k < axes; ++k) {
      const Vec3d& axis = linear.axes[k];
      sum += dot(solution.gradient[i], axis) *
             (linear.values[k * count + s] + dot(linear.place[i], axis) * one[s]);
    }
    found.data.push_back(of_flux[s]);
    found.parts[0].push_back(sum);
    found.parts[1].push_back(is_indirect(solution) ? 0.5 * solution.phi[i] - of_phi[s] + of_flux[s]
                                                   : 0.0);
    found.parts[2].push_back(of_c.empty() ? 0.0 : of_c[s]);
  }
  return found;
}

/// Number of solutions whose residuals one pass computes.
constexpr std::size_t together = 3;

/// Weighted sums over the sample of one part of the residual.
struct PartSums {
  double square = 0.0, along = 0.0, slope2 = 0.0;  ///< tau^2, tau S q, |grad tau|^2
  double largest = 0.0, steepest = 0.0;

  void add(double weight, double tau, double data) {
    square += weight * tau * tau;
    along += weight * tau * data;
    largest = std::max(largest, std::abs(tau));
  }
  void add_slope(double weight, double steep) {
    slope2 += weight * steep * steep;
    steepest = std::max(steepest, steep);
  }
};

}  // namespace

struct GreenSample::Data {
  const FlowProblem& problem;
  PanelNeighbourhood neighbourhood;
  PanelOffsets offsets;
  green::DrawnPanels drawn;
  SampledLayers layers;
  green::Linear linear;
  std::vector<double> of_c;

  Data(const FlowProblem& given, Backend& backend)
      : problem(given),
        neighbourhood(problem.panels),
        offsets(panel_offsets(neighbourhood)),
        drawn(draw(problem, neighbourhood)),
        layers(problem.panels, quadrature_of(problem.region(), {}), drawn.points, backend),
        linear(linear_functions(problem.panels, offsets, layers)),
        of_c(of_given_fluxes(problem, neighbourhood, layers, backend)) {}
};

GreenSample::GreenSample(const FlowProblem& problem, Backend& backend) {
  const std::size_t n = problem.panels.size();
  bool any = false;
  for (std::size_t i = 0; i < n && !any; ++i) any = problem.conditions.at(i) == Known::flux;
  if (any && !has_thin_walls(problem)) data_ = std::make_unique<Data>(problem, backend);
}

GreenSample::~GreenSample() = default;
GreenSample::GreenSample(GreenSample&&) noexcept = default;
GreenSample& GreenSample::operator=(GreenSample&&) noexcept = default;

void GreenResiduals::add(double share, const GreenResiduals& other) {
  const auto add_values = [&](const std::vector<double>& from, std::vector<double>& into) {
    into.resize(from.size(), 0.0);
    for (std::size_t s = 0; s < from.size(); ++s) into[s] += share * from[s];
  };
  add_values(other.data, data);
  for (std::size_t k = 0; k < parts.size(); ++k) add_values(other.parts[k], parts[k]);
}

std::vector<GreenResiduals> GreenSample::residuals(std::span<const Solution> solutions) const {
  std::vector<GreenResiduals> found(solutions.size());
  if (!data_) return found;
  const std::size_t count = data_->drawn.points.size();
  for (std::size_t first = 0; first < solutions.size(); first += together) {
    const auto some = solutions.subspan(first, std::min(together, solutions.size() - first));
    std::vector<Densities> given;
    for (const Solution& each : some) {
      given.push_back({each.flux, {}});
      given.push_back({turned_fluxes(data_->problem, each.stream, data_->offsets.turn), {}});
      if (is_indirect(each)) given.push_back({{}, each.phi});
    }
    const std::vector<double> values = data_->layers(given);
    const double* next = values.data();
    for (std::size_t k = 0; k < some.size(); ++k) {
      found[first + k] =
          residuals_of(some[k], data_->drawn.points, next, data_->of_c, data_->linear);
      next += layers_of(some[k]) * count;
    }
  }
  return found;
}

GreenErrors GreenSample::errors(const FlowProblem& problem, const Solution& solution,
                                const GreenResiduals& found) const {
  if (!data_) return {};
  const PanelNeighbourhood& neighbourhood = data_->neighbourhood;
  const DrawnPanels& drawn = data_->drawn;
  double area = 0.0, phi = 0.0, data = 0.0;
  std::array<PartSums, 3> parts;
  PanelPatch patch(neighbourhood);
  for (const Member& member : drawn.members) {
    area += member.weight;
    const double weight = member.weight / static_cast<double>(member.around.size() + 1);
    for_each_panel(neighbourhood, member, [&](std::size_t i) {
      const std::size_t s = drawn.at(i);
      phi += weight * solution.phi[i] * solution.phi[i];
      data += weight * found.data[s] * found.data[s];
      for (std::size_t k = 0; k < parts.size(); ++k)
        parts[k].add(weight, found.parts[k][s], found.data[s]);
    });
    patch.move_to(static_cast<std::int32_t>(member.panel));
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const auto part = [&](std::int32_t j) {
        return neighbourhood.sign(j) *
               found.parts[k][drawn.at(static_cast<std::size_t>(neighbourhood.origin(j)))];
      };
      parts[k].add_slope(member.weight, norm(patch.gradient(part)));
    }
  }
  if (!(data > 0.0)) return {};
  GreenErrors errors;
  const bool inside = problem.domain == Domain::interior;
  if (!inside && problem.conditions.everywhere(Known::flux))
    errors.amplification = std::sqrt(phi / data);
  for (const PartSums& part : parts) {
    const double share =
        !inside && part.square > 0.0 ? part.along * part.along / (data * part.square) : 0.0;
    const double rough = inside ? 4.0 : 2.0;
    const double factor2 =
        share * errors.amplification * errors.amplification + (1.0 - share) * rough * rough;
    errors.potential.add(factor2 * part.square / area, std::sqrt(factor2) * part.largest);
    errors.gradient.add(factor2 * part.slope2 / area, std::sqrt(factor2) * part.steepest);
  }
  return errors;
}

GreenErrors green_errors(const FlowProblem& problem, const Solution& solution, Backend& backend) {
  const GreenSample sample(problem, backend);
  return sample.errors(problem, solution, sample.residuals({&solution, 1}).front());
}

}  // namespace rankine::bem
