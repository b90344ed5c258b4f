// The direct sum on the device against that on the host, for the distributions for which accuracy
// is promised.
#include "rankine/gpu/sums/direct_sum.hpp"

#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

using fmm::Precision;

struct Given {
  bool charges = true, normal_dipoles = false, dipoles = false, gradient = false;
  int rhs = 1;
};

struct Sums {
  std::vector<double> potential, gradient;
};

class DirectSum : public DeviceTest {
 protected:
  void set_points(std::vector<Vec3d> sources, std::vector<Vec3d> targets) {
    sources_ = std::move(sources);
    targets_ = std::move(targets);
    normals_.clear();
    for (std::size_t j = 0; j < sources_.size(); ++j) {
      const double angle = 0.7 * static_cast<double>(j);
      normals_.push_back(normalized(Vec3d{std::cos(angle), std::sin(angle), 0.3}));
    }
  }

  fmm::Options options(Precision precision) const {
    fmm::Options chosen;
    chosen.method = fmm::Method::direct;
    chosen.precision = precision;
    chosen.tolerance = precision == Precision::float32 ? 1e-5 : 1e-6;
    return chosen;
  }
  fmm::Points points() const { return {sources_, targets_, normals_}; }

  /// In extended precision, term by term.
  Sums on_host(const Given& given) {
    using Real = long double;
    const Inputs in(given, sources_.size());
    Sums sums = empty_sums(given);
    for (int k = 0; k < given.rhs; ++k) {
      for (std::size_t i = 0; i < targets_.size(); ++i) {
        Real potential = 0, gradient[3] = {};
        for (std::size_t j = 0; j < sources_.size(); ++j) {
          const std::size_t at = static_cast<std::size_t>(k) * sources_.size() + j;
          Real r[3], moment[3], r2 = 0, along = 0;
          for (int axis = 0; axis < 3; ++axis) {
            r[axis] = static_cast<Real>(targets_[i][axis]) - sources_[j][axis];
            moment[axis] =
                given.dipoles ? in.dipoles[3 * at + static_cast<std::size_t>(axis)] : 0.0;
            if (given.normal_dipoles)
              moment[axis] += static_cast<Real>(in.normal_dipoles[at]) * normals_[j][axis];
            r2 += r[axis] * r[axis];
            along += r[axis] * moment[axis];
          }
          if (r2 == 0) continue;
          const Real charge = given.charges ? in.charges[at] : 0.0;
          const Real u = 1 / std::sqrt(r2), u3 = u * u * u;
          potential += charge * u + along * u3;
          for (int axis = 0; axis < 3; ++axis) {
            gradient[axis] += u3 * moment[axis] - (charge + 3 * along * u * u) * u3 * r[axis];
          }
        }
        const std::size_t at = static_cast<std::size_t>(k) * targets_.size() + i;
        sums.potential[at] = static_cast<double>(potential);
        for (std::size_t axis = 0; axis < 3 && given.gradient; ++axis) {
          sums.gradient[3 * at + axis] = static_cast<double>(gradient[axis]);
        }
      }
    }
    return sums;
  }

  Sums on_device(const Given& given, Precision precision) {
    auto stream = std::make_shared<const Stream>();
    auto op = make_cuda_operator(points(), options(precision), stream);
    const Inputs in(given, sources_.size());
    const DeviceBuffer<double> charges(in.charges, *stream),
        normal_dipoles(in.normal_dipoles, *stream), dipoles(in.dipoles, *stream);
    Sums sums = empty_sums(given);
    DeviceBuffer<double> potential(sums.potential, *stream), gradient(sums.gradient, *stream);
    fmm::Strengths strengths;
    if (given.charges) strengths.charges = charges.span();
    if (given.normal_dipoles) strengths.normal_dipoles = normal_dipoles.span();
    if (given.dipoles) strengths.dipoles = dipoles.span();
    fmm::Results results{.potential = potential.span()};
    if (given.gradient) results.gradient = gradient.span();
    op->apply(strengths, results, given.rhs);
    op->synchronize();
    return {potential.download(*stream), gradient.download(*stream)};
  }

  void expect_parity(const Given& given, Precision precision, double tolerance) {
    const Sums host = on_host(given), device = on_device(given, precision);
    EXPECT_LE(relative_error(device.potential, host.potential), tolerance);
    if (given.gradient) {
      EXPECT_LE(relative_error(device.gradient, host.gradient), tolerance);
    }
  }

 private:
  struct Inputs {
    Inputs(const Given& given, std::size_t sources)
        : charges(fmm::make_strengths(sources * static_cast<std::size_t>(given.rhs), 1)),
          normal_dipoles(fmm::make_strengths(charges.size(), 2)),
          dipoles(fmm::make_strengths(3 * charges.size(), 3)) {}
    std::vector<double> charges, normal_dipoles, dipoles;
  };

  /// Filled with values that a result must overwrite.
  Sums empty_sums(const Given& given) const {
    const std::size_t size = targets_.size() * static_cast<std::size_t>(given.rhs);
    return {std::vector<double>(size, 1e30),
            std::vector<double>(given.gradient ? 3 * size : 0, 1e30)};
  }

  std::vector<Vec3d> sources_, targets_, normals_;
};

// A sum of 1500 terms has a rounding error of at most 1500 units in the last place of its largest
// partial sum, of which cancellation leaves at least a tenth here: 1e-12 in double. In float the
// operator promises 1e-5. Sums over tiles of 128 are in double, so that the error is at most
// 128 x 6e-8 / 0.1 and much less on average.
constexpr double double_parity = 1e-12;
constexpr double float_parity = 1e-5;

TEST_F(DirectSum, IsAccurateOnEveryDistribution) {
  for (const std::string_view name : fmm::distribution_names()) {
    if (name == "ray") continue;  // its inverse distances overflow float
    SCOPED_TRACE(std::string(name));
    const auto points = fmm::make_points(name, 1500, 1);
    set_points(points, points);
    expect_parity({.gradient = true}, Precision::float64, double_parity);
    expect_parity({.gradient = true}, Precision::float32, float_parity);
  }
}

TEST_F(DirectSum, SumsEveryKindOfStrength) {
  set_points(fmm::make_points("cube", 700, 1), fmm::make_points("cube", 431, 2));
  for (const bool gradient : {false, true}) {
    for (const int kinds : {1, 2, 3, 4, 5, 6, 7}) {
      SCOPED_TRACE("gradient " + std::to_string(gradient) + ", kinds " + std::to_string(kinds));
      const Given given{(kinds & 1) != 0, (kinds & 2) != 0, (kinds & 4) != 0, gradient, 1};
      expect_parity(given, Precision::float64, double_parity);
      expect_parity(given, Precision::float32, float_parity);
    }
  }
}

TEST_F(DirectSum, SumsSeveralRightHandSides) {
  set_points(fmm::make_points("sphere", 300, 1), fmm::make_points("cube", 150, 2));
  for (const int rhs : {2, 3, 4, 7}) {
    SCOPED_TRACE(rhs);
    const Given given{true, true, false, true, rhs};
    expect_parity(given, Precision::float64, double_parity);
    expect_parity(given, Precision::float32, float_parity);
  }
}

TEST_F(DirectSum, KeepsItsAccuracyAtAnyScale) {
  for (const double scale : {1e-9, 1e9}) {
    SCOPED_TRACE(scale);
    auto points = fmm::make_points("cube", 600, 1);
    for (Vec3d& p : points) p = p * scale + Vec3d{1.0, -2.0, 3.0} * (100.0 * scale);
    set_points(points, points);
    const Given given{true, true, false, true, 1};
    expect_parity(given, Precision::float64, double_parity);
  }
}

TEST_F(DirectSum, HandlesFewPoints) {
  for (const std::size_t sources : {1, 2, 129, 3000}) {
    for (const std::size_t targets : {1, 2, 85, 129, 300}) {
      SCOPED_TRACE(std::to_string(sources) + " sources, " + std::to_string(targets) + " targets");
      set_points(fmm::make_points("cube", sources, 1), fmm::make_points("cube", targets, 2));
      for (const bool gradient : {false, true}) {
        expect_parity({.gradient = gradient}, Precision::float64, double_parity);
        expect_parity({true, true, false, gradient, 2}, Precision::float64, double_parity);
      }
    }
  }
}

TEST_F(DirectSum, LeavesOutCoincidentPairs) {
  set_points({{1, 2, 3}, {1, 2, 3}, {2, 2, 3}}, {{1, 2, 3}});
  const Given given{.gradient = true};
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    expect_parity(given, precision, float_parity);
  }
}

TEST_F(DirectSum, GivesTheSameBitsAgain) {
  const auto points = fmm::make_points("sphere", 3000, 1);
  set_points(points, points);
  const Given given{.gradient = true};
  for (const Precision precision : {Precision::float64, Precision::float32}) {
    const Sums once = on_device(given, precision), again = on_device(given, precision);
    EXPECT_EQ(once.potential, again.potential);
    EXPECT_EQ(once.gradient, again.gradient);
  }
}

}  // namespace
}  // namespace rankine::gpu
