// What benches of several processes time: one apply beside that of one process.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "rankine/fmm/core/relative_error.hpp"
#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine {

inline double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// The median of seven calls.
template <class Apply>
double seconds_of(Apply&& apply) {
  std::vector<double> seconds;
  for (int k = 0; k < 7; ++k) {
    const Stopwatch stopwatch;
    apply();
    seconds.push_back(stopwatch.seconds());
  }
  return median(seconds);
}

/// From the arguments sum POINTS N PRECISION TOLERANCE RANKS.
struct SumCase {
  std::vector<Vec3d> points;
  std::vector<double> charges;
  fmm::Options options;
  int ranks;

  explicit SumCase(char** argv)
      : points(
            fmm::make_points(argv[2], static_cast<std::size_t>(std::strtod(argv[3], nullptr)), 1)),
        charges(fmm::make_strengths(points.size(), 2)),
        ranks(std::atoi(argv[6])) {
    options.precision =
        std::string(argv[4]) == "float" ? fmm::Precision::float32 : fmm::Precision::float64;
    options.tolerance = std::strtod(argv[5], nullptr);
  }
};

struct Timed {
  double apply = 0.0, setup = 0.0;
  std::vector<double> potential = {};
  std::vector<fmm::PassTime> passes = {};

  void print(const char* what) const {
    std::printf("%s: %.2f ms, set-up %.1f ms:", what, 1e3 * apply, 1e3 * setup);
    for (const fmm::PassTime& pass : passes)
      std::printf("  %s %.2f", pass.name.c_str(), 1e3 * pass.seconds);
    std::printf("\n");
  }
};

inline void print(char** argv, const Timed& one, const Timed& several) {
  std::printf("%s %s %s %s, %s ranks: ", argv[2], argv[3], argv[4], argv[5], argv[6]);
  std::printf("ratio %.2f, of set-ups %.2f, difference %.1e\n", one.apply / several.apply,
              one.setup / several.setup, relative_error(several.potential, one.potential));
  one.print("  one");
  several.print("  several");
}

}  // namespace rankine
