// The operator's contract over three processes, which threads play, and whole solutions, on one
// device or on several.
#include "tests/support/moved_operator_contract.hpp"
#include "tests/support/operator_contract.hpp"
#include "tests/support/vortex_contract.hpp"

#include "rankine/bem/flow/flow.hpp"
#include "rankine/gpu/cuda_backend.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "tests/support/cpu_operators.hpp"
#include "tests/support/device_test.hpp"
#include "tests/support/ranked_devices.hpp"

namespace rankine::testing {
namespace {

class RankedOperators final : public CpuOperators {
 public:
  std::unique_ptr<Operator> make(const Points& points, const Options& options) override {
    return std::make_unique<RankedDevices>(points, options, 3);
  }
};

}  // namespace

std::unique_ptr<OperatorBackend> make_operator_backend() {
  require_gpu(gpu::available());
  return gpu::available() ? std::make_unique<RankedOperators>() : nullptr;
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryOperator, every_kind, kind_name);

namespace {

class DeviceProcesses : public DeviceTest {};

// More processes than leaves, so that some have no targets; other targets than sources; uneven
// clouds.
TEST_F(DeviceProcesses, ShareAnyNumberOfTargets) {
  for (const char* const shape : {"cube", "clusters", "helix"}) {
    for (const int ranks : {1, 2, 5, 9}) {
      for (const std::size_t n : {40, 6000}) {
        const auto points = make_points(shape, n, 1), others = make_points("sphere", n / 2, 3);
        const auto charges = make_strengths(n, 2);
        for (const auto& targets : {points, others}) {
          Options options;
          options.direct_pairs = 0;
          options.gradient = true;
          options.leaf_capacity = n < 100 ? 20 : 0;
          Field alone, shared;
          for (Field* each : {&alone, &shared}) {
            each->potential.resize(targets.size());
            each->gradient.resize(3 * targets.size());
          }
          const auto one = gpu::make_streamed_operator({points, targets}, options);
          gpu::apply_staged(one, {.charges = charges}, {alone.potential, alone.gradient});
          RankedDevices all({points, targets}, options, ranks);
          all.apply({.charges = charges}, {shared.potential, shared.gradient}, 1);
          // Other orders of sums; where shares cut a box, few targets may be left in it, whose far
          // sources are then summed directly.
          const double bound = std::string_view(shape) == "clusters" ? options.tolerance : 1e-13;
          expect_close(shared, alone, bound,
                       std::string(shape) + " " + std::to_string(n) + ", " + std::to_string(ranks) +
                           " ranks");
        }
      }
    }
  }
}

// One right-hand side and several, potentials and velocities, on smooth walls.
TEST_F(DeviceProcesses, SolveFlowsAsOneProcess) {
  const bem::FlowProblem problem{
      .panels = bem::make_panels(meshes::make_ellipsoid(3000, {3.0, 2.0, 1.0})),
      .stream = {1.0, 0.3, -0.2}};
  for (const bem::Formulation formulation : {bem::Formulation::green, bem::Formulation::source}) {
    bem::FlowOptions options;
    options.formulation = formulation;
    options.fmm.direct_pairs = 0;
    const bem::Solution alone = bem::solve(problem, options, *gpu::make_cuda_backend());
    for (const int ranks : {2, 3}) {
      std::vector<bem::Solution> found(static_cast<std::size_t>(ranks));
      ThreadRanks(ranks, 1).run([&](Communicator& processes) {
        use_device_of(processes);
        const auto backend = gpu::make_cuda_backend({}, &processes);
        found[static_cast<std::size_t>(processes.rank())] = bem::solve(problem, options, *backend);
      });
      for (const bem::Solution& each : found) {
        EXPECT_TRUE(each.converged());
        EXPECT_EQ(each.gmres.iterations, alone.gmres.iterations);
        EXPECT_EQ(each.phi, found[0].phi);
        // Rounding of sums, times the condition of the equations.
        EXPECT_LE(relative_error(each.phi, alone.phi), 1e-11);
      }
    }
  }
}

}  // namespace
}  // namespace rankine::testing
