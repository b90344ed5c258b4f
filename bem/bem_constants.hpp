// Constants of bem that were chosen by experiment, each with the effect of a change by a factor of
// two.
//
// Error models and costs of far-field rules are tables next to their formulas
// (layers/whole_rules.hpp, layers/far_rules.cpp), as are limits for the shapes of curved panels
// (panels/edge_curves.hpp). Unless a test is named, the tests in tests/bem check the promise that
// depends on a constant.
#pragma once

namespace rankine::bem::fitted {

/// An error up to this factor times the tolerance is accepted, because errors are measured at
/// sample points: with 432 samples the noise is a few percent. Factor of two: sums are built again
/// because of noise, or accepted with an error of twice the tolerance.
inline constexpr double kept_factor = 1.1;

/// If more than this share of the error remains after a refinement, the refinement counts as
/// without effect. Factor of two: one refinement more or less before the solve continues with an
/// error above the tolerance.
inline constexpr double least_gain = 1.0 / kept_factor;

/// The first tolerance of checked sums with gradients, relative to the requested one. Orders are
/// chosen for random strengths, whose errors are smaller than those of gradients at a surface.
/// Fitted to spheres, ellipsoids and tori of 2e4 to 1e7 panels; `solve_bench` prints errors and
/// refinements. Factor of two: an order more in every product, or one or two products of an order
/// that is too low in more solves.
inline constexpr double first_of_gradients = 0.25;

/// Tolerance that is passed to fmm::likely_orders for the first order of fields off the surface,
/// relative to the requested tolerance. Fitted to fields around spheres, ellipsoids and wings.
/// Factor of two: an order more in every evaluation, or a second evaluation in more cases.
inline constexpr double first_of_fields = 0.035;

/// Number of points at which sums are checked: this factor times the cube of the requested number
/// of digits, but at least `least_samples`. Factor of two: the noise of the measured error changes
/// by 1.4.
inline constexpr double samples_per_digit3 = 0.25, least_samples = 64.0;

/// Relative tolerance of the far field in float for mixed precision and relaxation. Float can reach
/// 1e-6. Factor of two: one order of expansions more or less, and one iteration of refinement less
/// or more.
inline constexpr double inner_tolerance = 1e-4;

/// A round of refinement must reduce the true residual by at least this factor. Factor of two:
/// after a round with little progress, refinement ends or makes one more round.
inline constexpr double least_progress = 0.5;

/// Largest ratio of the height of an edge's bulge to its chord: that of an arc of 67 degrees. Edges
/// with a larger ratio stay straight. Factor of two: edges of meshes with 5 to 11 panels per turn
/// stay straight, or those with 3 to 5 are curved.
inline constexpr double greatest_rise = 0.15;

/// Smallest cosine (84 degrees) of the angle between a direction and the wake: for the mesh edges
/// along which a line on a body continues, and for the bisector of a sharp edge that continues a
/// trailing edge. Factor of two: a different choice for edges at 78 to 87 degrees.
inline constexpr double along_edge = 0.1;

/// Panels of at least this length over width are long: they may be cut into strips, and several
/// balls along their length cover them. Factor of two: up to twice the near entries for panels with
/// aspect ratios between the two values.
inline constexpr double long_panel = 4.0;

/// Length of the piece of a long panel that one ball covers, relative to its width and reach.
inline constexpr double longest_piece = 0.5 * long_panel;

/// `loosest_quadrature`: upper limit of the default quadrature tolerance. `error_of_panels`: factor
/// of (l/L)^2 in the estimate of the discretization error, from which this default follows; l is
/// the size of the panels, L that of the body. Factor of two: the quadrature error changes by the
/// same factor, and stays below the discretization error.
inline constexpr double loosest_quadrature = 1e-3, error_of_panels = 0.05;

/// Distance in panel sizes beyond which a rule of degree 6 integrates the linear strength of a
/// panel with a relative error of a few 1e-5. Beyond half of this distance the same rule is used on
/// quarters of the panel. For closer points the constant part is integrated by closed forms, and
/// the linear part is summed from the far-field nodes. Factor of two: that error changes by a
/// factor of 2^-7 or 2^7.
inline constexpr double smooth_from = 1.3;

/// Pairs of panels closer than this, in units of the sum of their radii, are integrated with more
/// points. Factor of two: as for `smooth_from`, or more points than needed.
inline constexpr double beside_panel = 1.5;

/// Ratio of permittivities, inside to outside, above which the potential inside is computed again.
/// Factor of two: the error of the potential grows by this factor, or one more product is made.
inline constexpr double cancels_from = 4.0;

/// Distance, in core radii, between a particle and the two points whose velocity difference gives
/// its stretching. Errors of sums are divided by this distance; the field of the panels varies over
/// at least a core radius. Factor of two: twice the error from sums, or four times that of the
/// difference quotient.
inline constexpr double stretching_distance = 0.25;

/// Smallest distance of particles from the body, relative to the distance at which they are shed.
/// Factor of two: if smaller, the body's field is inaccurate at the particles; if larger, particles
/// that were just shed are moved.
inline constexpr double closest_particle = 0.5;

/// Depth inside a body, in shedding distances, up to which particles are moved back to the smallest
/// distance. Factor of two: no effect if steps move particles by less than a shedding distance.
inline constexpr double deepest_particle = 4.0;

/// On lifting bodies, triangles whose squared radius exceeds this multiple of their area have
/// constant strengths (layers/source_panels.cpp). The value is that of a right triangle with legs
/// 6.7 : 1. Factor of two: the lift of coarse wings with such triangles changes by 3 %.
inline constexpr double long_triangle = 6.0;

}  // namespace rankine::bem::fitted
