// Seconds of added mass: one flow, six rigid modes, and 100 modes of an ellipsoid 8:1:0.6, the size
// of a hull. Processor seconds of all threads, which hardly change where others compute, too, and
// seconds on the wall.
//
//   added_mass_bench [PANELS = 33000] [MODES = 100] [THREADS = 2]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/added_mass.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/meshes/shapes/shapes.hpp"

namespace {

using namespace rankine;

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

/// Processor seconds of the stages of solves, in the order in which they first came.
class Stages {
 public:
  void begin(std::string_view name) {
    const double now = processor_seconds();
    if (current_ >= 0) seconds_[static_cast<std::size_t>(current_)].second += now - since_;
    since_ = now;
    current_ = -1;
    if (name.empty()) return;
    for (const auto& each : seconds_) {
      ++current_;
      if (each.first == name) return;
    }
    seconds_.emplace_back(name, 0.0);
    ++current_;
  }
  void print() {
    begin({});
    for (const auto& [name, seconds] : seconds_)
      std::printf("    %-18s %7.2f s\n", name.c_str(), seconds);
    seconds_.clear();
  }

 private:
  std::vector<std::pair<std::string, double>> seconds_;
  std::ptrdiff_t current_ = -1;
  double since_ = 0.0;
};

/// Runs `work`, and prints what it took and how often the first took that.
template <class Work>
double timed(const char* name, double unit, Stages& stages, Work&& work) {
  const Stopwatch watch;
  const double before = processor_seconds();
  const auto iterations = work();
  const double taken = processor_seconds() - before;
  std::printf("%-14s %7.2f s of processors, %7.2f s on the wall", name, taken, watch.seconds());
  if (unit > 0.0) std::printf(", %5.2f single solves", taken / unit);
  std::printf("; %d iterations\n", iterations);
  stages.print();
  std::fflush(stdout);
  return taken;
}

/// Bends along x: cosines of rising numbers of half waves, across it.
std::vector<double> bends(const bem::Panels& panels, int count) {
  std::vector<double> modes;
  for (int k = 0; k < count; ++k) {
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const double along =
          std::cos(0.5 * std::numbers::pi * (k / 2 + 2) * (panels.centroid[i].x / 8.0 + 1.0));
      modes.push_back(along * panels.normal[i][1 + k % 2]);
    }
  }
  return modes;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 1 ? std::atoi(argv[1]) : 33000,
            more = argc > 2 ? std::atoi(argv[2]) : 100;
  const bem::FlowProblem problem{
      .panels = bem::make_panels(meshes::make_ellipsoid(count, {8.0, 1.0, 0.6})),
      .stream = {0.0, 1.0, 0.0}};
  const auto backend = bem::make_cpu_backend();
  bem::FlowOptions options;
  Stages stages;
  options.stage = [&](std::string_view name) { stages.begin(name); };
  std::printf("%zu panels, %d threads\n", problem.panels.size(), thread_count());
  const auto most = [](const std::vector<bem::GmresResult>& results) {
    int iterations = 0;
    for (const auto& each : results) iterations = std::max(iterations, each.iterations);
    return iterations;
  };
  const double single = timed("single solve", 0.0, stages, [&] {
    return bem::solve(problem, options, *backend).gmres.iterations;
  });
  const bem::RigidBodies body{std::vector<std::int32_t>(problem.panels.size(), 0), {Vec3d{}}};
  timed("six modes", single, stages,
        [&] { return most(bem::added_mass(problem, body, {}, options, *backend).gmres); });
  if (more == 0) return 0;
  const std::vector<double> modes = bends(problem.panels, more);
  timed("six and more", single, stages,
        [&] { return most(bem::added_mass(problem, body, modes, options, *backend).gmres); });
}
