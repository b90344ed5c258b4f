// Constants of mesh checks: limits, which are definitions, and empirical numbers.
//
// None enters an integral. They decide which meshes are reported, repaired or refused, and set the
// panel sizes on geometries. Unless another test is named, tests/meshes/inspect_test.cpp has meshes
// on both sides of each limit: run it after a change.
#pragma once

/// The first two follow from the precision of numbers; the others define findings, repairs and
/// sizes documented in docs/howto/meshes.md.
namespace rankine::meshes::limits {

/// Points within this distance coincide, or lie in a plane; relative to the diagonal of the mesh,
/// an edge or a loop. Coordinates in files have six or seven digits; panels are longer than 1e-4.
inline constexpr double same_place = 1e-6;

/// Smaller values, relative in the same sense, are rounding errors of double-precision sums over up
/// to a million panels. No values of meshes lie between 1e-14 and 1e-8.
inline constexpr double no_size = 1e-12;

/// Edges of faces within this distance are sewn; in units of IGES models (mm). Writers round to
/// 1e-3 or finer.
inline constexpr double stitched_within = 1e-3;

/// Distances in panel sizes: panels that face each other within `facing` are reported, within half
/// of it as a warning; within `touching` bodies touch.
inline constexpr double facing = 0.5, touching = 1e-2;

/// A flaw is a note from `noted` on, a warning from `warned` on.
struct Limits {
  double noted, warned;
};
inline constexpr Limits aspect{100.0, 1000.0}, size_jump{5.0, 20.0}, warp_degrees{20.0, 60.0};
/// Triangles with a larger angle are slivers.
inline constexpr double sliver_degrees = 175.0;

/// Share of the surface area above which folded panels are more than a local flaw.
inline constexpr double folded_area = 1e-3;

/// Edges between patches are sharp from 10 degrees (`least_sharp_angle`, radians) if their angle is
/// `sharper` times that of edges within patches. Rounded edges are logged from 15 degrees.
inline constexpr double least_sharp_angle = 0.17453292519943295, sharper = 1.5;

/// Maximum distance of a node of another rim from an edge, over the length of the edge. It is the
/// height of an arc of 45 degrees over its chord, tan(45 degrees / 4) / 2
/// (tests/meshes/stitch_test.cpp).
inline constexpr double stitch_reach = 0.1;

/// Holes are closed if the distance of the rim from a plane is at most `flat_rim` of its length, or
/// its size at most `small_hole` of the diagonal of the mesh. These bound the distance of the new
/// panels from the original surface.
inline constexpr double flat_rim = 0.03, small_hole = 0.1;

/// Distance of the surface of "wrap" from the panels, over the panel size. The error of the volume
/// is this distance times the area. Half the distance makes 1.3 times as many triangles.
inline constexpr double wrap_offset = 0.05;

/// CAD geometry: panels per turn at the radius of curvature, and growth of edges with distance.
inline constexpr double panels_per_turn = 36.0, growth = 0.3;

/// Largest extent of the inner body of a flow solver's domain, over that of the domain.
inline constexpr double within_domain = 0.35;

/// Cosine of 120 degrees between opposed normals: panels at a fold, the halves of a quadrilateral
/// that crosses itself, both sides of a gap. Smooth meshes with eight panels per turn have 45
/// degrees between neighbours.
inline constexpr double opposed_cosine = -0.5;

/// Cosine of 45 degrees, between the normal of a panel and the direction to a facing panel, and
/// between the panels at the corner of a blunt trailing edge.
inline constexpr double facing_cosine = 0.7;

/// Depth below which an overlap is mesh roughness, over the panel size or the diagonal. Bodies
/// cross if they overlap more deeply; panels up to this depth lie on the hull of a body.
inline constexpr double least_depth = 1e-3;

/// Largest area of a folded part, over that of the adjacent surface.
inline constexpr double folded_patch = 0.2;

/// Ends of an open edge within this distance of a symmetry plane, over the length of the edge, are
/// moved onto it. This turns panels by at most 0.01 rad, the angle of 600 panels per turn
/// (tests/meshes/half_models_test.cpp). Rims that are farther away are reported as open.
inline constexpr double rim_share = 0.01;

/// A flow solver's domain is convex if at least this share of its area is on its convex hull. Each
/// of its named parts must have at least this share on the hull, or at least this share off it.
inline constexpr double convex = 0.8;

}  // namespace rankine::meshes::limits

namespace rankine::meshes::fitted {

/// Maximum ratio of panel sizes on CAD geometry, between flat regions and curved features. Refit
/// with `rankine check` of CAD files, which counts panels and size jumps. Factor of two: four times
/// the panels at the smallest features, within the overall limit.
inline constexpr double most_refined = 200.0;

/// Sample points on CAD surfaces: in total, and along a side of one surface. A surface is trimmed
/// if its parameter range covers `untrimmed` times its area. Factor of two: features of half the
/// size are detected or not, at four times the number of points.
struct SurfaceSamples {
  double most = 60'000.0, least_side = 8.0, most_side = 48.0, untrimmed = 1.05;
};
inline constexpr SurfaceSamples surface_samples;

}  // namespace rankine::meshes::fitted
