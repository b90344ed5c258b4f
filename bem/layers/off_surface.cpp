#include "rankine/bem/layers/off_surface.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/layers/host_near_fields.hpp"
#include "rankine/bem/layers/image_arrays.hpp"
#include "rankine/bem/layers/sampled_sums.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/point_kernels.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/order.hpp"

namespace rankine::bem {
namespace {

/// Fewer targets than this are summed directly, since planning a fast sum takes longer.
constexpr std::size_t few_targets = 1000;

/// The order with which checked sums begin.
int first_order(fmm::Options options) {
  options.tolerance = std::max(fitted::first_of_fields * options.tolerance,
                               fmm::least_tolerance(options.precision));
  return fmm::likely_orders(options).order;
}

/// sum_g s_g R_g of the values at the images of points.
OffSurfaceValues of_points(const meshes::Symmetry& symmetry, OffSurfaceValues at_images) {
  const std::size_t points =
      at_images.potential.size() / static_cast<std::size_t>(symmetry.images());
  for (int image = 1; image < symmetry.images(); ++image) {
    const std::size_t first = static_cast<std::size_t>(image) * points;
    const double sign = symmetry.sign(image);
    for (std::size_t i = 0; i < points; ++i) {
      at_images.potential[i] += sign * at_images.potential[first + i];
      at_images.gradient[i] += sign * symmetry.vector(image, at_images.gradient[first + i]);
    }
  }
  at_images.potential.resize(points);
  at_images.gradient.resize(points);
  return at_images;
}

}  // namespace

OffSurfaceOperator::OffSurfaceOperator(Backend& backend, const Panels& panels,
                                       std::span<const Vec3d> points, const fmm::Options& options,
                                       const QuadratureOptions& quadrature, SumsOrder order)
    : backend_(backend),
      panels_(panels),
      options_(options),
      checked_(order == SumsOrder::checked),
      raises_(checked_ && options.order == 0),
      discretization_(panels, quadrature),
      near_search_(discretization_.panel_nodes().balls),
      strengths_(backend.strengths(discretization_)),
      near_fields_(backend.near_fields(discretization_)) {
  options_.gradient = true;
  options_.dipoles = true;
  if (raises_) options_.order = first_order(options_);
  move_to(points);
}

void OffSurfaceOperator::move_to(std::span<const Vec3d> points) {
  targets_ = images_of_points(panels_.symmetry, points);
  count_ = targets_.size();
  near_.reset();
  direct_.reset();
  if (near_fields_) near_fields_->move_to(targets_, MemorySpace::host);
  fmm::Options own = options_;
  if (targets_.size() <= few_targets) own.method = fmm::Method::direct;
  far_ = backend_.make_sums(discretization_, targets_, own);
}

void OffSurfaceOperator::follow(const Array& points) {
  if (nodes_.size() == 0) {
    const auto [first, last] = backend_.own_nodes(discretization_);
    const auto own = [&, first = first, last = last](const MirroredSpan<Vec3d>& all) {
      return uploaded(backend_, all.on_host().subspan(first, last - first));
    };
    nodes_ = own(discretization_.nodes());
    node_normals_ = own(discretization_.node_normals());
  }
  const bool alone = panels_.symmetry.empty();
  const Array images = alone ? Array{} : images_of_points(backend_, panels_.symmetry, points),
              &targets = alone ? points : images;
  targets_ = near_fields_ ? std::vector<Vec3d>{} : downloaded_vectors(backend_, targets);
  const auto there = as_vectors(targets);
  count_ = there.size();
  near_.reset();
  if (near_fields_) near_fields_->move_to(there, backend_.memory_space());
  far_->move({as_vectors(nodes_), there, as_vectors(node_normals_)}, backend_.memory_space());
}

const SparsityPattern& OffSurfaceOperator::near() {
  if (!near_) near_ = near_search_.pairs(targets_);
  return *near_;
}

OffSurfaceOperator::Strengths OffSurfaceOperator::prepare(std::span<const double> strength) const {
  assert(strength.empty() || strength.size() == panels_.size());
  if (strength.empty()) return {};
  Strengths made{uploaded(backend_, strength), backend_.allocate(strengths_.gradients->rows()),
                 backend_.allocate(strengths_.nodes->rows())};
  strengths_.gradients->add(1.0, made.of_panels.data(), made.gradients.data());
  strengths_.nodes->add(1.0, made.of_panels.data(), made.of_nodes.data());
  return made;
}

void OffSurfaceOperator::hold(const PanelStrengths& strengths) {
  charges_ = prepare(strengths.charge);
  doublets_ = prepare(strengths.doublet);
}

Array OffSurfaceOperator::gradients(const PanelStrengths& strengths) {
  hold(strengths);
  if (near_fields_) {
    Array potential = backend_.allocate(count_), gradient = backend_.allocate(3 * count_);
    if (count_ > 0 && has_strengths()) {
      sum_nodes(potential, gradient);
      add_near(potential, gradient);
    }
    return panels_.symmetry.empty() ? std::move(gradient)
                                    : sum_over_images(backend_, panels_.symmetry, gradient);
  }
  Array gradient = uploaded(backend_, std::span<const Vec3d>(evaluate().gradient));
  backend_.scale(gradient.size(), 1.0 / inverse_four_pi, gradient.data());
  return gradient;
}

void OffSurfaceOperator::sum_nodes(Array& potential, Array& gradient) {
  far_->apply({.charges = charges_.of_nodes.all(), .normal_dipoles = doublets_.of_nodes.all()},
              {.potential = potential.all(), .gradient = gradient.all()});
}

void OffSurfaceOperator::add_near(Array& potential, Array& gradient) {
  near_fields_->add(charges_.linear(), doublets_.linear(), potential.data(),
                    reinterpret_cast<Vec3d*>(gradient.data()));
}

OffSurfaceValues OffSurfaceOperator::downloaded(const Array& potential,
                                                const Array& gradient) const {
  OffSurfaceValues values{std::vector<double>(potential.size()),
                          std::vector<Vec3d>(potential.size())};
  backend_.download(potential.data(), values.potential);
  backend_.download(gradient.data(), as_doubles(std::span(values.gradient)));
  return values;
}

OffSurfaceValues OffSurfaceOperator::evaluate(const meshes::Symmetry& planes) {
  OffSurfaceValues values{std::vector<double>(count_), std::vector<Vec3d>(count_)};
  if (count_ == 0 || !has_strengths()) return of_points(planes, std::move(values));
  Array potential = backend_.allocate(count_), gradient = backend_.allocate(3 * count_);
  OffSurfaceValues of_nodes;
  double error = std::numeric_limits<double>::infinity();
  do {
    sum_nodes(potential, gradient);
    of_nodes = downloaded(potential, gradient);
    if (near_fields_) {
      add_near(potential, gradient);
      values = downloaded(potential, gradient);
    } else {
      values = of_nodes;
      add_near_fields({panels_, discretization_.panel_nodes(), near()}, charges_.linear(),
                      doublets_.linear(), targets_, values.potential, values.gradient);
    }
  } while (raise_order(of_nodes, values, error));
  values.sum_error = error;
  parallel_for(count_, [&](std::size_t i) {
    values.potential[i] *= inverse_four_pi;
    values.gradient[i] *= inverse_four_pi;
  });
  return of_points(planes, std::move(values));
}

bool OffSurfaceOperator::raise_order(const OffSurfaceValues& of_nodes,
                                     const OffSurfaceValues& values, double& error) {
  const fmm::OperatorInfo& sums = far_->info();
  if (!checked_ || sums.method == fmm::Method::direct) {
    error = 0.0;
    return false;
  }
  if (!direct_) {
    sampled_ = sample(count_, std::min(count_, sample_count(options_.tolerance)));
    std::vector<Vec3d> targets;
    for (const std::size_t i : sampled_) targets.push_back(targets_[i]);
    fmm::Options options = direct_options(discretization_.nodes().size(), targets.size(), 1);
    options.gradient = options.dipoles = true;
    direct_ = backend_.make_sums(discretization_, targets, options);
  }
  const std::size_t count = sampled_.size();
  Array potential = backend_.allocate(count), gradient = backend_.allocate(3 * count);
  direct_->apply({.charges = charges_.of_nodes.all(), .normal_dipoles = doublets_.of_nodes.all()},
                 {.potential = potential.all(), .gradient = gradient.all()});
  const OffSurfaceValues exact = downloaded(potential, gradient);
  PointErrors of_potential, of_gradient;
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t i = sampled_[k];
    const double off = of_nodes.potential[i] - exact.potential[k];
    const Vec3d slope_off = of_nodes.gradient[i] - exact.gradient[k];
    of_potential.add(off * off, values.potential[i] * values.potential[i]);
    of_gradient.add(dot(slope_off, slope_off), dot(values.gradient[i], values.gradient[i]));
  }
  const double before = std::exchange(error, std::max(of_potential.sum(count_).likely_bound(),
                                                      of_gradient.sum(count_).likely_bound()));
  if (!(error > fitted::kept_factor * options_.tolerance)) {
    error = 0.0;
    return false;
  }
  if (!raises_ || error > fitted::least_gain * before) return false;
  const int order = fmm::order_with_gain(sums.order, error / options_.tolerance, sums.precision);
  if (order == sums.order) return false;
  far_->set_order(order);
  options_.order = order;
  return true;
}

std::vector<double> OffSurfaceOperator::winding(std::span<const Vec3d> points,
                                                std::span<const std::uint8_t> thin,
                                                double tolerance) const {
  const std::vector<Vec3d> targets = images_of_points(panels_.symmetry, points);
  const std::size_t count = targets.size();
  std::vector<double> value(count);
  if (count == 0) return value;
  const PanelNodes& nodes = discretization_.panel_nodes();
  const AlignedVector<Vec3d>&at = nodes.points.on_host(), &normals = nodes.normals.on_host();
  const AlignedVector<double>& areas = nodes.weights.on_host();
  const auto is_thin = [&](std::size_t panel) { return !thin.empty() && thin[panel] != 0; };
  std::vector<double> weights(nodes.sum_points().size(), 0.0);
  for (std::size_t panel = 0; panel < panels_.size(); ++panel) {
    if (is_thin(panel)) continue;
    for (std::size_t node = nodes.begin(panel); node < nodes.end(panel); ++node)
      weights[nodes.source_of(node)] += areas[node];
  }
  fmm::Options options{.tolerance = tolerance, .dipoles = true};
  options.order = first_order(options);
  if (count <= few_targets) options.method = fmm::Method::direct;
  const auto far = backend_.make_operator(
      {discretization_.nodes(), targets, discretization_.node_normals()}, options);
  const Array doublets = uploaded(backend_, weights);
  Array potential = backend_.allocate(count);
  far->apply({.normal_dipoles = doublets.all()}, {.potential = potential.all()});
  backend_.download(potential.data(), value);
  const SparsityPattern pairs = near_search_.pairs(targets);
  constexpr std::size_t chunk = 64;
  parallel_chunks(count, chunk, [&](std::size_t i) {
    PanelIntegrals<double> counted;
    for (std::int64_t k = pairs.offsets[i]; k < pairs.offsets[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(pairs.columns[k]);
      if (is_thin(j)) continue;
      value[i] += solid_angle(panels_.shape[j], targets[i]);
      for (std::size_t node = nodes.begin(j); node < nodes.end(j); ++node)
        add_point<IntegralSet{.dbl = true}>(targets[i] - at[node], normals[node], areas[node],
                                            counted);
    }
    value[i] = inverse_four_pi * (value[i] - counted.dbl);
  });
  for (std::size_t i = points.size(); i < count; ++i) value[i % points.size()] += value[i];
  value.resize(points.size());
  return value;
}

}  // namespace rankine::bem
