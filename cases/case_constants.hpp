// Numbers of the program: limits of warnings, which docs/howto defines, and numbers that were
// chosen by trial, with the effect of an error of a factor of two.
//
// They choose messages, never a result. Other bytes of the memory forecast are with its formulas
// (resources/solve_size.cpp, particles/particle_memory.cpp) and the commands that measured them.
#pragma once

namespace rankine::cases::limits {

/// A solution is warned of from these on: the force and the flux that are left, as Judgement has
/// them, and the speed on a panel over that of its neighbours. No case in cases/ warns.
inline constexpr double most_left = 1e-2, most_speed_jump = 3.0;

/// GMRES stagnates if 30 iterations reduce the residual by less than this part of it; at this rate
/// a digit takes 650.
inline constexpr double least_reduction = 0.1;

/// In panel sizes from a singularity of the onset flow: nearer than this velocities err by several
/// percent (docs/validation.md).
inline constexpr double resolved_from = 2.0;

}  // namespace rankine::cases::limits

namespace rankine::cases::fitted {

/// A forecast of memory may be too high by this factor: within it a run gets a warning, no refusal.
/// Fitted to: the peaks named at the bytes, within 30 %. Factor of two: runs that fit are refused,
/// or runs end for lack of memory, which has a message as well.
inline constexpr double forecast_margin = 1.3;

/// Bytes of the host that a run takes whatever its size, on the processor and with a device.
/// Fitted to: the same peaks. Factor of two: only runs that any machine holds are forecast wrong.
inline constexpr double program_bytes = 100e6, bytes_beside_device = 500e6;

/// The flow goes around a trailing edge if velocities of at least this part of the stream (one
/// degree) go onto it on one side and off it on the other, along this part of its length. Tested by
/// tests/cases/judge_test.cpp. Factor of two: wings at half or two degrees are warned of first.
inline constexpr double edge_crossing = 0.02, crossed_share = 0.25;

/// Of the size of a body with an exact solution: nodes farther off are of another body. Meshes made
/// with tolerances are less far off. Factor of two: a warning more or less.
inline constexpr double most_off_body = 0.02;

/// In panel sizes from a singularity of the onset flow: nearer than this it is on the surface.
/// Factor of two: a warning more or less.
inline constexpr double on_surface = 1e-3;

}  // namespace rankine::cases::fitted
