#include "bem/gmres.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "fmm/error.hpp"

namespace rankine::bem {
namespace {

/// Columns of length n in backend memory that grow as the Krylov space does.
class Basis {
 public:
  Basis(Backend& backend, std::size_t n, int most) : backend_(backend), n_(n), most_(most) {}

  double* column(int k) {
    if (k >= capacity_) grow(k + 1);
    return data_.data() + static_cast<std::size_t>(k) * n_;
  }
  const double* data() const { return data_.data(); }

 private:
  void grow(int needed) {
    const int capacity =
        std::min(std::max(needed, std::max(8, 2 * capacity_)), std::max(most_, needed));
    Array larger = backend_.allocate(static_cast<std::size_t>(capacity) * n_);
    if (capacity_ > 0)
      backend_.copy(static_cast<std::size_t>(capacity_) * n_, data_.data(), larger.data());
    data_ = std::move(larger);
    capacity_ = capacity;
  }

  Backend& backend_;
  std::size_t n_;
  int most_;
  int capacity_ = 0;
  Array data_;
};

/// The least-squares problem min |beta e1 - H y|, kept triangular by Givens rotations.
class Hessenberg {
 public:
  explicit Hessenberg(int size) : size_(size), r_(static_cast<std::size_t>(size * size)) {}

  void start(double beta) {
    columns_ = 0;
    g_.assign(1, beta);
    rotations_.clear();
  }

  /// Adds column h(0..k), h(k+1) with k = columns so far. Returns the new residual norm.
  double append(std::vector<double> h) {
    const int k = columns_++;
    for (int i = 0; i < k; ++i) rotate(rotations_[i], h[i], h[i + 1]);
    const double length = std::hypot(h[k], h[k + 1]);
    rotations_.push_back(length > 0.0 ? std::pair{h[k] / length, h[k + 1] / length}
                                      : std::pair{1.0, 0.0});
    rotate(rotations_[k], h[k], h[k + 1]);
    for (int i = 0; i <= k; ++i) at(i, k) = h[i];
    g_.push_back(0.0);
    rotate(rotations_[k], g_[k], g_[k + 1]);
    return std::abs(g_[k + 1]);
  }

  /// y by back substitution; a zero pivot (singular A) contributes nothing.
  std::vector<double> solve() const {
    std::vector<double> y(g_.begin(), g_.begin() + columns_);
    for (int i = columns_ - 1; i >= 0; --i) {
      for (int j = i + 1; j < columns_; ++j) y[i] -= at(i, j) * y[j];
      y[i] = at(i, i) != 0.0 ? y[i] / at(i, i) : 0.0;
    }
    return y;
  }

 private:
  using Rotation = std::pair<double, double>;
  static void rotate(const Rotation& rotation, double& a, double& b) {
    const auto [c, s] = rotation;
    const double turned = c * a + s * b;
    b = c * b - s * a;
    a = turned;
  }
  double& at(int i, int j) { return r_[static_cast<std::size_t>(j * size_ + i)]; }
  double at(int i, int j) const { return r_[static_cast<std::size_t>(j * size_ + i)]; }

  int size_, columns_ = 0;
  std::vector<double> r_, g_;
  std::vector<Rotation> rotations_;
};

void check(const GmresOptions& options) {
  if (!(options.tolerance > 0.0) || !(options.tolerance < 1.0)) {
    throw InputError("the solver tolerance is " + std::to_string(options.tolerance) +
                     "; give a number above 0 and below 1, such as 1e-6");
  }
  if (options.restart < 1) {
    throw InputError("the restart length is " + std::to_string(options.restart) +
                     "; give 1 or more, such as 50");
  }
  if (options.max_iterations < 0) {
    throw InputError("max_iterations is " + std::to_string(options.max_iterations) +
                     "; give 0 or more");
  }
}

class Solver {
 public:
  Solver(Backend& backend, std::size_t n, const LinearMap& matrix, const double* b, double* x,
         const GmresOptions& options, const LinearMap& preconditioner)
      : backend_(backend),
        n_(n),
        matrix_(matrix),
        b_(b),
        x_(x),
        options_(options),
        preconditioner_(preconditioner),
        cycle_length_(std::min<int>(options.restart, capped(n))),
        v_(backend, n, cycle_length_ + 1),
        z_(backend, n, cycle_length_),
        hessenberg_(cycle_length_),
        start_(std::chrono::steady_clock::now()) {}

  GmresResult run() {
    b_norm_ = backend_.norm(n_, b_);
    if (b_norm_ == 0.0) {
      backend_.scale(n_, 0.0, x_);
      result_.history = {0.0};
      return result_;
    }
    double residual = initial_residual();
    result_.history.push_back(residual);
    while (true) {
      result_.residual = result_.true_residual = residual;
      if (!std::isfinite(residual)) return finish(GmresStatus::breakdown);
      if (residual <= options_.tolerance) return finish(GmresStatus::converged);
      if (result_.iterations >= options_.max_iterations) return finish(GmresStatus::max_iterations);

      const End end = cycle(residual);
      const double before = residual;
      residual = true_residual();
      result_.true_residual = residual;
      if (residual <= options_.tolerance) return finish(GmresStatus::converged);
      if (end == End::interrupted) return finish(GmresStatus::interrupted);
      if (end == End::exhausted || !std::isfinite(residual)) return finish(GmresStatus::breakdown);
      if (result_.iterations >= options_.max_iterations) return finish(GmresStatus::max_iterations);
      if (residual > (1.0 - 1e-3) * before) return finish(GmresStatus::stagnated);
    }
  }

 private:
  enum class End { full, converged, interrupted, exhausted };

  static int capped(std::size_t n) {
    return static_cast<int>(std::clamp<std::size_t>(n, 1, std::numeric_limits<int>::max() / 2));
  }

  GmresResult finish(GmresStatus status) {
    result_.status = status;
    return result_;
  }

  /// true_residual(), without a product where the initial guess is zero.
  double initial_residual() {
    if (backend_.norm(n_, x_) != 0.0) return true_residual();
    backend_.copy(n_, b_, v_.column(0));
    return 1.0;
  }

  void apply_matrix(const double* x, double* y, double accuracy) {
    if (options_.accuracy) options_.accuracy(accuracy);
    matrix_(x, y);
  }

  /// |b - A x| / |b|, leaving b - A x in the first basis column.
  double true_residual() {
    double* r = v_.column(0);
    apply_matrix(x_, r, 0.0);
    backend_.scale(n_, -1.0, r);
    backend_.axpy(n_, 1.0, b_, r);
    return backend_.norm(n_, r) / b_norm_;
  }

  /// One restart cycle from the residual in the first basis column; updates x.
  End cycle(double residual) {
    backend_.scale(n_, 1.0 / (residual * b_norm_), v_.column(0));
    hessenberg_.start(residual);
    End end = End::full;
    int k = 0;
    while (k < cycle_length_ && end == End::full) {
      double* w = v_.column(k + 1);
      const double* direction = v_.column(k);
      if (preconditioner_) {
        preconditioner_(v_.column(k), z_.column(k));
        direction = z_.column(k);
      }
      apply_matrix(direction, w, options_.tolerance / result_.residual);
      const double length = backend_.norm(n_, w);
      const std::vector<double> h = orthogonalise(k, w);
      const double next = h.back();
      result_.residual = hessenberg_.append(h);
      ++k;
      ++result_.iterations;
      result_.history.push_back(result_.residual);
      // What is left of w after projection is rounding: the space is invariant.
      const bool exhausted = !(next > 1e-14 * length);
      if (!exhausted) backend_.scale(n_, 1.0 / next, w);

      const bool keep_going = !options_.callback ||
                              options_.callback({result_.iterations, result_.residual, seconds()});
      if (exhausted) {
        end = End::exhausted;
      } else if (result_.residual <= options_.tolerance) {
        end = End::converged;
      } else if (!keep_going) {
        end = End::interrupted;
      } else if (result_.iterations >= options_.max_iterations) {
        break;
      }
    }
    update(k);
    return end;
  }

  /// Classical Gram-Schmidt twice: h(0..k) = V^T w, h(k+1) = |w| left over.
  std::vector<double> orthogonalise(int k, double* w) {
    std::vector<double> h(static_cast<std::size_t>(k) + 2, 0.0),
        correction(static_cast<std::size_t>(k) + 1);
    for (int pass = 0; pass < 2; ++pass) {
      backend_.project(n_, k + 1, v_.data(), w, correction.data());
      backend_.subtract(n_, k + 1, v_.data(), correction.data(), w);
      for (int i = 0; i <= k; ++i) h[i] += correction[i];
    }
    h[k + 1] = backend_.norm(n_, w);
    return h;
  }

  /// x += Z y.
  void update(int k) {
    std::vector<double> y = hessenberg_.solve();
    for (double& value : y) value *= -b_norm_;
    backend_.subtract(n_, k, preconditioner_ ? z_.data() : v_.data(), y.data(), x_);
  }

  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

  Backend& backend_;
  std::size_t n_;
  const LinearMap& matrix_;
  const double* b_;
  double* x_;
  const GmresOptions& options_;
  const LinearMap& preconditioner_;
  int cycle_length_;
  Basis v_, z_;
  Hessenberg hessenberg_;
  std::chrono::steady_clock::time_point start_;
  double b_norm_ = 0.0;
  GmresResult result_;
};

}  // namespace

GmresResult gmres(Backend& backend, std::size_t n, const LinearMap& matrix, const double* b,
                  double* x, const GmresOptions& options, const LinearMap& preconditioner) {
  check(options);
  return Solver(backend, n, matrix, b, x, options, preconditioner).run();
}

std::string_view to_string(GmresStatus status) {
  switch (status) {
    case GmresStatus::converged:
      return "converged";
    case GmresStatus::max_iterations:
      return "max_iterations";
    case GmresStatus::stagnated:
      return "stagnated";
    case GmresStatus::breakdown:
      return "breakdown";
    case GmresStatus::interrupted:
      return "interrupted";
  }
  return "unknown";
}

}  // namespace rankine::bem
