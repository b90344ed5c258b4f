// The memory space in which boundary operators, sparse matrices, Krylov vectors and particles live.
//
// bem and fmm never name a device: a backend provides arrays, fmm::Operators, sparse matrices and
// the vector operations of GMRES and of time steps. The CPU backend is in bem/cpu_backend.cpp, the
// CUDA backend in gpu/. All work of one backend is executed in order, as on a single queue; only
// functions that return values to the host wait for it. Host loops use the threads of the current
// Execution (fmm/core/execution.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/bem/vector_steps.hpp"
#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::bem {

class Discretization;
class LayerSet;
class CollocatedPanels;
class NearFields;
class PanelNeighbourhood;
enum class Layer;
struct SurfaceGradient;
struct Equation;
struct FittedFields;
struct LocalInverseOptions;
struct PanelFits;
struct PanelNodes;
struct QuadratureOptions;
struct RedistributionOptions;
struct RedistributionRecord;
struct SplittingOptions;
struct SplittingRecord;
struct VortexArrays;

/// `size` doubles in a backend's memory space. An array can be moved but not copied.
class Array {
 public:
  using Release = std::function<void(double*)>;

  Array() = default;
  Array(double* data, std::size_t size, Release release)
      : data_(data, std::move(release)), size_(size) {}

  double* data() { return data_.get(); }
  const double* data() const { return data_.get(); }
  std::size_t size() const { return size_; }

  /// The first `count` values.
  std::span<double> first(std::size_t count) { return {data(), count}; }
  std::span<const double> first(std::size_t count) const { return {data(), count}; }
  std::span<double> all() { return first(size_); }
  std::span<const double> all() const { return first(size_); }

 private:
  std::unique_ptr<double, Release> data_{nullptr, [](double*) {}};
  std::size_t size_ = 0;
};

using rankine::MemorySpace;

/// StrengthRows (bem/layers/discretization.hpp) in a backend's memory; `gradients` may be null.
struct StrengthMatrices {
  std::unique_ptr<SparseMatrix> nodes, gradients;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string name() const = 0;    ///< "cpu" or "cuda"
  virtual std::string device() const = 0;  ///< e.g. the processor's or the GPU's name
  virtual MemorySpace memory_space() const = 0;
  virtual std::size_t peak_device_bytes() const { return 0; }

  // Memory.
  virtual Array allocate(std::size_t size) = 0;  ///< zero-filled
  /// `host` may be changed or freed as soon as the call returns.
  virtual void upload(std::span<const double> host, double* destination) = 0;
  virtual void download(const double* source, std::span<double> host) = 0;

  // Operators.
  virtual std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                                       const fmm::Options& options) = 0;
  /// Sums over the own nodes of a discretization at `targets`; all processes receive all results.
  virtual std::unique_ptr<fmm::Operator> make_sums(const Discretization& discretization,
                                                   const MirroredSpan<Vec3d>& targets,
                                                   const fmm::Options& options);
  virtual std::unique_ptr<SparseMatrix> make_sparse(SparseRows matrix) = 0;
  /// The quadrature nodes of panels (bem/layers/panel_nodes.hpp). By default the host computes
  /// them. A device that overrides this may keep its copies in the mirrors of the arrays.
  virtual PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options);
  /// The nodes of a discretization whose strengths this process computes; by default all.
  virtual RowRange own_nodes(const Discretization& discretization) const;
  /// G of a discretization, and the rows of P of its own nodes or of some of them; by default
  /// computed on the host.
  virtual StrengthMatrices strengths(const Discretization& discretization,
                                     const RowRange& nodes = {});
  /// Rows of the near corrections of `layers`, one matrix per layer, from one search for pairs. By
  /// default the host integrates; a device overrides this for the discretizations that it supports.
  virtual std::vector<std::unique_ptr<SparseMatrix>> assemble(const Discretization& discretization,
                                                              std::span<const Layer> layers,
                                                              const RowRange& rows);
  /// Rows of M of each of `layers`, by default computed on the host; empty if the discretization
  /// has none.
  virtual std::vector<std::unique_ptr<SparseMatrix>> linear_moments(
      const Discretization& discretization, std::span<const Layer> layers, const RowRange& rows);
  /// The near integrals for fields off the panels (bem/layers/off_surface.hpp); null: the host adds
  /// them. The discretization must outlive them.
  virtual std::unique_ptr<NearFields> near_fields(const CollocatedPanels& discretization);
  /// M_1 of a local inverse (bem/layers/local_inverse.hpp), rows x unknowns. Null, the default: the
  /// host makes it.
  virtual std::unique_ptr<SparseMatrix> patch_inverse(LayerSet&, const Equation&,
                                                      const LocalInverseOptions&) {
    return nullptr;
  }
  /// The cost of a local inverse (bem/layers/local_inverse.hpp) in GMRES iterations. On the host
  /// its computation takes the time of ten iterations, and with it about ten iterations remain. 0:
  /// it is computed before the first iteration.
  virtual double local_inverse_cost() const { return 20.0; }
  /// Surface gradients of values at collocation points, one per panel
  /// (bem/panels/surface_gradient.hpp), by default computed on the host.
  virtual SurfaceGradient gradient(const PanelNeighbourhood& neighbourhood,
                                   std::span<const double> values);
  /// Fits around all panels (bem/panels/panel_fits.hpp), by default computed on the host.
  virtual PanelFits fit(const PanelNeighbourhood& neighbourhood, const FittedFields& fields);
  /// Fits curved panels, as a PanelFit. The default returns nothing, and the host fits the panels.
  virtual std::optional<BentPanels> bend_panels(std::span<const Vec3d> nodes,
                                                std::span<const meshes::Element> elements,
                                                PanelGeometry kind);

  // Vector operations. V is column-major, n x k, leading dimension n.
  virtual void each(std::size_t n, const VectorStep& step) = 0;  ///< step(i) for i < n
  /// The number of i < n for which limit(i) is true.
  virtual std::size_t count(std::size_t n, const LimitGrowth& limit) = 0;
  virtual void copy(std::size_t n, const double* x, double* y) = 0;  ///< y = x
  void fill(std::size_t n, double value, double* x) { each(n, Fill{value, x}); }
  void scale(std::size_t n, double alpha, double* x) { each(n, Scale{alpha, x}); }
  void axpy(std::size_t n, double alpha, const double* x, double* y) {
    each(n, AddScaled{alpha, x, y});
  }
  /// bem::redistribute, by default on the host.
  virtual RedistributionRecord redistribute(VortexArrays& particles, std::size_t sheet, double step,
                                            const RedistributionOptions& options);
  /// bem::split, by default on the host.
  virtual SplittingRecord split(VortexArrays& particles, Array& circulations,
                                const SplittingOptions& options);

  // Vectors that processes share. Each process has some of their rows; a single process has all.
  /// The rows that this process has of a vector with n rows.
  virtual RowRange own_rows(std::size_t n) const { return {0, n}; }
  /// Sets the rows of the other processes in an array of n rows.
  virtual void complete(std::size_t /*n*/, double* /*whole*/) {}
  /// |x|_2, where x is the n rows of this process.
  virtual double norm(std::size_t n, const double* x) = 0;
  /// host h = V^T w, where V and w are the n rows of this process.
  virtual void project(std::size_t n, int k, const double* v, const double* w, double* h) = 0;
  /// w -= V h, host h
  virtual void subtract(std::size_t n, int k, const double* v, const double* h, double* w) = 0;
};

/// Backend::bend_panels of `backend`, which must outlive the result.
PanelFit panel_fit(Backend& backend);

/// A copy of `values` in the memory of `backend`.
Array uploaded(Backend& backend, std::span<const double> values);
Array uploaded(Backend& backend, std::span<const Vec3d> vectors);
/// The first `count` values of `array` on the host.
std::vector<double> downloaded(Backend& backend, const Array& array, std::size_t count);
/// N x 3 numbers as N vectors: a view in the array's memory space, and a copy on the host.
std::span<const Vec3d> as_vectors(const Array& array);
std::vector<Vec3d> downloaded_vectors(Backend& backend, const Array& array);

}  // namespace rankine::bem
