#include "rankine/bem/krylov/linear_system.hpp"

namespace rankine::bem {

void ProductBatch::multiply(const double* x, double* y, std::size_t count) {
  backend_.fill(count * n_, 0.0, y);
  matrix_.add(1.0, x, y, static_cast<int>(count));
}

void ProductBatch::apply(std::span<const Product> products) {
  if (products.empty()) return;
  if (is_contiguous(products)) {
    multiply(products.front().x, products.front().y, products.size());
    return;
  }
  const std::size_t size = products.size() * n_;
  if (x_.size() < size) {
    x_ = backend_.allocate(size);
    y_ = backend_.allocate(size);
  }
  for (std::size_t k = 0; k < products.size(); ++k)
    backend_.copy(n_, products[k].x, x_.data() + k * n_);
  multiply(x_.data(), y_.data(), products.size());
  for (std::size_t k = 0; k < products.size(); ++k)
    backend_.copy(n_, y_.data() + k * n_, products[k].y);
}

bool ProductBatch::is_contiguous(std::span<const Product> products) const {
  for (std::size_t k = 1; k < products.size(); ++k) {
    if (products[k].x != products[0].x + k * n_ || products[k].y != products[0].y + k * n_)
      return false;
  }
  return true;
}

bool LinearSystem::solved_by_zero() const {
  if (b_norm_ != 0.0) return false;
  backend_.fill(n_, 0.0, x_);
  return true;
}

bool LinearSystem::residual_is_b(double* r) const {
  if (norm(x_) != 0.0) return false;
  backend_.copy(own_.size(), b_ + own_.begin, r + own_.begin);
  return true;
}

double LinearSystem::residual(double* r) const {
  backend_.scale(own_.size(), -1.0, r + own_.begin);
  backend_.axpy(own_.size(), 1.0, b_ + own_.begin, r + own_.begin);
  return norm(r) / b_norm_;
}

}  // namespace rankine::bem
