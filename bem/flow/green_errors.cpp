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

/// S n and D x along every uniform field of the symmetry, and D 1, at the points.
struct Linear {
  std::vector<Vec3d> axes;
  Vec3d origin;
  std::vector<double> values;  ///< axes and one x points
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

Linear linear_functions(const Panels& panels, const SampledLayers& layers) {
  Linear linear{.axes = panels.symmetry.uniform_fields(),
                .origin = panels.symmetry.fixed(panels.centroid.front()),
                .values = {}};
  std::vector<Densities> given;
  for (const Vec3d& axis : linear.axes) {
    Densities& each = given.emplace_back();
    each.charge.resize(panels.size());
    each.doublet.resize(panels.size());
    parallel_for(panels.size(), [&](std::size_t i) {
      each.charge[i] = dot(panels.vector_area[i], axis) / panels.area[i];
      each.doublet[i] = dot(linear.origin - panels.centroid[i], axis);
    });
  }
  given.push_back({{}, std::vector<double>(panels.size(), 1.0), true});
  linear.values = layers(given);
  return linear;
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

/// `of_flux`, `of_phi`: the layers of the flux and, for indirect formulations, of phi.
GreenResiduals residuals_of(const Solution& solution, const Panels& panels,
                            const std::vector<std::size_t>& points, const double* of_flux,
                            const double* of_phi, const std::vector<double>& of_c,
                            const Linear& linear) {
  const std::size_t count = points.size(), axes = linear.axes.size();
  const double* const one = linear.values.data() + axes * count;
  GreenResiduals found;
  for (std::size_t s = 0; s < count; ++s) {
    const std::size_t i = points[s];
    const Vec3d from_origin = panels.centroid[i] - linear.origin;
    double sum = 0.0;
    for (std::size_t k = 0; k < axes; ++k) {
      const Vec3d& axis = linear.axes[k];
      sum += dot(solution.gradient[i], axis) *
             (linear.values[k * count + s] + dot(from_origin, axis) * one[s]);
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
  PanelNeighbourhood neighbourhood;
  green::DrawnPanels drawn;
  SampledLayers layers;
  green::Linear linear;
  std::vector<double> of_c;

  Data(const FlowProblem& problem, Backend& backend)
      : neighbourhood(problem.panels),
        drawn(draw(problem, neighbourhood)),
        layers(problem.panels, quadrature_of(problem.region(), {}), drawn.points, backend),
        linear(linear_functions(problem.panels, layers)),
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
      if (is_indirect(each)) given.push_back({{}, each.phi});
    }
    const std::vector<double> values = data_->layers(given);
    const double* next = values.data();
    for (std::size_t k = 0; k < some.size(); ++k) {
      found[first + k] = residuals_of(some[k], data_->neighbourhood.panels(), data_->drawn.points,
                                      next, next + count, data_->of_c, data_->linear);
      next += (is_indirect(some[k]) ? 2 : 1) * count;
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
