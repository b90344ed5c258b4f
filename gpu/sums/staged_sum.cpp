#include "rankine/gpu/sums/staged_sum.hpp"

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"

namespace rankine::gpu {

StreamedOperator make_streamed_operator(const fmm::Points& points, const fmm::Options& options) {
  auto stream = std::make_shared<const Stream>();
  return {stream, make_cuda_operator(points, options, stream)};
}

void apply_staged(const StreamedOperator& streamed, const fmm::Strengths& strengths,
                  const fmm::Results& results, int rhs) {
  const Stream& stream = *streamed.stream;
  const DeviceScope scope(*stream.context());
  using Buffer = DeviceBuffer<double>;
  const Buffer charges(strengths.charges, stream), normal_dipoles(strengths.normal_dipoles, stream),
      dipoles(strengths.dipoles, stream), vortices(strengths.vortices, stream);
  const auto buffer = [&](std::span<double> host) { return Buffer(host.size(), stream); };
  Buffer potential = buffer(results.potential), gradient = buffer(results.gradient),
         hessian = buffer(results.hessian), velocity = buffer(results.velocity),
         velocity_gradient = buffer(results.velocity_gradient);
  streamed.sum->apply({.charges = charges.span(),
                       .normal_dipoles = normal_dipoles.span(),
                       .dipoles = dipoles.span(),
                       .vortices = vortices.span()},
                      {.potential = potential.span(),
                       .gradient = gradient.span(),
                       .hessian = hessian.span(),
                       .velocity = velocity.span(),
                       .velocity_gradient = velocity_gradient.span()},
                      rhs);
  const auto download = [&](const Buffer& device, std::span<double> host) {
    if (!host.empty()) download_bytes(host.data(), device.data(), host.size_bytes(), stream);
  };
  download(potential, results.potential);
  download(gradient, results.gradient);
  download(hessian, results.hessian);
  download(velocity, results.velocity);
  download(velocity_gradient, results.velocity_gradient);
  stream.synchronize();
}

}  // namespace rankine::gpu
