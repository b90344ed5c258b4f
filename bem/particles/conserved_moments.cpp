#include "rankine/bem/particles/conserved_moments.hpp"

#include <array>
#include <cstddef>
#include <limits>

#include "rankine/bem/dense_matrix.hpp"

namespace rankine::bem {
namespace {

/// Sums over masses m with momenta p at r from an origin.
struct Momenta {
  double mass = 0.0;              ///< sum m
  Vec3d linear{}, angular{};      ///< sum p, sum r x p
  Vec3d first{};                  ///< sum m r
  std::array<Vec3d, 3> second{};  ///< columns of sum m r r^T
};

Vec3d first_of(Backend& backend, const Array& vectors) {
  Vec3d first{};
  backend.download(vectors.data(), as_doubles(std::span(&first, 1)));
  return first;
}

Momenta momenta(Backend& backend, const Array& positions, const Array& changes) {
  const std::size_t n = changes.size() / 3, parts = (n + SumMomenta::part - 1) / SumMomenta::part;
  Array sums = backend.allocate(SumMomenta::count * parts);
  backend.each(parts, SumMomenta{n, positions.data(), changes.data(), sums.data()});
  const std::vector<double> of_parts = downloaded(backend, sums, sums.size());
  std::array<double, SumMomenta::count> s{};
  for (std::size_t k = 0; k < of_parts.size(); ++k) s[k % s.size()] += of_parts[k];
  return {s[0],
          {s[1], s[2], s[3]},
          {s[7], s[8], s[9]},
          {s[4], s[5], s[6]},
          {Vec3d{s[10], s[13], s[14]}, {s[13], s[11], s[15]}, {s[14], s[15], s[12]}}};
}

/// The sums over masses and their images, about the same origin.
Momenta with_images(const meshes::Symmetry& symmetry, const Vec3d& origin, const Momenta& part) {
  Momenta all;
  for (int image = 0; image < symmetry.images(); ++image) {
    const auto turned = [&](const Vec3d& v) { return symmetry.vector(image, v); };
    const Vec3d shift = symmetry.point(image, origin) - origin, first = turned(part.first),
                linear = (symmetry.turns(image) ? -1.0 : 1.0) * turned(part.linear);
    all.mass += part.mass;
    all.linear += linear;
    all.angular += turned(part.angular) + cross(shift, linear);
    all.first += first + part.mass * shift;
    for (int axis = 0; axis < 3; ++axis) {
      Vec3d unit{}, column{};
      unit[axis] = 1.0;
      const Vec3d back = symmetry.vector(symmetry.inverse(image), unit);
      for (int k = 0; k < 3; ++k) column += back[k] * part.second[static_cast<std::size_t>(k)];
      all.second[static_cast<std::size_t>(axis)] +=
          turned(column) + shift[axis] * (first + part.mass * shift) + first[axis] * shift;
    }
  }
  return all;
}

}  // namespace

Vec3d sum_of(Backend& backend, const Array& a) {
  return a.size() == 0 ? Vec3d{} : momenta(backend, a, a).linear;
}

Vec3d sum_of_products(Backend& backend, const Array& a, const Array& b) {
  if (a.size() == 0) return {};
  const Momenta sums = momenta(backend, a, b);
  return sums.angular + cross(first_of(backend, a), sums.linear);
}

void conserve_moments(Backend& backend, const meshes::Symmetry& symmetry, const Array& positions,
                      Array& changes, const Vec3d& angular) {
  if (changes.size() == 0) return;
  const Vec3d origin = first_of(backend, positions);
  Momenta part = momenta(backend, positions, changes);
  part.angular -= angular;
  const Momenta all = with_images(symmetry, origin, part);
  if (!(all.mass > 0.0)) return;
  const Vec3d velocity = all.linear / all.mass, centre = all.first / all.mass,
              momentum = all.angular - cross(centre, all.linear);
  DenseMatrix inertia(3, 3);
  double trace = 0.0;
  for (int row = 0; row < 3; ++row) {
    for (int column = 0; column < 3; ++column)
      inertia(row, column) = all.mass * centre[row] * centre[column] -
                             all.second[static_cast<std::size_t>(column)][row];
    trace -= inertia(row, row);
  }
  for (int axis = 0; axis < 3; ++axis) inertia(axis, axis) += trace;
  // Masses on a line do not determine the rotation about it.
  const DenseMatrix inverse = pseudo_inverse(inertia, std::numeric_limits<double>::epsilon());
  Vec3d rotation{};
  for (int axis = 0; axis < 3; ++axis)
    rotation += momentum[axis] * Vec3d{inverse(0, axis), inverse(1, axis), inverse(2, axis)};
  backend.each(changes.size() / 3, SubtractMotion{velocity - cross(rotation, centre), rotation,
                                                  positions.data(), changes.data()});
}

}  // namespace rankine::bem
