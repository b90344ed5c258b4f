#include "rankine/bem/layers/image_arrays.hpp"

#include <cstddef>

namespace rankine::bem {
namespace {

/// y += factor R_g x, the linear part.
AddMapped turned(const meshes::Symmetry& symmetry, int image, double factor, const double* x,
                 double* y) {
  AddMapped map{{}, {}, x, y};
  for (int axis = 0; axis < 3; ++axis) {
    Vec3d unit{};
    unit[axis] = factor;
    const Vec3d column = symmetry.vector(image, unit);
    for (int k = 0; k < 3; ++k) map.rows[k][axis] = column[k];
  }
  return map;
}

/// One array of images; map(g, destination) is the step that adds image g.
template <class Map>
Array images_of(Backend& backend, const meshes::Symmetry& symmetry, const Array& vectors,
                const Map& map) {
  Array images = backend.allocate(static_cast<std::size_t>(symmetry.images()) * vectors.size());
  for (int image = 0; image < symmetry.images(); ++image)
    backend.each(vectors.size() / 3,
                 map(symmetry.inverse(image),
                     images.data() + static_cast<std::size_t>(image) * vectors.size()));
  return images;
}

}  // namespace

Array images_of_points(Backend& backend, const meshes::Symmetry& symmetry, const Array& points) {
  return images_of(backend, symmetry, points, [&](int image, double* y) {
    AddMapped map = turned(symmetry, image, 1.0, points.data(), y);
    map.shift = symmetry.point(image, {});
    return map;
  });
}

Array images_of_pseudovectors(Backend& backend, const meshes::Symmetry& symmetry,
                              const Array& vectors) {
  return images_of(backend, symmetry, vectors, [&](int image, double* y) {
    return turned(symmetry, image, symmetry.turns(image) ? -1.0 : 1.0, vectors.data(), y);
  });
}

Array sum_over_images(Backend& backend, const meshes::Symmetry& symmetry, const Array& gradients) {
  const std::size_t values = gradients.size() / static_cast<std::size_t>(symmetry.images());
  Array sum = backend.allocate(values);
  for (int image = 0; image < symmetry.images(); ++image)
    backend.each(values / 3,
                 turned(symmetry, image, symmetry.sign(image),
                        gradients.data() + static_cast<std::size_t>(image) * values, sum.data()));
  return sum;
}

}  // namespace rankine::bem
