#include "rankine/bem/fields/potential_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "rankine/bem/bem_constants.hpp"
#include "rankine/bem/fields/wall_points.hpp"
#include "rankine/bem/panels/panel_patch.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

double size_of(const Panels& panels, std::int32_t panel) {
  return panel_size(panels.radius[panel]);
}

/// The largest convex curvature of the surface along an edge of a panel, 1/m; 0 if it is not
/// convex. `into_fluid`: unit vector.
double convexity_of(const Panels& panels, std::int32_t panel, const Vec3d& into_fluid) {
  const PanelShape<double>& shape = panels.shape[panel];
  double most = 0.0;
  for (int k = 0; k < shape.corners; ++k) {
    const Vec3d chord = shape.corner[(k + 1) % shape.corners] - shape.corner[k];
    most = std::max(most, 8.0 * dot(shape.bulge[k], into_fluid) / dot(chord, chord));
  }
  return most;
}

/// Points moved to the part of space in which the panels lie, with the image that moves results
/// back.
struct OnPanelsSide {
  std::vector<Vec3d> points;
  std::vector<int> image;

  OnPanelsSide(const Panels& panels, const WallFinder& walls, std::span<const Vec3d> given)
      : points(given.begin(), given.end()), image(given.size(), 0) {
    const meshes::Symmetry& symmetry = panels.symmetry;
    if (symmetry.rotation()) turn_to_walls(symmetry, walls);
    if (symmetry.planes().empty()) return;
    for (std::size_t i = 0; i < points.size(); ++i) {
      image[i] = symmetry.image_towards(panels.centroid.front(), points[i]);
      points[i] = symmetry.point(image[i], points[i]);
    }
  }

 private:
  /// Chooses the rotation that brings a point closest to a wall, if there is one nearby.
  void turn_to_walls(const meshes::Symmetry& symmetry, const WallFinder& walls) {
    std::vector<double> least(points.size(), std::numeric_limits<double>::infinity());
    const std::vector<Vec3d> given = points;
    for (int g = 0; g < symmetry.images(); ++g) {
      std::vector<Vec3d> turned;
      for (const Vec3d& x : given) turned.push_back(symmetry.point(symmetry.inverse(g), x));
      const std::vector<WallPoint> near = walls.find(turned).points;
      for (std::size_t i = 0; i < near.size(); ++i) {
        if (near[i].panel < 0 || near[i].distance >= least[i]) continue;
        least[i] = near[i].distance;
        image[i] = g;
        points[i] = turned[i];
      }
    }
  }
};

void check(std::span<const Vec3d> points) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3d& p = points[i];
    if (!std::isfinite(p.x) || !std::isfinite(p.y) || !std::isfinite(p.z)) {
      throw InputError("field point " + std::to_string(i) +
                       " is not finite; give coordinates in metres");
    }
  }
}

}  // namespace

ThinWallField::ThinWallField(const Panels& panels, const BoundaryFields& fields,
                             std::span<const Vec3d> points, const fmm::Options& options,
                             const QuadratureOptions& quadrature, Backend& backend)
    : fields_(fields), sums_(backend, panels, points, options, quadrature, SumsOrder::checked) {}

OffSurfaceValues ThinWallField::evaluate() {
  OffSurfaceValues values;
  values = sums_.evaluate({{}, fields_.doublet});
  values.gradient.assign(values.potential.size(), {});
  std::vector<double> component(fields_.vorticity.size());
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t j = 0; j < component.size(); ++j) component[j] = fields_.vorticity[j][axis];
    const OffSurfaceValues found = sums_.evaluate({component, {}});
    values.sum_error = std::max(values.sum_error, found.sum_error);
    Vec3d along{};
    along[axis] = 1.0;
    for (std::size_t i = 0; i < found.gradient.size(); ++i)
      values.gradient[i] += cross(found.gradient[i], along);
  }
  return values;
}

double field_quadrature(const Panels& panels) {
  const double error = discretization_error_estimate(panels),
               size = std::sqrt(error / fitted::error_of_panels);  // l/L
  return field_quadrature_share * error * size;
}

PotentialEvaluator::PotentialEvaluator(const Region& region, const BoundaryFields& fields,
                                       const FieldOptions& options, Backend& backend)
    : region_(region),
      fields_(fields),
      options_(options),
      backend_(backend),
      neighbourhood_(region.panels),
      walls_(region, neighbourhood_) {
  encloses_nothing_.assign(region.thin.begin(), region.thin.end());
  if (region.sources != nullptr) {
    encloses_nothing_.resize(region.panels.size(), 0);
    encloses_nothing_.resize(region.sources->panels.size(), 1);
  }
  if (options_.quadrature.tolerance == 0.0)
    options_.quadrature.tolerance = field_quadrature(region.panels);
  const Panels& panels = region.panels;
  for (std::size_t j = 0; j < panels.size(); ++j) {
    const Vec3d reach{panels.radius[j], panels.radius[j], panels.radius[j]};
    for (int image = 0; image < panels.symmetry.images(); ++image) {
      const Vec3d centroid = panels.symmetry.point(image, panels.centroid[j]);
      box_.join({centroid - reach, centroid + reach});
    }
  }
}

std::vector<double> PotentialEvaluator::winding(std::span<const Vec3d> points) const {
  std::vector<std::size_t> chosen;
  std::vector<Vec3d> in_box;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!box_.contains({points[i], points[i]})) continue;
    chosen.push_back(i);
    in_box.push_back(points[i]);
  }
  const std::vector<double> found = sums_->winding(in_box, encloses_nothing_);
  std::vector<double> all(points.size(), 0.0);
  for (std::size_t k = 0; k < chosen.size(); ++k) all[chosen[k]] = found[k];
  return all;
}

PotentialField PotentialEvaluator::beside_thin_walls(std::span<const Vec3d> points) {
  if (thin_walls_) {
    thin_walls_->move_to(points);
  } else {
    thin_walls_ = std::make_unique<ThinWallField>(region_.panels, fields_, points, options_.fmm,
                                                  options_.quadrature, backend_);
  }
  OffSurfaceValues values = thin_walls_->evaluate();
  return {std::move(values.potential), std::move(values.gradient),
          std::vector<std::uint8_t>(points.size()), values.sum_error};
}

PotentialField PotentialEvaluator::at(std::span<const Vec3d> points) {
  if (!fields_.vorticity.empty() && !points.empty()) {
    check(points);
    return beside_thin_walls(points);
  }
  const BoundaryFields* const own = &fields_;
  return std::move(at(points, {&own, 1}).front());
}

std::vector<PotentialField> PotentialEvaluator::at(
    std::span<const Vec3d> points, std::span<const BoundaryFields* const> all_fields) {
  check(points);
  const PanelNeighbourhood& neighbourhood = neighbourhood_;
  const Panels& panels = region_.panels;
  const std::size_t count = points.size();
  std::vector<PotentialField> all_found(
      all_fields.size(),
      {std::vector<double>(count), std::vector<Vec3d>(count), std::vector<std::uint8_t>(count)});
  if (count == 0) return all_found;

  const OnPanelsSide beside(panels, walls_, points);
  const WallPoints wall = walls_.find(beside.points);
  std::vector<Vec3d> all = beside.points;
  all.insert(all.end(), wall.nodes.begin(), wall.nodes.end());

  if (sums_) {
    sums_->move_to(all);
  } else {
    sums_ = std::make_unique<OffSurfaceOperator>(
        backend_, region_.sources != nullptr ? region_.sources->panels : panels, all, options_.fmm,
        options_.quadrature, SumsOrder::checked);
  }
  const std::vector<double> wound = winding(all);
  const std::vector<std::uint8_t> node_is_reliable =
      walls_.reliable_at(OnPanelsSide(panels, walls_, wall.nodes).points);

  // Exterior domain: -1 in a body, 0 in the region. Interior domain: 0 outside, 1 in the region.
  const double own = region_.domain == Domain::exterior ? 0.0 : 1.0;
  const auto in_region = [&](double turns) { return turns - own >= -0.5; };
  // Close to the surface the side relative to the closest point is used, since winding numbers have
  // errors of second order in the height of the surface.
  const auto is_inside = [&](std::size_t i) {
    const WallPoint& near = wall.points[i];
    const bool beside_surface =
        near.panel >= 0 && near.distance < fitted::greatest_rise * size_of(panels, near.panel);
    return beside_surface ? !near.outside : !in_region(wound[i]);
  };
  for (std::size_t f = 0; f < all_fields.size(); ++f) {
    const BoundaryFields& fields = *all_fields[f];
    PotentialField& found = all_found[f];
    if (held_ != &fields) sums_->hold({fields.charge, fields.doublet});
    held_ = &fields;
    const OffSurfaceValues values = sums_->evaluate();
    found.sum_error = values.sum_error;
    const auto at_wall = [&](std::int32_t panel, const SurfacePoint& surface,
                             const Vec3d& direction, PanelPatch& patch, bool behind) {
      return wall_state(panels, fields.phi, behind ? fields.gradient_behind : fields.gradient,
                        panel, surface, direction, patch);
    };
    const auto state_at = [&](std::size_t i, PanelPatch& patch) -> PotentialState {
      const PotentialState far{values.potential[i] + fields.constant, values.gradient[i]};
      const WallPoint& near = wall.points[i];
      if (near.first_node < 0) return far;
      const OppositeWall& opposite = near.opposite;
      const bool in_gap = opposite.panel >= 0;
      // The variable is t/(1 + k t), k the curvature of the wall. Multipole fields outside a sphere
      // are polynomials of it; next to a thin rim the field is not smooth in t.
      RayPolynomial ray(near.direction,
                        in_gap ? 0.0 : convexity_of(panels, near.panel, near.direction));
      std::size_t used = 0;
      for (std::size_t k = 0; k < node_distances.size(); ++k) {
        const std::size_t node = static_cast<std::size_t>(near.first_node) + k;
        const double distance = node_distances[k] * near.spacing;
        if (node_is_reliable[node] == 0 || !in_region(wound[count + node])) continue;
        if (in_gap && distance > opposite.distance - reliable_in_gaps * near.opposite_spacing)
          continue;
        ray.add(distance,
                {values.potential[count + node] + fields.constant, values.gradient[count + node]});
        ++used;
      }
      if (used == 0 && !in_gap && near.distance > reliable * near.spacing) return far;
      const WallState wall_here =
          at_wall(near.panel, near.nearest, near.direction, patch, near.behind);
      if (in_gap) {
        ray.add_wall(0.0, wall_here);
        ray.add_wall(opposite.distance,
                     at_wall(opposite.panel, opposite.surface, near.direction, patch, false));
      } else {
        // The slope of the velocity is not used: at a rim whose direction changes within a panel
        // the interpolation nodes are more accurate.
        ray.add_wall(0.0, wall_here.state);
      }
      return ray.at(near.distance);
    };
    constexpr std::size_t chunk = 64;
    parallel_chunks(
        count, chunk, [&] { return PanelPatch(neighbourhood); },
        [&](std::size_t i, PanelPatch& patch) {
          found.inside[i] = is_inside(i) ? 1 : 0;
          if (found.inside[i] != 0) return;
          const PotentialState state = state_at(i, patch);
          const meshes::Symmetry& symmetry = panels.symmetry;
          const double sign = symmetry.sign(beside.image[i]);
          found.phi[i] = sign * state.phi;
          found.gradient[i] = sign * symmetry.vector(beside.image[i], state.gradient);
        });
  }
  return all_found;
}

}  // namespace rankine::bem
