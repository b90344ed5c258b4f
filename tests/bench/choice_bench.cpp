// The choices of fmm/tuning.hpp and fmm/truncation.hpp on the CPU, as counts of work that other
// programs do not disturb: compare them after a change of fmm/fitted_constants.hpp.
//
//   choice_bench [POINTS [DISTRIBUTION ...]]
//
// A line for every distribution, kind of sums and tolerance: order, leaf capacity, pairs, M2L, and
// the seconds that the costs predict for them.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/fitted_constants.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/tuning.hpp"

namespace rankine::fmm {
namespace {

struct Sums {
  const char* name;
  Options options;
};

const std::vector<Sums> all_sums{
    {"potential", {}},
    {"gradient", {.gradient = true}},
    {"dipoles", {.dipoles = true}},
    {"dipoles-gradient", {.gradient = true, .dipoles = true}},
    {"four-columns", {.rhs = 4}},
    {"plummer", {.kernel = Kernel::plummer, .softening = 1e-6, .gradient = true}},
    {"exponential", {.kernel = Kernel::vortex_exponential}},
    {"exponential-gradient", {.kernel = Kernel::vortex_exponential, .gradient = true}},
    {"gaussian", {.kernel = Kernel::vortex_gaussian}},
    {"gaussian-gradient", {.kernel = Kernel::vortex_gaussian, .gradient = true}},
    {"treecode", {.method = Method::treecode, .gradient = true}}};

void print(std::string_view distribution, const Sums& sums, const std::vector<Vec3d>& points,
           double tolerance) {
  const std::vector<double> radii(is_vortex(sums.options.kernel) ? points.size() : 0, 1e-3);
  Options options = sums.options;
  options.tolerance = tolerance;
  TreeBuilder host;
  const Tuning tuning = cpu_tuning(options, true);
  const OperatorInfo info = make_plan({points, points, {}, radii}, options, host, tuning).info();
  const PassCosts costs = tuning.costs(std::max(info.order, 1));
  const double translations =
      static_cast<double>(info.m2l) +
      fitted::unevenness.vertical * static_cast<double>(info.m2l > 0 ? info.boxes : 0);
  std::printf("%-10s %-20s %.0e  order %2d  capacity %3d  pairs %.3e  m2l %.3e  seconds %.3e\n",
              std::string(distribution).c_str(), sums.name, tolerance, info.order,
              info.leaf_capacity, static_cast<double>(info.near_pairs),
              static_cast<double>(info.m2l),
              costs.pair * static_cast<double>(info.near_pairs) + costs.m2l * translations);
}

}  // namespace
}  // namespace rankine::fmm

int main(int count, char** arguments) {
  using namespace rankine::fmm;
  const std::size_t points = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 30000;
  std::vector<std::string_view> names(arguments + std::min(count, 2), arguments + count);
  if (names.empty())
    names = {"cube", "sphere", "plane", "line", "clusters", "graded", "ring", "plummer"};
  for (const std::string_view name : names) {
    const auto at = make_points(name, points, 1);
    for (const Sums& sums : all_sums) {
      for (const double tolerance : {1e-3, 1e-6, 1e-9}) print(name, sums, at, tolerance);
    }
  }
}
