// A slender wing on a long cylinder. Slender-body theory [NACA Report 1307], r the radius of the
// body and s the half span: the jump of the potential behind the trailing edge is
//
//   2 U alpha sqrt((s + r^2/s)^2 - (y + r^2/y)^2) ,
//
// constant on along the side of the body, where the wake ends; the lift of the wing is K_W(B) times
// that of the two panels joined to a wing, and that of the body ahead of the edge K_B(W) times.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <vector>

#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/flow/forces.hpp"
#include "rankine/bem/flow/relaxed_wake.hpp"
#include "rankine/bem/flow/surface_fits.hpp"
#include "rankine/bem/flow/wake_lines.hpp"
#include "rankine/bem/flow/wake_loads.hpp"
#include "rankine/bem/lift/lift_loads.hpp"
#include "rankine/meshes/shapes/wing_section.hpp"
#include "tests/support/symmetric_bodies.hpp"

namespace rankine::bem {
namespace {

using std::numbers::pi;

constexpr double radius = 0.3, half_span = 1.0, chord = 9.0, tip = 0.1;
constexpr double root = 6.0, trailing = root + chord, end = trailing + 12.0, ogive = 4.0;
constexpr int around = 8, along_chord = 60, along_span = 12;
enum Patch : std::int32_t { body, main_wing, tail };

/// Half of it, y >= 0, with panels whose edges lie on the line where the wake meets the body.
class Half {
 public:
  meshes::SurfaceMesh mesh;

  /// `zigzag`: amplitude of the edges behind the wing, in panels. `narrow`: strips are narrow at
  /// the body.
  explicit Half(bool has_body, bool has_wing, double zigzag = 0.0, bool narrow = false,
                int chordwise = along_chord)
      : chordwise_(chordwise),
        has_body_(has_body),
        has_wing_(has_wing),
        narrow_(narrow),
        zigzag_(zigzag) {
    mesh.patch_names = {"body", "wing", "tail"};
    const meshes::WingSection section = meshes::naca_section("0001");
    for (int k = 0; k <= chordwise; ++k) {
      place_.push_back(0.5 * (1.0 - std::cos(pi * k / chordwise)));
      height_.push_back(k == 0 || k == chordwise ? 0.0 : section.sides(place_.back()).upper.z);
    }
    if (has_body) add_body();
    if (has_wing) add_wing();
  }

 private:
  std::int32_t node(const Vec3d& x) {
    const auto digits = [](double a) { return std::llround(1e9 * a); };
    const auto [at, is_new] = nodes_.try_emplace({digits(x.x), digits(x.y), digits(x.z)},
                                                 static_cast<std::int32_t>(mesh.nodes.size()));
    if (is_new) mesh.nodes.push_back(x);
    return at->second;
  }

  /// A panel between four points, of which two may be one.
  void add(const std::array<Vec3d, 4>& corners, Patch patch) {
    std::vector<std::int32_t> found;
    for (const Vec3d& x : corners) {
      const std::int32_t n = node(x);
      if (found.empty() || (n != found.back() && n != found.front())) found.push_back(n);
    }
    if (found.size() < 3) return;
    mesh.elements.push_back({found[0], found[1], found[2], found.size() == 4 ? found[3] : -1});
    mesh.patch.push_back(patch);
  }

  void add_body() {
    std::vector<double> x;
    constexpr int at_nose = 10;
    for (int k = 0; k <= at_nose; ++k)
      x.push_back(ogive * (1.0 - std::cos(0.5 * pi * k / at_nose)));
    for (int k = 1; k < 6; ++k) x.push_back(ogive + (root - ogive) * k / 6.0);
    const std::size_t first = x.size();
    for (const double s : place_) x.push_back(root + chord * s);
    const std::size_t last = x.size() - 1;
    for (double step = 0.05; x.back() + 1.4 * step < end - ogive; step = std::min(1.4 * step, 0.8))
      x.push_back(x.back() + step);
    for (int k = at_nose; k >= 0; --k)
      x.push_back(end - ogive * (1.0 - std::cos(0.5 * pi * k / at_nose)));
    const auto point = [&](std::size_t k, int i, double side) {
      const double beyond = std::max({ogive - x[k], x[k] - (end - ogive), 0.0}) / ogive;
      const double r = radius * std::sqrt(std::max(0.0, 1.0 - beyond * beyond));
      const double z = has_wing_ && k > first && k < last ? chord * height_[k - first] : 0.0;
      const double low = r > 0.0 ? std::asin(z / r) : 0.0,
                   angle = low + (0.5 * pi - low) * i / around;
      const bool behind = k > last && k + 1 < x.size() && i < around;
      const double turn = behind ? (k % 2 ? 1.0 : -1.0) * zigzag_ * 0.5 * pi / around : 0.0;
      return Vec3d{x[k], i == around ? 0.0 : r * std::cos(side * angle + turn),
                   r * std::sin(side * angle + turn)};
    };
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      const Patch patch = x[k] < trailing + 4.0 * radius ? body : tail;
      for (int i = 0; i < around; ++i) {
        for (const double side : {1.0, -1.0}) {
          const Vec3d a = point(k, i, side), b = point(k + 1, i, side),
                      c = point(k + 1, i + 1, side), d = point(k, i + 1, side);
          add(side > 0.0 ? std::array{a, d, c, b} : std::array{a, b, c, d}, patch);
        }
      }
    }
  }

  void add_wing() {
    const double inner = has_body_ ? radius : 0.0;
    const auto point = [&](int k, int j, double side) {
      const auto at = static_cast<std::size_t>(k);
      const double part = static_cast<double>(j) / along_span,
                   share = narrow_ ? part * part : std::sin(0.5 * pi * part),
                   c = chord * (1.0 - (1.0 - tip) * share);
      const double z = height_[at] * c;
      double y = inner + (half_span - radius) * share;
      if (j == 0 && has_body_) y = std::sqrt(radius * radius - z * z);
      return Vec3d{trailing - c * (1.0 - place_[at]), y, side * z};
    };
    for (int k = 0; k < chordwise_; ++k) {
      for (int j = 0; j < along_span; ++j) {
        add({point(k, j, 1.0), point(k + 1, j, 1.0), point(k + 1, j + 1, 1.0),
             point(k, j + 1, 1.0)},
            main_wing);
        add({point(k, j, -1.0), point(k, j + 1, -1.0), point(k + 1, j + 1, -1.0),
             point(k + 1, j, -1.0)},
            main_wing);
      }
      add({point(k, along_span, 1.0), point(k + 1, along_span, 1.0), point(k + 1, along_span, -1.0),
           point(k, along_span, -1.0)},
          main_wing);
    }
  }

  int chordwise_;
  bool has_body_, has_wing_, narrow_;
  double zigzag_;
  std::vector<double> place_, height_;
  std::map<std::array<long long, 3>, std::int32_t> nodes_;
};

constexpr double alpha = 2.0 * pi / 180.0;

struct HalfFlow {
  FlowProblem problem;
  Solution solution{};
  std::vector<double> lift{};  ///< of the patches
  double displacement = 0.0;
};

FlowProblem half_problem(bool has_body, bool has_wing, double zigzag = 0.0, const Vec3d& at = {}) {
  meshes::SurfaceMesh mesh = Half(has_body, has_wing, zigzag).mesh;
  for (Vec3d& each : mesh.nodes) each += at;
  FlowProblem problem{.panels = make_panels(mesh, PanelGeometry::flat,
                                            meshes::Symmetry({{.axis = 1, .sign = 1.0}})),
                      .stream = {std::cos(alpha), 0.0, std::sin(alpha)}};
  if (has_wing) {
    problem.lift =
        std::make_shared<LiftingEdges>(lifting_edges(problem.panels, problem.stream, {1, 0, 0}));
  }
  return problem;
}

/// Each flow is solved once.
const HalfFlow& solve_half(bool has_body, bool has_wing, double zigzag = 0.0,
                           bool relaxed = false) {
  static std::map<std::tuple<bool, bool, double, bool>, HalfFlow> flows;
  const auto [known, is_new] = flows.try_emplace({has_body, has_wing, zigzag, relaxed},
                                                 half_problem(has_body, has_wing, zigzag));
  HalfFlow& flow = known->second;
  if (!is_new) return flow;
  const auto backend = make_cpu_backend();
  flow.solution = relaxed ? solve_with_relaxed_wakes(flow.problem, {}, *backend,
                                                     [&](const WakeSweep& sweep) {
                                                       flow.displacement = sweep.displacement;
                                                     })
                          : solve(flow.problem, FlowOptions{}, *backend);
  EXPECT_TRUE(flow.solution.converged());
  for (const Loads& loads :
       pressure_loads_by_patch(flow.problem, fit_surface(flow.problem, flow.solution, *backend), 3))
    flow.lift.push_back(loads.force.z);
  return flow;
}

void expect_no_leak(const HalfFlow& flow) {
  const std::vector<EdgeSegment>& edges = flow.problem.lift->segments;
  ASSERT_EQ(edges.size(), static_cast<std::size_t>(along_span));
  double at_root = 0.0, inner = half_span;
  for (std::size_t s = 0; s < edges.size(); ++s) {
    const double y = flow.problem.lift->sources.point[s].y, m = flow.solution.sheets[s];
    if (y < inner) {
      inner = y;
      at_root = m;
    }
    const double across = half_span + radius * radius / half_span, here = y + radius * radius / y;
    // The tip has a chord, so that the wing carries more there.
    if (y < 0.75) {
      EXPECT_NEAR(m / (2.0 * alpha * std::sqrt(across * across - here * here)), 1.0, 0.03) << y;
    }
  }
  // Around the body, panels come in pairs above and below, the first ones beside the line from the
  // trailing edge along it. The jump is even in the angle but for what is linear.
  const Panels& panels = flow.problem.panels;
  double least = 1e9, most = 0.0;
  for (std::size_t i = 0; panels.patch[i] != main_wing; i += 2 * around) {
    if (panels.centroid[i].x < trailing || panels.centroid[i].x > end - ogive) continue;
    const std::vector<double>& phi = flow.solution.phi;
    const double on_line = 1.5 * (phi[i] - phi[i + 1]) - 0.5 * (phi[i + 2] - phi[i + 3]);
    least = std::min(least, on_line);
    most = std::max(most, on_line);
  }
  EXPECT_LT(most - least, 2e-3 * at_root);
  EXPECT_NEAR(0.5 * (least + most), at_root, 0.02 * at_root);
}

TEST(SlenderWing, WakeDoesNotLeakWhereItMeetsTheBody) {
  for (const double zigzag : {0.0, 0.3}) expect_no_leak(solve_half(true, true, zigzag));
}

/// The wake leaves the body at its end. It is straight, and carries some of the lift.
TEST(SlenderWing, HasTheLiftOfItsWakeFarDownstream) {
  const HalfFlow& flow = solve_half(true, true, 0.3);
  const TrefftzLoads far = trefftz_loads(flow.problem.panels, *flow.problem.lift,
                                         flow.solution.sheets, flow.problem.stream, 1.0);
  EXPECT_NEAR((flow.lift[body] + flow.lift[main_wing] + flow.lift[tail]) / far.force.z, 1.0, 0.08);
  // The sheet is whole across the body, and the jump nearly elliptic. An elliptic one on the span b
  // has the least drag, L^2 / (pi rho U^2 b^2 / 2). These are half of the lift and of the drag.
  const double elliptic = far.force.z * far.force.z / (pi * half_span * half_span);
  EXPECT_GT(far.induced_drag, elliptic);
  EXPECT_LT(far.induced_drag, 1.02 * elliptic);
  // Loads do not depend on where the body is.
  const FlowProblem moved = half_problem(true, true, 0.3, {7.0, 0.0, -3.0});
  const TrefftzLoads same =
      trefftz_loads(moved.panels, *moved.lift, flow.solution.sheets, moved.stream, 1.0);
  EXPECT_NEAR(same.force.z, far.force.z, 1e-9 * far.force.z);
  EXPECT_NEAR(same.induced_drag, far.induced_drag, 1e-9 * far.induced_drag);
}

/// r/s = 0.3: K_W(B) = 1.2528, K_B(W) = 0.4372 for slender wings; this one has the aspect ratio
/// 0.4.
TEST(SlenderWing, CarriesLiftOverAsSlenderTheory) {
  const HalfFlow &both = solve_half(true, true), &alone = solve_half(true, false),
                 &exposed = solve_half(false, true);
  const double of_wing = exposed.lift[main_wing];
  EXPECT_NEAR(both.lift[main_wing] / of_wing, 1.2528, 0.03 * 1.2528);
  EXPECT_NEAR((both.lift[body] - alone.lift[body]) / of_wing, 0.4372, 0.03 * 0.4372);
}

/// With a wake that follows the flow behind the body, body and wing carry the lift of the Trefftz
/// plane; with a straight one 6.5 % of it are on the wake.
TEST(SlenderWing, HasAllOfItsLiftWithARelaxedWake) {
  const HalfFlow& flow = solve_half(true, true, 0.3, true);
  const auto backend = make_cpu_backend();
  const LiftingEdges& lift = *flow.problem.lift;
  const double far =
      trefftz_loads(flow.problem.panels, lift, flow.solution.sheets, flow.problem.stream, 1.0)
          .force.z;
  EXPECT_NEAR((flow.lift[body] + flow.lift[main_wing] + flow.lift[tail]) / far, 1.0, 0.005);
  const WakeLoad load = wake_load(flow.problem, flow.solution, {}, *backend);
  EXPECT_LT(std::abs(load.force.z), 0.05 * far);
  EXPECT_FALSE(load.in_body.has_value());
  EXPECT_LT(flow.displacement, relaxed_wake_tolerance);
  ASSERT_EQ(lift.lines.size(), 1u);
  for (const auto& [node, on_body] : lift.lines) {
    const std::vector<Vec3d>& line = lift.wakes.at(node).points;
    ASSERT_GT(line.size(), on_body.size() + 4);
    for (std::size_t k = 0; k < on_body.size(); ++k) EXPECT_EQ(line[k], on_body[k]);
    for (std::size_t k = on_body.size(); k < line.size(); ++k) EXPECT_EQ(line[k].y, 0.0);
  }
}

/// Lines that start close to the body pass it outside, though pieces of free lines are longer than
/// its tail. The wake has little effect on the lift. The whole body, since such lines come so close
/// to the plane y = 0 that their panels would have to be short.
TEST(SlenderWing, HasARelaxedWakeOutsideOfItsBody) {
  const meshes::Symmetry halves({{.axis = 1, .sign = 1.0}});
  FlowProblem problem{
      .panels = make_panels(testing::with_images(Half(true, true, 0.3, true, 30).mesh, halves),
                            PanelGeometry::flat),
      .stream = {std::cos(alpha), 0.0, std::sin(alpha)}};
  problem.lift =
      std::make_shared<LiftingEdges>(lifting_edges(problem.panels, problem.stream, {1, 0, 0}));
  const auto backend = make_cpu_backend();
  const auto lift_of = [&](const Solution& solution) {
    return pressure_loads(fit_surface(problem, solution, *backend)).force.z;
  };
  const double straight = lift_of(solve(problem, FlowOptions{}, *backend));
  const Solution relaxed = solve_with_relaxed_wakes(problem, {}, *backend, [](const WakeSweep&) {});
  EXPECT_NEAR(lift_of(relaxed), straight, 0.02 * straight);
  EXPECT_FALSE(wake_load(problem, relaxed, {}, *backend).in_body.has_value());
}

/// Port and starboard: behind the body the lines of both roots are one vortex, with one velocity.
TEST(WakeLines, OfBothRootsAreOneBehindTheBody) {
  Panels panels = make_panels(
      testing::with_images(Half(true, true).mesh, meshes::Symmetry({{.axis = 1, .sign = 1.0}})),
      PanelGeometry::flat);
  const LiftingEdges lift = lifting_edges(panels, {1, 0, 0});
  ASSERT_EQ(lift.lines.size(), 2u);
  std::map<std::size_t, std::map<std::size_t, double>> weights[2];  // by row and panel
  for (const LinePiece& piece : line_pieces(lift)) {
    const auto line = lift.lines.find(piece.node);
    if (line == lift.lines.end()) continue;
    ASSERT_GE(piece.row + 1, line->second.size());
    for (const PanelBeside& each : piece.beside)
      weights[line == lift.lines.begin() ? 0 : 1][piece.row][each.panel] = each.weight;
  }
  ASSERT_FALSE(weights[0].empty());
  for (const auto& [row, beside] : weights[0]) {
    ASSERT_EQ(beside.size(), 2u);
    for (const auto& [panel, weight] : beside) {
      EXPECT_NEAR(weight, 0.5, 1e-9);
      EXPECT_NEAR(weights[1].at(row).at(panel), 0.5, 1e-9);
    }
  }
  std::size_t on_body = 0;
  for (const auto& sides : sides_on_bodies(lift))
    on_body += (sides[0] ? 1 : 0) + (sides[1] ? 1 : 0);
  EXPECT_EQ(on_body, lift.lines.begin()->second.size() + lift.lines.rbegin()->second.size() - 2);
}

TEST(BodyLines, EndApartIfNoneMeetsAnother) {
  const Vec3d port{0, 1, 0}, starboard{0, -1, 0}, tail{4, 0, 0};
  const auto apart = [](const BodyLines& lines, const meshes::Symmetry& symmetry = {}) {
    return end_apart(lines, symmetry).has_value();
  };
  EXPECT_FALSE(apart({{1, {port, tail}}, {2, {starboard, tail}}}));
  EXPECT_TRUE(apart({{1, {port, {4, 1, 0}}}, {2, {starboard, {4, -1, 0}}}}));
  EXPECT_FALSE(apart({{1, {port, tail}}})) << "a fin alone";
  const meshes::Symmetry half({{1, 0.0, 1.0}});
  EXPECT_FALSE(apart({{1, {port, tail}}}, half));
  EXPECT_TRUE(apart({{1, {port, {4, 1, 0}}}}, half));
}

}  // namespace
}  // namespace rankine::bem
