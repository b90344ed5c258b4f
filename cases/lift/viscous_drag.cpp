#include "cases/lift/viscous_drag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "cases/solve/values_file.hpp"
#include "rankine/bem/lift/edge_section.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

using Curve = std::map<double, double>;

/// The two entries around x, the same one beyond the ends, and the share of the second.
template <class Table>
auto around(const Table& table, double x) {
  auto next = table.lower_bound(x);
  if (next == table.end()) --next;
  const auto last = next == table.begin() || next->first < x ? next : std::prev(next);
  const double share = last == next ? 0.0 : (x - last->first) / (next->first - last->first);
  return std::tuple(last, next, share);
}

std::map<double, Curve> read_polars(const std::filesystem::path& path) {
  const std::vector<double> cl = pick_column(path, "cl").values,
                            cd = pick_column(path, "cd").values;
  std::vector<double> y(cl.size(), 0.0);
  for (const Column& column : read_columns(path)) {
    if (column.name == "y") y = column.values;
  }
  std::map<double, Curve> polars;
  for (std::size_t i = 0; i < cl.size(); ++i) {
    Curve& curve = polars[y[i]];
    if (!curve.empty() && !(cl[i] > curve.rbegin()->first)) {
      throw InputError(
          fmt::format("{}: cl {:.4g} follows {:.4g} at y = {:.4g}; cl must increase, as it does "
                      "below the stall",
                      path.string(), cl[i], curve.rbegin()->first, y[i]));
    }
    curve[cl[i]] = cd[i];
  }
  if (polars.empty()) throw InputError(path.string() + ": has no values");
  return polars;
}

}  // namespace

void check_polars(const std::filesystem::path& polars) { read_polars(polars); }

ViscousDrag find_viscous_drag(const std::filesystem::path& polars, const bem::FlowProblem& problem,
                              const bem::Solution& solution) {
  const std::map<double, Curve> tables = read_polars(polars);
  const bem::PanelNeighbourhood neighbourhood(problem.panels);
  const double speed = norm(problem.stream);
  ViscousDrag drag;
  for (std::size_t s = 0; s < problem.lift->segments.size(); ++s) {
    const bem::EdgeSegment& edge = problem.lift->segments[s];
    const Vec3d a = bem::corner_at(problem.panels, edge.upper, edge.first),
                b = bem::corner_at(problem.panels, edge.upper, edge.second), middle = 0.5 * (a + b);
    double chord = 0.0;
    for (const bool upper : {true, false})
      chord = std::max(chord, bem::section_side(neighbourhood, edge, middle, upper).back().depth);
    const double cl = 2.0 * solution.sheets[s] / (speed * chord);
    const auto [inner, outer, share] = around(tables, std::abs(middle.y));
    double cd = 0.0;
    bool outside = false;
    for (const auto& [table, weight] : {std::pair(inner, 1.0 - share), std::pair(outer, share)}) {
      const Curve& curve = table->second;
      const auto [below, above, part] = around(curve, cl);
      cd += weight * ((1.0 - part) * below->second + part * above->second);
      outside = outside || cl < curve.begin()->first || cl > curve.rbegin()->first;
    }
    drag.section.push_back(cd);
    drag.area += cd * chord * norm(cross(b - a, problem.stream)) / speed;
    drag.outside += outside ? 1 : 0;
  }
  return drag;
}

}  // namespace rankine::cases
