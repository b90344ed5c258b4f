#include "rankine/meshes/reader/gmsh_features.hpp"

#include <gmsh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <numbers>

#include "rankine/meshes/mesh_constants.hpp"

namespace rankine::meshes {
namespace {

constexpr int curve_dimension = 1, surface_dimension = 2;
constexpr std::size_t most_along_curve = 200;

/// An edge of panels that follows the curvature; infinite where there is none, or no number.
double edge_on(double curvature) {
  constexpr double none = std::numeric_limits<double>::infinity();
  const double size =
      2.0 * std::numbers::pi / (fitted::sizes.panels_per_turn * std::abs(curvature));
  return size > 0.0 ? size : none;
}

/// Whether the CAD kernel could do it; what it throws is no std::exception.
template <class Work>
bool evaluated(Work work) {
  try {
    work();
  } catch (const std::bad_alloc&) {
    throw;
  } catch (...) {
    return false;
  }
  return true;
}

std::vector<int> tags_of(int dimension) {
  gmsh::vectorpair entities;
  gmsh::model::getEntities(entities, dimension);
  std::vector<int> tags;
  for (const auto& [same, tag] : entities) tags.push_back(tag);
  return tags;
}

/// Length or area; 0 if the CAD kernel has none.
double measure_of(int dimension, int tag) {
  double value = 0.0;
  const bool known = evaluated([&] { gmsh::model::occ::getMass(dimension, tag, value); });
  return known && std::isfinite(value) ? std::abs(value) : 0.0;
}

Vec3d point_of(const std::vector<double>& coordinates, std::size_t k) {
  return {coordinates[3 * k], coordinates[3 * k + 1], coordinates[3 * k + 2]};
}

/// A curve asks for its curvature, and for panels no longer than itself.
void sample_curve(int tag, double unit, double smallest, std::vector<SizeSample>& samples) {
  const double length = measure_of(curve_dimension, tag);
  if (!(length * unit > smallest)) return;  // a pole, or dirt
  std::vector<double> lower, upper;
  gmsh::model::getParametrizationBounds(curve_dimension, tag, lower, upper);
  std::vector<double> parameters(most_along_curve), places, curvatures;
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    const double t = (static_cast<double>(k) + 0.5) / static_cast<double>(parameters.size());
    parameters[k] = lower[0] + t * (upper[0] - lower[0]);
  }
  gmsh::model::getValue(curve_dimension, tag, parameters, places);
  gmsh::model::getCurvature(curve_dimension, tag, parameters, curvatures);
  if (places.size() != 3 * parameters.size()) return;
  curvatures.resize(parameters.size(), 0.0);
  for (std::size_t k = 0; k < parameters.size(); ++k) {
    samples.push_back({.place = unit * point_of(places, k),
                       .size = unit * std::min(length, edge_on(curvatures[k])),
                       .reach = 0.5 * unit * length / static_cast<double>(parameters.size()),
                       .area = 0.0});
  }
}

/// A grid over the parameters of a surface.
struct SurfaceGrid {
  std::size_t side;
  std::vector<double> parameters;  ///< u and v of the middles of side^2 cells
  double cell_u = 0.0, cell_v = 0.0;

  SurfaceGrid(int tag, std::size_t cells_along) : side(cells_along) {
    std::vector<double> lower, upper;
    gmsh::model::getParametrizationBounds(surface_dimension, tag, lower, upper);
    cell_u = (upper[0] - lower[0]) / static_cast<double>(side);
    cell_v = (upper[1] - lower[1]) / static_cast<double>(side);
    for (std::size_t i = 0; i < side; ++i) {
      for (std::size_t j = 0; j < side; ++j) {
        parameters.push_back(lower[0] + (static_cast<double>(i) + 0.5) * cell_u);
        parameters.push_back(lower[1] + (static_cast<double>(j) + 0.5) * cell_v);
      }
    }
  }
};

/// The largest curvature at every point; none where the CAD kernel has no number for it.
std::vector<double> curvatures_on(int tag, const std::vector<double>& parameters) {
  std::vector<double> largest, least, along_largest, along_least;
  gmsh::model::getPrincipalCurvatures(tag, parameters, largest, least, along_largest, along_least);
  std::vector<double> curvatures(parameters.size() / 2, 0.0);
  for (std::size_t k = 0; k < std::min(curvatures.size(), largest.size()); ++k) {
    const double greatest = std::max(std::abs(largest[k]), std::abs(least[k]));
    if (std::isfinite(greatest)) curvatures[k] = greatest;
  }
  return curvatures;
}

/// The samples share the area of the surface; of a trimmed one those outside it are left out.
void sample_surface(int tag, std::size_t side, double unit, double area,
                    std::vector<SizeSample>& samples) {
  const SurfaceGrid grid(tag, side);
  std::vector<double> places, derivatives;
  gmsh::model::getValue(surface_dimension, tag, grid.parameters, places);
  gmsh::model::getDerivative(surface_dimension, tag, grid.parameters, derivatives);
  const std::vector<double> curvatures = curvatures_on(tag, grid.parameters);
  const std::size_t count = curvatures.size();
  if (places.size() != 3 * count || derivatives.size() != 6 * count) return;
  std::vector<SizeSample> own;
  double whole = 0.0, inside = 0.0;
  for (std::size_t k = 0; k < count; ++k) {
    const Vec3d along_u = grid.cell_u * point_of(derivatives, 2 * k),
                along_v = grid.cell_v * point_of(derivatives, 2 * k + 1);
    own.push_back({.place = unit * point_of(places, k),
                   .size = unit * edge_on(curvatures[k]),
                   .reach = 0.5 * unit * std::max(norm(along_u), norm(along_v)),
                   .area = norm(cross(along_u, along_v))});
    whole += own.back().area;
  }
  const bool trimmed = whole > fitted::surface_samples.untrimmed * area;
  const std::size_t first = samples.size();
  for (std::size_t k = 0; k < count; ++k) {
    if (!(own[k].area > 0.0)) continue;
    if (trimmed && gmsh::model::isInside(surface_dimension, tag,
                                         {grid.parameters[2 * k], grid.parameters[2 * k + 1]}) == 0)
      continue;
    samples.push_back(own[k]);
    inside += own[k].area;
  }
  for (std::size_t k = first; k < samples.size(); ++k)
    samples[k].area *= unit * unit * area / inside;
}

}  // namespace

Features sample_features(double unit) {
  Vec3d lower, upper;
  gmsh::model::getBoundingBox(-1, -1, lower.x, lower.y, lower.z, upper.x, upper.y, upper.z);
  const double smallest = fitted::same_place * unit * norm(upper - lower);
  Features features;
  for (const int tag : tags_of(curve_dimension)) {
    evaluated([&] { sample_curve(tag, unit, smallest, features.samples); });
  }
  const std::vector<int> surfaces = tags_of(surface_dimension);
  const double side =
      std::sqrt(fitted::surface_samples.most / static_cast<double>(surfaces.size()));
  for (const int tag : surfaces) {
    const double area = measure_of(surface_dimension, tag);
    features.area += unit * unit * area;
    evaluated([&] {
      sample_surface(tag,
                     static_cast<std::size_t>(std::clamp(side, fitted::surface_samples.least_side,
                                                         fitted::surface_samples.most_side)),
                     unit, area, features.samples);
    });
  }
  features.surfaces = static_cast<int>(surfaces.size());
  return features;
}

}  // namespace rankine::meshes
