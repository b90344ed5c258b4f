// A backend that forwards every call to another one. Backends that change only a few functions
// derive from it.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/splitting.hpp"

namespace rankine::bem {

class ForwardingBackend : public Backend {
 public:
  explicit ForwardingBackend(std::unique_ptr<Backend> to) : to_(std::move(to)) {}

  std::string name() const override { return to_->name(); }
  std::string device() const override { return to_->device(); }
  MemorySpace memory_space() const override { return to_->memory_space(); }
  std::size_t peak_device_bytes() const override { return to_->peak_device_bytes(); }
  Array allocate(std::size_t size) override { return to_->allocate(size); }
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
  std::unique_ptr<SparseMatrix> make_sparse(SparseRows matrix) override {
    return to_->make_sparse(std::move(matrix));
  }
  PanelNodes place_nodes(const Panels& panels, const QuadratureOptions& options) override {
    return to_->place_nodes(panels, options);
  }
  std::vector<std::unique_ptr<SparseMatrix>> linear_moments(const Discretization& discretization,
                                                            std::span<const Layer> layers,
                                                            const RowRange& rows) override {
    return to_->linear_moments(discretization, layers, rows);
  }
  std::unique_ptr<NearFields> near_fields(const CollocatedPanels& discretization) override {
    return to_->near_fields(discretization);
  }
  double local_inverse_cost() const override { return to_->local_inverse_cost(); }
  StrengthMatrices strengths(const Discretization& discretization, const RowRange& nodes) override {
    return to_->strengths(discretization, nodes);
  }
  std::vector<std::unique_ptr<SparseMatrix>> assemble(const Discretization& discretization,
                                                      std::span<const Layer> layers,
                                                      const RowRange& rows) override {
    return to_->assemble(discretization, layers, rows);
  }
  SurfaceGradient gradient(const PanelNeighbourhood& neighbourhood,
                           std::span<const double> values) override {
    return to_->gradient(neighbourhood, values);
  }
  PanelFits fit(const PanelNeighbourhood& neighbourhood, const FittedFields& fields) override {
    return to_->fit(neighbourhood, fields);
  }
  std::optional<BentPanels> bend_panels(std::span<const Vec3d> nodes,
                                        std::span<const meshes::Element> elements,
                                        PanelGeometry kind) override {
    return to_->bend_panels(nodes, elements, kind);
  }
  void each(std::size_t n, const VectorStep& step) override { to_->each(n, step); }
  std::size_t count(std::size_t n, const LimitGrowth& limit) override {
    return to_->count(n, limit);
  }
  void copy(std::size_t n, const double* x, double* y) override { to_->copy(n, x, y); }
  RedistributionRecord redistribute(VortexArrays& particles, std::size_t sheet, double step,
                                    const RedistributionOptions& options) override {
    return to_->redistribute(particles, sheet, step, options);
  }
  SplittingRecord split(VortexArrays& particles, Array& circulations,
                        const SplittingOptions& options) override {
    return to_->split(particles, circulations, options);
  }
  RowRange own_rows(std::size_t n) const override { return to_->own_rows(n); }
  void complete(std::size_t n, double* whole) override { to_->complete(n, whole); }
  double norm(std::size_t n, const double* x) override { return to_->norm(n, x); }
  void project(std::size_t n, int k, const double* v, const double* w, double* h) override {
    to_->project(n, k, v, w, h);
  }
  void subtract(std::size_t n, int k, const double* v, const double* h, double* w) override {
    to_->subtract(n, k, v, h, w);
  }

 protected:
  Backend& to() { return *to_; }

 private:
  std::unique_ptr<Backend> to_;
};

}  // namespace rankine::bem
