#include "rankine/bem/layers/doublet_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/edges.hpp"

namespace rankine::bem {
namespace {

constexpr int corners = 3;
constexpr std::int32_t on_rim = -1;

void require_triangles(const Panels& panels) {
  for (std::size_t j = 0; j < panels.size(); ++j) {
    if (panels.shape[j].corners == corners && !panels.shape[j].curved) continue;
    throw InputError(
        "walls without thickness are made of flat triangles, and panel " + std::to_string(j) +
        " is " +
        (panels.shape[j].curved ? "curved; make flat panels" : "a quadrilateral; cut it in two"));
  }
}

std::string place_of(const Panels& panels, std::int32_t panel) {
  const Vec3d& x = panels.centroid[static_cast<std::size_t>(panel)];
  return "element " + std::to_string(panel) + " at (" + std::to_string(x.x) + ", " +
         std::to_string(x.y) + ", " + std::to_string(x.z) + ") m";
}

/// Marks the nodes of edges that have one panel.
std::vector<std::uint8_t> rim_nodes(const Panels& panels, const meshes::EdgeTable& edges) {
  std::vector<std::uint8_t> is_rim(panels.node_count, 0);
  const auto runs_from = [&](std::int32_t panel, std::int32_t node, std::int32_t next) {
    const meshes::Element& e = panels.nodes[static_cast<std::size_t>(panel)];
    for (std::size_t k = 0; k < corners; ++k) {
      if (e[k] == node && e[(k + 1) % corners] == next) return true;
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
    for (std::size_t k = 0; k < corners; ++k)
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

DoubletSheet::DoubletSheet(const Panels& panels) : panels_(panels) {
  require_triangles(panels);
  meshes::SurfaceMesh mesh;
  mesh.nodes.resize(panels.node_count);
  mesh.elements.assign(panels.nodes.begin(), panels.nodes.end());
  const meshes::EdgeTable edges(mesh);
  const std::vector<std::uint8_t> is_rim = rim_nodes(panels, edges);
  require_rims(panels, mesh, edges, is_rim);
  of_node_.assign(panels.node_count, on_rim);
  for (const meshes::Element& e : panels.nodes) {
    for (std::size_t k = 0; k < corners; ++k) {
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
      shape.corner[(corner + 2) % corners] - shape.corner[(corner + 1) % corners];
  return (-0.5 / panels_.area[panel]) * opposite;
}

SparseRows DoubletSheet::curls() const {
  const std::size_t n = panels_.size();
  auto pattern = std::make_shared<SparsityPattern>();
  AlignedVector<double> values;
  pattern->offsets.assign(3 * n + 1, 0);
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t j = 0; j < n; ++j) {
      for (int k = 0; k < corners; ++k) {
        if (unknown(j, k) == on_rim) continue;
        pattern->columns.push_back(unknown(j, k));
        values.push_back(curl(j, k)[axis]);
      }
      pattern->offsets[static_cast<std::size_t>(axis) * n + j + 1] =
          static_cast<std::int64_t>(pattern->columns.size());
    }
  }
  return {unknowns_, std::move(pattern), std::move(values)};
}

std::vector<double> DoubletSheet::diagonal() const {
  std::vector<double> result(unknowns_, 0.0);
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    for (int k = 0; k < corners; ++k) {
      if (unknown(j, k) == on_rim) continue;
      const Vec3d c = curl(j, k);
      result[static_cast<std::size_t>(unknown(j, k))] += dot(c, c) * std::pow(panels_.area[j], 1.5);
    }
  }
  return result;
}

std::vector<double> DoubletSheet::test(std::span<const double> flux) const {
  std::vector<double> b(unknowns_, 0.0);
  for (std::size_t j = 0; j < panels_.size(); ++j) {
    for (int k = 0; k < corners; ++k) {
      if (unknown(j, k) != on_rim)
        b[static_cast<std::size_t>(unknown(j, k))] += panels_.area[j] * flux[j] / corners;
    }
  }
  return b;
}

std::vector<double> DoubletSheet::means(std::span<const double> mu) const {
  std::vector<double> result(panels_.size(), 0.0);
  parallel_for(result.size(), [&](std::size_t j) {
    for (int k = 0; k < corners; ++k) {
      if (unknown(j, k) != on_rim)
        result[j] += mu[static_cast<std::size_t>(unknown(j, k))] / corners;
    }
  });
  return result;
}

std::vector<Vec3d> DoubletSheet::vorticity(std::span<const double> mu) const {
  std::vector<Vec3d> result(panels_.size());
  parallel_for(result.size(), [&](std::size_t j) {
    for (int k = 0; k < corners; ++k) {
      if (unknown(j, k) != on_rim)
        result[j] += mu[static_cast<std::size_t>(unknown(j, k))] * curl(j, k);
    }
  });
  return result;
}

SheetOperator::SheetOperator(const DoubletSheet& sheet, const PanelMeans& means, FarField& far)
    : backend_(far.layers().backend()),
      layers_(far.layers()),
      single_(far, {{{Layer::single_layer}}}),
      curls_(backend_.make_sparse(sheet.curls())),
      tests_(backend_.make_sparse(transposed(sheet.curls()))),
      weights_(backend_.make_sparse(transposed(means.strengths()))),
      near_(backend_.make_sparse(means.near_means())) {}

std::span<const double> SheetOperator::curls_of(const double* x, int rhs) {
  const std::size_t size = curls_->rows() * static_cast<std::size_t>(rhs);
  const std::span<double> curls = layers_.reserve(vorticity_, size);
  backend_.fill(size, 0.0, curls.data());
  curls_->add(1.0, x, curls.data(), rhs);
  return curls;
}

void SheetOperator::add(double alpha, const double* x, double* y, int rhs) {
  const std::span<const double> curls = curls_of(x, rhs);
  const int columns = 3 * rhs;
  const std::span<double> at_nodes = layers_.reserve(
                              at_nodes_, weights_->columns() * static_cast<std::size_t>(columns)),
                          sums = layers_.reserve(sums_, curls.size());
  backend_.fill(at_nodes.size(), 0.0, at_nodes.data());
  backend_.fill(sums.size(), 0.0, sums.data());
  single_.add(1.0, curls.data(), at_nodes.data(), columns);
  weights_->add(1.0, at_nodes.data(), sums.data(), columns);
  near_->add(1.0, curls.data(), sums.data(), columns);
  tests_->add(alpha, sums.data(), y, rhs);
}

}  // namespace rankine::bem
