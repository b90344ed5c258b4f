#include "rankine/bem/backend.hpp"

#include <utility>

#include "rankine/bem/layers/discretization.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/splitting.hpp"

namespace rankine::bem {

namespace {

std::vector<std::unique_ptr<SparseMatrix>> in_backend(Backend& backend,
                                                      std::vector<SparseRows> rows) {
  std::vector<std::unique_ptr<SparseMatrix>> matrices;
  for (SparseRows& each : rows) matrices.push_back(backend.make_sparse(std::move(each)));
  return matrices;
}

}  // namespace

std::vector<std::unique_ptr<SparseMatrix>> Backend::assemble(const Discretization& discretization,
                                                             std::span<const Layer> layers,
                                                             const RowRange& rows) {
  return in_backend(*this, integrate_near(discretization, layers, rows));
}

PanelNodes Backend::place_nodes(const Panels& panels, const QuadratureOptions& options) {
  return bem::place_nodes(panels, options);
}

std::unique_ptr<fmm::Operator> Backend::make_sums(const Discretization& discretization,
                                                  const MirroredSpan<Vec3d>& targets,
                                                  const fmm::Options& options) {
  return make_operator({discretization.nodes(), targets, discretization.node_normals()}, options);
}

RowRange Backend::own_nodes(const Discretization& discretization) const {
  return {0, discretization.nodes().size()};
}

StrengthMatrices Backend::strengths(const Discretization& discretization, const RowRange& nodes) {
  StrengthRows rows = discretization.strengths(nodes);
  const bool has_gradients = rows.gradients.pattern != nullptr;
  return {make_sparse(std::move(rows.nodes)),
          has_gradients ? make_sparse(std::move(rows.gradients)) : nullptr};
}

std::vector<std::unique_ptr<SparseMatrix>> Backend::linear_moments(
    const Discretization& discretization, std::span<const Layer> layers, const RowRange& rows) {
  return in_backend(*this, discretization.linear_moments(layers, rows));
}

std::unique_ptr<NearFields> Backend::near_fields(const CollocatedPanels&) { return nullptr; }

SurfaceGradient Backend::gradient(const PanelNeighbourhood& neighbourhood,
                                  std::span<const double> values) {
  return surface_gradient(neighbourhood, values);
}

PanelFits Backend::fit(const PanelNeighbourhood& neighbourhood, const FittedFields& fields) {
  return fit_panels(neighbourhood, fields);
}

RedistributionRecord Backend::redistribute(VortexArrays& particles, std::size_t sheet, double step,
                                           const RedistributionOptions& options) {
  VortexParticles here = downloaded(*this, particles);
  const RedistributionRecord record = bem::redistribute(here, sheet, step, options);
  particles = uploaded(*this, here);
  return record;
}

SplittingRecord Backend::split(VortexArrays& particles, Array& circulations,
                               const SplittingOptions& options) {
  VortexParticles here = downloaded(*this, particles);
  std::vector<double> kappas = downloaded(*this, circulations, particles.size());
  SplittingRecord record = bem::split(here, kappas, options);
  if (record.split.empty()) return record;
  particles = uploaded(*this, here);
  circulations = uploaded(*this, kappas);
  return record;
}

std::optional<BentPanels> Backend::bend_panels(std::span<const Vec3d>,
                                               std::span<const meshes::Element>, PanelGeometry) {
  return std::nullopt;
}

PanelFit panel_fit(Backend& backend) {
  return [&backend](std::span<const Vec3d> nodes, std::span<const meshes::Element> elements,
                    PanelGeometry kind) { return backend.bend_panels(nodes, elements, kind); };
}

Array uploaded(Backend& backend, std::span<const double> values) {
  Array array = backend.allocate(values.size());
  backend.upload(values, array.data());
  return array;
}

Array uploaded(Backend& backend, std::span<const Vec3d> vectors) {
  return uploaded(backend, as_doubles(vectors));
}

std::span<const Vec3d> as_vectors(const Array& array) {
  return {reinterpret_cast<const Vec3d*>(array.data()), array.size() / 3};
}

std::vector<Vec3d> downloaded_vectors(Backend& backend, const Array& array) {
  std::vector<Vec3d> vectors(array.size() / 3);
  backend.download(array.data(), as_doubles(std::span(vectors)));
  return vectors;
}

std::vector<double> downloaded(Backend& backend, const Array& array, std::size_t count) {
  std::vector<double> values(count);
  backend.download(array.data(), values);
  return values;
}

}  // namespace rankine::bem
