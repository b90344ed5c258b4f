// A vortex method: particles that move and stretch (bem/particles/vortices.hpp), a wall that sheds
// (bem/particles/shedding_wall.hpp), and diffusion (bem/particles/redistribution.hpp), one after
// the other in every step. This division is first order in the step. Diffusion moves the sheet
// away from the wall and leaves some slip, which later sheets anticipate
// (SheddingWall::follow_slip).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/particles/redistribution.hpp"
#include "rankine/bem/particles/shedding_wall.hpp"
#include "rankine/bem/particles/splitting.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::bem {

struct VortexFlowOptions {
  VortexOptions system;        ///< `surroundings` is the body of the wall
  double viscosity = 0.0;      ///< kinematic, m^2/s; 0: nothing diffuses
  bool redistributes = false;  ///< false: cores grow
  RedistributionOptions redistribution{};
  /// Number of particles up to which long ones are split (bem/particles/splitting.hpp); 0: none
  /// are. Redistribution needs no splitting.
  std::size_t split_up_to = 0;
};

struct VortexFlowRecord {
  std::size_t limited = 0;  ///< how often the growth of a strength was limited (limit_growth)
  std::size_t added = 0, removed = 0;  ///< particles, by redistribution
  double undiffused = 0.0;             ///< largest fraction of particles that a step could not
                                       ///< diffuse
  std::size_t split = 0;               ///< particles
  double unsplit = 0.0;  ///< largest fraction of particles that were long, but not split
  Vec3d wall_impulse{};  ///< m^4/s, by which new sheets and diffusion changed the impulse: minus
                         ///< the time integral of pressure and friction on the wall
};

/// Seconds of the parts of the last step.
struct VortexFlowSeconds {
  double motion = 0.0, shedding = 0.0, diffusion = 0.0, operators = 0.0;
};

class VortexFlow {
 public:
  /// Without a wall nothing is shed. Backend and wall must outlive the object. `made_at`: as for
  /// VortexSystem. `time`: time at the start, s. Throws InputError as VortexSystem does.
  VortexFlow(Backend& backend, const VortexParticles& start, const VortexFlowOptions& options,
             SheddingWall* wall = nullptr, const SumPoints& made_at = {}, double time = 0.0);

  /// One time step, s.
  void advance(double step);

  std::size_t size() const { return system_.arrays().size(); }
  double time() const { return time_; }  ///< s
  VortexSystem& system() { return system_; }
  const VortexSystem& system() const { return system_; }
  const VortexFlowOptions& options() const { return options_; }
  const VortexFlowRecord& record() const { return record_; }
  const VortexFlowSeconds& seconds() const { return seconds_; }
  /// The particles that the last step has split (SplittingRecord::split).
  const std::vector<std::int32_t>& split() const { return split_; }

  // For a resumed run. There are no circulations if particles are not split.
  std::vector<double> circulations() const;
  void start_from(const VortexFlowRecord& record, std::span<const double> circulations);

 private:
  void move(double step);
  void split_long(VortexArrays& particles);
  /// Adds the circulations of new particles.
  void follow(std::span<const Vec3d> strengths, std::span<const double> radii,
              std::span<const double> lengths);
  /// 1/2 sum x x Gamma, m^4/s, about a point on the symmetry planes.
  Vec3d impulse_of(const VortexArrays& particles) const;
  /// Adds a sheet and returns the number of its first particle.
  std::size_t shed_into(VortexArrays& particles);
  /// `sheet`: the first of the particles that were just shed.
  void diffuse(VortexArrays& particles, std::size_t sheet, double step);

  Backend& backend_;
  VortexFlowOptions options_;
  SheddingWall* wall_;
  VortexFlowRecord record_;
  VortexFlowSeconds seconds_;
  double time_;
  Vec3d inside_;                     ///< a point on the side of symmetry planes where particles are
  Array circulations_;               ///< per particle (bem/particles/splitting.hpp), or empty
  std::vector<std::int32_t> split_;  ///< in the last step
  VortexSystem system_;
};

}  // namespace rankine::bem
