// Compares sums with direct ones, of random points, strengths and options, and counts those whose
// error is above the tolerance that the operator says it keeps (OperatorInfo::kept_tolerance).
//
//   promise_bench FROM TO       draws number FROM to TO - 1; a line for each of those above, and
//                               the counts
//
// Points: those of fmm/distributions.hpp, and others for which expansions err systematically.
// Errors are relative L2: over the sum of squared terms if that is larger (fmm/operator.hpp), as is
// promised, and over the sums themselves, which is larger where terms cancel.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/fmm/cpu_operator.hpp"
#include "rankine/fmm/distributions.hpp"
#include "tests/support/reference_sum.hpp"

namespace rankine::fmm {
namespace {

using std::numbers::pi;
using testing::Field;

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(7919 * seed + 17) { engine_.discard(5); }

  std::uint64_t below(std::uint64_t end) { return engine_() % end; }
  bool one_of(std::uint64_t n) { return below(n) == 0; }
  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }
  double normal() {
    const double u = between(1e-12, 1.0), v = between(0.0, 1.0);
    return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * pi * v);
  }
  Vec3d direction() {
    const double x = normal(), y = normal(), z = normal();
    return normalized(Vec3d{x, y, z});
  }
  /// In the unit square of the plane z = `height`.
  Vec3d in_square(double height) {
    const double x = between(0.0, 1.0), y = between(0.0, 1.0);
    return {x, y, height};
  }

 private:
  std::mt19937_64 engine_;
};

struct Case {
  std::string points, strengths;
  std::vector<Vec3d> sources, targets;
  std::vector<double> charges, dipoles;
  Options options;
  int derivatives = 0;
};

template <class Draw>
std::vector<Vec3d> drawn(std::size_t n, const Draw& draw) {
  std::vector<Vec3d> points(n);
  for (Vec3d& each : points) each = draw();
  return points;
}

void draw_points(Random& random, Case& drawn_case) {
  constexpr std::array others{"centre", "neutral", "sheet",      "spiral",
                              "apart",  "hollow",  "above plane"};
  const std::vector<std::string_view> names = distribution_names();
  const std::size_t which = random.below(names.size() + 2 * others.size()),
                    n = 1000 + random.below(2000), m = 300 + random.below(300);
  const std::uint64_t first = random.below(1000000), second = random.below(1000000);
  std::vector<Vec3d>&sources = drawn_case.sources, &targets = drawn_case.targets;
  if (which < names.size()) {
    drawn_case.points = std::string(names[which]);
    sources = make_points(names[which], n, first);
    targets = make_points(names[which], m, second);
    return;
  }
  const std::string name = others[(which - names.size()) % others.size()];
  drawn_case.points = name;
  const auto in_cube = [&](double half) {
    const double x = random.between(-half, half), y = random.between(-half, half);
    return Vec3d{x, y, random.between(-half, half)};
  };
  const auto in_shell = [&](double from, double to) {
    return drawn(n, [&] {
      const Vec3d way = random.direction();
      return random.between(from, to) * way;
    });
  };
  if (name == "centre") {  // of a sphere of charges
    const double half = random.between(0.001, 0.2);
    sources = drawn(n, [&] { return random.direction(); });
    targets = drawn(m, [&] { return in_cube(half); });
  } else if (name == "neutral") {  // seen from afar
    const Vec3d place = random.between(10.0, 1000.0) * random.direction();
    sources = drawn(n, [&] { return in_cube(1.0); });
    targets = drawn(m, [&] { return place + random.direction(); });
  } else if (name == "sheet") {  // a lattice, in its plane or above it
    const auto edge = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(n))));
    const double h = 1.0 / static_cast<double>(edge);
    for (std::size_t i = 0; i < edge * edge; ++i)
      sources.push_back({h * static_cast<double>(i % edge), h * static_cast<double>(i / edge), 0});
    const double height = random.one_of(2) ? 0.0 : random.between(0.0, 0.1);
    targets = drawn(m, [&] { return random.in_square(height); });
  } else if (name == "spiral") {
    const double turns = random.between(3.0, 20.0);
    const auto on_spiral = [&] {
      const double r = random.between(0.0, 1.0), angle = 2.0 * pi * turns * r;
      return Vec3d{r * std::cos(angle), r * std::sin(angle), 0.0};
    };
    sources = drawn(n, on_spiral);
    targets = drawn(m, on_spiral);
  } else if (name == "apart") {
    const Vec3d way = random.between(0.0, 5.0) * random.direction();
    sources = make_points("cube", n, first);
    targets = make_points("sphere", m, second);
    for (Vec3d& each : targets) each += way;
  } else if (name == "hollow") {
    sources = in_shell(0.9, 1.1);
    targets = drawn(m, [&] { return in_cube(0.35); });
  } else {
    const double height = random.between(0.01, 0.5);
    sources = drawn(n, [&] { return random.in_square(0.0); });
    targets = drawn(m, [&] { return random.in_square(height); });
  }
}

void draw_options(Random& random, Case& drawn_case) {
  Options& options = drawn_case.options;
  options.direct_pairs = drawn_case.points == "coincident" ? 1 << 24 : 0;
  options.method = random.one_of(3) ? Method::treecode : Method::fmm;
  const bool in_float = random.one_of(4);
  options.precision = in_float ? Precision::float32 : Precision::float64;
  options.tolerance = std::pow(10.0, in_float ? random.between(-5, -2) : random.between(-11, -2));
  drawn_case.derivatives = static_cast<int>(random.below(3));
  options.gradient = drawn_case.derivatives > 0;
  options.hessian = drawn_case.derivatives > 1;
  options.dipoles = random.one_of(3);
  options.leaf_capacity = random.one_of(2) ? 0 : 10 + static_cast<int>(random.below(60));
}

void draw_strengths(Random& random, Case& drawn_case) {
  constexpr std::array kinds{"uniform", "normal", "equal", "signs", "heavy-tailed", "masses"};
  const std::size_t n = drawn_case.sources.size(), kind = random.below(kinds.size());
  if (drawn_case.options.dipoles) {
    drawn_case.strengths = "dipoles";
    drawn_case.dipoles.resize(3 * n);
    for (double& each : drawn_case.dipoles) each = random.normal();
    return;
  }
  drawn_case.strengths = kinds[kind];
  const auto draw = [&] {
    switch (kind) {
      case 0:
        return random.between(-1.0, 1.0);
      case 1:
        return random.normal();
      case 2:
        return 1.0;
      case 3:
        return random.one_of(2) ? -1.0 : 1.0;
      case 4: {
        const double size = std::exp(1.5 * random.normal());
        return size * random.normal();
      }
      default:
        return random.between(0.5, 1.5);
    }
  };
  drawn_case.charges.resize(n);
  double sum = 0.0;
  for (double& each : drawn_case.charges) sum += each = draw();
  if (drawn_case.points != "neutral") return;
  for (double& each : drawn_case.charges) each -= sum / static_cast<double>(n);
}

/// Errors over the tolerance that is kept, the largest of potential and derivatives.
struct Found {
  double promised = 0.0, plain = 0.0;
  OperatorInfo info{};
};

Found compare(const Case& given) {
  const std::size_t m = given.targets.size();
  const auto sum = make_cpu_operator({given.sources, given.targets}, given.options);
  Field found{std::vector<double>(m), std::vector<double>(given.options.gradient ? 3 * m : 0),
              std::vector<double>(given.options.hessian ? 6 * m : 0)};
  Strengths strengths;
  if (!given.charges.empty()) strengths.charges = given.charges;
  if (!given.dipoles.empty()) strengths.dipoles = given.dipoles;
  sum->apply(strengths, {found.potential, found.gradient, found.hessian}, 1);
  const Field exact = testing::direct_sum(given.sources, given.targets, given.charges,
                                          given.dipoles, given.derivatives),
              terms = testing::squared_terms(given.sources, given.targets, given.charges,
                                             given.dipoles, given.derivatives);
  Found result{.info = sum->info()};
  const auto take = [&](const std::vector<double>& of, const std::vector<double>& should_be,
                        const std::vector<double>& squares) {
    if (of.empty()) return;
    double error = 0.0, size = 0.0, all = 0.0;
    for (std::size_t i = 0; i < of.size(); ++i) {
      error += (of[i] - should_be[i]) * (of[i] - should_be[i]);
      size += should_be[i] * should_be[i];
      all += squares[i];
    }
    const double kept = result.info.kept_tolerance;
    result.promised = std::max(result.promised, std::sqrt(error / std::max(size, all)) / kept);
    result.plain = std::max(result.plain, std::sqrt(error / size) / kept);
  };
  take(found.potential, exact.potential, terms.potential);
  take(found.gradient, exact.gradient, terms.gradient);
  take(found.hessian, exact.hessian, terms.hessian);
  return result;
}

void run(int from, int to) {
  int above = 0, far_above = 0, plain = 0;
  double worst = 0.0;
  for (int number = from; number < to; ++number) {
    Random random(static_cast<std::uint64_t>(number));
    Case drawn_case;
    draw_points(random, drawn_case);
    draw_options(random, drawn_case);
    draw_strengths(random, drawn_case);
    const Found found = compare(drawn_case);
    above += found.promised > 1.0 ? 1 : 0;
    far_above += found.promised > 2.0 ? 1 : 0;
    plain += found.plain > 1.0 ? 1 : 0;
    worst = std::max(worst, found.promised);
    if (found.promised <= 1.0) continue;
    std::printf("%d: %.2f times, plain %.2f; %s, %s, %zu sources, %zu targets, %s %s, order %d\n",
                number, found.promised, found.plain, drawn_case.points.c_str(),
                drawn_case.strengths.c_str(), drawn_case.sources.size(), drawn_case.targets.size(),
                drawn_case.options.precision == Precision::float32 ? "float" : "double",
                found.info.method == Method::treecode ? "treecode" : "fmm", found.info.order);
  }
  std::printf("of %d: %d above, %d by more than 2, the worst %.2f times; plain L2 %d\n", to - from,
              above, far_above, worst, plain);
}

}  // namespace
}  // namespace rankine::fmm

int main(int argc, char** argv) {
  if (argc != 3) {
    std::printf("promise_bench FROM TO, see the first lines of promise_bench.cpp\n");
    return 1;
  }
  rankine::fmm::run(std::atoi(argv[1]), std::atoi(argv[2]));
  return 0;
}
