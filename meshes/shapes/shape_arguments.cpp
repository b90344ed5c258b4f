#include "rankine/meshes/shapes/shape_arguments.hpp"

#include <cmath>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/text.hpp"

namespace rankine::meshes {

void require_panels(const std::string& shape, std::int64_t panels) {
  constexpr std::int64_t most = 1'000'000'000;
  if (panels >= 1 && panels <= most) return;
  throw InputError("the " + shape + " cannot have " + std::to_string(panels) +
                   " panels; ask for 1 to " + std::to_string(most));
}

void require_length(const std::string& shape, const std::string& what, double value) {
  if (std::isfinite(value) && value > 0.0) return;
  throw InputError(what + " of the " + shape + " is " + text_of(value) + " m; it must be positive");
}

double largest_edge(double longest, std::int64_t wanted,
                    const std::function<std::int64_t(double edge)>& count) {
  double too_long = 4.0 * longest, short_enough = longest;
  while (count(short_enough) < wanted) short_enough *= 0.5;
  for (int step = 0; step < 60; ++step) {
    const double middle = 0.5 * (too_long + short_enough);
    (count(middle) < wanted ? too_long : short_enough) = middle;
  }
  return short_enough;
}

void add_cell(SurfaceMesh& mesh, const Element& corners, PanelKind kind) {
  const auto [a, b, c, d] = corners;
  if (kind == PanelKind::quadrilaterals) {
    mesh.elements.push_back(corners);
  } else {
    mesh.elements.push_back({a, b, c, -1});
    mesh.elements.push_back({a, c, d, -1});
  }
}

SurfaceMesh finish_shape(SurfaceMesh mesh, const std::string& shape) {
  mesh.patch.assign(mesh.elements.size(), 0);
  mesh.patch_names = {"body"};
  mesh.source = shape;
  return mesh;
}

}  // namespace rankine::meshes
