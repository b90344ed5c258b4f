// Lines that follow a velocity from seeds, all at once: every stage of every step is one evaluation of the field
// at the points of all lines.
//
//   dx/ds = u/|u|     s the arc length
//
// by the pair of second and third order of Bogacki and Shampine [BS89], whose last stage is the first of the next
// step, each line with steps of its own.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/vec3.hpp"

namespace rankine::bem {

/// Velocities at points, and which of these are inside a body.
struct VelocitySample {
  std::vector<Vec3d> velocity;  ///< m/s
  std::vector<std::uint8_t> inside;
};
using VelocityField = std::function<VelocitySample(std::span<const Vec3d>)>;

/// Why a line ends. Stagnation: its velocity is less than a millionth of the largest at the seeds,
/// or turns within the tolerance. Steps: after `most_steps`.
enum class LineEnd { length, box, body, stagnation, steps };

struct StreamlineOptions {
  double length = 1.0;  ///< m
  double tolerance =
      1e-5;  ///< estimated error of a step, m; before a body steps end that are shorter
  double most_step = 0.1;  ///< m
  int most_steps = 2000;   ///< of a line, those repeated with a smaller step included
  bool upstream = false;   ///< against the velocity
  BoundingBox box{{-BoundingBox::far, -BoundingBox::far, -BoundingBox::far},
                  {BoundingBox::far, BoundingBox::far, BoundingBox::far}};
};

struct Streamline {
  std::vector<Vec3d> points;  ///< the seed first, m; none but it where that is in a body
  std::vector<double> s;      ///< arc length from the seed, m
  LineEnd end = LineEnd::length;
};

/// One line for every seed. Throws InputError for lengths, tolerances and steps that are not above zero.
std::vector<Streamline> trace_streamlines(const VelocityField& field, std::span<const Vec3d> seeds,
                                          const StreamlineOptions& options);

/// A line each way from every seed.
struct LinesBothWays {
  std::vector<Streamline> downstream, upstream;
};

/// Both at once, which takes half as many evaluations of the field as one way after the other; `options.upstream` does not
/// matter. Throws as trace_streamlines.
LinesBothWays trace_both_ways(const VelocityField& field, std::span<const Vec3d> seeds,
                              const StreamlineOptions& options);

}  // namespace rankine::bem
