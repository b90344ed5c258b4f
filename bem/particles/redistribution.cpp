#include "rankine/bem/particles/redistribution.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "rankine/bem/particles/moment_fractions.hpp"
#include "rankine/bem/particles/particle_cells.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

// In units of the spacing. A lattice point is at most 3^(1/2)/2 from any place, and the fractions of
// particles exist in any lattice of which each point is shifted by up to half of the spacing.
constexpr double reach = 2.0;         ///< radius of the neighbourhood
constexpr double crowded = 0.4;       ///< nearer than this to a stronger particle
constexpr double most_spread = 0.25;  ///< 2 nu h over the squared spacing

/// Attempts to find room for the fractions of a particle: lattice points within `within` of it are
/// added if there is no particle within `free` that takes strengths.
struct Filling {
  double within, free;
};
constexpr std::array fillings{Filling{1.5, 0.6}, Filling{reach, 0.6}, Filling{reach, 0.1}};

enum class Fate : std::uint8_t {
  stays,    ///< keeps all its strength
  spreads,  ///< gives fractions of it, also to itself
  given,    ///< gives all of it to others
  waits     ///< has no fractions
};

/// Moments about a place, of 1, of a shift along n, and of `across` I + (`along` - `across`) n n^T.
Moments moments_of(double shift, double along, double across, const Vec3d& n) {
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

/// The moments of a diffused particle about its place, where `spread` = 2 nu h.
Moments diffused(double spread, const NearWall& wall) {
  const double s = std::sqrt(spread);
  if (!(wall.distance < 6.0 * s)) return moments_of(0.0, spread, spread, {});
  const double d = std::max(wall.distance, 0.0), at = d / s,
               shift = s * (std::sqrt(2.0 / std::numbers::pi) * std::exp(-0.5 * at * at) -
                            at * std::erfc(at / std::numbers::sqrt2));
  return moments_of(shift, spread - 2.0 * d * shift, spread, wall.normal);
}

/// The same for a particle of the lowest layer, where steps are too short for its height: as of a
/// finite volume that exchanges `share` of what diffuses with the next one, and nothing with the wall.
Moments diffused_coarsely(double spread, const NearWall& wall, double spacing, double share) {
  return moments_of(share * spread / spacing, share * spread, spread, wall.normal);
}

/// A part of a step. Arrays have a value per particle.
class Redistribution {
 public:
  Redistribution(VortexParticles& particles, std::size_t sheet, double spread,
                 const RedistributionOptions& options)
      : particles_(particles),
        options_(options),
        sheet_(sheet),
        first_(particles.positions.size()),
        radius_(reach * options.spacing),
        spread_(spread),
        walls_(walls_of(particles.positions)),
        cells_(particles.positions, radius_),
        fates_(first_, Fate::stays),
        filling_(first_, 0),
        multipliers_(first_) {
    find_crowded();
  }

  void run(RedistributionRecord& record) {
    std::vector<std::size_t> waiting = find_all();
    for (std::size_t k = 0; k < fillings.size() && !waiting.empty(); ++k) {
      const std::size_t added = fill(waiting, fillings[k]);
      born_.resize(particles_.positions.size(), static_cast<std::uint8_t>(k + 1));
      if (added == 0) continue;
      cells_ = ParticleCells(particles_.positions, radius_);
      parallel_chunks(waiting.size(), 16, [&](std::size_t w) {
        filling_[waiting[w]] = static_cast<std::uint8_t>(k + 1);
        fates_[waiting[w]] = spreads(waiting[w]) ? Fate::spreads : Fate::waits;
      });
      std::erase_if(waiting, [&](std::size_t i) { return fates_[i] != Fate::waits; });
    }
    record.left_out += waiting.size();
    gather();
    remove(record);
  }

 private:
  std::vector<NearWall> walls_of(std::span<const Vec3d> points) const {
    return options_.wall ? options_.wall(points) : std::vector<NearWall>(points.size());
  }

  /// Marks the members of the sheet, and of two particles that are too near the weaker one.
  void find_crowded() {
    const auto& [x, gamma, sigma] = particles_;
    leaves_.assign(first_, 0);
    born_.assign(first_, 0);
    const double near = crowded * options_.spacing;
    std::vector<double> size(first_);
    parallel_for(first_, [&](std::size_t i) { size[i] = norm(gamma[i]); });
    strongest_ = size.empty() ? 0.0 : *std::max_element(size.begin(), size.end());
    parallel_chunks(first_, 256, [&](std::size_t i) {
      leaves_[i] = i >= sheet_ ? 1 : 0;
      cells_.near(x[i], [&](std::size_t j, const Vec3d& r) {
        const bool stronger = size[j] > size[i] || (size[j] == size[i] && j < i);
        if (j != i && j < sheet_ && stronger && dot(r, r) < near * near) leaves_[i] = 1;
      });
    });
  }

  bool is_weak(std::size_t i) const {
    return norm(particles_.strengths[i]) <= options_.weak * strongest_;
  }
  /// Whether i may give to another particle j: not to one on the other side of a thin body.
  bool takes(std::size_t i, std::size_t j) const {
    return leaves_[j] == 0 && born_[j] <= filling_[i] &&
           (walls_[j].distance > radius_ || walls_[i].distance > radius_ ||
            dot(walls_[i].normal, walls_[j].normal) >= 0.0);
  }

  /// Finds the fractions of a particle, to itself as well or to others alone.
  bool find(std::size_t i, Moments moments, bool to_itself) {
    static thread_local std::vector<Vec3d> r;
    r.clear();
    if (to_itself) r.emplace_back();
    cells_.near(particles_.positions[i], [&](std::size_t j, const Vec3d& to) {
      if (j != i && takes(i, j)) r.push_back(to / radius_);
    });
    for (std::size_t k = 1; k < moments.size(); ++k)
      moments[k] /= k < 4 ? radius_ : radius_ * radius_;
    return find_fractions(r, moments, multipliers_[i]);
  }
  /// 2 (nu + nu_e) h.
  double spread_at(std::size_t i) const {
    if (options_.smagorinsky == 0.0) return spread_;
    Vec3d sum{};
    cells_.near(particles_.positions[i], [&](std::size_t j, const Vec3d&) {
      if (j < first_) sum += particles_.strengths[j];
    });
    const double volume = 4.0 / 3.0 * std::numbers::pi * radius_ * radius_ * radius_,
                 length = options_.smagorinsky * options_.spacing,
                 eddy_viscosity = length * length * norm(sum) / volume;
    return std::max(spread_, std::min(spread_ * (1.0 + eddy_viscosity / options_.viscosity),
                                      most_spread * options_.spacing * options_.spacing));
  }
  bool spreads(std::size_t i) {
    const NearWall& wall = walls_[i];
    const double spread = spread_at(i);
    const auto coarsely = [&](double share) {
      return find(i, diffused_coarsely(spread, wall, options_.spacing, share), true);
    };
    return find(i, diffused(spread, wall), true) ||
           (wall.distance < options_.spacing && (coarsely(0.5) || coarsely(1.0)));
  }
  /// To others alone, whose distance may be more than it diffuses, as that of a sheet always is.
  bool is_given(std::size_t i) {
    const double spread = std::max(spread_, most_spread * options_.spacing * options_.spacing);
    return (i < sheet_ && find(i, diffused(spread_, walls_[i]), false)) ||
           find(i, diffused(spread, walls_[i]), false);
  }

  std::vector<std::size_t> find_all() {
    parallel_chunks(first_, 16, [&](std::size_t i) {
      if (leaves_[i] != 0 && is_given(i)) {
        fates_[i] = Fate::given;
      } else if (!is_weak(i)) {
        fates_[i] = spreads(i) ? Fate::spreads : Fate::waits;
      }
    });
    std::vector<std::size_t> waiting;
    for (std::size_t i = 0; i < first_; ++i) {
      if (fates_[i] == Fate::waits) waiting.push_back(i);
    }
    return waiting;
  }

  /// Adds lattice points around those that wait; returns their number.
  std::size_t fill(const std::vector<std::size_t>& waiting, const Filling& filling) {
    constexpr double most_index = 1 << 20;
    std::vector<std::uint64_t> keys;
    for (const std::size_t i : waiting) {
      const Vec3d at = particles_.positions[i] / options_.spacing;
      if (std::max({std::abs(at.x), std::abs(at.y), std::abs(at.z)}) > most_index - 4.0) continue;
      const auto low = [&](double x) { return static_cast<int>(std::ceil(x - filling.within)); };
      const auto high = [&](double x) { return static_cast<int>(std::floor(x + filling.within)); };
      for (int x = low(at.x); x <= high(at.x); ++x) {
        for (int y = low(at.y); y <= high(at.y); ++y) {
          for (int z = low(at.z); z <= high(at.z); ++z) {
            const Vec3d r = Vec3d{1.0 * x, 1.0 * y, 1.0 * z} - at;
            if (dot(r, r) < filling.within * filling.within) keys.push_back(key_of(x, y, z));
          }
        }
      }
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    return add(keys, filling.free * options_.spacing);
  }
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

  /// Adds those of the lattice points that are free and in the fluid, as far as there may be more.
  std::size_t add(const std::vector<std::uint64_t>& keys, double free) {
    std::vector<Vec3d> points(keys.size());
    std::vector<std::uint8_t> wanted(keys.size(), 1);
    for (std::size_t k = 0; k < keys.size(); ++k) points[k] = lattice_point(keys[k]);
    parallel_chunks(points.size(), 64, [&](std::size_t k) {
      cells_.near(points[k], [&](std::size_t j, const Vec3d& r) {
        if (leaves_[j] == 0 && dot(r, r) < free * free) wanted[k] = 0;
      });
    });
    const std::vector<NearWall> walls = walls_of(points);
    std::size_t added = 0;
    for (std::size_t k = 0; k < points.size(); ++k) {
      if (wanted[k] == 0 || walls[k].distance < 0.0) continue;
      if (particles_.positions.size() >= options_.most) break;
      particles_.positions.push_back(points[k]);
      particles_.strengths.emplace_back();
      particles_.core_radii.push_back(options_.core_radius);
      leaves_.push_back(0);
      walls_.push_back(walls[k]);
      ++added;
    }
    return added;
  }
  Fate fates_of(std::size_t i) const { return i < first_ ? fates_[i] : Fate::stays; }

  /// The new strengths: what each particle is given, in an order that does not depend on threads.
  void gather() {
    const std::vector<Vec3d>&x = particles_.positions, &old = particles_.strengths;
    std::vector<Vec3d> found(x.size());
    parallel_chunks(x.size(), 64, [&](std::size_t j) {
      Vec3d sum{};
      cells_.near(x[j], [&](std::size_t i, const Vec3d& to) {
        if (i >= first_) return;
        const Fate fate = fates_[i];
        if (i == j) {
          const bool whole = fate == Fate::stays || fate == Fate::waits;
          if (fate != Fate::given) sum += (whole ? 1.0 : fraction(multipliers_[i], {})) * old[i];
        } else if ((fate == Fate::spreads || fate == Fate::given) && takes(i, j)) {
          sum += fraction(multipliers_[i], -to / radius_) * old[i];
        }
      });
      found[j] = sum;
    });
    particles_.strengths = std::move(found);
  }

  /// Removes those that have given all, and those that were added for nothing.
  void remove(RedistributionRecord& record) {
    auto& [x, gamma, sigma] = particles_;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const bool is_new = i >= first_;
      if (fates_of(i) == Fate::given) {
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

  VortexParticles& particles_;
  const RedistributionOptions& options_;
  std::size_t sheet_, first_;  ///< first_: the number of particles at the start
  double radius_, spread_;
  double strongest_ = 0.0;
  std::vector<NearWall> walls_;
  ParticleCells cells_;
  std::vector<Fate> fates_;
  std::vector<std::uint8_t> leaves_;  ///< 1: crowded or of the sheet, takes nothing from others
  std::vector<std::uint8_t> born_;    ///< the attempt to find room that added it, from 1; 0: before
  std::vector<std::uint8_t> filling_;  ///< the attempt that found its fractions
  std::vector<Moments> multipliers_;
};

}  // namespace

RedistributionRecord redistribute(VortexParticles& particles, std::size_t sheet, double step,
                                  const RedistributionOptions& options) {
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    if (!is_finite(particles.positions[i]) || !is_finite(particles.strengths[i]))
      throw InputError("vortices are not finite any more");
  }
  RedistributionRecord record;
  const double spread = 2.0 * options.viscosity * step / (options.spacing * options.spacing);
  constexpr double rounding = 1e-9;
  record.substeps = std::max(1, static_cast<int>(std::ceil(spread / most_spread - rounding)));
  for (int k = 0; k < record.substeps; ++k) {
    const double part = 2.0 * options.viscosity * step / record.substeps;
    Redistribution(particles, sheet, part, options).run(record);
    sheet = std::numeric_limits<std::size_t>::max();  // given away, or particles like others
  }
  return record;
}

void spread_cores(VortexParticles& particles, fmm::Kernel kernel, double viscosity, double step) {
  const double growth = 2.0 * viscosity * step / core_variance(kernel);
  for (double& sigma : particles.core_radii) sigma = std::sqrt(sigma * sigma + growth);
}

}  // namespace rankine::bem
