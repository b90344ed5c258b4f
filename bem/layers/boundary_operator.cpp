#include "rankine/bem/layers/boundary_operator.hpp"

#include <algorithm>
#include <cassert>
#include <span>

namespace rankine::bem {
namespace {

bool sums_dipoles(Layer layer) {
  return layer == Layer::double_layer || layer == Layer::hypersingular;
}
bool takes_gradient(Layer layer) {
  return layer == Layer::adjoint_double_layer || layer == Layer::hypersingular;
}

/// One pass of F, with the diagonals of the equation.
struct PlannedPass {
  std::optional<Diagonal> charges, dipoles, potential, gradient;

  explicit PlannedPass(const Term& term) {
    (sums_dipoles(term.layer) ? dipoles : charges) = term.right;
    (takes_gradient(term.layer) ? gradient : potential) = term.left;
  }

  /// Adds the term to this pass if this creates no superfluous sum: if it has the same rows and the
  /// other kind of strength, or the same strength and other rows.
  bool take(const Term& term) {
    std::optional<Diagonal>& strength = sums_dipoles(term.layer) ? dipoles : charges;
    std::optional<Diagonal>& rows = takes_gradient(term.layer) ? gradient : potential;
    const bool one_strength = charges.has_value() != dipoles.has_value();
    const bool one_result = potential.has_value() != gradient.has_value();
    if (!one_strength || !one_result) return false;
    if (!strength && rows && rows == term.left) {
      strength = term.right;
      return true;
    }
    if (strength && !rows && strength == term.right) {
      rows = term.left;
      return true;
    }
    return false;
  }
};

std::vector<Term> without_zeros(const Equation& equation) {
  std::vector<Term> terms = equation.terms;
  std::erase_if(terms, [](const Term& t) { return t.left.is_zero() || t.right.is_zero(); });
  return terms;
}

}  // namespace

BoundaryOperator::BoundaryOperator(FarField& far, const Equation& equation)
    : BoundaryOperator(far.layers(), equation) {
  far_ = &far;
}

BoundaryOperator::BoundaryOperator(LayerSet& layers, const Equation& equation)
    : layers_(layers), backend_(layers_.backend()) {
  jump_.factor = equation.jump.factor;
  if (!equation.jump.is_uniform()) jump_.values = uploaded(backend_, equation.jump.values);
  if (equation.sparse) sparse_ = backend_.make_sparse(*equation.sparse);
  for (const RankOne& each : equation.rank_one)
    projections_.push_back({uploaded(backend_, each.left), uploaded(backend_, each.right)});
  const std::vector<Term> terms = without_zeros(equation);
  for (const Term& term : terms) near_.push_back({term.layer, keep(term.right), keep(term.left)});
  passes_ = plan_passes(terms);
}

std::size_t BoundaryOperator::keep(const Diagonal& diagonal) {
  const auto found = std::find(diagonals_.begin(), diagonals_.end(), diagonal);
  const auto at = static_cast<std::size_t>(found - diagonals_.begin());
  if (found != diagonals_.end()) return at;
  diagonals_.push_back(diagonal);
  Scale& scale = scales_.emplace_back();
  scale.factor = diagonal.factor;
  if (!diagonal.is_uniform()) scale.values = uploaded(backend_, diagonal.values);
  return at;
}

std::vector<BoundaryOperator::Pass> BoundaryOperator::plan_passes(const std::vector<Term>& terms) {
  std::vector<PlannedPass> planned;
  for (const Term& term : terms) {
    const bool taken = std::any_of(planned.begin(), planned.end(),
                                   [&](PlannedPass& pass) { return pass.take(term); });
    if (!taken) planned.emplace_back(term);
  }
  const auto kept = [&](const std::optional<Diagonal>& diagonal) {
    return diagonal ? std::optional(keep(*diagonal)) : std::nullopt;
  };
  std::vector<Pass> passes;
  for (const PlannedPass& pass : planned) {
    passes.push_back(
        {kept(pass.charges), kept(pass.dipoles), kept(pass.potential), kept(pass.gradient)});
  }
  return passes;
}

const double* BoundaryOperator::scaled(const Scale& scale, const double* x, std::size_t n, int rhs,
                                       Array& work) {
  if (scale.values.size() == 0) return x;
  const std::size_t size = n * static_cast<std::size_t>(rhs);
  double* const result = layers_.reserve(work, size).data();
  backend_.fill(size, 0.0, result);
  for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k)
    backend_.each(n, AddProduct{1.0, scale.values.data(), x + k * n, result + k * n});
  return result;
}

template <class AddTo>
void BoundaryOperator::add_scaled(const Scale& scale, double alpha, double* y, std::size_t n,
                                  int rhs, Array& work, AddTo&& add_to) {
  if (scale.values.size() == 0) {
    add_to(alpha * scale.factor, y);
    return;
  }
  const std::size_t size = n * static_cast<std::size_t>(rhs);
  double* const rows = layers_.reserve(work, size).data();
  backend_.fill(size, 0.0, rows);
  add_to(1.0, rows);
  add_diagonal(scale, alpha, rows, y, n, rhs);
}

void BoundaryOperator::add_diagonal(const Scale& scale, double alpha, const double* x, double* y,
                                    std::size_t n, int rhs) {
  const double factor = alpha * scale.factor;
  if (factor == 0.0) return;
  if (scale.values.size() == 0) {
    backend_.axpy(n * static_cast<std::size_t>(rhs), factor, x, y);
    return;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k)
    backend_.each(n, AddProduct{factor, scale.values.data(), x + k * n, y + k * n});
}

void BoundaryOperator::add_projection(double alpha, const Array& to, const Array& from,
                                      const double* x, double* y, int rhs) {
  const RowRange own = backend_.own_rows(from.size());
  for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k) {
    double component = 0.0;
    backend_.project(own.size(), 1, from.data() + own.begin, x + k * from.size() + own.begin,
                     &component);
    backend_.axpy(to.size(), alpha * component, to.data(), y + k * to.size());
  }
}

void BoundaryOperator::add_images(const Scale& scale, double alpha, const double* x, double* y,
                                  int rhs) {
  const std::size_t n = rows();
  for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k) {
    for (int image = 0; image < layers_.symmetry().images(); ++image, x += n)
      add_diagonal(scale, alpha * layers_.symmetry().sign(image), x, y + k * n, n, 1);
  }
}

void BoundaryOperator::add_rows(const Scale& scale, double alpha, const double* x, double* y,
                                int rhs) {
  if (!layers_.discretization().is_variational()) {
    add_images(scale, alpha, x, y, rhs);
    return;
  }
  add_scaled(scale, alpha, y, rows(), rhs, layers_.work().rows,
             [&](double a, double* to) { layers_.strengths().add_transposed(a, x, to, rhs); });
}

template <class AddTo>
void BoundaryOperator::add_at_targets(const Scale& scale, double alpha, double* y, int rhs,
                                      AddTo&& add_to) {
  if (layers_.symmetry().empty()) {
    add_scaled(scale, alpha, y, rows(), rhs, layers_.work().rows, add_to);
    return;
  }
  const std::size_t size = layers_.targets() * static_cast<std::size_t>(rhs);
  const std::span<double> targets = layers_.reserve(layers_.work().targets, size);
  backend_.fill(size, 0.0, targets.data());
  add_to(1.0, targets.data());
  add_images(scale, alpha, targets.data(), y, rhs);
}

std::span<double> BoundaryOperator::spread(const Scale& scale, const double* x, int rhs,
                                           Array& work) {
  const std::size_t n = rows();
  const std::span<double> targets =
      layers_.reserve(work, layers_.targets() * static_cast<std::size_t>(rhs));
  backend_.fill(targets.size(), 0.0, targets.data());
  double* to = targets.data();
  for (std::size_t k = 0; k < static_cast<std::size_t>(rhs); ++k) {
    for (int image = 0; image < layers_.symmetry().images(); ++image, to += n)
      add_diagonal(scale, layers_.symmetry().sign(image), x + k * n, to, n, 1);
  }
  return targets;
}

fmm::Strengths BoundaryOperator::load(const Pass& pass, const double* x, int rhs) {
  const auto load_one = [&](std::optional<std::size_t> index, Array& array) {
    if (!index) return std::span<double>{};
    const Scale& scale = scales_[*index];
    const std::span<double> nodes =
        layers_.reserve(array, layers_.own_nodes().size() * columns_of(rhs));
    backend_.fill(nodes.size(), 0.0, nodes.data());
    layers_.strengths().add(scale.factor, scaled(scale, x, columns(), rhs, layers_.work().unknowns),
                            nodes.data(), rhs);
    return nodes;
  };
  const std::span<double> charges = load_one(pass.charges, layers_.work().charges);
  return {.charges = charges, .normal_dipoles = load_one(pass.dipoles, layers_.work().dipoles)};
}

std::size_t BoundaryOperator::columns_of(int rhs) const {
  return static_cast<std::size_t>(rhs * layers_.discretization().components());
}

fmm::Results BoundaryOperator::results_of(const Pass& pass, int rhs) {
  const std::size_t size = layers_.targets() * columns_of(rhs);
  fmm::Results results;
  if (pass.potential) results.potential = layers_.reserve(layers_.work().potential, size);
  if (pass.gradient) results.gradient = layers_.reserve(layers_.work().gradient, 3 * size);
  return results;
}

void BoundaryOperator::add(double alpha, const double* x, double* y, int rhs) {
  add_far(alpha, x, y, rhs);
  add_near(alpha, x, y, rhs);
}

void BoundaryOperator::add_far(double alpha, const double* x, double* y, int rhs,
                               const Observer& observer) {
  assert(far_ != nullptr);
  const double factor = alpha * inverse_four_pi;
  for (const Pass& pass : passes_) {
    const fmm::Results sums = results_of(pass, rhs);
    const fmm::Strengths given = load(pass, x, rhs);
    far_->sums().apply(given, sums, static_cast<int>(columns_of(rhs)));
    if (observer) {
      far_->sums().synchronize();
      observer(given, sums);
    }
    if (pass.potential) add_rows(scales_[*pass.potential], factor, sums.potential.data(), y, rhs);
    if (pass.gradient) {
      add_at_targets(scales_[*pass.gradient], factor, y, rhs, [&](double a, double* to) {
        layers_.normals().add(a, sums.gradient.data(), to, rhs);
      });
    }
  }
}

void BoundaryOperator::visit_strengths(const double* x, int rhs, const Observer& observer) {
  for (const Pass& pass : passes_) observer(load(pass, x, rhs), results_of(pass, rhs));
}

void BoundaryOperator::add_near(double alpha, const double* x, double* y, int rhs) {
  LayerSet::Work& work = layers_.work();
  for (const NearTerm& term : near_) {
    const Scale& right = scales_[term.right];
    const double* from = scaled(right, x, columns(), rhs, work.unknowns);
    add_at_targets(scales_[term.left], alpha * inverse_four_pi * right.factor, y, rhs,
                   [&](double a, double* to) { layers_.add_near(term.layer, a, from, to, rhs); });
  }
  add_diagonal(jump_, alpha, x, y, rows(), rhs);
  if (sparse_) sparse_->add(alpha, x, y, rhs);
  for (const Projection& each : projections_)
    add_projection(alpha, each.left, each.right, x, y, rhs);
}

void BoundaryOperator::add_transposed(double alpha, const double* x, double* y, int rhs) {
  assert(far_ != nullptr && !layers_.discretization().is_variational());
  const double factor = alpha * inverse_four_pi;
  LayerSet::Work& work = layers_.work();
  const auto several = static_cast<std::size_t>(rhs);
  for (const Pass& pass : passes_) {
    fmm::Strengths given;
    if (pass.potential)  // in the transpose, rows become charges at the targets
      given.charges = spread(scales_[*pass.potential], x, rhs, work.potential);
    if (pass.gradient) {  // or dipoles along the normals at the targets
      const std::span<double> dipoles =
          layers_.reserve(work.gradient, 3 * several * layers_.targets());
      backend_.fill(dipoles.size(), 0.0, dipoles.data());
      layers_.normals().add_transposed(
          1.0, spread(scales_[*pass.gradient], x, rhs, work.targets).data(), dipoles.data(), rhs);
      given.dipoles = dipoles;
    }
    fmm::Results sums;
    if (pass.charges) sums.potential = layers_.reserve(work.charges, several * layers_.nodes());
    if (pass.dipoles)
      sums.gradient = layers_.reserve(work.node_gradient, 3 * several * layers_.nodes());
    far_->transposed_sums().apply(given, sums, rhs);
    const auto add_strength = [&](std::size_t scale, const double* nodes) {
      add_scaled(
          scales_[scale], factor, y, columns(), rhs, work.unknowns, [&](double a, double* to) {
            for (std::size_t k = 0; k < several; ++k) {
              const double* const own = nodes + k * layers_.nodes() + layers_.own_nodes().begin;
              layers_.strengths().add_transposed(a, own, to + k * columns(), 1);
            }
          });
    };
    if (pass.charges) add_strength(*pass.charges, sums.potential.data());
    if (pass.dipoles) {
      const std::span<double> normal = layers_.reserve(work.dipoles, several * layers_.nodes());
      backend_.fill(normal.size(), 0.0, normal.data());
      far_->node_normals().add(1.0, sums.gradient.data(), normal.data(), rhs);
      add_strength(*pass.dipoles, normal.data());
    }
  }
  for (const NearTerm& term : near_) {
    const std::span<const double> from = spread(scales_[term.left], x, rhs, work.targets);
    add_scaled(scales_[term.right], factor, y, columns(), rhs, work.unknowns,
               [&](double a, double* to) {
                 layers_.add_near_transposed(term.layer, a, from.data(), to, rhs);
               });
  }
  add_diagonal(jump_, alpha, x, y, rows(), rhs);
  if (sparse_) sparse_->add_transposed(alpha, x, y, rhs);
  for (const Projection& each : projections_)
    add_projection(alpha, each.right, each.left, x, y, rhs);
}

std::size_t BoundaryOperator::near_entries() const {
  std::size_t entries = 0;
  for (const NearTerm& term : near_) entries += layers_.near_entries(term.layer);
  return entries;
}

std::size_t BoundaryOperator::near_bytes() const {
  std::size_t bytes = 0;
  for (const NearTerm& term : near_) bytes += layers_.near_bytes(term.layer);
  return bytes;
}

}  // namespace rankine::bem
