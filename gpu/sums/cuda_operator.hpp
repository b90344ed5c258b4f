// The summation operator of fmm/operator.hpp on a CUDA device.
#pragma once

#include <memory>

#include "rankine/fmm/operator.hpp"
#include "rankine/gpu/runtime/device_group.hpp"
#include "rankine/gpu/runtime/stream.hpp"

namespace rankine::gpu {

/// Builds the CUDA operator from host points. Strengths and results of apply() are in device
/// memory; the call returns when the work is queued.
///
/// With a `group`, which must outlive the operator, all of its processes pass the same points,
/// options and strengths, and receive all results; each computes those in a part of space.
/// Constructor, move() and apply() are then collective. Direct sums are not divided.
///
/// Throws InputError as the CPU operator does, and DeviceError if no device can be used or its
/// memory is not sufficient.
std::unique_ptr<fmm::Operator> make_cuda_operator(const fmm::Points& points,
                                                  const fmm::Options& options,
                                                  std::shared_ptr<const Stream> stream = nullptr,
                                                  const DeviceGroup* group = nullptr);

}  // namespace rankine::gpu
