// CUDA operators for tests, with arrays on the host.
#pragma once

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/support/operator_backend.hpp"

namespace rankine::gpu {

class CudaOperators final : public testing::OperatorBackend {
 public:
  std::unique_ptr<fmm::Operator> make(const fmm::Points& points,
                                      const fmm::Options& options) override {
    return make_cuda_operator(points, options);
  }

 private:
  void run(fmm::Operator& op, const testing::HostStrengths& given, testing::Field& field,
           int rhs) override {
    const Stream stream;
    using Buffer = DeviceBuffer<double>;
    const Buffer charges(given.charges, stream), normal_dipoles(given.normal_dipoles, stream),
        dipoles(given.dipoles, stream), vortices(given.vortices, stream);
    Buffer potential(field.potential, stream), gradient(field.gradient, stream),
        hessian(field.hessian, stream), velocity(field.velocity, stream),
        velocity_gradient(field.velocity_gradient, stream);
    stream.synchronize();
    op.apply({charges.span(), normal_dipoles.span(), dipoles.span(), vortices.span()},
             {potential.span(), gradient.span(), hessian.span(), velocity.span(),
              velocity_gradient.span()},
             rhs);
    op.synchronize();
    field = {potential.download(stream), gradient.download(stream), hessian.download(stream),
             velocity.download(stream), velocity_gradient.download(stream)};
  }
};

}  // namespace rankine::gpu
