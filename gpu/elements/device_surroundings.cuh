// The neighbours of every panel on the device, for kernels with one thread per panel.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/bem/panels/panel_ring.hpp"
#include "rankine/gpu/elements/short_list.cuh"
#include "rankine/gpu/runtime/device_copy.hpp"

namespace rankine::gpu {

/// The connectivity from which the neighbours of a panel are found.
struct RingsView {
  const meshes::Element* elements;
  const Vec3d *centroids, *normals;
  const std::int64_t* offsets;
  const std::int32_t* at_node;
  double least_cosine;
  std::int64_t count;

  __device__ const meshes::Element& nodes(std::int32_t panel) const { return elements[panel]; }
  __device__ const Vec3d& normal(std::int32_t panel) const { return normals[panel]; }
  __device__ std::span<const std::int32_t> panels_at(std::int32_t node) const {
    return {at_node + offsets[node], static_cast<std::size_t>(offsets[node + 1] - offsets[node])};
  }
  // Images are not supported.
  __device__ std::int32_t origin(std::int32_t panel) const { return panel; }
  __device__ double sign(std::int32_t) const { return 1.0; }
};

/// Rings around panels without images.
class DeviceRings {
 public:
  DeviceRings(const bem::PanelNeighbourhood& around, const Stream& stream)
      : elements_(around.panels().nodes, stream),
        centroids_(around.panels().centroid, stream),
        normals_(around.panels().normal, stream),
        offsets_(around.offsets(), stream),
        at_node_(around.at_node(), stream),
        least_cosine_(around.least_cosine()) {}

  RingsView view() const {
    return {elements_.data(),
            centroids_.data(),
            normals_.data(),
            offsets_.data(),
            at_node_.data(),
            least_cosine_,
            static_cast<std::int64_t>(centroids_.size())};
  }

 private:
  DeviceCopy<meshes::Element> elements_;
  DeviceCopy<Vec3d> centroids_, normals_;
  DeviceCopy<std::int64_t> offsets_;
  DeviceCopy<std::int32_t> at_node_;
  double least_cosine_;
};

/// The data of panels that bem::PanelPatch needs.
struct SurroundingsView : RingsView {
  const Vec3d* surface_normals;
  const double *radii, *areas;

  /// Fills `panels` with the two rings around a panel. Returns false if they do not fit into a
  /// ShortList.
  __device__ bool collect(std::int64_t panel, ShortList& panels) const {
    ShortList nodes;
    bem::collect_rings(*this, least_cosine, static_cast<std::int32_t>(panel), 2, panels, nodes);
    return !panels.overflows && !nodes.overflows;
  }
};

/// The indices of the flags that are not zero, ascending.
std::vector<std::int32_t> marked(const DeviceBuffer<std::uint8_t>& marks, const Stream& stream);

/// bem::surface_normal of every panel.
DeviceBuffer<Vec3d> surface_normals(std::span<const bem::PanelShape<double>> shapes,
                                    const RingsView& panels, const Stream& stream);

/// Neighbourhoods of panels without images.
class DeviceSurroundings {
 public:
  DeviceSurroundings(const bem::PanelNeighbourhood& around, const Stream& stream)
      : rings_(around, stream),
        shapes_(around.panels().shape, stream),
        surface_normals_(gpu::surface_normals(shapes_.span(), rings_.view(), stream)),
        radii_(around.panels().radius, stream),
        areas_(around.panels().area, stream) {}

  const bem::PanelShape<double>* shapes() const { return shapes_.data(); }
  const DeviceBuffer<Vec3d>& surface_normals() const { return surface_normals_; }
  SurroundingsView view() const {
    return {rings_.view(), surface_normals_.data(), radii_.data(), areas_.data()};
  }

 private:
  DeviceRings rings_;
  DeviceCopy<bem::PanelShape<double>> shapes_;
  DeviceBuffer<Vec3d> surface_normals_;
  DeviceCopy<double> radii_, areas_;
};

}  // namespace rankine::gpu
