// Every distribution has the shape that fmm/distributions.hpp describes.
#include "rankine/fmm/distributions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "rankine/fmm/core/error.hpp"
#include "tests/support/error_messages.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t drawn = 2000;
using Cloud = std::vector<Vec3d>;

bool is_in(const Vec3d& p, const Vec3d& low, const Vec3d& high) {
  return low.x <= p.x && p.x <= high.x && low.y <= p.y && p.y <= high.y && low.z <= p.z &&
         p.z <= high.z;
}

/// The share of the points for which `holds` does.
double part_of(const Cloud& points, const std::function<bool(const Vec3d&)>& holds) {
  return static_cast<double>(std::count_if(points.begin(), points.end(), holds)) /
         static_cast<double>(points.size());
}

/// Whether each third of the interval along `axis` has at least a tenth of the points.
bool fills(const Cloud& points, int axis, double low, double high) {
  for (int k = 0; k < 3; ++k) {
    const double from = low + k * (high - low) / 3.0, to = from + (high - low) / 3.0;
    if (part_of(points, [&](const Vec3d& p) { return from <= p[axis] && p[axis] <= to; }) < 0.1)
      return false;
  }
  return true;
}

TEST(Distributions, FillTheirBoxes) {
  struct Box {
    const char* name;
    Vec3d low, high;
  };
  for (const auto& [name, low, high] :
       {Box{"cube", {}, {1, 1, 1}}, Box{"slab", {}, {1, 1, 1e-6}},
        Box{"needle", {}, {1, 1e-3, 1e-3}},
        Box{"offset", {1e6, 1e6, 1e6}, {1e6 + 1, 1e6 + 1, 1e6 + 1}},
        Box{"helix", {-1, -1, 0}, {1, 1, 4}}, Box{"sphere", {-1, -1, -1}, {1, 1, 1}},
        Box{"corners", {}, {1, 1, 1}}, Box{"lattice", {}, {1, 1, 1}}}) {
    const Cloud points = make_points(name, drawn, 7);
    EXPECT_EQ(points, make_points(name, drawn, 7)) << name;
    EXPECT_EQ(part_of(points, [&](const Vec3d& p) { return is_in(p, low, high); }), 1.0) << name;
    if (std::string(name) == "lattice") continue;  // fills the part that its step leaves
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_TRUE(fills(points, axis, low[axis], high[axis])) << name << axis;
  }
}

TEST(Distributions, LieOnTheirSurfacesAndCurves) {
  const auto all = [](const char* name, const std::function<bool(const Vec3d&)>& holds) {
    EXPECT_EQ(part_of(make_points(name, drawn, 3), holds), 1.0) << name;
  };
  const auto is_unit = [](const Vec3d& p) { return std::abs(norm(p) - 1.0) < 1e-14; };
  all("sphere", is_unit);
  all("graded", is_unit);
  all("two-bodies", [&](const Vec3d& p) {
    return is_unit(p) || std::abs(norm(p - Vec3d{100.0, 0.0, 0.0}) - 1.0) < 1e-13;
  });
  all("helix", [](const Vec3d& p) {
    return norm(p - Vec3d{std::cos(10.0 * p.z), std::sin(10.0 * p.z), p.z}) < 1e-13;
  });
  all("plane", [](const Vec3d& p) {  // spanned by (1, 2, 3) and its product with z
    return std::abs(dot(p, cross(Vec3d{1.0, 2.0, 3.0}, Vec3d{2.0, -1.0, 0.0}))) < 1e-13;
  });
  all("line", [](const Vec3d& p) { return norm(cross(p, Vec3d{3.0, -1.0, 2.0})) < 1e-14; });
  all("ray", [](const Vec3d& p) {
    return norm(cross(p, Vec3d{3.0, 5.0, 8.0})) < 1e-14 * norm(p) && norm(p) > 0.99e-8 &&
           norm(p) < 1.01e8;
  });
  all("ring", [](const Vec3d& p) {
    return norm(p - normalized(Vec3d{p.x, p.y, 0.0})) < 0.1 + 1e-14;
  });
  all("corners", [](const Vec3d& p) {
    for (int axis = 0; axis < 3; ++axis) {
      const double eighths = 8.0 * p[axis];
      if (std::abs(eighths - std::round(eighths)) > 8.0001e-4) return false;
    }
    return true;
  });
  all("cantor", [](const Vec3d& p) {  // no digit is one, to the base of three
    double x = p.x;
    for (int k = 0; k < 12; ++k) {
      x *= 3.0;
      if (std::floor(x + 1e-10) == 1.0) return false;
      x -= std::floor(x + 1e-10);
    }
    return true;
  });
}

TEST(Distributions, HaveTheirDensities) {
  const auto tenth = [](double found, double expected) { EXPECT_NEAR(found, expected, 0.05); };
  tenth(part_of(make_points("plummer", drawn, 5), [](const Vec3d& p) { return norm(p) < 1.305; }),
        0.5);
  tenth(part_of(make_points("two-bodies", drawn, 5), [](const Vec3d& p) { return p.x < 50.0; }),
        0.5);
  // log10((1 - z) / 2) is uniform from -4 to 0.
  tenth(part_of(make_points("graded", drawn, 5), [](const Vec3d& p) { return 1.0 - p.z < 0.02; }),
        0.5);
  tenth(part_of(make_points("ray", drawn, 5), [](const Vec3d& p) { return norm(p) < 1.0; }), 0.5);
  // Gaps of corners are uniform.
  tenth(part_of(make_points("corners", drawn, 5),
                [](const Vec3d& p) { return std::abs(8.0 * p.x - std::round(8.0 * p.x)) < 4e-4; }),
        0.5);
}

TEST(Distributions, RepeatPointsAsTheySay) {
  const auto distinct = [](const Cloud& points) {
    std::set<std::array<double, 3>> found;
    for (const Vec3d& p : points) found.insert({p.x, p.y, p.z});
    return found.size();
  };
  EXPECT_EQ(distinct(make_points("coincident", drawn, 9)), 7u);
  for (const std::string_view name : distribution_names()) {
    const Cloud points = make_points(name, drawn, 9);
    ASSERT_EQ(points.size(), drawn) << name;
    if (name == "coincident" || name == "cantor") continue;
    EXPECT_EQ(distinct(points), drawn) << name;
  }
  // A step of 2^-4 for 13 points along each edge.
  for (const Vec3d& p : make_points("lattice", drawn, 9)) {
    for (int axis = 0; axis < 3; ++axis) EXPECT_EQ(16.0 * p[axis], std::round(16.0 * p[axis]));
  }
}

// Point i lies around centre i mod 16, with the width 10^-(1 + i mod 4).
TEST(Distributions, OfClustersHaveFourWidths) {
  const Cloud points = make_points("clusters", 16000, 2);
  Cloud centres;
  for (std::size_t c = 0; c < 16; ++c) {
    Vec3d middle, squares;
    for (std::size_t i = c; i < points.size(); i += 16) middle += points[i] / 1000.0;
    double square = 0.0;
    for (std::size_t i = c; i < points.size(); i += 16)
      square += dot(points[i] - middle, points[i] - middle) / 3000.0;
    const double width = std::pow(10.0, -1.0 - static_cast<double>(c % 4));
    EXPECT_NEAR(std::sqrt(square), width, 0.1 * width);  // of 3000 normal deviates: 1.3 %
    EXPECT_TRUE(is_in(middle, {-0.02, -0.02, -0.02}, {1.02, 1.02, 1.02}));
    centres.push_back(middle);
  }
  EXPECT_GT(norm(centres[0] - centres[4]), 0.02);
  EXPECT_GT(norm(centres[3] - centres[15]), 0.02);
}

TEST(Distributions, UnknownNamesAreRefused) {
  const std::string refusal = testing::message_of<InputError>([] { make_points("cubes", 3, 1); });
  for (const std::string_view each : distribution_names())
    EXPECT_NE(refusal.find(each), std::string::npos) << refusal;
  const auto q = make_strengths(drawn, 4);
  EXPECT_TRUE(std::all_of(q.begin(), q.end(), [](double x) { return -1.0 < x && x < 1.0; }));
  EXPECT_LT(*std::min_element(q.begin(), q.end()), -0.9);
  EXPECT_GT(*std::max_element(q.begin(), q.end()), 0.9);
}

}  // namespace
}  // namespace rankine::fmm
