#include "cases/resources/solve_size.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "rankine/bem/flow/field.hpp"
#include "rankine/bem/krylov/krylov_basis.hpp"
#include "rankine/bem/layers/local_inverse.hpp"
#include "rankine/bem/layers/panel_nodes.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/octree.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/tuning.hpp"
#include "rankine/gpu/sums/cuda_tuning.hpp"
#include "rankine/meshes/shapes/geodesic.hpp"

namespace rankine::cases {
namespace {

constexpr std::size_t sample_size = 4000;

/// Edge of the root of an octree over the panels, without room (fmm/octree.hpp).
double root_side(const bem::Panels& panels) {
  const double longest = bounding_box(panels.centroid).longest();
  return longest > 0.0 ? std::exp2(std::ceil(std::log2(longest))) : 1.0;
}

/// Mean number of collocation points near a panel of `some`, counted among
/// part of all collocation points.
double near_row(const bem::Panels& panels, const bem::Panels& some, const bem::NearBalls& balls) {
  constexpr std::size_t enough = 200000;
  const std::size_t thinning = std::max<std::size_t>(1, panels.size() / enough);
  std::vector<Vec3d> targets;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    // Scattered, lest the part follow a pattern of the mesh's numbering.
    const std::uint64_t scattered = (i * 0x9e3779b97f4a7c15ULL) >> 32;
    if (scattered % thinning == 0) targets.push_back(panels.centroid[i]);
  }
  const std::size_t points = targets.size();
  for (int image = 1; image < panels.symmetry.images(); ++image) {
    for (std::size_t k = 0; k < points; ++k)
      targets.push_back(panels.symmetry.point(image, targets[k]));
  }
  const bem::SparsityPattern near = bem::find_near_pairs(targets, balls);
  const double share = static_cast<double>(points) / static_cast<double>(panels.size());
  return static_cast<double>(near.columns.size()) / share / static_cast<double>(some.size());
}

/// Area-weighted share of the boxes cut by a plane whose cut exceeds u times the square of their
/// edge, for planes of every direction and position.
double larger_cuts(double u) {
  if (u < 1.0) return 1.0 - 0.4 * u * u;
  return std::max(0.0, 2.0 * (1.3 - u));
}

double balls_per_panel(const bem::PanelNodes& nodes) {
  return static_cast<double>(nodes.balls.centre.size()) /
         static_cast<double>(nodes.middle_radius.size());
}

struct Surface {
  const bem::Panels& some;
  double weight;  ///< panels that one of the sample stands for
  double panels;  ///< of the whole surface
  double side;    ///< edge of the octree's root
};

/// Counts of an octree over a surface, as found on spheres: four of five boxes are leaves, whose
/// points vary so much that the mean of their squares is 1.4 times the square of their mean.
fmm::TreeCounts surface_counts(const fmm::OperatorSize& size) {
  const double leaves = 0.8 * size.boxes;
  return {.boxes = size.boxes,
          .leaves = leaves,
          .sources = size.sources,
          .targets = size.targets,
          .own_pairs = 1.4 * size.sources * size.targets / leaves,
          .dimension = 2.33};
}

/// `size` with the boxes of the leaf capacity that the operator will take.
fmm::OperatorSize tuned(fmm::OperatorSize size, const Surface& surface, double nodes,
                        const fmm::Options& options, const fmm::Tuning& tuning) {
  std::vector<int> capacities = fmm::leaf_capacities(tuning.least_leaf_capacity);
  if (options.method == fmm::Method::treecode) capacities = {tuning.least_leaf_capacity};
  if (options.leaf_capacity > 0) capacities = {options.leaf_capacity};
  fmm::OperatorSize best = size;
  double fastest = std::numeric_limits<double>::max();
  for (const int capacity : capacities) {
    size.boxes = expected_boxes(surface.some, surface.weight, nodes, capacity, surface.side);
    const double seconds = fmm::predicted_seconds(surface_counts(size), tuning.costs(size.order));
    if (seconds >= fastest) continue;
    fastest = seconds;
    best = size;
  }
  return best;
}

FarSize far_size(const Surface& surface, double nodes, double targets,
                 const fmm::Options& options) {
  fmm::OperatorSize size{.sources = surface.panels * nodes,
                         .targets = targets,
                         .boxes = 0.0,
                         .order = 0,
                         .precision = options.precision,
                         .dipoles = options.dipoles,
                         .gradient = options.gradient,
                         .rhs = options.rhs};
  FarSize both{size, size};
  if (options.method == fmm::Method::direct) return both;
  // The likely order: what the points ask for may be one more.
  size.order = fmm::likely_orders(options, fmm::Spread::surface).order + 1;
  both.on_host = tuned(size, surface, nodes, options, fmm::cpu_tuning(options, false));
  both.on_device = tuned(size, surface, nodes, options, gpu::tuning(options, false));
  return both;
}

}  // namespace

bem::Panels sample(const bem::Panels& panels, std::size_t count, double copies) {
  const std::size_t step =
      std::max<std::size_t>(1, panels.size() / std::max<std::size_t>(count, 1));
  bem::Panels some;
  some.node_count = panels.node_count;
  some.symmetry = panels.symmetry;
  double area = 0.0;
  for (std::size_t j = 0; j < panels.size(); j += step) {
    some.shape.push_back(panels.shape[j]);
    some.centroid.push_back(panels.centroid[j]);
    some.normal.push_back(panels.normal[j]);
    some.area.push_back(panels.area[j]);
    some.radius.push_back(panels.radius[j]);
    some.nodes.push_back(panels.nodes[j]);
    area += panels.area[j];
  }
  const double factor = copies * bem::total_area(panels) / area;
  for (double& each : some.area) each *= factor;
  return some;
}

double expected_boxes(const bem::Panels& panels, double weight, double nodes, double capacity,
                      double side) {
  double boxes = 1.0;
  for (const double area : panels.area) {
    double edge = side;
    for (int level = 1; level <= fmm::max_level; ++level) {
      const double parent_cut = capacity * area / (weight * nodes) / (edge * edge);
      const double divided = larger_cuts(parent_cut);
      if (divided == 0.0) break;
      edge *= 0.5;
      boxes += 1.5 * area / (edge * edge) * divided;
    }
  }
  return boxes;
}

SolveSize measure(const bem::Panels& panels, const bem::FlowOptions& options, double probe_points,
                  double copies) {
  const bem::Panels some = sample(panels, sample_size, copies);
  const bem::PanelNodes nodes = bem::place_nodes(some, options.quadrature);
  SolveSize size;
  size.panels = copies * static_cast<double>(panels.size());
  size.nodes = nodes.per_panel();
  size.balls = balls_per_panel(nodes);
  size.near_entries = size.panels * near_row(panels, some, nodes.balls);
  size.formulation = options.formulation;
  constexpr int expected_iterations = 15;  // ten or so are what flows take
  const int longest = std::min(options.gmres.restart, options.gmres.max_iterations);
  size.columns = bem::columns_held(std::min(longest, expected_iterations) + 1, longest + 1);

  const Surface surface{some, size.panels / static_cast<double>(some.size()), size.panels,
                        root_side(panels) * std::sqrt(copies)};
  const double images = panels.symmetry.images();  // of every target
  const bool sheets = options.formulation == bem::Formulation::doublet;
  // Sheets have three single layers for each right-hand side, at the nodes.
  bem::BoundaryFormulation formulation =
      bem::formulate(sheets ? bem::Formulation::source : options.formulation);
  if (sheets) {
    formulation.system = {{{bem::Layer::single_layer}}};
    size.near_entries *= 2.0;  // pairs of which one is near the other
  }
  const int rhs = options.fmm.rhs * (sheets ? 3 : 1);
  size.far = far_size(surface, size.nodes, images * size.panels * (sheets ? size.nodes : 1.0),
                      bem::far_field_options(options, formulation, rhs));
  const bool preconditioned = options.preconditioner == bem::Preconditioner::block ||
                              options.preconditioner == bem::Preconditioner::two_level;
  size.patch = preconditioned ? bem::LocalInverseOptions{}.patch : 0;
  if (bem::has_inner_field(options, size.nodes)) {
    size.inner = far_size(surface, size.nodes, images * size.panels,
                          bem::inner_field_options(options, formulation, rhs));
  }
  if (probe_points > 0.0) {
    const double tolerance = bem::field_quadrature_share * bem::discretization_error_estimate(some);
    const bem::PanelNodes around = bem::place_nodes(some, {tolerance});
    size.probe_nodes = around.per_panel();
    size.probe_balls = balls_per_panel(around);
    fmm::Options far = options.fmm;
    far.dipoles = far.gradient = true;
    far.rhs = 1;
    size.probes = far_size(surface, size.probe_nodes, images * probe_points, far);
  }
  return size;
}

SolveSize typical_size(double panels) {
  constexpr int enough = 1280;
  const bem::Panels few = bem::make_panels(meshes::make_sphere(enough));
  return measure(few, {}, 0, panels / static_cast<double>(few.size()));
}

double panels_that_fit(double bytes, bem::MemorySpace place) {
  const auto needed = [place](double panels) {
    const Memory memory = memory_of(typical_size(panels), place);
    return place == bem::MemorySpace::device ? memory.device : memory.host;
  };
  double fits = 1e3, too_many = 1e10;
  if (needed(fits) > bytes) return 0.0;
  while (too_many > 1.02 * fits) {
    const double middle = std::sqrt(fits * too_many);
    (needed(middle) <= bytes ? fits : too_many) = middle;
  }
  return fits;
}

}  // namespace rankine::cases
