// The steps of a redistribution (bem/particles/redistribution.hpp) with arrays on the host or on a
// device.
//
// A Space has arrays and loops on one of them:
//
//   Array<T>                       n values; data(), size()
//   make<T>(n)                     zeros
//   given(vector), read(array)     copies from the host, and to it
//   each(n, work)                  work(i) for i < n, in any order
//   each_shared(n, work)           work(i, Lanes), where lanes may share the work (OneLane)
//   sort(keys, values, bits)       stable
//   sum_before(counts)             replaces each count by the sum of those before it; returns the
//                                  last of these sums
//   chosen(n, test)                the numbers i < n with test(i), ascending
//   largest(n, of)                 the maximum of of(i); -infinity for n = 0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/particles/particle_diffusion.hpp"
#include "rankine/bem/particles/particle_lattice.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/host_device.hpp"

namespace rankine::bem {

struct CellSorting {
  ParticleCells cells;
  const Vec3d* positions;
  std::uint64_t* keys;
  std::int32_t* order;
  Vec3d* points;

  RANKINE_HD void place(std::size_t i) const {
    keys[i] = cells.key_of(positions[i]);
    order[i] = static_cast<std::int32_t>(i);
  }
  RANKINE_HD void take(std::size_t k) const { points[k] = positions[order[k]]; }
};

/// Particles sorted into cells.
template <class Space>
class CellArrays {
 public:
  /// `positions` are in the memory of the space. Another call invalidates the previous cells.
  ParticleCells sort(Space& space, std::size_t count, const Vec3d* positions, double radius) {
    keys_ = space.template make<std::uint64_t>(count);
    order_ = space.template make<std::int32_t>(count);
    points_ = space.template make<Vec3d>(count);
    const ParticleCells cells{radius,        radius,       least_corner(space, count, positions),
                              count,         keys_.data(), order_.data(),
                              points_.data()};
    const CellSorting sorting{cells, positions, keys_.data(), order_.data(), points_.data()};
    space.each(count, [sorting] RANKINE_HD(std::size_t i) { sorting.place(i); });
    space.sort(keys_, order_, ParticleCells::key_bits);
    space.each(count, [sorting] RANKINE_HD(std::size_t k) { sorting.take(k); });
    return cells;
  }

  /// The least coordinates of all points.
  static Vec3d least_corner(Space& space, std::size_t count, const Vec3d* positions) {
    Vec3d corner;
    for (int axis = 0; axis < 3; ++axis) {
      corner[axis] = -space.largest(
          count, [positions, axis] RANKINE_HD(std::size_t i) { return -positions[i][axis]; });
    }
    return corner;
  }

 private:
  typename Space::template Array<std::uint64_t> keys_;
  typename Space::template Array<std::int32_t> order_;
  typename Space::template Array<Vec3d> points_;
};

/// Vortex particles in the memory of a space.
template <class Space>
struct SpaceParticles {
  typename Space::template Array<Vec3d> positions, strengths;
  typename Space::template Array<double> core_radii;

  std::size_t size() const { return positions.size(); }
};

/// A part of a step.
template <class Space>
class Redistribution {
 public:
  template <class T>
  using Array = typename Space::template Array<T>;

  /// `walls`: those of the particles; empty: not yet known.
  Redistribution(Space& space, SpaceParticles<Space>& particles, Array<NearWall>& walls,
                 std::size_t sheet, double spread, const RedistributionOptions& options)
      : space_(space),
        particles_(particles),
        options_(options),
        walls_(walls),
        work_{.spacing = options.spacing,
              .spread = spread,
              .eddy = 0.0,
              .first = particles.size(),
              .sheet = sheet,
              .planes = {options.symmetry, options.inside}},
        leaves_(space.template make<std::uint8_t>(work_.first)),
        fates_(space.template make<Fate>(work_.first)),
        attempts_(space.template make<std::uint8_t>(work_.first)),
        multipliers_(space.template make<Moments>(work_.first)) {
    if (walls_.size() == 0) walls_ = walls_of(particles.positions);
    const double length = options.smagorinsky * options.spacing;
    if (options.smagorinsky > 0.0) work_.eddy = length * length / options.viscosity;
    work_.weakest = options.weak * std::max(0.0, strongest(space, particles));
    work_.strengths = particles.strengths.data();
    work_.leaves = leaves_.data();
    work_.fates = fates_.data();
    work_.attempts = attempts_.data();
    work_.multipliers = multipliers_.data();
    work_.after.fill(std::numeric_limits<std::size_t>::max());
  }

  // Functions that call Space::each are public, since nvcc requires it for functions with device
  // lambdas.

  void run(RedistributionRecord& record) {
    show_particles();
    const Diffusion work = work_;
    space_.each(work.first, [work] RANKINE_HD(std::size_t k) { work.mark_crowded(k); });
    space_.each_shared(work.first,
                       [work] RANKINE_HD(std::size_t k, const typename Space::Lanes& lanes) {
                         work.settle(k, lanes);
                       });
    find_waiting();
    for (const Filling& filling : fillings) {
      if (waiting_.size() == 0) break;
      ++work_.attempt;
      if (fill(filling)) settle_waiting();
      if (work_.attempt <= 2)
        work_.after[static_cast<std::size_t>(work_.attempt - 1)] = particles_.size();
    }
    record.left_out += waiting_.size();
    gather();
    remove(record);
  }

  /// The largest strength; infinite if a particle is not finite.
  static double strongest(Space& space, const SpaceParticles<Space>& particles) {
    const Vec3d *const x = particles.positions.data(), *const gamma = particles.strengths.data();
    return space.largest(particles.size(), [x, gamma] RANKINE_HD(std::size_t i) {
      const bool finite = is_finite(x[i]) && is_finite(gamma[i]);
      return finite ? norm(gamma[i]) : std::numeric_limits<double>::infinity();
    });
  }

  /// Sets the pointers to all particles, including those that were added.
  void show_particles() {
    work_.positions = particles_.positions.data();
    work_.walls = walls_.data();
    work_.cells = cells_.sort(space_, particles_.size(), particles_.positions.data(),
                              neighbour_reach * options_.spacing);
  }

  void settle_waiting() {
    show_particles();
    work_.waiting = waiting_.data();
    const Diffusion work = work_;
    space_.each_shared(waiting_.size(),
                       [work] RANKINE_HD(std::size_t w, const typename Space::Lanes& lanes) {
                         work.settle_waiting(w, lanes);
                       });
    find_waiting();
  }

  void find_waiting() {
    const Fate* const fates = fates_.data();
    waiting_ = space_.chosen(work_.first,
                             [fates] RANKINE_HD(std::size_t i) { return fates[i] == Fate::waits; });
  }

  /// Attempts to make fractions possible: lattice points within `within` of a particle are added if
  /// there is no receiving particle within `free` of them.
  struct Filling {
    double within, free;
  };
  static constexpr std::array fillings{Filling{1.5, 0.6}, Filling{neighbour_reach, 0.6},
                                       Filling{neighbour_reach, 0.1}};

  /// Adds lattice points around waiting particles. Returns false if it added none.
  bool fill(const Filling& filling) {
    const Lattice lattice(options_.spacing, work_.planes);
    const std::size_t count = waiting_.size();
    const std::int32_t* const waiting = waiting_.data();
    const Vec3d* const positions = particles_.positions.data();
    const double within = filling.within;
    auto begins = space_.template make<std::int64_t>(count + 1);
    std::int64_t* const begin = begins.data();
    space_.each(count, [=] RANKINE_HD(std::size_t w) {
      lattice.near(positions[waiting[w]], within, [&](std::uint64_t) { ++begin[w]; });
    });
    const std::size_t found = space_.sum_before(begins);
    auto keys = space_.template make<std::uint64_t>(found);
    auto unused = space_.template make<std::int32_t>(found);
    std::uint64_t* const key = keys.data();
    space_.each(count, [=] RANKINE_HD(std::size_t w) {
      std::int64_t k = begin[w];
      lattice.near(positions[waiting[w]], within, [&](std::uint64_t each) { key[k++] = each; });
    });
    space_.sort(keys, unused, Lattice::key_bits);
    const Array<std::int32_t> once = space_.chosen(
        found, [key] RANKINE_HD(std::size_t k) { return k == 0 || key[k] != key[k - 1]; });
    const std::int32_t* const of = once.data();
    auto places = space_.template make<Vec3d>(once.size());
    Vec3d* const place = places.data();
    space_.each(once.size(),
                [=] RANKINE_HD(std::size_t k) { place[k] = lattice.point(key[of[k]]); });
    return add(places, filling.free * options_.spacing);
  }

  /// Adds those of the points that are free and in the fluid, up to the largest number of
  /// particles.
  bool add(const Array<Vec3d>& places, double free) {
    auto marks = space_.template make<std::uint8_t>(places.size());
    work_.places = places.data();
    work_.taken = marks.data();
    work_.free = free;
    const Diffusion work = work_;
    space_.each(places.size(), [work] RANKINE_HD(std::size_t k) { work.find_taken(k); });
    const Array<NearWall> walls = walls_of(places);
    const NearWall* const wall = walls.data();
    const Array<std::int32_t> chosen =
        space_.chosen(places.size(), [work, wall] RANKINE_HD(std::size_t k) {
          return work.taken[k] == 0 && !(wall[k].distance < 0.0);
        });
    const std::size_t before = particles_.size(),
                      more =
                          std::min(chosen.size(), options_.most - std::min(options_.most, before));
    if (more == 0) return false;
    particles_.positions = extended(particles_.positions, more, places.data(), chosen.data());
    walls_ = extended(walls_, more, wall, chosen.data());
    const double sigma = options_.core_radius;
    auto radii = space_.template make<double>(before + more);
    const double* const old = particles_.core_radii.data();
    double* const radius = radii.data();
    space_.each(before + more,
                [=] RANKINE_HD(std::size_t i) { radius[i] = i < before ? old[i] : sigma; });
    particles_.core_radii = std::move(radii);
    return true;
  }

  void gather() {
    auto received = space_.template make<Vec3d>(particles_.size());
    work_.received = received.data();
    const Diffusion work = work_;
    space_.each(received.size(), [work] RANKINE_HD(std::size_t k) { work.gather(k); });
    particles_.strengths = std::move(received);
  }

  /// Removes particles that distributed all of their strength, and added particles that received
  /// nothing.
  void remove(RedistributionRecord& record) {
    const std::size_t first = work_.first;
    const Fate* const fates = fates_.data();
    const Vec3d* const gamma = particles_.strengths.data();
    const std::size_t left =
        space_.chosen(first, [=] RANKINE_HD(std::size_t i) { return fates[i] != Fate::given; })
            .size();
    const Array<std::int32_t> kept =
        space_.chosen(particles_.size(), [=] RANKINE_HD(std::size_t i) {
          return i < first ? fates[i] != Fate::given : !(gamma[i] == Vec3d{});
        });
    record.removed += first - left;
    record.added += kept.size() - left;
    if (kept.size() == particles_.size()) return;
    particles_.positions = only(particles_.positions, kept);
    particles_.strengths = only(particles_.strengths, kept);
    particles_.core_radii = only(particles_.core_radii, kept);
    walls_ = only(walls_, kept);
  }

  template <class T>
  Array<T> only(const Array<T>& values, const Array<std::int32_t>& kept) {
    auto found = space_.template make<T>(kept.size());
    const T* const from = values.data();
    T* const to = found.data();
    const std::int32_t* const of = kept.data();
    space_.each(kept.size(), [=] RANKINE_HD(std::size_t k) { to[k] = from[of[k]]; });
    return found;
  }

  /// The values, followed by others[chosen[k]] for k < more.
  template <class T>
  Array<T> extended(const Array<T>& values, std::size_t more, const T* others,
                    const std::int32_t* chosen) {
    const std::size_t before = values.size();
    auto found = space_.template make<T>(before + more);
    const T* const from = values.data();
    T* const to = found.data();
    space_.each(before + more, [=] RANKINE_HD(std::size_t i) {
      to[i] = i < before ? from[i] : others[chosen[i - before]];
    });
    return found;
  }

  Array<NearWall> walls_of(const Array<Vec3d>& points) {
    auto walls = space_.template make<NearWall>(points.size());
    NearWall* const wall = walls.data();
    space_.each(points.size(), [wall] RANKINE_HD(std::size_t i) { wall[i] = NearWall{}; });
    if (!options_.wall) return walls;
    const Vec3d *const x = points.data(), lower = options_.wall_within.lower,
                       upper = options_.wall_within.upper;
    const Array<std::int32_t> within =
        space_.chosen(points.size(), [x, lower, upper] RANKINE_HD(std::size_t i) {
          return lower.x <= x[i].x && x[i].x <= upper.x && lower.y <= x[i].y && x[i].y <= upper.y &&
                 lower.z <= x[i].z && x[i].z <= upper.z;
        });
    const Array<NearWall> found = space_.given(options_.wall(space_.read(only(points, within))));
    const NearWall* const from = found.data();
    const std::int32_t* const of = within.data();
    space_.each(within.size(), [=] RANKINE_HD(std::size_t k) { wall[of[k]] = from[k]; });
    return walls;
  }

 private:
  Space& space_;
  SpaceParticles<Space>& particles_;
  const RedistributionOptions& options_;
  Array<NearWall>& walls_;
  CellArrays<Space> cells_;
  Diffusion work_;
  Array<std::uint8_t> leaves_;
  Array<Fate> fates_;
  Array<std::uint8_t> attempts_;
  Array<Moments> multipliers_;
  Array<std::int32_t> waiting_;
};

/// Replaces particles that have crossed a symmetry plane by their images.
template <class Space>
void take_inside(Space& space, SpaceParticles<Space>& particles, const PlaneImages& planes) {
  if (planes.axes == 0) return;
  Vec3d *const x = particles.positions.data(), *const gamma = particles.strengths.data();
  space.each(particles.size(),
             [=] RANKINE_HD(std::size_t i) { planes.take_inside(x[i], gamma[i]); });
}

/// redistribute() (bem/particles/redistribution.hpp) in a space. Throws InputError for particles
/// that are not finite.
template <class Space>
RedistributionRecord redistribute_in(Space& space, SpaceParticles<Space>& particles,
                                     std::size_t sheet, double step,
                                     const RedistributionOptions& options) {
  if (Redistribution<Space>::strongest(space, particles) == std::numeric_limits<double>::infinity())
    throw InputError("vortices are not finite any more");
  take_inside(space, particles, {options.symmetry, options.inside});
  RedistributionRecord record;
  record.substeps = redistribution_substeps(options, step);
  auto walls = space.template make<NearWall>(0);
  const auto substep = [&] {
    throw_if_stopped();
    const double part = 2.0 * options.viscosity * step / record.substeps;
    Redistribution<Space>(space, particles, walls, sheet, part, options).run(record);
    sheet = std::numeric_limits<std::size_t>::max();  // distributed, or now like other particles
  };
  const Execution substeps{.stop = record.substeps > 1 ? options.stop : std::stop_token{}};
  for (int k = 0; k < record.substeps; ++k) substeps.run(substep);
  return record;
}

}  // namespace rankine::bem
