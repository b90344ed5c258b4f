// Integrals over the surface of what is given at the collocation points of its panels:
//
//   int f dA ,  int f n dA ,  int (x - x0) x n f dA .
//
// On every panel f is the polynomial fitted to the panels around (bem/panels/panel_patch.hpp), at the
// six points of the rule of degree 4 on each of its triangles. The value at the point alone, taken for the
// mean, would leave (1/48) l^2 of the surface Laplacian of f on triangles of side l, and more where the
// point is not the centroid of the patch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

struct SurfaceIntegral {
  double plain = 0.0;  ///< int f dA
  Vec3d normal{};      ///< int f n dA
  Vec3d moment{};      ///< int (x - x0) x n f dA

  void add(double weight, const SurfaceIntegral& other) {
    plain += weight * other.plain;
    normal += weight * other.normal;
    moment += weight * other.moment;
  }
};

/// Over one panel, of f in the coordinates of `patch`, which is at that panel.
SurfaceIntegral integral_over(const Panels& panels, std::size_t panel, const PlanePolynomial& f,
                              const PanelPatch& patch, const Vec3d& reference);

struct IntegralOptions {
  Vec3d reference{};                         ///< x0, m
  std::span<const std::int32_t> group_of{};  ///< of every panel; empty: all are in the first
  std::size_t groups = 1;
  std::span<const double> factor{};  ///< of f, constant on every panel; empty: 1
};

/// Over each group of panels. `values`: one per panel, of any unit.
std::vector<SurfaceIntegral> surface_integrals(const PanelNeighbourhood& neighbourhood,
                                               std::span<const double> values,
                                               const IntegralOptions& options);

/// Over all of them.
SurfaceIntegral surface_integral(const PanelNeighbourhood& neighbourhood,
                                 std::span<const double> values, const Vec3d& reference = {});

}  // namespace rankine::bem
