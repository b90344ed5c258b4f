// The memory space in which boundary operators, near-field matrices and Krylov vectors live.
//
// bem and fmm never name a device: they ask a backend for arrays, for an fmm::Operator, for the
// near-field matrix and for the vector operations of GMRES. The CPU's backend is in
// bem/cpu_backend.cpp, the CUDA one in gpu/. All work of one backend is ordered as if on a single
// queue; only functions that return host values wait for it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "rankine/bem/layers/layers.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

struct Panels;
struct Discretization;

/// `size` doubles in a backend's memory space. Moves, never copies by accident.
class Array {
 public:
  using Release = std::function<void(double*)>;

  Array() = default;
  Array(double* data, std::size_t size, Release release)
      : data_(data, std::move(release)), size_(size) {}

  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<double, Release> data_{nullptr, [](double*) {}};
  std::size_t size_ = 0;
};

/// Near-field corrections of one layer, in a backend's memory: accurate panel integrals minus what
/// the far-field quadrature has already counted, for every (target, panel) pair closer than the
/// panel's near radius. Entries are those of bem/layers/near_entry.hpp, without a factor 1/(4 pi).
class NearField {
 public:
  virtual ~NearField() = default;

  /// y += alpha * (N x) for `rhs` vectors at once, which read the matrix together; x: rhs x panels,
  /// y: rhs x collocation points, both in the backend's memory.
  virtual void add(double alpha, const double* x, double* y, int rhs = 1) const = 0;

  virtual std::size_t entries() const = 0;
  virtual std::size_t bytes() const = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;    ///< "cpu" or "cuda"
  virtual std::string device() const = 0;  ///< e.g. the processor's or the GPU's name
  virtual std::size_t peak_device_bytes() const { return 0; }

  // Memory.
  virtual Array allocate(std::size_t size) = 0;  ///< zero-filled
  /// `host` may change or go as soon as the call returns.
  virtual void upload(std::span<const double> host, double* destination) = 0;
  virtual void download(const double* source, std::span<double> host) = 0;

  // Operators.
  virtual std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                                       const fmm::Options& options) = 0;
  virtual std::unique_ptr<NearField> make_near_field(const Panels& panels,
                                                     const Discretization& discretization,
                                                     Layer layer) = 0;

  // Vector operations of GMRES. V is column-major, n x k, leading dimension n.
  virtual void copy(std::size_t n, const double* x, double* y) = 0;                ///< y = x
  virtual void scale(std::size_t n, double alpha, double* x) = 0;                  ///< x = alpha x
  virtual void axpy(std::size_t n, double alpha, const double* x, double* y) = 0;  ///< y += alpha x
  virtual double norm(std::size_t n, const double* x) = 0;                         ///< |x|_2
  virtual void project(std::size_t n, int k, const double* v, const double* w,
                       double* h) = 0;  ///< host h = V^T w
  virtual void subtract(std::size_t n, int k, const double* v, const double* h,
                        double* w) = 0;  ///< w -= V h (host h)

  // Pieces of the boundary operators.
  /// sources[j * nodes + k] = strength[j] * weight[j * nodes + k]:
  /// panel strengths to quadrature nodes.
  virtual void distribute(std::size_t panels, int nodes, const double* strength,
                          const double* weight, double* sources) = 0;
  /// y[i] += alpha * normals[i].vectors[i], three doubles each: the normal part of a gradient.
  virtual void add_normal_part(std::size_t n, double alpha, const double* normals,
                               const double* vectors, double* y) = 0;
};

/// The host's backend; `threads` = 0 uses every core.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace rankine::bem
