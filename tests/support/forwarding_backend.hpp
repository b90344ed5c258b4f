// A backend that hands everything on to the CPU's, for tests that watch what is asked of it.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"

namespace rankine::testing {

class ForwardingBackend : public bem::Backend {
 public:
  explicit ForwardingBackend(std::unique_ptr<bem::Backend> to = bem::make_cpu_backend())
      : to_(std::move(to)) {}

  std::string name() const override { return to_->name(); }
  std::string device() const override { return to_->device(); }
  bem::MemorySpace memory_space() const override { return to_->memory_space(); }
  bem::Array allocate(std::size_t size) override { return to_->allocate(size); }
  void upload(std::span<const double> host, double* destination) override {
    to_->upload(host, destination);
  }
  void download(const double* source, std::span<double> host) override {
    to_->download(source, host);
  }
  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    return to_->make_operator(points, options);
  }
  std::unique_ptr<bem::SparseMatrix> make_sparse(bem::SparseRows matrix) override {
    return to_->make_sparse(std::move(matrix));
  }
  std::vector<std::unique_ptr<bem::SparseMatrix>> assemble(
      const bem::Discretization& discretization, std::span<const bem::Layer> layers) override {
    return to_->assemble(discretization, layers);
  }
  bem::SurfaceGradient gradient(const bem::PanelNeighbourhood& neighbourhood,
                                std::span<const double> values) override {
    return to_->gradient(neighbourhood, values);
  }
  void fill(std::size_t n, double value, double* x) override { to_->fill(n, value, x); }
  void copy(std::size_t n, const double* x, double* y) override { to_->copy(n, x, y); }
  void scale(std::size_t n, double alpha, double* x) override { to_->scale(n, alpha, x); }
  void axpy(std::size_t n, double alpha, const double* x, double* y) override {
    to_->axpy(n, alpha, x, y);
  }
  void add_product(std::size_t n, double alpha, const double* d, const double* x,
                   double* y) override {
    to_->add_product(n, alpha, d, x, y);
  }
  void add_tensor_product(std::size_t n, double alpha, const double* tensors, bool transposed,
                          const double* x, double* y) override {
    to_->add_tensor_product(n, alpha, tensors, transposed, x, y);
  }
  double norm(std::size_t n, const double* x) override { return to_->norm(n, x); }
  void project(std::size_t n, int k, const double* v, const double* w, double* h) override {
    to_->project(n, k, v, w, h);
  }
  void subtract(std::size_t n, int k, const double* v, const double* h, double* w) override {
    to_->subtract(n, k, v, h, w);
  }

 private:
  std::unique_ptr<bem::Backend> to_;
};

}  // namespace rankine::testing
