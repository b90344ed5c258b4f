// Points as a caller gives them, on the host or on the device.
#pragma once

#include <vector>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/buffer.hpp"

namespace rankine::gpu {

/// Points on the host, downloaded if they lie on the device.
class HostPoints {
 public:
  HostPoints(const fmm::Points& points, MemorySpace where, const Stream& stream) : points_(points) {
    if (where == MemorySpace::host) return;
    const bool shared = points.sources.data() == points.targets.data() &&
                        points.sources.size() == points.targets.size();
    points_.sources = download(points.sources, sources_, stream);
    points_.targets = shared ? points_.sources : download(points.targets, targets_, stream);
    points_.normals = download(points.normals, normals_, stream);
    points_.core_radii = download(points.core_radii, core_radii_, stream);
    stream.synchronize();
  }

  const fmm::Points& points() const { return points_; }

 private:
  template <class T>
  static std::span<const T> download(std::span<const T> device, std::vector<T>& host,
                                     const Stream& stream) {
    host.resize(device.size());
    if (!device.empty()) download_bytes(host.data(), device.data(), device.size_bytes(), stream);
    return host;
  }

  fmm::Points points_;
  std::vector<Vec3d> sources_, targets_, normals_;
  std::vector<double> core_radii_;
};

}  // namespace rankine::gpu
