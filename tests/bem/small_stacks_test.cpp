// Loops on small stacks: what a thread works with stands on the heap.
#include <gtest/gtest.h>
#include <pthread.h>

#include <functional>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/harmonics.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

class SmallStacks : public ::testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
    GTEST_SKIP() << "frames of this build are larger than those of the product";
#endif
  }

  /// On a thread with a stack of 96 KB, and two beside it with 64.
  static void run(const std::function<void()>& work) {
    pthread_attr_t before, others, own;
    ASSERT_EQ(pthread_getattr_default_np(&before), 0);
    ASSERT_EQ(pthread_attr_init(&others), 0);
    ASSERT_EQ(pthread_attr_init(&own), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&others, std::size_t{64} << 10), 0);
    ASSERT_EQ(pthread_attr_setstacksize(&own, std::size_t{96} << 10), 0);
    ASSERT_EQ(pthread_setattr_default_np(&others), 0);
    pthread_t thread{};
    const auto enter = [](void* given) -> void* {
      Execution{.threads = 3}.run(*static_cast<const std::function<void()>*>(given));
      return nullptr;
    };
    void* const given = const_cast<std::function<void()>*>(&work);
    ASSERT_EQ(pthread_create(&thread, &own, enter, given), 0);
    ASSERT_EQ(pthread_join(thread, nullptr), 0);
    ASSERT_EQ(pthread_setattr_default_np(&before), 0);
    for (pthread_attr_t* each : {&before, &others, &own}) pthread_attr_destroy(each);
  }
};

TEST_F(SmallStacks, HoldTheOperatorAtEveryOrder) {
  const std::vector<Vec3d> points = testing::fibonacci_sphere(2000);
  const std::vector<double> charges(points.size(), 1.0), moments(3 * points.size(), 0.1);
  for (const fmm::Method method : {fmm::Method::direct, fmm::Method::treecode, fmm::Method::fmm}) {
    for (const fmm::Precision precision : {fmm::Precision::float32, fmm::Precision::float64}) {
      for (const int order : {4, 20, fmm::max_order - 1}) {
        run([&] {
          fmm::Options options{.method = method, .precision = precision, .tolerance = 1e-3};
          options.order = order;
          options.leaf_capacity = 40;
          options.direct_pairs = 0;
          options.gradient = options.dipoles = true;
          const auto sums = fmm::make_cpu_operator({points, points}, options);
          std::vector<double> potential(points.size()), gradient(3 * points.size());
          sums->apply({.charges = charges, .dipoles = moments},
                      {.potential = potential, .gradient = gradient});
        });
      }
    }
  }
}

TEST_F(SmallStacks, HoldEveryLayer) {
  const Panels panels = make_panels(testing::cubed_sphere(600));
  run([&] {
    testing::PanelLayers layers(panels);
    const std::vector<double> ones(panels.size(), 1.0);
    for (const Layer layer : {Layer::single_layer, Layer::double_layer, Layer::adjoint_double_layer,
                              Layer::hypersingular})
      layers.apply(layer, ones);
  });
}

TEST_F(SmallStacks, HoldAWholeSolve) {
  const meshes::SurfaceMesh mesh = testing::graded_sphere(500);
  const std::vector<Vec3d> points = testing::fibonacci_sphere(100);
  for (const bool mixed : {false, true}) {
    run([&] {
      const FlowProblem problem{.panels = make_panels(mesh), .stream = {1.0, 0.0, 0.0}};
      const std::vector<Vec3d> streams{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
      const auto backend = make_cpu_backend();
      FlowOptions options;
      options.mixed_precision = mixed;
      options.fmm.direct_pairs = 0;
      const auto solutions = solve(problem, streams, options, *backend);
      evaluate_field(problem, solutions[0], points, {}, *backend);
    });
  }
}

}  // namespace
}  // namespace rankine::bem
