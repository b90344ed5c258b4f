// The steps of a redistribution (bem/particles/redistribution.hpp) with arrays on the host or on a
// device.
//
// A Space has the arrays and the loops of one of them:
//
//   Array<T>                       n values; data(), size()
//   make<T>(n)                     zeros
//   shown(vector)                  the values of a vector on the host, which does not change
//   read(array, vector)            the values, on the host again
//   each(n, work)                  work(i) for i < n, in any order
//   sort(keys, values, bits)       stable
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "rankine/bem/particles/particle_diffusion.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/host_device.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

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

/// The least coordinates of all points; zero without any.
inline Vec3d least_corner(std::span<const Vec3d> points) {
  Vec3d corner = points.empty() ? Vec3d{} : points.front();
  for (const Vec3d& each : points) {
    for (int axis = 0; axis < 3; ++axis) corner[axis] = std::min(corner[axis], each[axis]);
  }
  return corner;
}

/// Particles sorted into cells.
template <class Space>
class CellArrays {
 public:
  /// `positions` in the memory of the space. Only the last cells count.
  ParticleCells sort(Space& space, std::size_t count, const Vec3d* positions, const Vec3d& corner,
                     double radius) {
    keys_ = space.template make<std::uint64_t>(count);
    order_ = space.template make<std::int32_t>(count);
    points_ = space.template make<Vec3d>(count);
    const ParticleCells cells{radius, corner, count, keys_.data(), order_.data(), points_.data()};
    const CellSorting sorting{cells, positions, keys_.data(), order_.data(), points_.data()};
    space.each(count, [sorting] RANKINE_HD(std::size_t i) { sorting.place(i); });
    space.sort(keys_, order_, ParticleCells::key_bits);
    space.each(count, [sorting] RANKINE_HD(std::size_t k) { sorting.take(k); });
    return cells;
  }

 private:
  typename Space::template Array<std::uint64_t> keys_;
  typename Space::template Array<std::int32_t> order_;
  typename Space::template Array<Vec3d> points_;
};

/// A part of a step.
template <class Space>
class Redistribution {
 public:
  Redistribution(Space& space, VortexParticles& particles, std::size_t sheet, double spread,
                 const RedistributionOptions& options)
      : space_(space),
        particles_(particles),
        options_(options),
        walls_(walls_of(particles.positions)),
        strengths_(space.shown(particles.strengths)),
        work_{.spacing = options.spacing,
              .spread = spread,
              .eddy = 0.0,
              .first = particles.positions.size(),
              .sheet = sheet},
        leaves_(space.template make<std::uint8_t>(work_.first)),
        fates_(space.template make<Fate>(work_.first)),
        attempts_(space.template make<std::uint8_t>(work_.first)),
        multipliers_(space.template make<Moments>(work_.first)) {
    const double length = options.smagorinsky * options.spacing;
    double strongest = 0.0;
    for (const Vec3d& each : particles.strengths) strongest = std::max(strongest, norm(each));
    if (options.smagorinsky > 0.0) work_.eddy = length * length / options.viscosity;
    work_.weakest = options.weak * strongest;
    work_.strengths = strengths_.data();
    work_.leaves = leaves_.data();
    work_.fates = fates_.data();
    work_.attempts = attempts_.data();
    work_.multipliers = multipliers_.data();
    work_.after.fill(std::numeric_limits<std::size_t>::max());
  }

  // What calls Space::each is public, as compilers for devices ask of functions with such lambdas.

  void run(RedistributionRecord& record) {
    show_particles();
    const Diffusion work = work_;
    space_.each(work.first, [work] RANKINE_HD(std::size_t i) { work.mark_crowded(i); });
    space_.each(work.first, [work] RANKINE_HD(std::size_t i) { work.settle(i); });
    std::vector<std::int32_t> waiting(work_.first);
    std::iota(waiting.begin(), waiting.end(), 0);
    keep_waiting(waiting);
    for (const Filling& filling : fillings) {
      if (waiting.empty()) break;
      ++work_.attempt;
      if (fill(waiting, filling)) settle(waiting);
      if (work_.attempt <= 2)
        work_.after[static_cast<std::size_t>(work_.attempt - 1)] = particles_.positions.size();
    }
    record.left_out += waiting.size();
    gather();
    remove(record);
  }

  /// Those that were there and those that were added, and the walls they see.
  void show_particles() {
    positions_ = space_.shown(particles_.positions);
    shown_walls_ = space_.shown(walls_);
    work_.positions = positions_.data();
    work_.walls = shown_walls_.data();
    work_.cells =
        cells_.sort(space_, positions_.size(), positions_.data(),
                    least_corner(particles_.positions), neighbour_reach * options_.spacing);
  }

  void settle(std::vector<std::int32_t>& waiting) {
    show_particles();
    const auto shown = space_.shown(waiting);
    work_.waiting = shown.data();
    const Diffusion work = work_;
    space_.each(waiting.size(), [work] RANKINE_HD(std::size_t w) { work.settle_waiting(w); });
    keep_waiting(waiting);
  }

  /// Adds those of the lattice points that are free and in the fluid, as far as there may be more.
  bool add(std::span<const std::uint64_t> keys, double free) {
    std::vector<Vec3d> points(keys.size());
    for (std::size_t k = 0; k < keys.size(); ++k) points[k] = lattice_point(keys[k]);
    const auto places = space_.shown(points);
    auto marks = space_.template make<std::uint8_t>(points.size());
    work_.places = places.data();
    work_.taken = marks.data();
    work_.free = free;
    const Diffusion work = work_;
    space_.each(points.size(), [work] RANKINE_HD(std::size_t k) { work.find_taken(k); });
    std::vector<std::uint8_t> taken;
    space_.read(marks, taken);
    const std::vector<NearWall> walls = walls_of(points);
    const std::size_t before = particles_.positions.size();
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (taken[k] != 0 || walls[k].distance < 0.0) continue;
      if (particles_.positions.size() >= options_.most) break;
      particles_.positions.push_back(points[k]);
      particles_.core_radii.push_back(options_.core_radius);
      walls_.push_back(walls[k]);
    }
    return particles_.positions.size() > before;
  }

  void gather() {
    auto received = space_.template make<Vec3d>(particles_.positions.size());
    work_.received = received.data();
    const Diffusion work = work_;
    space_.each(received.size(), [work] RANKINE_HD(std::size_t j) { work.gather(j); });
    std::vector<Vec3d> strengths;
    space_.read(received, strengths);
    particles_.strengths = std::move(strengths);
  }

 private:
  /// Attempts to find room for the fractions of a particle: lattice points within `within` of it
  /// are added if there is no particle within `free` that takes strengths.
  struct Filling {
    double within, free;
  };
  static constexpr std::array fillings{Filling{1.5, 0.6}, Filling{neighbour_reach, 0.6},
                                       Filling{neighbour_reach, 0.1}};

  std::vector<NearWall> walls_of(std::span<const Vec3d> points) const {
    return options_.wall ? options_.wall(points) : std::vector<NearWall>(points.size());
  }

  void keep_waiting(std::vector<std::int32_t>& waiting) {
    space_.read(fates_, found_);
    std::erase_if(waiting, [&](std::int32_t i) {
      return found_[static_cast<std::size_t>(i)] != Fate::waits;
    });
  }

  /// Calls work(key) for the lattice points within `within` spacings of a particle.
  template <class Work>
  void for_lattice(std::int32_t particle, double within, const Work& work) const {
    constexpr double most_index = 1 << 20;
    const Vec3d at = particles_.positions[static_cast<std::size_t>(particle)] / options_.spacing;
    if (std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}) > most_index - 4.0) return;
    const auto low = [&](double x) { return static_cast<int>(std::ceil(x - within)); };
    const auto high = [&](double x) { return static_cast<int>(std::floor(x + within)); };
    for (int x = low(at.x); x <= high(at.x); ++x) {
      for (int y = low(at.y); y <= high(at.y); ++y) {
        for (int z = low(at.z); z <= high(at.z); ++z) {
          const Vec3d r = Vec3d{1.0 * x, 1.0 * y, 1.0 * z} - at;
          if (dot(r, r) < within * within) work(key_of(x, y, z));
        }
      }
    }
  }

  /// Adds lattice points around those that wait. False if it added none.
  bool fill(const std::vector<std::int32_t>& waiting, const Filling& filling) {
    std::vector<std::size_t> begin(waiting.size() + 1);
    parallel_for(waiting.size(), [&](std::size_t w) {
      for_lattice(waiting[w], filling.within, [&](std::uint64_t) { ++begin[w + 1]; });
    });
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    AlignedVector<std::uint64_t> keys(begin.back());
    AlignedVector<std::int32_t> unused(keys.size());
    parallel_for(waiting.size(), [&](std::size_t w) {
      std::size_t k = begin[w];
      for_lattice(waiting[w], filling.within, [&](std::uint64_t key) { keys[k++] = key; });
    });
    radix_sort(keys, unused, key_bits);
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return add(keys, filling.free * options_.spacing);
  }
  static constexpr int key_bits = 63;
  static constexpr int offset = 1 << 20;
  static std::uint64_t key_of(int x, int y, int z) {
    const auto part = [](int i) { return static_cast<std::uint64_t>(i + offset); };
    return part(x) << 42 | part(y) << 21 | part(z);
  }
  Vec3d lattice_point(std::uint64_t key) const {
    const auto part = [&](int shift) {
      return options_.spacing * (static_cast<int>(key >> shift & (2 * offset - 1)) - offset);
    };
    return {part(42), part(21), part(0)};
  }

  /// Removes those that have given all, and those that were added for nothing.
  void remove(RedistributionRecord& record) {
    auto& [x, gamma, sigma] = particles_;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool is_new = i >= work_.first;
      if (!is_new && found_[i] == Fate::given) {
        ++record.removed;
        continue;
      }
      if (is_new && gamma[i] == Vec3d{}) continue;
      record.added += is_new ? 1 : 0;
      x[kept] = x[i];
      gamma[kept] = gamma[i];
      sigma[kept++] = sigma[i];
    }
    x.resize(kept);
    gamma.resize(kept);
    sigma.resize(kept);
  }

  template <class T>
  using Array = typename Space::template Array<T>;
  template <class T>
  using Shown = typename Space::template Shown<T>;

  Space& space_;
  VortexParticles& particles_;
  const RedistributionOptions& options_;
  std::vector<NearWall> walls_;
  std::vector<Fate> found_;
  Shown<Vec3d> strengths_, positions_;
  Shown<NearWall> shown_walls_;
  CellArrays<Space> cells_;
  Diffusion work_;
  Array<std::uint8_t> leaves_;
  Array<Fate> fates_;
  Array<std::uint8_t> attempts_;
  Array<Moments> multipliers_;
};

/// redistribute (bem/particles/redistribution.hpp) in a space. Throws InputError for particles that
/// are not finite.
template <class Space>
RedistributionRecord redistribute_in(Space& space, VortexParticles& particles, std::size_t sheet,
                                     double step, const RedistributionOptions& options) {
  check_finite(particles);
  RedistributionRecord record;
  const double spread = 2.0 * options.viscosity * step / (options.spacing * options.spacing);
  constexpr double rounding = 1e-9;
  record.substeps = std::max(1, static_cast<int>(std::ceil(spread / most_spread - rounding)));
  for (int k = 0; k < record.substeps; ++k) {
    const double part = 2.0 * options.viscosity * step / record.substeps;
    Redistribution<Space>(space, particles, sheet, part, options).run(record);
    sheet = std::numeric_limits<std::size_t>::max();  // given away, or particles like others
  }
  return record;
}

}  // namespace rankine::bem
