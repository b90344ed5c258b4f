// Images of points and vectors in a symmetric arrangement (meshes/symmetry.hpp), in the memory of a
// backend: arrays of N x 3 values, image by image.
#pragma once

#include "rankine/bem/backend.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

/// R_g^-1 x for every image g, as images_of_points() on the host.
Array images_of_points(Backend& backend, const meshes::Symmetry& symmetry, const Array& points);
/// The same for pseudovectors such as vorticity, det(R_g) R_g^-1 v.
Array images_of_pseudovectors(Backend& backend, const meshes::Symmetry& symmetry,
                              const Array& vectors);
/// sum_g s_g R_g v_g for gradients v_g at the images of points.
Array sum_over_images(Backend& backend, const meshes::Symmetry& symmetry, const Array& gradients);

}  // namespace rankine::bem
