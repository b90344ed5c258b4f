// S c + D m of a surface at some of its collocation points, or anywhere on it, by direct sums and
// the near corrections of these rows. There is no truncation error, and the cost is a few
// hundredths of a solve. Near corrections are those of constant strengths. The quadrature error of
// the linear part is about as large as the neglected terms of higher degree of the strengths, and
// represents them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/panels/panel_patch.hpp"

namespace rankine::bem {

/// Charges c and doublets m, one value per panel.
struct Densities {
  std::vector<double> charge, doublet;  ///< empty: zero
  bool even = false;  ///< images have the same values; otherwise values times the signs of the
                      ///< planes
};

struct DrawnPanel {
  std::size_t panel;
  double weight;  ///< m^2, area of the panels that it represents
};

/// Random sample of `count` of the panels whose `eligible` is not 0, or all of them. A third each
/// is drawn from the 1/32 of the panels with the largest angle to their neighbours (edges and rims,
/// where errors are largest), from the rest of the quarter with the largest angles, and from the
/// others.
std::vector<DrawnPanel> draw_panels(const PanelNeighbourhood& neighbourhood,
                                    const std::vector<std::uint8_t>& eligible, std::size_t count);

class SampledLayers {
 public:
  /// For the collocation points of the panels `at`, then `further` points; if there are any of
  /// these, strengths are constant on panels. `panels` and `backend` must outlive this object.
  SampledLayers(const Panels& panels, const QuadratureOptions& quadrature,
                std::vector<std::size_t> at, Backend& backend, std::span<const Vec3d> further = {});

  /// Values at the points for each of the `densities`, one after the other.
  std::vector<double> operator()(std::span<const Densities> densities) const;

 private:
  void integrate();

  const Panels& panels_;
  Backend& backend_;
  std::vector<std::size_t> at_;
  CollocatedPanels surface_;
  std::size_t count_;           ///< number of points
  std::vector<Vec3d> targets_;  ///< the points, then their images
  std::unique_ptr<SparseMatrix> strengths_;
  std::unique_ptr<fmm::Operator> sums_;
  SparsityPattern near_;  ///< targets x panels
  struct Entry {
    double single = 0.0, dbl = 0.0;
  };
  std::vector<Entry> entries_;
};

}  // namespace rankine::bem
