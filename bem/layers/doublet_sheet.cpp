#include "rankine/bem/layers/doublet_sheet.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/quadrature.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/text.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/edges.hpp"

namespace rankine::bem {
namespace {

/// int int 1/r dA dA of a triangle with itself [EH95].
double own_integral(const PanelShape<double>& shape, double area) {
  std::array<double, 3> side{};
  for (int k = 0; k < 3; ++k)
    side[static_cast<std::size_t>(k)] = norm(shape.corner[(k + 1) % 3] - shape.corner[k]);
  const double half = 0.5 * (side[0] + side[1] + side[2]);
  double sum = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    // half - side, without cancellation for long triangles.
    const double rest = 0.5 * (side[(k + 1) % 3] + side[(k + 2) % 3] - side[k]);
    sum += std::log(half / rest) / side[k];
  }
  return 4.0 / 3.0 * area * area * sum;
}

/// int int 1/r dA dA, by closed forms over `whole` at quadrature points of `sampled`.
double integral_between(const PanelShape<double>& sampled, double area,
                        const std::vector<TrianglePoint>& rule, const PanelShape<double>& whole) {
  const TrianglePatch<double> triangle = triangle_of(sampled, 0);
  double sum = 0.0;
  for (const TrianglePoint& p : rule) {
    const Vec3d x = triangle.point(p.a, p.b, p.c);
    sum += p.weight * integrate_panel<IntegralSet{.single = true}>(whole, x).single;
  }
  return area * sum;
}

constexpr int triangle_corners = 3;
constexpr std::int32_t on_rim = -1;

const Panels& with_triangles(const Panels& panels) {
  for (std::size_t j = 0; j < panels.size(); ++j) {
    if (panels.shape[j].corners == triangle_corners && !panels.shape[j].curved) continue;
    throw InputError(
        "walls without thickness are made of flat triangles, and panel " + std::to_string(j) +
        " is " +
        (panels.shape[j].curved ? "curved; make flat panels" : "a quadrilateral; cut it in two"));
  }
  return panels;
}

std::string place_of(const Panels& panels, std::int32_t panel) {
  return text_of("element ", panel, " at ", panels.centroid[static_cast<std::size_t>(panel)], " m");
}

/// Flags the nodes of edges that belong to one panel only.
std::vector<std::uint8_t> rim_nodes(const Panels& panels, const meshes::EdgeTable& edges) {
  std::vector<std::uint8_t> is_rim(panels.node_count, 0);
  const auto runs_from = [&](std::int32_t panel, std::int32_t node, std::int32_t next) {
    const meshes::Element& e = panels.nodes[static_cast<std::size_t>(panel)];
    for (std::size_t k = 0; k < triangle_corners; ++k) {
      if (e[k] == node && e[(k + 1) % triangle_corners] == next) return true;
    }
    return false;
  };
  edges.for_each_edge([&](std::int32_t node, std::span<const meshes::HalfEdge> sides) {
    const std::int32_t other = sides.front().far_node;
    if (sides.size() > 2) {
      throw MeshError("walls without thickness meet in threes along an edge of " +
                      place_of(panels, sides.front().element) +
                      ", where no one jump of the potential belongs to it; leave one of them out");
    }
    if (sides.size() == 1) {
      is_rim[static_cast<std::size_t>(node)] = is_rim[static_cast<std::size_t>(other)] = 1;
    } else if (runs_from(sides[0].element, node, other) ==
               runs_from(sides[1].element, node, other)) {
      throw MeshError(
          "the normals of neighbours point to opposite sides of a wall without "
          "thickness, at " +
          place_of(panels, sides[0].element) + "; orient the mesh");
    }
  });
  return is_rim;
}

void require_rims(const Panels& panels, const meshes::SurfaceMesh& mesh,
                  const meshes::EdgeTable& edges, const std::vector<std::uint8_t>& is_rim) {
  const meshes::Bodies walls = meshes::find_bodies(mesh, edges);
  std::vector<std::uint8_t> has_rim(static_cast<std::size_t>(walls.count), 0);
  for (std::size_t j = 0; j < panels.size(); ++j) {
    for (std::size_t k = 0; k < triangle_corners; ++k)
      has_rim[static_cast<std::size_t>(walls.of_element[j])] |=
          is_rim[static_cast<std::size_t>(panels.nodes[j][k])];
  }
  for (std::size_t j = 0; j < panels.size(); ++j) {
    if (has_rim[static_cast<std::size_t>(walls.of_element[j])] != 0) continue;
    throw MeshError("a wall without thickness is closed, at " +
                    place_of(panels, static_cast<std::int32_t>(j)) +
                    ": it has an inside, and is a body; leave out thin");
  }
}

}  // namespace

PanelMeans::PanelMeans(const Panels& panels, const QuadratureOptions& options)
    : panels_(panels), nodes_(place_nodes(panels, options)) {}

SparsityPattern PanelMeans::near_pairs() const {
  const SparsityPattern found = find_near_pairs(panels_.centroid, nodes_.balls);
  std::vector<std::vector<std::int32_t>> rows(panels_.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::int64_t k = found.offsets[i]; k < found.offsets[i + 1]; ++k) {
      const std::int32_t j = found.columns[static_cast<std::size_t>(k)];
      rows[i].push_back(j);
      rows[static_cast<std::size_t>(j)].push_back(static_cast<std::int32_t>(i));
    }
  }
  SparsityPattern pairs;
  for (std::vector<std::int32_t>& row : rows) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    pairs.columns.insert(pairs.columns.end(), row.begin(), row.end());
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  return pairs;
}

double PanelMeans::correction(std::size_t i, std::size_t j) const {
  static const std::vector<TrianglePoint> few = triangle_rule(3), many = triangle_rule(12);
  double entry = 0.0;
  if (i == j) {
    entry = own_integral(panels_.shape[i], panels_.area[i]);
  } else {
    const bool first_is_smaller =
        panels_.radius[i] < panels_.radius[j] || (panels_.radius[i] == panels_.radius[j] && i < j);
    const std::size_t smaller = first_is_smaller ? i : j, larger = first_is_smaller ? j : i;
    const double apart = norm(panels_.centroid[i] - panels_.centroid[j]);
    const bool close = apart < fitted::beside_panel * (panels_.radius[i] + panels_.radius[j]);
    entry = integral_between(panels_.shape[smaller], panels_.area[smaller], close ? many : few,
                             panels_.shape[larger]);
  }
  const AlignedVector<Vec3d>& points = nodes_.points.on_host();
  const AlignedVector<double>& weights = nodes_.weights.on_host();
  for (std::size_t n = nodes_.begin(i); n < nodes_.end(i); ++n) {
    for (std::size_t m = nodes_.begin(j); m < nodes_.end(j); ++m) {
      const double distance = norm(points[n] - points[m]);
      if (distance > 0.0) entry -= weights[n] * weights[m] / distance;
    }
  }
  return entry;
}

SparseRows PanelMeans::near_means() const {
  auto pattern = std::make_shared<const SparsityPattern>(near_pairs());
  AlignedVector<double> values(pattern->entries());
  parallel_chunks(pattern->rows(), 64, [&](std::size_t row) {
    for (std::int64_t k = pattern->offsets[row]; k < pattern->offsets[row + 1]; ++k) {
      const auto at = static_cast<std::size_t>(k);
      values[at] = correction(row, static_cast<std::size_t>(pattern->columns[at]));
    }
  });
  return {panels_.size(), std::move(pattern), std::move(values)};
}

DoubletSheet::DoubletSheet(const Panels& panels, const QuadratureOptions& quadrature)
    : panels_(with_triangles(panels)), means_(panels, quadrature) {
  meshes::SurfaceMesh mesh;
  mesh.nodes.resize(panels.node_count);
  mesh.elements.assign(panels.nodes.begin(), panels.nodes.end());
  const meshes::EdgeTable edges(mesh);
  const std::vector<std::uint8_t> is_rim = rim_nodes(panels, edges);
  require_rims(panels, mesh, edges, is_rim);
  of_node_.assign(panels.node_count, on_rim);
  for (const meshes::Element& e : panels.nodes) {
    for (std::size_t k = 0; k < triangle_corners; ++k) {
      const auto node = static_cast<std::size_t>(e[k]);
      if (is_rim[node] == 0 && of_node_[node] == on_rim)
        of_node_[node] = static_cast<std::int32_t>(unknowns_++);
    }
  }
  if (unknowns_ == 0) {
    throw MeshError(
        "all nodes of the walls without thickness are on their rims, where the "
        "potential does not jump; use smaller panels");
  }
}

std::int32_t DoubletSheet::unknown(std::size_t panel, int corner) const {
  return of_node_[static_cast<std::size_t>(panels_.nodes[panel][static_cast<std::size_t>(corner)])];
}

Vec3d DoubletSheet::curl(std::size_t panel, int corner) const {
  const PanelShape<double>& shape = panels_.shape[panel];
  const Vec3d opposite =
      shape.corner[(corner + 2) % triangle_corners] - shape.corner[(corner + 1) % triangle_corners];
  return (-0.5 / panels_.area[panel]) * opposite;
}

StrengthRows DoubletSheet::strengths(const RowRange&) const {
  const PanelNodes& nodes = means_.nodes();
  const AlignedVector<double>& weights = nodes.weights.on_host();
  const std::size_t count = weights.size();
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  pattern->offsets.assign(3 * count + 1, 0);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t j = 0; j < panels_.size(); ++j) {
      for (std::size_t node = nodes.begin(j); node < nodes.end(j); ++node) {
        for (int k = 0; k < triangle_corners; ++k) {
          if (unknown(j, k) == on_rim) continue;
          pattern->columns.push_back(unknown(j, k));
          values.push_back(weights[node] * curl(j, k)[axis]);
        }
        pattern->offsets[static_cast<std::size_t>(axis) * count + node + 1] =
            static_cast<std::int64_t>(pattern->columns.size());
      }
    }
  }
  return {{unknowns_, std::move(pattern), std::move(values)}, {}};
}

SparseRows DoubletSheet::corners_of_panels() const {
  auto pattern = std::make_shared<SparsityPattern>();
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    for (int k = 0; k < triangle_corners; ++k) {
      if (unknown(j, k) != on_rim) pattern->columns.push_back(unknown(j, k));
    }
    pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
  }
  AlignedVector<double> ones(pattern->entries(), 1.0);
  return {unknowns_, std::move(pattern), std::move(ones)};
}

SparsityPattern DoubletSheet::near_pairs(const RowRange& kept) const {
  const SparsityPattern near = means_.near_pairs();
  const SparseRows corners_of = corners_of_panels(), around = transposed(corners_of);
  const auto row_of = [](const SparsityPattern& pattern, std::size_t row) {
    return std::span(pattern.columns)
        .subspan(static_cast<std::size_t>(pattern.offsets[row]),
                 static_cast<std::size_t>(pattern.offsets[row + 1] - pattern.offsets[row]));
  };
  std::vector<std::vector<std::int32_t>> rows(unknowns_);
  parallel_for(unknowns_, [&](std::size_t u) {
    std::vector<std::int32_t>& row = rows[u];
    for (const std::int32_t i : row_of(*around.pattern, u)) {
      for (const std::int32_t j : row_of(near, static_cast<std::size_t>(i))) {
        const auto found = row_of(*corners_of.pattern, static_cast<std::size_t>(j));
        row.insert(row.end(), found.begin(), found.end());
      }
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  });
  SparsityPattern pairs;
  for (const std::vector<std::int32_t>& row : rows) {
    pairs.columns.insert(pairs.columns.end(), row.begin(), row.end());
    pairs.offsets.push_back(static_cast<std::int64_t>(pairs.columns.size()));
  }
  keep_rows(pairs, kept);
  return pairs;
}

/// C^T N C.
void DoubletSheet::integrate(std::span<const Layer>, const SparsityPattern& pairs,
                             std::span<double* const> values) const {
  const SparseRows near = means_.near_means(), around = transposed(corners_of_panels());
  const auto corner_of = [&](std::size_t panel, std::int32_t wanted) {
    int k = 0;
    while (unknown(panel, k) != wanted) ++k;
    return k;
  };
  parallel_for(unknowns_, [&](std::size_t u) {
    const auto first = pairs.columns.begin() + pairs.offsets[u],
               end = pairs.columns.begin() + pairs.offsets[u + 1];
    if (first == end) return;
    double* const row = values[0] + pairs.offsets[u];
    std::fill(row, row + (end - first), 0.0);
    for (std::int64_t p = around.pattern->offsets[u]; p < around.pattern->offsets[u + 1]; ++p) {
      const auto i = static_cast<std::size_t>(around.pattern->columns[static_cast<std::size_t>(p)]);
      const Vec3d mine = curl(i, corner_of(i, static_cast<std::int32_t>(u)));
      for (std::int64_t q = near.pattern->offsets[i]; q < near.pattern->offsets[i + 1]; ++q) {
        const auto at = static_cast<std::size_t>(q);
        const auto j = static_cast<std::size_t>(near.pattern->columns[at]);
        for (int k = 0; k < triangle_corners; ++k) {
          if (unknown(j, k) != on_rim)
            row[std::lower_bound(first, end, unknown(j, k)) - first] +=
                near.values[at] * dot(mine, curl(j, k));
        }
      }
    }
  });
}

std::vector<double> DoubletSheet::diagonal() const {
  std::vector<double> result(unknowns_, 0.0);
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    for (int k = 0; k < triangle_corners; ++k) {
      if (unknown(j, k) == on_rim) continue;
      const Vec3d c = curl(j, k);
      result[static_cast<std::size_t>(unknown(j, k))] += dot(c, c) * std::pow(panels_.area[j], 1.5);
    }
  }
  return result;
}

std::vector<double> DoubletSheet::test(std::span<const double> flux) const {
  const std::size_t n = panels_.size();
  std::vector<double> b(flux.size() / n * unknowns_, 0.0);
  for (std::size_t at = 0; at < flux.size(); ++at) {
    for (int k = 0; k < triangle_corners; ++k) {
      if (unknown(at % n, k) != on_rim)
        b[at / n * unknowns_ + static_cast<std::size_t>(unknown(at % n, k))] +=
            panels_.area[at % n] * flux[at] / triangle_corners;
    }
  }
  return b;
}

std::vector<double> DoubletSheet::means(std::span<const double> mu) const {
  const std::size_t n = panels_.size();
  std::vector<double> result(mu.size() / unknowns_ * n, 0.0);
  parallel_for(result.size(), [&](std::size_t at) {
    for (int k = 0; k < triangle_corners; ++k) {
      if (unknown(at % n, k) != on_rim)
        result[at] += mu[at / n * unknowns_ + static_cast<std::size_t>(unknown(at % n, k))] /
                      triangle_corners;
    }
  });
  return result;
}

std::vector<Vec3d> DoubletSheet::vorticity(std::span<const double> mu) const {
  std::vector<Vec3d> result(panels_.size());
  parallel_for(result.size(), [&](std::size_t j) {
    for (int k = 0; k < triangle_corners; ++k) {
      if (unknown(j, k) != on_rim)
        result[j] += mu[static_cast<std::size_t>(unknown(j, k))] * curl(j, k);
    }
  });
  return result;
}

BoundaryFormulation sheet_formulation() {
  const Diagonal none{.factor = 0.0};
  return {.system = {{{Layer::single_layer}}},
          .data = {{}, {.factor = -1.0}},
          .potential = {{}, {}},
          .known_potential = {},
          .flux = {},
          .known_flux = none,
          .charge = none,
          .known_charge = none,
          .doublet = {},
          .known_doublet = none};
}

}  // namespace rankine::bem
