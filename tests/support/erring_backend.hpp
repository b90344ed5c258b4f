// A backend whose far fields err by more than they were asked for, for tests of who finds out.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "rankine/fmm/operator.hpp"
#include "tests/support/watched_backend.hpp"

namespace rankine::testing {

/// Where a far field errs.
struct Errors {
  double size = 0.0;  ///< relative L2
  int orders = 1000;  ///< only until an order in double after the first so many
  int from = 0;       ///< of an operator's applications, the first that errs
  int rhs = -1;       ///< only this right-hand side, where there are several; -1: all
};

/// The orders of far fields in double, one after the other.
struct Orders {
  std::vector<int> given{};
  std::function<void()> before_raising{};
};

class ErringOperator final : public fmm::Operator {
 public:
  ErringOperator(std::unique_ptr<fmm::Operator> to, const Errors& errors, Orders& orders,
                 int& applications, const std::vector<int>& columns)
      : to_(std::move(to)),
        errors_(errors),
        orders_(orders),
        applications_(applications),
        columns_(columns) {}

  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override {
    to_->apply(strengths, results, rhs);
    ++applications_;
    const bool errs = is_double() && static_cast<int>(orders_.given.size()) <= errors_.orders;
    if (applied_++ < errors_.from || !errs) return;
    for (int k = 0; k < rhs; ++k) {
      if (errors_.rhs >= 0 && column(k, rhs) != errors_.rhs) continue;
      err(results.potential, k, rhs);
      err(results.gradient, k, rhs);
    }
  }
  void move(const fmm::Points& points, MemorySpace where) override { to_->move(points, where); }
  void set_order(int order) override {
    if (is_double() && order > info().order) {
      if (orders_.before_raising) orders_.before_raising();
      orders_.given.push_back(order);
    }
    to_->set_order(order);
  }
  const fmm::OperatorInfo& info() const override { return to_->info(); }
  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override {
    return to_->breakdown(strengths, results, rhs);
  }

 private:
  bool is_double() const { return info().precision == fmm::Precision::float64; }
  int column(int k, int rhs) const {
    return static_cast<int>(columns_.size()) == rhs ? columns_[static_cast<std::size_t>(k)] : k;
  }
  /// Every value too large or too small by the same share.
  void err(std::span<double> values, int k, int rhs) const {
    const std::size_t n = values.size() / static_cast<std::size_t>(rhs);
    for (std::size_t i = 0; i < n; ++i)
      values[static_cast<std::size_t>(k) * n + i] *= 1.0 + (i % 3 == 0 ? 1.0 : -1.0) * errors_.size;
  }

  std::unique_ptr<fmm::Operator> to_;
  Errors errors_;
  Orders& orders_;
  int& applications_;
  const std::vector<int>& columns_;
  int applied_ = 0;
};

class ErringBackend final : public WatchedBackend {
 public:
  explicit ErringBackend(const Errors& errors) : errors_(errors) {}

  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    auto made = WatchedBackend::make_operator(points, options);
    if (options.method == fmm::Method::direct) {
      ++direct;
      return made;
    }
    if (options.precision == fmm::Precision::float64) {
      orders.given.push_back(made->info().order);
      tolerances.push_back(options.tolerance);
    }
    return std::make_unique<ErringOperator>(std::move(made), errors_, orders, applications,
                                            columns);
  }
  std::vector<std::unique_ptr<bem::SparseMatrix>> assemble(
      const bem::Discretization& discretization, std::span<const bem::Layer> layers,
      const bem::RowRange& rows) override {
    ++assembled;
    return WatchedBackend::assemble(discretization, layers, rows);
  }

  Orders orders;
  std::vector<double> tolerances;  ///< of the far fields built in double
  int direct = 0, assembled = 0;   ///< direct sums, and passes over near pairs
  int applications = 0;            ///< of far fields
  std::vector<int> columns;        ///< right-hand sides of the next application; else all

 private:
  Errors errors_;
};

}  // namespace rankine::testing
