// The part of a redistribution (bem/particles/redistribution.hpp) for a single particle: the
// moments that it must have, the particles that receive its strength, and the strength that it
// receives. Host and device.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "rankine/bem/particles/moment_fractions.hpp"
#include "rankine/bem/particles/particle_cells.hpp"
#include "rankine/bem/particles/plane_images.hpp"
#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

// In units of the spacing. Any position is within 3^(1/2)/2 of a lattice point, and fractions exist
// in any lattice whose points are shifted by up to half of the spacing.
inline constexpr double neighbour_reach = 2.0;  ///< radius of the neighbourhood
inline constexpr double crowded = 0.4;          ///< closer than this to a stronger particle
inline constexpr double most_spread = 0.25;     ///< 2 nu h over the squared spacing

enum class Fate : std::uint8_t {
  stays,    ///< keeps all its strength
  spreads,  ///< distributes fractions of it, also to itself
  given,    ///< distributes all of it to others
  waits     ///< has no fractions
};

/// Moments about a position: 1, a shift along n, and `across` I + (`along` - `across`) n n^T.
RANKINE_HD inline Moments moments_of(double shift, double along, double across, const Vec3d& n) {
  const Vec3d mean = shift * n;
  const double more = along - across;
  return {1.0,
          mean.x,
          mean.y,
          mean.z,
          across + more * n.x * n.x,
          across + more * n.y * n.y,
          across + more * n.z * n.z,
          more * n.x * n.y,
          more * n.x * n.z,
          more * n.y * n.z};
}

/// The moments of a diffused particle about its position, with `spread` = 2 nu h.
RANKINE_HD inline Moments diffused(double spread, const NearWall& wall) {
  const double s = std::sqrt(spread);
  if (!(wall.distance < 6.0 * s)) return moments_of(0.0, spread, spread, {});
  const double d = std::max(wall.distance, 0.0), at = d / s,
               shift = s * (std::sqrt(2.0 / std::numbers::pi) * std::exp(-0.5 * at * at) -
                            at * std::erfc(at / std::numbers::sqrt2));
  return moments_of(shift, spread - 2.0 * d * shift, spread, wall.normal);
}

/// The same for a particle in the layer at the wall, if the diffusion length of the step is too
/// small for the height of the layer. The moments are those of a finite volume that exchanges the
/// fraction `share` with the next volume, and nothing with the wall.
RANKINE_HD inline Moments diffused_coarsely(double spread, const NearWall& wall, double spacing,
                                            double share) {
  return moments_of(share * spread / spacing, share * spread, spread, wall.normal);
}

/// A part of a step, as pointers to arrays on host or device. The first `first` particles existed
/// at its start; the others were added.
struct Diffusion {
  double spacing, spread;  ///< m, and 2 nu h, m^2
  double eddy;             ///< factor in nu_e / nu = eddy |omega|
  double weakest = 0.0;    ///< strengths up to this size do not diffuse
  std::size_t first, sheet;

  PlaneImages planes{};
  ParticleCells cells{};
  const Vec3d *positions = nullptr, *strengths = nullptr;
  const NearWall* walls = nullptr;
  std::uint8_t* leaves = nullptr;  ///< 1: crowded, or of the sheet; receives nothing from others
  Fate* fates = nullptr;
  std::uint8_t* attempts = nullptr;  ///< the number of the attempt, see below, that found a
                                     ///< particle's fractions
  Moments* multipliers = nullptr;
  Vec3d* received = nullptr;  ///< the new strengths

  // Attempts to add lattice points: the number of the current attempt, and the number of particles
  // after each.
  int attempt = 0;
  std::array<std::size_t, 2> after{};
  const std::int32_t* waiting = nullptr;
  const Vec3d* places = nullptr;  ///< where a particle may be added if there is none within `free`
  double free = 0.0;
  std::uint8_t* taken = nullptr;

  RANKINE_HD double radius() const { return cells.edge; }

  /// Flags particle number k of the cells if it is of the sheet, or the weaker one of two that are
  /// too close. A particle and its own image stay.
  RANKINE_HD void mark_crowded(std::size_t k) const {
    const auto i = static_cast<std::size_t>(cells.order[k]);
    const auto size = [&](std::size_t j) { return dot(strengths[j], strengths[j]); };
    leaves[i] = i >= sheet ? 1 : 0;
    planes.near(cells.within(crowded * spacing), positions[i],
                [&](std::size_t j, const Vec3d&, unsigned) {
                  if (j == i || j >= sheet) return;
                  if (size(j) > size(i) || (size(j) == size(i) && j < i)) leaves[i] = 1;
                });
  }

  /// Determines the fate of particle number k of the cells, one of those that existed at the start.
  template <class Lanes>
  RANKINE_HD void settle(std::size_t k, const Lanes& lanes) const {
    const auto i = static_cast<std::size_t>(cells.order[k]);
    attempts[i] = 0;
    const bool leaf = leaves[i] != 0, strong = norm(strengths[i]) > weakest;
    Fate fate = Fate::stays;
    if (leaf || strong) {
      FractionPoints<Lanes> points(lanes);
      add_neighbours(i, points, lanes);
      if (leaf && is_given(i, points, lanes)) {
        fate = Fate::given;
      } else if (strong) {
        fate = spreads(i, points, lanes) ? Fate::spreads : Fate::waits;
      }
    }
    fates[i] = fate;
  }
  /// The same for a waiting particle, after an attempt to add lattice points.
  template <class Lanes>
  RANKINE_HD void settle_waiting(std::size_t w, const Lanes& lanes) const {
    const auto i = static_cast<std::size_t>(waiting[w]);
    attempts[i] = static_cast<std::uint8_t>(attempt);
    FractionPoints<Lanes> points(lanes);
    add_neighbours(i, points, lanes);
    if (spreads(i, points, lanes)) fates[i] = Fate::spreads;
  }

  RANKINE_HD void find_taken(std::size_t k) const {
    taken[k] = 0;
    planes.near(cells.within(free), places[k], [&](std::size_t j, const Vec3d&, unsigned) {
      if (stays_after(j)) taken[k] = 1;
    });
  }

  /// Computes the new strength of particle number k of the cells: the sum of what it receives, in
  /// an order that does not depend on threads.
  RANKINE_HD void gather(std::size_t k) const {
    const auto j = static_cast<std::size_t>(cells.order[k]);
    Vec3d sum{};
    planes.near(cells, positions[j], [&](std::size_t i, const Vec3d& to, unsigned image) {
      if (i >= first) return;
      const Fate fate = fates[i];
      const Vec3d from = planes.vector(image, -to);  // from i to the image of j
      if (i == j && image == 0) {
        const bool whole = fate == Fate::stays || fate == Fate::waits;
        if (fate != Fate::given) sum += (whole ? 1.0 : fraction(multipliers[i], {})) * strengths[i];
      } else if ((fate == Fate::spreads || fate == Fate::given) && takes(i, j, from, image)) {
        sum += fraction(multipliers[i], from / radius()) * planes.strength(image, strengths[i]);
      }
    });
    received[j] = sum;
  }

 private:
  RANKINE_HD bool stays_after(std::size_t j) const { return j >= first || leaves[j] == 0; }
  /// The attempt that added a particle, from 1; 0: it existed before.
  RANKINE_HD int born(std::size_t j) const {
    return j < first ? 0 : 1 + (j >= after[0] ? 1 : 0) + (j >= after[1] ? 1 : 0);
  }
  /// Whether an image of j, at the distance `to` from i, may receive from i: not from the other
  /// side of a thin body.
  RANKINE_HD bool takes(std::size_t i, std::size_t j, const Vec3d& to, unsigned image) const {
    return stays_after(j) && born(j) <= attempts[i] && !beyond_body(i, j, to, image);
  }
  /// Whether both are close to walls that face away from each other, as on the two sides of a thin
  /// body. Across a gap between bodies the walls face each other.
  RANKINE_HD bool beyond_body(std::size_t i, std::size_t j, const Vec3d& to, unsigned image) const {
    if (walls[j].distance > radius() || walls[i].distance > radius()) return false;
    const Vec3d &ni = walls[i].normal, nj = planes.vector(image, walls[j].normal);
    return dot(ni, nj) < 0.0 && dot(to, ni - nj) < 0.0;
  }

  /// The particle itself and those that may receive from it.
  template <class Lanes>
  RANKINE_HD void add_neighbours(std::size_t i, FractionPoints<Lanes>& points,
                                 const Lanes& lanes) const {
    if (lanes.index == 0) points.add({});
    planes.near(
        cells, positions[i],
        [&](std::size_t j, const Vec3d& to, unsigned image) {
          if ((j != i || image != 0) && takes(i, j, to, image)) points.add(to / radius());
        },
        lanes);
  }
  template <class Lanes>
  RANKINE_HD bool find(std::size_t i, FractionPoints<Lanes>& points, Moments moments,
                       const Lanes& lanes) const {
    for (std::size_t k = 1; k < moments.size(); ++k)
      moments[k] /= k < 4 ? radius() : radius() * radius();
    Moments found;
    if (!points.find(moments, found)) return false;
    if (lanes.index == 0) multipliers[i] = found;
    return true;
  }

  /// 2 (nu + nu_e) h.
  template <class Lanes>
  RANKINE_HD double spread_at(std::size_t i, const Lanes& lanes) const {
    if (eddy == 0.0) return spread;
    Vec3d sum{};
    planes.near(
        cells, positions[i],
        [&](std::size_t j, const Vec3d&, unsigned image) {
          if (j < first) sum += planes.strength(image, strengths[j]);
        },
        lanes);
    for (int axis = 0; axis < 3; ++axis) sum[axis] = lanes.sum(sum[axis]);
    const double volume = 4.0 / 3.0 * std::numbers::pi * radius() * radius() * radius();
    return std::max(spread, std::min(spread * (1.0 + eddy * norm(sum) / volume),
                                     most_spread * spacing * spacing));
  }
  template <class Lanes>
  RANKINE_HD bool spreads(std::size_t i, FractionPoints<Lanes>& points, const Lanes& lanes) const {
    const NearWall& wall = walls[i];
    const double own = spread_at(i, lanes);
    const auto coarsely = [&](double share) {
      return find(i, points, diffused_coarsely(own, wall, spacing, share), lanes);
    };
    points.take_first(true);
    return find(i, points, diffused(own, wall), lanes) ||
           (wall.distance < spacing && (coarsely(0.5) || coarsely(1.0)));
  }
  /// Distributes all strength to other particles. Their distance may be larger than the diffusion
  /// length; for a sheet it always is.
  template <class Lanes>
  RANKINE_HD bool is_given(std::size_t i, FractionPoints<Lanes>& points, const Lanes& lanes) const {
    const double own = std::max(spread, most_spread * spacing * spacing);
    points.take_first(false);
    const bool more = find(i, points, diffused(own, walls[i]), lanes);
    return (i < sheet && find(i, points, diffused(spread, walls[i]), lanes)) || more;
  }
};

}  // namespace rankine::bem
