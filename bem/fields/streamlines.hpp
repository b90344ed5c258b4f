// Streamlines of a velocity field, started from seeds. All lines advance together: every stage of a
// step evaluates the field once, at the points of all lines.
//
//   dx/ds = u/|u|     s: the arc length
//
// integrated with the pair of orders 2 and 3 of Bogacki and Shampine [BS89], whose last stage is
// the first stage of the next step. Each line has its own step size.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Velocities at points, and whether each point is inside a body.
struct VelocitySample {
  std::vector<Vec3d> velocity;  ///< m/s
  std::vector<std::uint8_t> inside;
};
using VelocityField = std::function<VelocitySample(std::span<const Vec3d>)>;

/// Why a line ends. Stagnation: the velocity is below a millionth of the largest one at the seeds,
/// or its direction reverses within the tolerance. Steps: after `most_steps`.
enum class LineEnd { length, box, body, stagnation, steps };

struct StreamlineOptions {
  double length = 1.0;  ///< m
  double tolerance =
      1e-5;  ///< allowed error of a step, m; also the shortest step in front of a body
  double most_step = 0.1;  ///< m
  int most_steps = 2000;   ///< of a line, including rejected steps
  bool upstream = false;   ///< against the velocity
  BoundingBox box{{-BoundingBox::far, -BoundingBox::far, -BoundingBox::far},
                  {BoundingBox::far, BoundingBox::far, BoundingBox::far}};
};

struct Streamline {
  std::vector<Vec3d> points;  ///< m, the seed first; only the seed if that is in a body
  std::vector<double> s;      ///< arc length from the seed, m
  LineEnd end = LineEnd::length;
};

/// Returns one line for every seed. Throws InputError for lengths, tolerances and steps that are
/// not positive.
std::vector<Streamline> trace_streamlines(const VelocityField& field, std::span<const Vec3d> seeds,
                                          const StreamlineOptions& options);

/// One line in each direction from every seed.
struct LinesOfBothSenses {
  std::vector<Streamline> downstream, upstream;
};

/// Both directions at once, with half as many evaluations of the field as two separate calls.
/// `options.upstream` is not used. Throws as trace_streamlines().
LinesOfBothSenses trace_both_senses(const VelocityField& field, std::span<const Vec3d> seeds,
                                    const StreamlineOptions& options);

}  // namespace rankine::bem
