// <rankine/fmm.h> on a CUDA device: host arrays are staged, device arrays are used in place, and
// both give the bits of the CUDA operator.
#include <gtest/gtest.h>
#include <rankine/fmm.h>

#include <memory>
#include <vector>

#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/gpu/c_problem.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using testing::CProblem;
using testing::Sums;
using Buffer = DeviceBuffer<double>;
using Plan = std::unique_ptr<rankine_fmm_plan, decltype(&rankine_fmm_destroy)>;

/// The arrays of a problem on the device, in the form that both interfaces need.
struct OnDevice {
  explicit OnDevice(const CProblem& problem)
      : sources(of(problem.sources)),
        targets(of(problem.targets)),
        normals(of(problem.normals)),
        charges(problem.charges, stream),
        normal_dipoles(problem.normal_dipoles, stream),
        dipoles(problem.dipoles, stream),
        potential(problem.target_count() * problem.rhs, stream),
        gradient(3 * potential.size(), stream),
        hessian(6 * potential.size(), stream),
        points(problem.c_points()) {
    points.sources = sources.data();
    points.targets = targets.data();
    points.normals = normals.data();
    stream.synchronize();
  }

  Buffer of(const std::vector<Vec3d>& host) {
    return {host.empty() ? std::span<const double>() : std::span(&host[0].x, 3 * host.size()),
            stream};
  }
  rankine_fmm_strengths strengths() const {
    return {.charges = charges.data(),
            .normal_dipoles = normal_dipoles.data(),
            .dipoles = dipoles.data(),
            .vortices = nullptr};
  }
  rankine_fmm_results results() {
    return {.potential = potential.data(),
            .gradient = gradient.data(),
            .hessian = hessian.data(),
            .velocity = nullptr,
            .velocity_gradient = nullptr};
  }
  Sums download(const CProblem& problem) const {
    Sums sums(problem);
    sums.potential = potential.download(stream);
    sums.gradient = gradient.download(stream);
    sums.hessian = hessian.download(stream);
    return sums;
  }

  Stream stream;
  Buffer sources, targets, normals, charges, normal_dipoles, dipoles, potential, gradient, hessian;
  rankine_fmm_points points;
};

class CInterfaceOnDevice : public testing::DeviceTest, public ::testing::WithParamInterface<bool> {
 protected:
  Plan make_plan(const CProblem& problem, int backend) {
    rankine_fmm_options options;
    rankine_fmm_default_options(&options, sizeof options);
    options.backend = backend;
    options.derivatives = 2;
    options.dipoles = 1;
    options.rhs = problem.rhs;
    options.direct_pairs = 0;
    const rankine_fmm_points points = problem.c_points();
    rankine_fmm_plan* plan = nullptr;
    EXPECT_EQ(rankine_fmm_create(&plan, &points, &options), RANKINE_OK) << rankine_message();
    return {plan, rankine_fmm_destroy};
  }
  Sums staged(rankine_fmm_plan* plan, const CProblem& problem) {
    Sums sums(problem);
    const rankine_fmm_strengths given = problem.c_strengths();
    const rankine_fmm_results wanted = sums.c_results();
    EXPECT_EQ(rankine_fmm_apply(plan, &given, &wanted, problem.rhs, RANKINE_HOST), RANKINE_OK)
        << rankine_message();
    return sums;
  }
  Sums in_place(rankine_fmm_plan* plan, const CProblem& problem) {
    OnDevice arrays(problem);
    const rankine_fmm_strengths given = arrays.strengths();
    const rankine_fmm_results wanted = arrays.results();
    EXPECT_EQ(rankine_fmm_apply(plan, &given, &wanted, problem.rhs, RANKINE_DEVICE), RANKINE_OK)
        << rankine_message();
    EXPECT_EQ(rankine_fmm_synchronize(plan), RANKINE_OK);
    return arrays.download(problem);
  }
};

TEST_P(CInterfaceOnDevice, SumsAreThoseOfTheCudaOperatorFromHostAndDevice) {
  CProblem problem(3000, GetParam(), 2);
  const Plan plan = make_plan(problem, RANKINE_CUDA);
  fmm::Options options{.gradient = true, .hessian = true, .dipoles = true, .rhs = 2};
  options.direct_pairs = 0;
  const auto op = make_cuda_operator(problem.points(), options);
  const auto expected = [&] {
    OnDevice arrays(problem);
    op->apply({.charges = arrays.charges.span(),
               .normal_dipoles = arrays.normal_dipoles.span(),
               .dipoles = arrays.dipoles.span()},
              {.potential = arrays.potential.span(),
               .gradient = arrays.gradient.span(),
               .hessian = arrays.hessian.span()},
              problem.rhs);
    op->synchronize();
    return arrays.download(problem);
  };
  EXPECT_EQ(staged(plan.get(), problem), expected());
  EXPECT_EQ(in_place(plan.get(), problem), expected());

  problem.shift(0.2);
  op->move(problem.points());
  OnDevice arrays(problem);
  ASSERT_EQ(rankine_fmm_move(plan.get(), &arrays.points, RANKINE_DEVICE), RANKINE_OK)
      << rankine_message();
  EXPECT_EQ(staged(plan.get(), problem), expected());
  const rankine_fmm_points points = problem.c_points();
  ASSERT_EQ(rankine_fmm_move(plan.get(), &points, RANKINE_HOST), RANKINE_OK) << rankine_message();
  EXPECT_EQ(staged(plan.get(), problem), expected());
}

TEST_P(CInterfaceOnDevice, AgreesWithThePlanOnTheProcessorWithinTheTolerance) {
  const CProblem problem(3000, GetParam(), 1);
  const Plan device = make_plan(problem, RANKINE_AUTO), host = make_plan(problem, RANKINE_CPU);
  rankine_fmm_info info;
  ASSERT_EQ(rankine_fmm_get_info(device.get(), &info, sizeof info), RANKINE_OK);
  EXPECT_EQ(info.backend, RANKINE_CUDA);
  EXPECT_NE(info.stream, nullptr);
  EXPECT_GT(info.device_bytes, 0);
  const Sums found = staged(device.get(), problem), expected = staged(host.get(), problem);
  // Both have errors of up to the tolerance of 1e-6, relative to the sum of the terms' magnitudes.
  EXPECT_LE(relative_error(found.potential, expected.potential), 2e-6);
  EXPECT_LE(relative_error(found.gradient, expected.gradient), 2e-6);
}

INSTANTIATE_TEST_SUITE_P(Targets, CInterfaceOnDevice, ::testing::Bool(), [](const auto& each) {
  return std::string(each.param ? "OfTheirOwn" : "TheSources");
});

}  // namespace
}  // namespace rankine::gpu
