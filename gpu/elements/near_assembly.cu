#include "rankine/gpu/elements/near_assembly.hpp"

#include <algorithm>
#include <utility>

#include "rankine/gpu/elements/cuda_sparse.hpp"
#include "rankine/gpu/elements/device_integrals.hpp"
#include "rankine/gpu/elements/device_pairs.hpp"
#include "rankine/gpu/runtime/held_arrays.hpp"

namespace rankine::gpu {
namespace {

/// The panels and nodes that near entries read, on the device.
class Geometry {
 public:
  Geometry(const bem::CollocatedPanels& discretization, bool with_node_normals,
           const Stream& stream)
      : shape_(discretization.panels().shape, stream),
        centroid_(discretization.panels().centroid, stream),
        normal_(discretization.panels().normal, stream),
        middle_radius_(discretization.panel_nodes().middle_radius, stream),
        first_ball_(discretization.panel_nodes().balls.first, stream),
        ball_centre_(discretization.panel_nodes().balls.centre, stream),
        ball_radius_(discretization.panel_nodes().balls.radius, stream),
        first_node_(discretization.panel_nodes().first, stream),
        points_(discretization.panel_nodes().points, stream),
        weights_(discretization.panel_nodes().weights, stream),
        middle_stride_(bem::middle_stride(discretization.panels())),
        middle_nodes_(shape_.size() * static_cast<std::size_t>(middle_stride_), stream) {
    place_middle_nodes(shape_.span(), middle_stride_, middle_nodes_.data(), stream);
    if (with_node_normals) normals_ = {discretization.panel_nodes().normals, stream};
  }

  bem::NearEntryView view() const {
    return {.shape = shape_.data(),
            .middle_nodes = middle_nodes_.data(),
            .middle_stride = middle_stride_,
            .centroid = centroid_.data(),
            .target = centroid_.data(),
            .target_normal = normal_.data(),
            .middle_radius = middle_radius_.data(),
            .far_points = points_.data(),
            // Charges need no normals; any valid address will do.
            .far_normals = normals_.size() > 0 ? normals_.data() : points_.data(),
            .far_weights = weights_.data(),
            .first_node = first_node_.data()};
  }
  DevicePattern near_pairs(std::size_t layers, const Stream& stream) const {
    return find_near_pairs(
        centroid_.span(),
        {first_ball_.data(), ball_centre_.data(), ball_radius_.data(), ball_radius_.size()},
        layers * sizeof(double), stream);
  }

 private:
  DeviceCopy<bem::PanelShape<double>> shape_;
  DeviceCopy<Vec3d> centroid_, normal_;
  DeviceCopy<double> middle_radius_;
  DeviceCopy<std::int32_t> first_ball_;
  DeviceCopy<Vec3d> ball_centre_;
  DeviceCopy<double> ball_radius_;
  DeviceCopy<std::int64_t> first_node_;
  DeviceCopy<Vec3d> points_, normals_;
  DeviceCopy<double> weights_;
  int middle_stride_;
  DeviceBuffer<bem::QuadratureNode> middle_nodes_;
};

bool sums_dipoles(bem::Layer layer) {
  return layer == bem::Layer::double_layer || layer == bem::Layer::hypersingular;
}

}  // namespace

std::vector<std::unique_ptr<bem::SparseMatrix>> assemble_collocated_panels(
    const bem::CollocatedPanels& discretization, std::span<const bem::Layer> layers,
    std::shared_ptr<const Stream> stream) {
  const Geometry geometry(discretization, std::any_of(layers.begin(), layers.end(), sums_dipoles),
                          *stream);
  const auto pattern =
      std::make_shared<const DevicePattern>(geometry.near_pairs(layers.size(), *stream));
  std::vector<DeviceBuffer<double>> values;
  std::vector<double*> of_layer;
  for (std::size_t l = 0; l < layers.size(); ++l)
    of_layer.push_back(values.emplace_back(pattern->columns.size(), *stream).data());
  integrate_near(geometry.view(), layers, discretization.unknowns(), pattern->offsets.data(),
                 pattern->columns.data(), of_layer, *stream);
  std::vector<std::unique_ptr<bem::SparseMatrix>> matrices;
  for (DeviceBuffer<double>& each : values) {
    matrices.push_back(
        make_cuda_sparse(discretization.unknowns(), pattern, std::move(each), stream));
  }
  return matrices;
}

}  // namespace rankine::gpu
