// Numbers of bem that were chosen by trial, with the effect of an error of a factor of two.
//
// Error models and costs of far-field rules are tables beside their formulas
// (layers/whole_rules.hpp, layers/far_rules.cpp), as are limits of the shapes of curved panels
// (panels/edge_curves.hpp). Unless a test is named, tests/bem checks the promise behind a number.
#pragma once

namespace rankine::bem::fitted {

/// Times a promised tolerance: less is the noise of the samples that measure the error.
/// With 432 samples the noise is a few percent. Factor of two: sums are built again for errors that
/// are noise, or reported as kept at twice the tolerance.
inline constexpr double kept_factor = 1.1;

/// Sums that miss their tolerance are built again. The new tolerance is the old one divided by the
/// excess, times this margin, since truncation errors fall in steps of an order. A refinement that
/// leaves more than `least_gain` of the error had no effect. Factor of two: an order too many (a
/// twentieth of a product), or one refinement more (a product and a set-up). The tolerance is kept
/// either way: tests/bem/far_field_check_test.cpp.
inline constexpr double refinement_margin = 0.5, least_gain = 1.0 / kept_factor;

/// The first tolerance of checked sums, relative to the requested one, is factor (n / 1e5)^power
/// for n points, at most `most`. It is smaller for many points: with random strengths the nearest
/// boxes have the largest errors, with smooth ones the boxes of every level.
/// Fit again: `rankine solve cases/sphere/sphere.toml --set mesh.panels=N` logs the refinements;
/// choose the largest numbers with hardly any. Valid for: 1e4 to 1e7 panels.
/// Factor of two: as of `refinement_margin`.
struct FirstTolerance {
  double factor, power, most;
};
inline constexpr FirstTolerance first_of_potentials{2.0, -1.0 / 6.0, 3.0},
    first_of_gradients{0.6, -1.0 / 3.0, 0.7};

/// Points at which sums are checked: this times the cube of the requested digits, but at least
/// `least_samples`. Factor of two: the noise of the measured error changes by 1.4.
inline constexpr double samples_per_digit3 = 0.25, least_samples = 64.0;

/// Relative tolerance of the far field in float for mixed precision and relaxation. Float keeps
/// 1e-6. Factor of two: one order of expansions against one iteration of refinement.
inline constexpr double inner_tolerance = 1e-4;

/// A round of refinement must reduce the true residual by at least this factor. Factor of two: a
/// round that hardly reduces it is the last or is followed by another.
inline constexpr double least_progress = 0.5;

/// Panels of at least this length over width are long: they may be cut into strips, and are covered
/// by balls along them. Factor of two: up to twice the near entries of panels between.
inline constexpr double long_panel = 4.0;

/// Length of the pieces of a long panel that one ball covers, over width and reach.
inline constexpr double longest_piece = 0.5 * long_panel;

/// Largest default tolerance of quadrature, for meshes of any coarseness; and the factor of
/// (l/L)^2 in the estimate of the discretization error, from which the default follows, with panels
/// of size l on a body of size L. Factor of two: the quadrature error changes by as much, and stays
/// below the discretization error.
inline constexpr double loosest_quadrature = 1e-3, error_of_panels = 0.05;

/// Distance in panel sizes from which on a rule of degree 6 integrates the linear strength of a
/// panel with a relative error of a few 1e-5. From half of it on the same rule is used on quarters
/// of the panel. For nearer points the constant part is integrated by closed forms, and the linear
/// part is summed from the far-field nodes. Factor of two: 2^-7 or 2^7 times that error.
inline constexpr double smooth_from = 1.3;

/// Pairs of panels nearer than this, in units of the sum of their radii, are integrated with more
/// points. Factor of two: as of `smooth_from`, or more points than needed.
inline constexpr double beside_panel = 1.5;

/// Ratio of permittivities, inside to outside, from which on the potential is computed again.
/// Factor of two: the potential loses as much of its accuracy, or one product more.
inline constexpr double cancels_from = 4.0;

/// Largest net flux into a closed domain, relative to the flux of either sign. A smaller one is an
/// error of the data on panels, of second order in their size, and is removed; a larger one is
/// refused. Factor of two: coarser or finer data is refused.
inline constexpr double most_net_flux = 1e-2;

/// Small distance from a wall at which its velocities are evaluated, in widths of panels. The error
/// is as large as it, relative to the field; that of panels is larger. Factor of two: none.
inline constexpr double beside_wall = 1e-4;

/// Distance in cores between a particle and the points whose velocity difference stretches it.
/// Errors of sums are divided by it; the field of the panels varies over distances of at least a
/// core. Factor of two: twice the noise of sums, or four times the error of the difference.
inline constexpr double stretching_distance = 0.25;

/// Least distance of particles from the body, relative to the distance at which they are shed.
/// Factor of two: nearer, the body's field is inaccurate; farther, particles just shed are moved.
inline constexpr double closest_particle = 0.5;

/// Depth in a body, in distances of shedding, up to which particles are put back on its surface.
/// Factor of two: none for steps that move them by less than a distance.
inline constexpr double deepest_particle = 4.0;

/// Triangles whose squared radius is more than this multiple of their area have constant strengths
/// on lifting bodies (layers/source_panels.cpp). That of a right triangle with legs 2.2 : 1.
/// Factor of two: 3 % of the lift of a coarse wing whose triangles are four times longer than deep.
inline constexpr double long_triangle = 2.0;

}  // namespace rankine::bem::fitted
