// GMRES for one right-hand side as a state machine without products: it returns the vector that
// must be multiplied by A; the caller multiplies and calls receive(). The algorithm and its options
// are those of bem/krylov/gmres.hpp; bem/krylov/lockstep.hpp runs several of them.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/krylov/gmres.hpp"
#include "rankine/bem/krylov/krylov_basis.hpp"
#include "rankine/bem/krylov/linear_system.hpp"
#include "rankine/fmm/core/stopwatch.hpp"

namespace rankine::bem {

/// The small least-squares problem of GMRES,
///
///   min |beta e1 - H y| ,   H upper Hessenberg,
///
/// which Givens rotations make triangular as H grows column by column [SS86 sec. 3.2].
class Hessenberg {
 public:
  void start(double beta) {
    columns_ = 0;
    r_.clear();
    g_.assign(1, beta);
    rotations_.clear();
  }

  int columns() const { return columns_; }

  /// Adds column h(0..k), h(k+1) with k = columns so far. Returns the new residual norm.
  double append(std::vector<double> h) {
    const int k = columns_++;
    for (int i = 0; i < k; ++i) rotate(rotations_[i], h[i], h[i + 1]);
    const double length = std::hypot(h[k], h[k + 1]);
    rotations_.push_back(length > 0.0 ? std::pair{h[k] / length, h[k + 1] / length}
                                      : std::pair{1.0, 0.0});
    rotate(rotations_[k], h[k], h[k + 1]);
    r_.insert(r_.end(), h.begin(), h.begin() + k + 1);
    g_.push_back(0.0);
    rotate(rotations_[k], g_[k], g_[k + 1]);
    return std::abs(g_[k + 1]);
  }

  /// sum_j |h_j| |y_j|: the sum of the norms of the products that add up to H y.
  double sum_of_norms(const std::vector<double>& y) const {
    double sum = 0.0;
    for (int j = 0; j < columns_; ++j) {
      double square = 0.0;  // rotations keep the norm of a column
      for (int i = 0; i <= j; ++i) square += at(i, j) * at(i, j);
      sum += std::sqrt(square) * std::abs(y[j]);
    }
    return sum;
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
  double at(int i, int j) const {
    return r_[static_cast<std::size_t>(j) * (static_cast<std::size_t>(j) + 1) / 2 +
              static_cast<std::size_t>(i)];
  }

  int columns_ = 0;
  std::vector<double> r_;  ///< the triangle, column by column
  std::vector<double> g_;
  std::vector<Rotation> rotations_;
};

class KrylovSolver {
 public:
  /// Starts from the guess in x. `rhs` is the index passed to the callback. `preconditioner` must
  /// outlive this object.
  KrylovSolver(Backend& backend, std::size_t n, const double* b, double* x, GmresOptions options,
               int rhs, LinearOperator* preconditioner);

  bool finished() const { return stage_ == Stage::finished; }
  const GmresResult& result() const { return result_; }

  /// The product that is needed next, until receive() or interrupt(); meaningless once finished.
  const Product& wanted() const { return wanted_; }
  ProductRequest request() const;

  /// Continues after the product was computed.
  void receive();
  /// Ends with the current iterate. The next product is that of its true residual.
  void interrupt();
  /// Ends immediately with the iterate of the completed iterations and the estimated residual. It
  /// may be called after receive() has thrown Stopped.
  void abandon();

 private:
  enum class Stage { residual, direction, finished };

  /// The array of n values for a vector of which `own` receives the own rows: `own` itself if this
  /// process has all rows, otherwise work array 0 or 1.
  double* whole(int work, double* own);
  /// Copies the own rows of an array of n values.
  void keep(const double* values, double* own);
  void want_residual();
  void want_direction();
  /// Ends the solve or begins a cycle, depending on the true residual. The residual vector is the
  /// first basis column.
  void judge(double residual);
  void begin_cycle(double residual);
  /// Makes the product the next basis vector.
  void extend();
  /// x += Z y. Returns a bound of the rounding errors in the residual of the recurrence.
  double end_cycle();
  /// Classical Gram-Schmidt twice: returns h(0..k) = V^T w and h(k+1), the length of w after it.
  /// `length`: of w before it.
  std::vector<double> orthogonalise(int k, double* w, double& length);
  void finish(GmresStatus status);

  Backend& backend_;
  std::size_t n_;
  RowRange own_;  ///< the rows of this process
  LinearSystem system_;
  GmresOptions options_;
  int rhs_;
  LinearOperator* preconditioner_;
  int cycle_length_;
  KrylovBasis v_, z_;
  std::array<Array, 2> work_;
  Hessenberg hessenberg_;
  Stopwatch watch_;
  Stage stage_ = Stage::residual;
  Product wanted_;
  bool exhausted_ = false, interrupted_ = false;
  GmresResult result_;
};

}  // namespace rankine::bem
