#include "rankine/meshes/shapes/wing_section.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/formats/text_file.hpp"
#include "rankine/meshes/formats/text_words.hpp"
#include "rankine/meshes/message_parts.hpp"
#include "rankine/meshes/shapes/spline.hpp"

namespace rankine::meshes {
namespace {

/// A point of a file and its line.
struct FilePoint {
  double x, z;
  std::size_t line;
};

double distance(const FilePoint& a, const FilePoint& b) { return std::hypot(a.x - b.x, a.z - b.z); }

/// The points of a file, from the upper trailing edge around the leading edge to the lower trailing
/// edge.
std::vector<FilePoint> read_points(TextFile& text) {
  std::vector<FilePoint> points;
  bool first = true;
  while (text.next()) {
    std::string_view line = text.rest();
    double x = 0.0, z = 0.0;
    const bool numbers = text.words_left() == 2 && to_real(take_word(line), x) &&
                         to_real(take_word(line), z) && std::isfinite(x) && std::isfinite(z);
    if (numbers) points.push_back({x, z, text.line()});
    if (!numbers && !first)
      text.refuse("a point needs two numbers, x and z, found " + shown(text.rest()));
    first = false;
  }
  return points;
}

/// Whether the first line has the numbers of points of the two sides.
bool has_counts(const std::vector<FilePoint>& points) {
  if (points.empty()) return false;
  const auto [upper, lower, line] = points.front();
  return upper >= 2.0 && lower >= 2.0 && upper == std::floor(upper) &&
         upper + lower == static_cast<double>(points.size() - 1);
}

/// Joins two sides, each from the leading edge, to one line with a single leading-edge point.
std::vector<FilePoint> in_one_line(std::vector<FilePoint> points) {
  const auto upper = static_cast<std::ptrdiff_t>(points.front().x);
  points.erase(points.begin());
  std::reverse(points.begin(), points.begin() + upper);
  if (distance(points[upper - 1], points[upper]) == 0.0) points.erase(points.begin() + upper);
  return points;
}

/// Twice the enclosed area, positive for counter-clockwise points.
double turning(const std::vector<FilePoint>& points) {
  double sum = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const FilePoint &a = points[i], &b = points[(i + 1) % points.size()];
    sum += a.x * b.z - a.z * b.x;
  }
  return sum;
}

class FileSection {
 public:
  /// Points from the upper trailing edge around the leading edge, from which x increases on both
  /// sides.
  FileSection(const std::vector<FilePoint>& points, std::size_t nose, double gap)
      : nose_(nose), gap_(gap) {
    std::vector<double> x, z;
    for (const FilePoint& point : points) {
      knots_.push_back(knots_.empty() ? 0.0
                                      : knots_.back() + distance(point, points[x.size() - 1]));
      x.push_back(point.x);
      z.push_back(point.z);
    }
    x_ = std::make_shared<Spline>(knots_, x);
    z_ = std::make_shared<Spline>(knots_, z);
    // The minimum x of the spline is next to the foremost point: golden-section search in the two
    // intervals there.
    double low = 0.0, high = 2.0;
    for (int step = 0; step < 80; ++step) {
      const double a = low + 0.381966011250105 * (high - low), b = low + high - a;
      (x_around_nose(a) < x_around_nose(b) ? high : low) =
          x_around_nose(a) < x_around_nose(b) ? b : a;
    }
    nose_at_ = 0.5 * (low + high);
    nose_x_ = x_around_nose(nose_at_);
    nose_z_ = around_nose(*z_, nose_at_);
    chord_ = points.front().x - nose_x_;
    ends_z_ = {points.front().z, points.back().z};
  }

  SectionSides sides(double s) const {
    if (s <= 0.0) return {{0.0, 0.0}, {0.0, 0.0}};
    const double edge = (0.5 * (ends_z_[0] + ends_z_[1]) - nose_z_) / chord_;
    if (s >= 1.0) return {{1.0, edge}, {1.0, edge}};
    return {{s, side(s, true) - 0.5 * s * gap_ / chord_},
            {s, side(s, false) + 0.5 * s * gap_ / chord_}};
  }

 private:
  /// The spline near the leading edge: `place` from 0 at the knot before it to 2 at the knot after
  /// it.
  double around_nose(const Spline& spline, double place) const {
    return place < 1.0 ? spline.at(nose_ - 1, place) : spline.at(nose_, place - 1.0);
  }
  double x_around_nose(double place) const { return around_nose(*x_, place); }

  /// z at x = s on one side, by bisection of the interval that contains x.
  double side(double s, bool upper) const {
    const double x = nose_x_ + s * chord_;
    // Positions along the spline, in units of knots; `inside` is at smaller x.
    double inside = static_cast<double>(nose_ - 1) + nose_at_;
    const double end = upper ? 0.0 : static_cast<double>(knots_.size() - 1);
    double outside = upper ? std::ceil(inside) - 1.0 : std::floor(inside) + 1.0;
    while (outside != end && value(*x_, outside) < x) {
      inside = outside;
      outside += upper ? -1.0 : 1.0;
    }
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (inside + outside);
      (value(*x_, middle) < x ? inside : outside) = middle;
    }
    return (value(*z_, outside) - nose_z_) / chord_;
  }
  double value(const Spline& spline, double place) const {
    const auto i = std::min(static_cast<std::size_t>(place), knots_.size() - 2);
    return spline.at(i, place - static_cast<double>(i));
  }

  std::size_t nose_;
  double gap_;
  std::vector<double> knots_;
  std::shared_ptr<const Spline> x_, z_;
  double nose_at_ = 0.0, nose_x_ = 0.0, nose_z_ = 0.0, chord_ = 1.0;
  std::array<double, 2> ends_z_{};
};

}  // namespace

bool names_naca_section(std::string_view word) {
  return word.size() == 4 &&
         std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
}

WingSection naca_section(const std::string& digits) {
  if (!names_naca_section(digits)) {
    throw InputError("the section \"" + digits +
                     "\" has not four digits; known are NACA's 4-digit sections, as \"0012\"");
  }
  const double m = 0.01 * (digits[0] - '0'), p = 0.1 * (digits[1] - '0'),
               t = 0.01 * (10 * (digits[2] - '0') + (digits[3] - '0'));
  if (t == 0.0) throw InputError("the section " + digits + " has no thickness; give 01 to 99");
  if ((m == 0.0) != (p == 0.0)) {
    throw InputError("the section " + digits +
                     " has only one of camber, the first digit, and its place, the second: give "
                     "both, or 00");
  }
  const auto sides = [m, p, t](double s) -> SectionSides {
    const double part = s < p ? m / (p * p) : m / ((1.0 - p) * (1.0 - p));
    const double camber = m == 0.0 ? 0.0
                          : s < p  ? part * (2.0 * p * s - s * s)
                                   : part * (1.0 - 2.0 * p + 2.0 * p * s - s * s);
    if (s <= 0.0 || s >= 1.0) return {{s, 0.0}, {s, 0.0}};
    const double angle = std::atan(2.0 * part * (p - s));
    const double half =
        5.0 * t *
        (0.2969 * std::sqrt(s) + s * (-0.1260 + s * (-0.3516 + s * (0.2843 - s * 0.1036))));
    const double dx = half * std::sin(angle), dz = half * std::cos(angle);
    return {{s - dx, camber + dz}, {s + dx, camber - dz}};
  };
  return {"NACA " + digits, sides, {}};
}

WingSection read_section(const std::filesystem::path& file) {
  constexpr std::size_t least_points = 10, most_points = 100'000;
  constexpr double most_gap = 0.05;
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw MeshError(file.string() +
                    ": there is no such file of a section; give four digits, as \"0012\", or a "
                    "file of points");
  }
  TextFile text(file);
  std::vector<FilePoint> points = read_points(text);
  if (has_counts(points)) points = in_one_line(std::move(points));
  if (points.size() < least_points || points.size() > most_points) {
    text.refuse("a section needs " + std::to_string(least_points) + " to " +
                std::to_string(most_points) + " points, found " + std::to_string(points.size()));
  }
  const auto foremost = [&] {
    return static_cast<std::size_t>(
        std::min_element(points.begin(), points.end(),
                         [](const FilePoint& a, const FilePoint& b) { return a.x < b.x; }) -
        points.begin());
  };
  if (turning(points) < 0.0) std::reverse(points.begin(), points.end());
  const std::size_t nose = foremost();
  if (nose == 0 || nose + 1 == points.size()) {
    text.refuse_at(points[nose].line,
                   "the nose, the point with the least x, is the first or the last one of the "
                   "section; points run from the trailing edge around the nose and back");
  }
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const FilePoint &a = points[i], &b = points[i + 1];
    if (i < nose ? b.x < a.x : b.x > a.x) continue;
    if (i + 1 == nose && distance(a, b) > 0.0) continue;  // a flat leading edge
    if (i == nose && distance(a, b) > 0.0) continue;
    text.refuse_at(std::max(a.line, b.line),
                   "x must rise along each side from the nose to the trailing edge, found " +
                       show_number(a.x) + " beside " + show_number(b.x));
  }
  const FilePoint &upper = points.front(), &lower = points.back();
  const double chord = upper.x - points[nose].x, gap = upper.z - lower.z;
  if (std::abs(upper.x - lower.x) > 1e-3 * chord || gap < -1e-9 * chord || gap > most_gap * chord) {
    text.refuse_at(std::max(upper.line, lower.line),
                   "the two sides end at (" + show_number(upper.x) + ", " + show_number(upper.z) +
                       ") and (" + show_number(lower.x) + ", " + show_number(lower.z) +
                       "), which is no trailing edge: they must meet, or be at most " +
                       show_number(most_gap) + " chords apart");
  }
  WingSection section{file.string(), nullptr, {}};
  if (gap > 1e-9 * chord) {
    section.notes.push_back("the open trailing edge of " + file.string() + ", " +
                            show_number(gap / chord) + " chords wide, is closed");
  }
  section.sides = [shape = FileSection(points, nose, gap)](double s) { return shape.sides(s); };
  return section;
}

}  // namespace rankine::meshes
