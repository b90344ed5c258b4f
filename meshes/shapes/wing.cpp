#include "rankine/meshes/shapes/wing.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

constexpr double pi = std::numbers::pi;

void require_angle(const std::string& what, double value) {
  constexpr double most = 80.0;
  if (std::abs(value) < most) return;
  throw InputError("the " + what + " of the wing is " + text_of(value) +
                   " degrees; give less than " + show_number(most));
}

void require_plan(const WingPlan& plan) {
  require_length("wing", "the span", plan.span);
  require_length("wing", "the chord of the root", plan.root_chord);
  require_length("wing", "the chord of the tip", plan.tip_chord);
  require_angle("sweep", plan.sweep);
  require_angle("dihedral", plan.dihedral);
  require_angle("twist", plan.twist);
}

std::int64_t even(std::int64_t number) { return number + number % 2; }

/// Number of panels across a tip, from one side to the other.
std::int64_t across_tip(WingTip tip, std::int64_t around) {
  return tip == WingTip::flat ? 1 : std::max<std::int64_t>(4, even(around / 8));
}

/// The points of a section from leading to trailing edge.
std::vector<SectionSides> section_points(const WingSection& section, std::int64_t cells) {
  std::vector<SectionSides> points;
  for (std::int64_t i = 0; i <= cells; ++i) {
    const double angle = pi * static_cast<double>(i) / static_cast<double>(cells);
    const auto& [upper, lower] =
        points.emplace_back(section.sides(i == cells ? 1.0 : 0.5 * (1.0 - std::cos(angle))));
    if (i > 0 && i < cells && !(upper.z > lower.z)) {
      throw InputError("the sides of the section " + section.name +
                       " cross or touch at x = " + show_number(upper.x) +
                       " chords; give a section with a thickness from nose "
                       "to trailing edge");
    }
  }
  return points;
}

/// Places the points of a section at |y|.
class Placement {
 public:
  Placement(const WingPlan& plan, double y) : y_(y) {
    const double place = 2.0 * y / plan.span, twist = pi / 180.0 * plan.twist * place;
    chord_ = plan.root_chord + (plan.tip_chord - plan.root_chord) * place;
    quarter_x_ = 0.25 * plan.root_chord + y * std::tan(pi / 180.0 * plan.sweep);
    quarter_z_ = y * std::tan(pi / 180.0 * plan.dihedral);
    cosine_ = std::cos(twist);
    sine_ = std::sin(twist);
  }

  Vec3d operator()(const SectionPoint& point) const {
    const double x = chord_ * (point.x - 0.25), z = chord_ * point.z;
    return {quarter_x_ + cosine_ * x + sine_ * z, y_, quarter_z_ - sine_ * x + cosine_ * z};
  }

 private:
  double y_, chord_, quarter_x_, quarter_z_, cosine_, sine_;
};

}  // namespace

WingPanels wing_panels(std::int64_t panels, const WingPlan& plan) {
  require_panels("wing", panels);
  require_plan(plan);
  constexpr double stretch = 3.0;
  const double chord = 0.5 * (plan.root_chord + plan.tip_chord);
  const auto grid = [&](double edge) {
    const auto cells = [&](double length) {
      return std::max<std::int64_t>(2, 2 * std::llround(0.5 * length / edge));
    };
    return WingPanels{std::max<std::int64_t>(4, cells(2.0 * chord)), cells(plan.span / stretch)};
  };
  return grid(largest_edge(std::max(chord, plan.span / stretch), panels, [&](double edge) {
    const auto [around, along] = grid(edge);
    return around * (along + across_tip(plan.tip, around));
  }));
}

SurfaceMesh make_wing(const WingPanels& panels, const WingSection& section, const WingPlan& plan,
                      const Vec3d& nose) {
  require_plan(plan);
  if (panels.around < 4 || panels.along < 2) {
    throw InputError("the wing cannot have " + std::to_string(panels.around) +
                     " panels around a section and " + std::to_string(panels.along) +
                     " along the span; ask for at least 4 and 2");
  }
  const std::int64_t around = even(panels.around), along = even(panels.along), cells = around / 2;
  const std::int64_t across = across_tip(plan.tip, around);
  require_panels("wing", around * (along + across));
  const std::vector<SectionSides> points = section_points(section, cells);

  SurfaceMesh mesh;
  const auto add_node = [&](const Vec3d& point, bool port) {
    mesh.nodes.push_back(
        {nose.x + point.x, nose.y + (port ? -point.y : point.y), nose.z + point.z});
  };
  // Rings of nodes from the trailing edge along the upper side to the leading edge and back, from
  // port to starboard.
  for (std::int64_t j = 0; j <= along; ++j) {
    const std::int64_t from_tip = std::min(j, along - j);
    const double angle = pi * static_cast<double>(from_tip) / static_cast<double>(along);
    const Placement place(plan, 2 * from_tip == along ? 0.0 : 0.5 * plan.span * std::cos(angle));
    for (std::int64_t k = 0; k < around; ++k) {
      const SectionSides& sides = points[k <= cells ? cells - k : k - cells];
      add_node(place(k <= cells ? sides.upper : sides.lower), 2 * j < along);
    }
  }
  const auto node = [&](std::int64_t j, std::int64_t k) {
    return static_cast<std::int32_t>(j * around + k % around);
  };
  for (std::int64_t j = 0; j < along; ++j) {
    for (std::int64_t k = 0; k < around; ++k) {
      mesh.elements.push_back({node(j, k), node(j + 1, k), node(j + 1, k + 1), node(j, k + 1)});
    }
  }
  // Lines of nodes from the upper to the lower side at every s between trailing and leading edge.
  const Placement at_tip(plan, 0.5 * plan.span);
  for (const bool port : {true, false}) {
    const auto first = static_cast<std::int64_t>(mesh.nodes.size());
    for (std::int64_t k = 1; k < cells; ++k) {
      const Vec3d upper = at_tip(points[cells - k].upper), lower = at_tip(points[cells - k].lower);
      for (std::int64_t a = 1; a < across; ++a) {
        const double turn = pi * static_cast<double>(a) / static_cast<double>(across);
        Vec3d point = 0.5 * (upper + lower) + 0.5 * std::cos(turn) * (upper - lower);
        point.y += 0.5 * std::sin(turn) * norm(upper - lower);
        add_node(point, port);
      }
    }
    const auto tip_node = [&](std::int64_t k, std::int64_t a) {
      const std::int64_t ring = port ? 0 : along;
      if (k == 0 || k == cells || a == 0) return node(ring, k);
      if (a == across) return node(ring, around - k);
      return static_cast<std::int32_t>(first + (k - 1) * (across - 1) + a - 1);
    };
    for (std::int64_t k = 0; k < cells; ++k) {
      for (std::int64_t a = 0; a < across; ++a) {
        const std::int32_t one = tip_node(k, a), two = tip_node(k + 1, a),
                           three = tip_node(k + 1, a + 1), four = tip_node(k, a + 1);
        const Element cell = k == 0           ? Element{one, two, three, -1}
                             : k + 1 == cells ? Element{one, two, four, -1}
                                              : Element{one, two, three, four};
        mesh.elements.push_back(port ? cell : reversed(cell));
      }
    }
  }
  mesh.notes = section.notes;
  return finish_shape(std::move(mesh), "wing");
}

}  // namespace rankine::meshes
