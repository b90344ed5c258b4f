// Potential and gradient of panel sources and doublets at arbitrary points off the surface:
//
//   phi(x) = 1/(4 pi) sum_j ( q_j int_j 1/r dA + mu_j int_j n.r/r^3 dA )
//
// by an fmm::Operator over the far-field nodes and exact integrals over every panel nearer than its
// near radius, summed over the images of a point in symmetry planes. It is exact for piecewise
// constant strengths at any distance. Closer to the surface than a panel size these are a poor
// approximation of smooth strengths; bem/flow/field.hpp corrects for that.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/panels/near_pairs.hpp"

namespace rankine::bem {

/// Strengths per panel; empty: none.
struct PanelStrengths {
  std::span<const double> charge;   ///< q, source strength
  std::span<const double> doublet;  ///< mu, along the normal
};

struct OffSurfaceValues {
  std::vector<double> potential;
  std::vector<Vec3d> gradient;
};

class OffSurfaceOperator {
 public:
  /// Plans the sums from the panels to `points`. `panels` must outlive this object.
  OffSurfaceOperator(Backend& backend, const Panels& panels, std::span<const Vec3d> points,
                     const fmm::Options& options, const QuadratureOptions& quadrature);

  /// Plans the sums to other points. The data of the panels are kept.
  void move_to(std::span<const Vec3d> points);

  /// Stores strengths, in the form that nodes and near panels need.
  void hold(const PanelStrengths& strengths);
  /// Evaluates the stored strengths.
  OffSurfaceValues evaluate();
  OffSurfaceValues evaluate(const PanelStrengths& strengths);

  /// D 1 at every point, from the panels and their images, whatever the signs of the planes: -1
  /// inside a body, 0 outside. Panels that are `thin` (empty: none are) enclose nothing and are
  /// left out.
  std::vector<double> winding(std::span<const std::uint8_t> thin = {});

 private:
  /// Strengths of one kind; all empty: none.
  struct Strengths {
    std::vector<double> values;    ///< per panel
    std::vector<Vec3d> gradients;  ///< along the panels
    Array of_nodes;
  };
  Strengths prepare(std::span<const double> strength) const;
  void add_near(OffSurfaceValues& values) const;

  Backend& backend_;
  const Panels& panels_;
  fmm::Options options_;
  std::vector<Vec3d> targets_;  ///< the points and their images, image by image
  CollocatedPanels discretization_;
  NearSearch near_search_;
  std::unique_ptr<fmm::Operator> far_;
  std::unique_ptr<SparseMatrix> strengths_;  ///< P
  SparsityPattern near_;                     ///< near panels of every target
  Strengths charges_, doublets_;
};

}  // namespace rankine::bem
