// Functions of bem/panels, bem/layers and bem/particles on the device, with one thread per panel,
// node or particle. Each function has its own source file.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/layers/source_panels.hpp"
#include "rankine/bem/panels/panel_fits.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/splitting.hpp"
#include "rankine/bem/sparse_matrix.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

// Panels of a mesh: geometry of flat panels, bulges, and curved panels.

/// Device memory used per element during the work, in bytes.
inline constexpr std::size_t panel_bytes_of_element = 512;

/// A bem::PanelFit. Empty if an element is invalid, or if the panels at a node do not fit into a
/// ShortList. Throws DeviceError if there is not enough memory.
std::optional<bem::BentPanels> device_panels(std::span<const Vec3d> nodes,
                                             std::span<const meshes::Element> elements,
                                             bem::PanelGeometry kind, const Stream& stream);

// Fits around all panels: rings, fits and integrals.

/// Upper bound of the device memory per panel that the fits use, in bytes.
inline constexpr std::size_t fit_bytes_of_panel = 768;

/// bem::fit_panels for panels without images. The host fits panels whose neighbours do not fit into
/// a ShortList. Throws DeviceError if there is not enough memory.
bem::PanelFits device_fits(const bem::PanelNeighbourhood& neighbourhood,
                           const bem::FittedFields& fields, const Stream& stream);

/// bem::surface_gradient. The host fits panels whose neighbours do not fit into a ShortList. The
/// processes of a `group`, null for a single one, divide the panels. Throws DeviceError if there is
/// not enough memory.
bem::SurfaceGradient device_surface_gradient(const bem::PanelNeighbourhood& neighbourhood,
                                             std::span<const double> values,
                                             const DeviceGroup* group, const Stream& stream);

// Quadrature nodes. The host places those on strips (bem::place_on_strips).

/// Device memory used per node, and per panel in addition, in bytes.
inline constexpr std::size_t placed_bytes_of_node = 56, placed_bytes_of_panel = 400;

/// bem::place_nodes. The arrays keep their copies on the device. Throws DeviceError if there is not
/// enough memory.
bem::PanelNodes device_nodes(const bem::Panels& panels, const bem::QuadratureOptions& options,
                             const Stream& stream);

// Linear strengths on panels without images and strips. The results are empty if the neighbours of
// a panel do not fit into a ShortList. The functions throw DeviceError if there is not enough
// memory.

/// P and G, by bem/layers/linear_strengths.hpp.
bem::StrengthMatrices device_strengths(const bem::CollocatedPanels& discretization,
                                       std::shared_ptr<const Stream> stream);

/// Rows of M of bem/layers/linear_corrections.hpp; of SourcePanels also with images and strips.
std::vector<std::unique_ptr<bem::SparseMatrix>> device_linear_moments(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream);
std::vector<std::unique_ptr<bem::SparseMatrix>> device_linear_moments(
    const bem::SourcePanels& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream);

// Fields near panels.

/// bem::NearFields; `discretization` must outlive them. Throws DeviceError if there is not enough
/// memory.
std::unique_ptr<bem::NearFields> device_near_fields(const bem::CollocatedPanels& discretization,
                                                    std::shared_ptr<const Stream> stream);

// Vortex particles.

/// Device memory used per particle, in bytes. The number of particles may grow during the work.
inline constexpr std::size_t redistribution_bytes_of_particle = 400;

/// bem::redistribute for particles in the memory of `backend`. Throws DeviceError if there is not
/// enough memory.
bem::RedistributionRecord device_redistribution(bem::VortexArrays& particles, std::size_t sheet,
                                                double step,
                                                const bem::RedistributionOptions& options,
                                                bem::Backend& backend, const Stream& stream);

/// bem::split for particles in the memory of `backend`. Throws DeviceError if there is not enough
/// memory.
bem::SplittingRecord device_splitting(bem::VortexArrays& particles, bem::Array& circulations,
                                      const bem::SplittingOptions& options, bem::Backend& backend,
                                      const Stream& stream);

// Near corrections: the entries of bem/layers/near_entry.hpp, compiled for the device.

/// Rows of one matrix per layer, with a common pattern. The panels are not needed afterwards.
/// Throws DeviceError if there is not enough memory.
std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_panels(
    const bem::PanelDiscretization& discretization, std::span<const bem::Layer> layers,
    const bem::RowRange& rows, std::shared_ptr<const Stream> stream);

// Local inverses.

/// M_1 of bem/layers/local_inverse.hpp, inverted in single precision, for layers without images in
/// device memory. Null for patches of more than 512 unknowns, or if the unknowns that couple with a
/// cluster do not fit into a table. Throws DeviceError if there is not enough memory.
std::unique_ptr<bem::SparseMatrix> device_patch_inverse(bem::LayerSet& layers,
                                                        const bem::Equation& equation,
                                                        const bem::LocalInverseOptions& options,
                                                        std::shared_ptr<const Stream> stream);

}  // namespace rankine::gpu
