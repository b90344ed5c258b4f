// How many threads the loops of bem run on: those of the surrounding Execution, whatever is made or
// called in it.
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <thread>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/closest_point.hpp"
#include "rankine/bem/panels/surface_gradient.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/cpu_operator.hpp"
#include "tests/support/panel_layers.hpp"
#include "tests/support/test_bodies.hpp"

namespace rankine::bem {
namespace {

std::ptrdiff_t threads_of_process() {
  return std::distance(std::filesystem::directory_iterator("/proc/self/task"), {});
}

class Threads : public ::testing::Test {
 protected:
  /// Threads that `work` has begun in an execution of `threads`. Its caller is a thread of its own,
  /// since a team keeps its threads for the next loop of the same caller.
  template <class Work>
  std::ptrdiff_t threads_begun_by(int threads, Work&& work) const {
    std::ptrdiff_t begun = 0;
    std::thread([&] {
      while (threads_of_process() > at_rest_ + 1) std::this_thread::yield();
      Execution{.threads = threads}.run(work);
      begun = threads_of_process() - at_rest_ - 1;
    }).join();
    return begun;
  }

  template <class Work>
  void expect_begun(Work&& work) const {
    EXPECT_EQ(threads_begun_by(1, work), 0);
    EXPECT_EQ(threads_begun_by(3, work), 2);
  }

  void SetUp() override {
    if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "no /proc to count threads in";
    at_rest_ = threads_of_process();
    const auto sees = [this](int threads) {
      return threads_begun_by(threads, [] { parallel_for(100, [](std::size_t) {}); });
    };
    if (sees(3) != 2) GTEST_SKIP() << "threads do not wait for the next loop to be counted";
    ASSERT_EQ(sees(1), 0);
  }

  const meshes::SurfaceMesh mesh = testing::graded_sphere(500);
  const Panels panels = make_panels(mesh);
  const std::vector<Vec3d> points = testing::fibonacci_sphere(300);
  const std::vector<double> ones = std::vector<double>(panels.size(), 1.0);

 private:
  std::ptrdiff_t at_rest_ = 0;
};

TEST_F(Threads, OfASolve) {
  const FlowProblem problem{.panels = panels, .stream = {1.0, 0.0, 0.0}};
  const auto backend = make_cpu_backend();
  for (const Formulation formulation : {Formulation::green, Formulation::source}) {
    for (const bool mixed : {false, true}) {
      expect_begun([&] {
        FlowOptions options{{}, formulation};
        options.mixed_precision = mixed;
        options.fmm.direct_pairs = 0;
        const Solution solution = solve(problem, options, *backend);
        evaluate_field(problem, solution, points, {}, *backend);
      });
    }
  }
}

TEST_F(Threads, OfLayers) {
  for (const Layer layer : {Layer::single_layer, Layer::double_layer, Layer::adjoint_double_layer,
                            Layer::hypersingular}) {
    expect_begun([&] {
      const auto backend = make_cpu_backend();
      const CollocatedPanels discretization(panels);
      LayerSet layers(*backend, discretization);
      FarField far(layers, {.tolerance = 1e-4, .gradient = true, .dipoles = true});
      BoundaryOperator boundary(far, {{{layer}}});
      std::vector<double> y(panels.size());
      boundary.add(1.0, ones.data(), y.data());
      boundary.add_transposed(1.0, ones.data(), y.data());
    });
  }
}

TEST_F(Threads, OffTheSurface) {
  expect_begun([&] {
    const auto backend = make_cpu_backend();
    OffSurfaceOperator sums(*backend, panels, points, {.tolerance = 1e-4}, {});
    sums.evaluate({ones, ones});
    sums.winding(points);
  });
}

TEST_F(Threads, WithoutABackend) {
  expect_begun([&] {
    const Panels made = make_panels(mesh);
    const CollocatedPanels discretization(made);
    surface_gradient(PanelNeighbourhood(made), ones);
    closest_points(made, points, 1.0);
    integrate_near(discretization, std::vector{Layer::single_layer});
  });
}

TEST_F(Threads, OfAnOperatorAreThoseThatItWasGiven) {
  const auto work = [&](int own) {
    return threads_begun_by(5, [&] {
      const auto sums = fmm::make_cpu_operator({points, points},
                                               {.execution = {.threads = own}, .direct_pairs = 0});
      std::vector<double> charges(points.size(), 1.0), potential(points.size());
      sums->apply({.charges = charges}, {.potential = potential});
      sums->move({points, points});
      sums->breakdown({.charges = charges}, {.potential = potential});
    });
  };
  EXPECT_EQ(work(1), 0);
  EXPECT_EQ(work(3), 2);
  EXPECT_EQ(work(0), 4) << "by default those of its callers";
}

}  // namespace
}  // namespace rankine::bem
