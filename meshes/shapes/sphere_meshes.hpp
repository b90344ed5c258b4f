// Unit spheres with other meshes than the geodesic pattern, for checks and tests: results on a
// regular pattern can be better than on other meshes.
#pragma once

#include <cstdint>

#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::meshes {

/// Warped quadrilaterals: a box whose faces are mapped by equal angles.
SurfaceMesh make_cubed_sphere(std::int64_t panels);

/// The geodesic sphere with its nodes concentrated on one side: panels of many sizes and shapes.
SurfaceMesh make_graded_sphere(std::int64_t panels);

/// The geodesic sphere with every node moved by up to a third of a panel: triangles without a
/// pattern.
SurfaceMesh make_jittered_sphere(std::int64_t panels);

/// Every node times `factors`, axis by axis: ellipsoids of spheres.
SurfaceMesh stretched(SurfaceMesh mesh, const Vec3d& factors);

/// Every node moved by `way`, m.
SurfaceMesh moved(SurfaceMesh mesh, const Vec3d& way);

/// Both meshes in one, the second's nodes and patches after the first's.
SurfaceMesh joined(SurfaceMesh first, const SurfaceMesh& second);

}  // namespace rankine::meshes
