#include "rankine/bem/layers/sampled_layers.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "rankine/bem/layers/linear_strengths.hpp"
#include "rankine/bem/layers/sampled_sums.hpp"
#include "rankine/bem/layers/shared_nodes.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// 1 - the least cosine between the normals of a panel and of its neighbours.
double turning(const PanelNeighbourhood& neighbourhood, std::size_t panel) {
  const meshes::Element& own = neighbourhood.panels().nodes[panel];
  const int corners = meshes::corner_count(own);
  double least = 1.0;
  for (int k = 0; k < corners; ++k) {
    neighbourhood.for_each_at_edge(own[k], own[(k + 1) % corners], [&](std::int32_t j) {
      least = std::min(least, dot(neighbourhood.normal(j), neighbourhood.panels().normal[panel]));
    });
  }
  return 1.0 - least;
}

}  // namespace

std::vector<DrawnPanel> draw_panels(const PanelNeighbourhood& neighbourhood,
                                    const std::vector<std::uint8_t>& eligible, std::size_t count) {
  const Panels& panels = neighbourhood.panels();
  // Panels with equal angles, as at the edges of a box, are in random order.
  struct Turn {
    double angle;
    std::uint32_t mixed;
    bool operator<(const Turn& other) const {
      return angle != other.angle ? angle > other.angle : mixed < other.mixed;
    }
  };
  std::vector<Turn> turns(panels.size()), ranked;
  parallel_for(turns.size(), [&](std::size_t i) {
    turns[i] = {turning(neighbourhood, i), static_cast<std::uint32_t>(i * 2654435761u)};
  });
  for (std::size_t i = 0; i < turns.size(); ++i) {
    if (eligible[i] != 0) ranked.push_back(turns[i]);
  }
  std::vector<DrawnPanel> drawn;
  std::size_t end = ranked.size();
  std::optional<Turn> beyond;  // of rank `end`
  for (const std::size_t begin : {ranked.size() / 4, ranked.size() / 32, std::size_t{0}}) {
    if (begin == end) continue;
    const auto at = ranked.begin() + static_cast<std::ptrdiff_t>(begin);
    std::nth_element(ranked.begin(), at, ranked.begin() + static_cast<std::ptrdiff_t>(end));
    const Turn first_turn = *at;
    std::vector<std::size_t> group;
    for (std::size_t i = 0; i < turns.size(); ++i) {
      if (eligible[i] != 0 && !(turns[i] < first_turn) && (!beyond || turns[i] < *beyond))
        group.push_back(i);
    }
    double area = 0.0, of_members = 0.0;
    for (const std::size_t i : group) area += panels.area[i];
    const std::size_t first = drawn.size();
    for (const std::size_t k : sample(group.size(), std::min(group.size(), count / 3))) {
      drawn.push_back({group[k], 0.0});
      of_members += panels.area[group[k]];
    }
    for (std::size_t k = first; k < drawn.size(); ++k)
      drawn[k].weight = panels.area[drawn[k].panel] * area / of_members;
    end = begin;
    beyond = first_turn;
  }
  return drawn;
}

SampledLayers::SampledLayers(const Panels& panels, const QuadratureOptions& quadrature,
                             std::vector<std::size_t> at, Backend& backend,
                             std::span<const Vec3d> further)
    : panels_(panels),
      backend_(backend),
      at_(std::move(at)),
      surface_(panels, quadrature, backend),
      count_(at_.size() + further.size()) {
  for (int image = 0; image < panels.symmetry.images(); ++image) {
    const int inverse = panels.symmetry.inverse(image);
    for (const std::size_t i : at_)
      targets_.push_back(panels.symmetry.point(inverse, panels.centroid[i]));
    for (const Vec3d& x : further) targets_.push_back(panels.symmetry.point(inverse, x));
  }
  if (further.empty()) {
    strengths_ = backend.strengths(surface_).nodes;
  } else {
    const PanelNodes& nodes = surface_.panel_nodes();
    const auto constant = [](std::size_t) { return SlopeFit::none; };
    strengths_ = backend.make_sparse(strengths_of_sources(
        panels, nodes, strength_gradients(panels, constant), backend.own_nodes(surface_)));
  }
  sums_ = backend.make_sums(surface_, targets_,
                            direct_options(surface_.nodes().size(), targets_.size(), 1));
  near_ = find_near_pairs(targets_, surface_.panel_nodes().balls);
  integrate();
}

void SampledLayers::integrate() {
  constexpr IntegralSet wanted = integrals_of<Layer::single_layer, Layer::double_layer>;
  const PanelNodes& all = surface_.panel_nodes();
  NearEntryView view{};
  view.centroid = panels_.centroid.data();
  view.target = targets_.data();
  view.middle_radius = all.middle_radius.data();
  // The nodes of the near panels alone, which a device need not bring to the host.
  std::vector<std::int32_t> near_panels(near_.columns.begin(), near_.columns.end());
  std::sort(near_panels.begin(), near_panels.end());
  near_panels.erase(std::unique(near_panels.begin(), near_panels.end()), near_panels.end());
  std::vector<std::size_t> first{0};
  std::vector<std::int64_t> numbers;
  for (const std::int32_t panel : near_panels) {
    const auto j = static_cast<std::size_t>(panel);
    for (std::int64_t node = all.first[j]; node < all.first[j + 1]; ++node) numbers.push_back(node);
    first.push_back(numbers.size());
  }
  const AlignedVector<Vec3d> points = all.points.gathered(numbers),
                             normals = all.normals.gathered(numbers);
  const AlignedVector<double> weights = all.weights.gathered(numbers);

  entries_.resize(near_.entries());
  parallel_for(near_.rows(), [&](std::size_t row) {
    const Vec3d& x = targets_[row];
    for (std::int64_t e = near_.offsets[row]; e < near_.offsets[row + 1]; ++e) {
      const auto entry = static_cast<std::size_t>(e);
      const std::int32_t panel = near_.columns[entry];
      const PanelShape<double>& shape = panels_.shape[static_cast<std::size_t>(panel)];
      PanelIntegrals<double> sum;
      if (takes_closed_form(view, static_cast<std::int64_t>(row), panel)) {
        sum = integrate_panel<wanted>(
            shape, x, row < at_.size() && at_[row] == static_cast<std::size_t>(panel));
      } else {
        QuadratureNode middle[2 * middle_nodes_of_triangle];
        place_middle_nodes(shape, middle);
        for (int k = 0; k < middle_nodes_of_triangle * (shape.corners - 2); ++k)
          add_point<wanted>(x - middle[k].point, middle[k].normal, middle[k].weight, sum);
      }
      const auto own = static_cast<std::size_t>(
          std::lower_bound(near_panels.begin(), near_panels.end(), panel) - near_panels.begin());
      for (std::size_t node = first[own]; node < first[own + 1]; ++node)
        add_point<wanted>(x - points[node], normals[node], -weights[node], sum);
      entries_[entry] = {sum.single, sum.dbl};
    }
  });
}

std::vector<double> SampledLayers::operator()(std::span<const Densities> densities) const {
  const std::size_t n = panels_.size(), count = count_, rhs = densities.size(),
                    nodes = strengths_->rows();
  const auto on_nodes = [&](std::vector<double> Densities::*member) {
    if (std::ranges::all_of(densities,
                            [&](const Densities& each) { return (each.*member).empty(); }))
      return Array{};
    Array of_panels = backend_.allocate(rhs * n), of_nodes = backend_.allocate(rhs * nodes);
    for (std::size_t k = 0; k < rhs; ++k) {
      const std::vector<double>& values = densities[k].*member;
      if (!values.empty()) backend_.upload(values, of_panels.data() + k * n);
    }
    strengths_->add(1.0, of_panels.data(), of_nodes.data(), static_cast<int>(rhs));
    return of_nodes;
  };
  const Array charges = on_nodes(&Densities::charge), doublets = on_nodes(&Densities::doublet);
  Array found = backend_.allocate(rhs * targets_.size());
  sums_->apply({.charges = charges.all(), .normal_dipoles = doublets.all()},
               {.potential = found.all()}, static_cast<int>(rhs));
  std::vector<double> sums = downloaded(backend_, found, found.size());
  std::vector<double> result(rhs * count, 0.0);
  for (std::size_t k = 0; k < rhs; ++k) {
    const Densities& given = densities[k];
    for (std::size_t row = 0; row < targets_.size(); ++row) {
      double sum = sums[k * targets_.size() + row];
      for (std::int64_t e = near_.offsets[row]; e < near_.offsets[row + 1]; ++e) {
        const auto entry = static_cast<std::size_t>(e);
        const auto panel = static_cast<std::size_t>(near_.columns[entry]);
        if (!given.charge.empty()) sum += entries_[entry].single * given.charge[panel];
        if (!given.doublet.empty()) sum += entries_[entry].dbl * given.doublet[panel];
      }
      const double sign = given.even ? 1.0 : panels_.symmetry.sign(static_cast<int>(row / count));
      result[k * count + row % count] += inverse_four_pi * sign * sum;
    }
  }
  return result;
}

}  // namespace rankine::bem
