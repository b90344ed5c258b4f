// Constants of the program: thresholds of warnings, defined in docs/howto, and empirical numbers.
//
// They select messages and never change a result. Further byte counts of the memory forecast stand
// beside its formulas (resources/solve_size.cpp, particles/particle_memory.cpp) with the commands
// that measured them.
#pragma once

namespace rankine::cases::limits {

/// Thresholds of the warnings about a solution: the residual force and flux (see Judgement), and
/// the ratio of a panel's speed to that of its neighbours. No case in cases/ exceeds them.
inline constexpr double most_left = 1e-2, most_speed_jump = 3.0;

/// GMRES stagnates if 30 iterations reduce the residual by less than this fraction; at this rate
/// one digit takes 650 iterations.
inline constexpr double least_reduction = 0.1;

/// Distance from a singularity of the onset flow, in panel sizes: on nearer panels the velocities
/// are wrong by several percent (docs/validation.md).
inline constexpr double resolved_from = 2.0;

/// The flow goes around a trailing edge if on both sides its velocity across the edge is at least
/// this fraction of the stream (one degree) along this share of the length. Tested by
/// tests/cases/judge_test.cpp.
inline constexpr double edge_crossing = 0.02, crossed_share = 0.25;

/// Largest distance of a node from the body of the exact solution, as a fraction of its size; a
/// mesh that exceeds it is of another body.
inline constexpr double most_off_body = 0.02;

/// Distance from a singularity of the onset flow, in panel sizes, below which the singularity lies
/// on the surface.
inline constexpr double on_surface = 1e-3;

}  // namespace rankine::cases::limits

namespace rankine::cases::fitted {

/// The memory forecast may be too high by this factor; a run within it gets a warning and is not
/// refused. Fitted to: the measured peaks, within 30 %. Factor of two: runs that fit are refused,
/// or runs end with an out-of-memory message.
inline constexpr double forecast_margin = 1.3;

/// Host memory of a run of any size, bytes, without and with a device. Fitted to: the same peaks.
/// Factor of two: only the forecasts of small runs are wrong.
inline constexpr double program_bytes = 100e6, bytes_beside_device = 500e6;

}  // namespace rankine::cases::fitted
