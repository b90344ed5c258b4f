// The steps of a splitting (bem/particles/splitting.hpp) with arrays on the host or on a device: a
// Space of bem/particles/redistribution_steps.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/bem/particles/splitting.hpp"

namespace rankine::bem {

/// Particles, as pointers to arrays on host or device.
struct TubePieces {
  const Vec3d *positions, *strengths;
  const double *radii, *circulations;

  RANKINE_HD bool is_long(std::size_t i) const {
    return norm(strengths[i]) > longest_piece * radii[i] * circulations[i];
  }
  /// Writes particle i, or its two halves, at `to` into arrays of the same kind.
  RANKINE_HD void write(std::size_t i, std::size_t to, bool halves, Vec3d* x, Vec3d* gamma,
                        double* sigma, double* kappa) const {
    const Vec3d aside = halves ? 0.25 / circulations[i] * strengths[i] : Vec3d{};
    for (std::size_t k = 0; k < (halves ? 2 : 1); ++k) {
      x[to + k] = k == 0 ? positions[i] - aside : positions[i] + aside;
      gamma[to + k] = halves ? 0.5 * strengths[i] : strengths[i];
      sigma[to + k] = radii[i];
      kappa[to + k] = circulations[i];
    }
  }
};

/// split() in a space.
template <class Space>
SplittingRecord split_in(Space& space, SpaceParticles<Space>& particles,
                         typename Space::template Array<double>& circulations,
                         const SplittingOptions& options) {
  const std::size_t n = particles.size();
  const TubePieces pieces{particles.positions.data(), particles.strengths.data(),
                          particles.core_radii.data(), circulations.data()};
  const auto found =
      space.chosen(n, [pieces] RANKINE_HD(std::size_t i) { return pieces.is_long(i); });
  const std::size_t more = std::min(found.size(), options.most - std::min(options.most, n));
  SplittingRecord record;
  record.left_out = found.size() - more;
  if (more == 0) return record;
  const auto numbers = space.read(found);
  record.split.assign(numbers.begin(), numbers.begin() + static_cast<std::ptrdiff_t>(more));

  auto places = space.template make<std::int64_t>(n + 1);
  std::int64_t* const place = places.data();
  const std::int32_t* const split = found.data();
  space.each(n, [place] RANKINE_HD(std::size_t i) { place[i] = 1; });
  space.each(more, [place, split] RANKINE_HD(std::size_t k) { place[split[k]] = 2; });
  const std::size_t count = space.sum_before(places);
  auto positions = space.template make<Vec3d>(count), strengths = space.template make<Vec3d>(count);
  auto radii = space.template make<double>(count), kappas = space.template make<double>(count);
  Vec3d *const x = positions.data(), *const gamma = strengths.data();
  double *const sigma = radii.data(), *const kappa = kappas.data();
  space.each(n, [=] RANKINE_HD(std::size_t i) {
    pieces.write(i, static_cast<std::size_t>(place[i]), place[i + 1] - place[i] == 2, x, gamma,
                 sigma, kappa);
  });
  particles = {std::move(positions), std::move(strengths), std::move(radii)};
  circulations = std::move(kappas);
  take_inside(space, particles, PlaneImages(options.symmetry, options.inside));
  return record;
}

}  // namespace rankine::bem
