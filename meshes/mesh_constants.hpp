// Numbers of meshes: limits, which are definitions, and numbers chosen by trial, with the effect of
// an error of a factor of two.
//
// None enters an integral. They choose which meshes are reported, repaired or refused, and which
// sizes the panels of a geometry get. Unless another test is named, tests/meshes/inspect_test.cpp
// has meshes on both sides of a limit: change a number and run it.
#pragma once

/// Two follow from the digits of numbers; the others define findings, repairs and sizes as
/// docs/howto/meshes.md states them.
namespace rankine::meshes::limits {

/// Of the size at hand (the diagonal of the mesh, an edge, a loop): what is nearer is one place or
/// lies in one plane. Coordinates in files have six or seven digits, panels are longer than 1e-4.
inline constexpr double same_place = 1e-6;

/// Of the size at hand: what is smaller is rounding in double precision of sums of up to a million
/// panels. Meshes have nothing between 1e-14 and 1e-8.
inline constexpr double no_size = 1e-12;

/// In units of IGES models (mm): edges of faces so near are sewn. Writers round to 1e-3 or finer.
inline constexpr double sewn_within = 1e-3;

/// Of panels' size: up to `facing` panels that face each other are reported, up to half of that as
/// a warning; within `touching` bodies touch.
inline constexpr double facing = 0.5, touching = 1e-2;

/// A flaw is noted from the first number on, a warning from the second on.
struct Limits {
  double noted, warned;
};
inline constexpr Limits aspect{100.0, 1000.0}, size_jump{5.0, 20.0}, warp_degrees{20.0, 60.0};
/// The largest angle of a triangle from which it is a sliver.
inline constexpr double sliver_degrees = 175.0;

/// Of the whole surface, from which folded panels spoil more than one place.
inline constexpr double folded_area = 1e-3;

/// Edges between patches are edges of the surface from 10 degrees on, if they are so many times as
/// sharp as those within patches; rounded edges are logged from 15 degrees on.
inline constexpr double least_sharp_angle = 0.17453292519943295, sharper = 1.5;

/// Of the length of an edge: how far a node of another rim may be from it. Two chords of a curve
/// that turns by 45 degrees over one chord are so far apart: tan(45 degrees / 4) / 2
/// (tests/meshes/stitch_test.cpp).
inline constexpr double stitch_reach = 0.1;

/// Holes are closed if their rim lies so near a plane, of its length, or is so small, of the
/// diagonal of the mesh. Their panels then lie at most so far from where the surface may have been.
inline constexpr double flat_rim = 0.03, small_hole = 0.1;

/// Panels of CAD geometry: as many around a circle of the radius of curvature, edges growing with
/// the distance.
inline constexpr double panels_per_turn = 36.0, growth = 0.3;

/// Of the size of a flow solver's domain: the largest body that it is taken to be around.
inline constexpr double within_domain = 0.3;

}  // namespace rankine::meshes::limits

namespace rankine::meshes::fitted {

/// Cosine between normals that face each other, 120 degrees: panels at a fold, the halves of a
/// quadrilateral that crosses itself, both sides of a gap. Smooth meshes of eight panels a turn
/// have 45 degrees between neighbours. Factor of two: other meshes with that few panels.
inline constexpr double opposed_cosine = -0.5;

/// Between a panel's normal and the direction to a panel that faces it, 45 degrees.
/// Factor of two: panels at the rim of a gap are reported or not.
inline constexpr double facing_cosine = 0.7;

/// Of the size of panels, or of the diagonal: what is less deep is the roughness of meshes. Bodies
/// cross if they are deeper in one another; panels lie on the hull of a body up to this depth.
/// Factor of two: other meshes are reported.
inline constexpr double least_depth = 1e-3;

/// Of the surface around it, that a folded patch has at most. Factor of two: larger patches are
/// found.
inline constexpr double folded_patch = 0.2;

/// Of the length of an open edge: so near to a symmetry plane its ends are meant to lie in it.
/// Moving them turns panels by a hundredth of a radian, as one of 600 panels a turn
/// (tests/meshes/half_models_test.cpp).
/// Factor of two: rims twice as far off are moved, or are reported as open.
inline constexpr double rim_share = 0.01;

/// A flow solver's domain: its volume is more than `filled_box` of its box (a sphere: 0.52), and at
/// least `convex` of its area lies on its hull. Of parts that can be named at least `convex` is of
/// one kind. Factor of two: domains are not named, or bodies with a
/// dent are, as a warning.
struct Domain {
  double filled_box = 0.4, convex = 0.8;
};
inline constexpr Domain domain;

/// Panels at curved features of CAD geometry are at most so many times smaller than the others.
/// Fit again: `rankine check` of CAD files, which counts panels and their size jumps. Factor of
/// two: four times the panels at the smallest features, within the limit of the whole.
inline constexpr double most_refined = 200.0;

/// Points at which CAD surfaces are measured: together, and along the side of one surface. A
/// surface is trimmed if its parameters cover so many times its area.
/// Factor of two: features of half the size are seen or not, for four times the points.
struct SurfaceSamples {
  double most = 60'000.0, least_side = 8.0, most_side = 48.0, untrimmed = 1.05;
};
inline constexpr SurfaceSamples surface_samples;

}  // namespace rankine::meshes::fitted
