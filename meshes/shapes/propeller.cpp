#include "rankine/meshes/shapes/propeller.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/shapes/spline.hpp"

namespace rankine::meshes {
namespace {

constexpr double half_turn = std::numbers::pi;

/// Unscaled camber of the mean line with uniform load up to `a` and linearly falling load behind.
double mean_line(double s) {
  constexpr double a = 0.8;
  const auto square_log = [](double v) {
    return v == 0.0 ? 0.0 : 0.5 * v * v * std::log(std::abs(v));
  };
  const double b = 1.0 - a, g = -1.0 / b * (square_log(a) - 0.25 * a * a + 0.25),
               h = 1.0 / b * (square_log(b) - 0.25 * b * b) + g;
  return 1.0 / (2.0 * half_turn * (a + 1.0)) *
         (1.0 / b *
              (square_log(a - s) - square_log(1.0 - s) + 0.25 * (1.0 - s) * (1.0 - s) -
               0.25 * (a - s) * (a - s)) -
          (s > 0.0 ? s * std::log(s) : 0.0) + g - h * s);
}

/// Half-thickness over the largest thickness [Bro66], without its blunt trailing edge.
double half_thickness(double s) {
  constexpr double nose = 0.448;  // leading-edge radius over the square of the thickness
  constexpr std::array<double, 26> places{
      0.0, 0.005, 0.0075, 0.0125, 0.025, 0.05, 0.075, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35,
      0.4, 0.45,  0.5,    0.55,   0.6,   0.65, 0.7,   0.75, 0.8,  0.85, 0.9,  0.95, 1.0},
      halves{0.0,    0.0665, 0.0812, 0.1044, 0.1466, 0.2066, 0.2525, 0.2907, 0.3521,
             0.4,    0.4363, 0.4637, 0.4832, 0.4952, 0.5,    0.4962, 0.4846, 0.4653,
             0.4383, 0.4035, 0.3612, 0.3110, 0.2532, 0.1877, 0.1143, 0.0333};
  static const Spline over_root = [&] {  // t/sqrt(s), as a function of sqrt(s)
    std::vector<double> knots, values;
    for (std::size_t i = 0; i < places.size(); ++i) {
      knots.push_back(std::sqrt(places[i]));
      values.push_back(i == 0 ? std::sqrt(2.0 * nose) : halves[i] / knots.back());
    }
    return Spline(knots, values);
  }();
  const double root = std::sqrt(s);
  return s <= 0.0 || s >= 1.0 ? 0.0 : over_root(root) * root - halves.back() * s;
}

/// Interpolates between the sections of a table.
class Blade {
 public:
  explicit Blade(const PropellerPlan& plan) : diameter_(plan.diameter) {
    const auto spline = [&](auto value) {
      std::vector<double> knots, values;
      for (const BladeSection& each : plan.sections) {
        knots.push_back(each.radius);
        values.push_back(value(each));
      }
      return Spline(knots, values);
    };
    square_ = spline([](const BladeSection& s) { return s.chord * s.chord; });
    pitch_ = spline([](const BladeSection& s) { return s.pitch; });
    thickness_ = spline([](const BladeSection& s) { return s.thickness; });
    camber_ = spline([](const BladeSection& s) { return s.camber; });
    skew_ = spline([](const BladeSection& s) { return s.skew; });
    rake_ = spline([](const BladeSection& s) { return s.rake; });
    for (int i = 0; i <= 1000; ++i) most_ = std::max(most_, mean_line(0.001 * i));
    double longest = 0.0;
    for (const BladeSection& each : plan.sections) longest = std::max(longest, each.chord);
    tip_ = plan.sections.back().radius;
    constexpr double shortest = 0.25;
    if (plan.sections.back().chord >= shortest * longest) return;
    double inside = plan.sections[plan.sections.size() - 2].radius;
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (inside + tip_);
      (square_(middle) > std::pow(shortest * longest, 2) ? inside : tip_) = middle;
    }
  }

  double tip() const { return tip_; }
  /// Position along the axis, m, and angle about it, at chord position s.
  std::pair<double, double> at(double radius, double s, bool upper) const {
    const double r = 0.5 * radius * diameter_, chord = diameter_ * std::sqrt(square_(radius)),
                 angle = std::atan(pitch_(radius) * diameter_ / (2.0 * half_turn * r)),
                 half = thickness_(radius) * half_thickness(s), xi = chord * (s - 0.5),
                 eta = chord * (camber_(radius) * mean_line(s) / most_ + (upper ? half : -half));
    return {
        diameter_ * rake_(radius) + xi * std::sin(angle) - eta * std::cos(angle),
        -(xi * std::cos(angle) + eta * std::sin(angle)) / r - half_turn / 180.0 * skew_(radius)};
  }
  /// Rotation of the helix through the section, radians per metre.
  double turn(double radius) const { return 2.0 * half_turn / (pitch_(radius) * diameter_); }

 private:
  double diameter_, tip_ = 1.0, most_ = 0.0;
  Spline square_, pitch_, thickness_, camber_, skew_, rake_;
};

void require_plan(const WingPanels& panels, const PropellerPlan& plan) {
  require_length("propeller", "the diameter", plan.diameter);
  const auto refuse = [](const std::string& what) {
    throw InputError("the propeller " + what +
                     "; give sections from the hub to the tip, r/R rising to 1 at most, with "
                     "positive chord (the last may be 0), pitch and thickness");
  };
  if (plan.blades < 1 || plan.sections.size() < 2) refuse("needs a blade and two sections");
  if (panels.around < 8 || panels.along < 2) refuse("has fewer than 8 panels around or 2 along");
  for (std::size_t i = 0; i < plan.sections.size(); ++i) {
    const BladeSection& each = plan.sections[i];
    const bool last = i + 1 == plan.sections.size();
    if (!(each.radius > (i > 0 ? plan.sections[i - 1].radius : 0.0)) || !(each.radius <= 1.0) ||
        !(each.chord > 0.0 || (last && each.chord == 0.0)) || !(each.pitch > 0.0) ||
        !(each.thickness > 0.0))
      refuse("has no section at r/R = " + show_number(each.radius));
  }
}

}  // namespace

SurfaceMesh make_propeller(const WingPanels& panels, const PropellerPlan& plan,
                           const Vec3d& centre) {
  require_plan(panels, plan);
  const Blade blade(plan);
  const int cells = static_cast<int>(panels.around + 1) / 2, around = 2 * cells,
            along = static_cast<int>(panels.along), blades = plan.sector ? 1 : plan.blades;
  const double root = plan.sections.front().radius, radius = 0.5 * plan.diameter * root;
  SurfaceMesh mesh;
  std::vector<std::pair<double, double>> places;  // of nodes: position along and angle about the
                                                  // axis
  const auto add_node = [&](double x, double r, double angle) {
    mesh.nodes.push_back(centre + Vec3d{x, r * std::cos(angle), r * std::sin(angle)});
    places.emplace_back(x, angle);
    return static_cast<std::int32_t>(mesh.nodes.size() - 1);
  };
  // Rings of nodes from the trailing edge along the upper side, which faces upstream, to the
  // leading edge and back.
  for (int b = 0; b < blades; ++b) {
    for (int j = 0; j <= along; ++j) {
      const double q = root + (blade.tip() - root) * std::sin(0.5 * half_turn * j / along);
      for (int k = 0; k < around; ++k) {
        const int i = std::abs(cells - k);
        const auto [x, angle] = blade.at(
            q, i == cells ? 1.0 : 0.5 * (1.0 - std::cos(half_turn * i / cells)), k <= cells);
        add_node(x, 0.5 * plan.diameter * q, angle + 2.0 * half_turn * b / plan.blades);
      }
    }
  }
  const auto node = [&](int b, int j, int k) {
    return static_cast<std::int32_t>(((b % blades) * (along + 1) + j) * around + k % around);
  };
  for (int b = 0; b < blades; ++b) {
    for (int j = 0; j < along; ++j) {
      for (int k = 0; k < around; ++k)
        mesh.elements.push_back(
            {node(b, j, k), node(b, j, k + 1), node(b, j + 1, k + 1), node(b, j + 1, k)});
    }
    for (int k = 0; k < cells; ++k) {
      const std::int32_t one = node(b, along, k), two = node(b, along, k + 1),
                         three = node(b, along, around - k - 1), four = node(b, along, around - k);
      mesh.elements.push_back(k == 0           ? Element{one, two, three, -1}
                              : k + 1 == cells ? Element{one, two, four, -1}
                                               : Element{one, two, three, four});
    }
  }
  const std::size_t of_blades = mesh.elements.size();
  // Rows of the hub, from the upper side of each blade to the lower side of the blade before it. At
  // the leading edge the upper side is further upstream, so rows bend there. The last blade before
  // a sector is the image of its own.
  const int across = std::max(4, 24 / plan.blades), ring = blades * across,
            width = plan.sector ? ring + 1 : ring;
  std::vector<std::vector<std::int32_t>> rows;
  for (int i = 0; i <= cells; ++i) {
    std::vector<std::int32_t>& row = rows.emplace_back();
    for (int b = blades; b > 0; --b) {
      const std::int32_t upper = node(b, 0, cells - i);
      std::int32_t lower = node(b - 1, 0, cells + i);
      const auto [x, angle] = places[static_cast<std::size_t>(upper)];
      auto [end, last] = places[static_cast<std::size_t>(lower)];
      if (plan.sector) {
        last += 2.0 * half_turn * (plan.blades - 1) / plan.blades;
        lower = add_node(end, radius, last);
      }
      const double gap = last - angle - (b == blades ? 2.0 * half_turn : 0.0);
      row.push_back(upper);
      for (int k = 1; k < across; ++k) {
        const double w = static_cast<double>(k) / across,
                     bend = std::pow(std::max(0.0, 1.0 - 2.0 * i / cells), 2) * 1.5 * radius *
                            std::abs(gap) * w * (1.0 - w) * (1.0 - w);
        row.push_back(add_node(x + (end - x) * w - bend, radius, angle + gap * w));
      }
      row.push_back(lower);
    }
  }
  // Rows contain the nodes of both sides of every blade, which coincide at the leading and trailing
  // edge.
  const auto join = [&](const std::vector<std::int32_t>& one,
                        const std::vector<std::int32_t>& two) {
    for (std::size_t k = 0; k + 1 < one.size(); ++k) {
      if (k % static_cast<std::size_t>(across + 1) == static_cast<std::size_t>(across)) continue;
      mesh.elements.push_back({one[k], two[k], two[k + 1], one[k + 1]});
    }
  };
  for (int i = 0; i < cells; ++i) join(rows[i], rows[i + 1]);
  // An end is half an ellipsoid. Its rows turn with the pitch of the blades at the root.
  const auto close = [&](const std::vector<std::int32_t>& edge, double sense) {
    constexpr int steps = 14;
    const double length = 2.0 * radius, turn = blade.turn(root);
    std::vector<std::int32_t> before;
    double mean = 0.0;
    for (std::size_t k = 0; k < edge.size(); ++k) {
      const bool ends =
          k % static_cast<std::size_t>(across + 1) == static_cast<std::size_t>(across);
      if (!ends || plan.sector) before.push_back(edge[k]);
      if (!ends) mean += places[static_cast<std::size_t>(edge[k])].first / ring;
    }
    const std::vector<std::int32_t> first = before;
    const auto cell = [&](std::int32_t a, std::int32_t b, std::int32_t c, std::int32_t d) {
      const Element one{a, b, c, d};
      mesh.elements.push_back(sense > 0.0 ? one : reversed(one));
    };
    for (int s = 1; s < steps; ++s) {
      const double eccentric = 0.5 * half_turn * s / steps, done = std::sin(eccentric);
      std::vector<std::int32_t> row;
      for (const std::int32_t start : first) {
        const auto [x, angle] = places[static_cast<std::size_t>(start)];
        row.push_back(add_node(x + (mean - x) * done + sense * done * length,
                               radius * std::cos(eccentric), angle - sense * turn * done * length));
      }
      for (int k = 0; k < ring; ++k)
        cell(before[k], row[k], row[(k + 1) % width], before[(k + 1) % width]);
      before = row;
    }
    const std::int32_t apex = add_node(mean + sense * length, 0.0, 0.0);
    for (int k = 0; k < ring; ++k) cell(before[k], apex, before[(k + 1) % width], -1);
  };
  close(rows.back(), 1.0);
  close(rows.front(), -1.0);
  mesh = finish_shape(std::move(mesh), "propeller");
  mesh.patch_names = {"blade", "hub"};
  std::fill(mesh.patch.begin() + static_cast<std::ptrdiff_t>(of_blades), mesh.patch.end(), 1);
  return mesh;
}

}  // namespace rankine::meshes
