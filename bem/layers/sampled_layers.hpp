// S c + D m of a surface at some of its collocation points, by direct sums and the near corrections
// of these rows. It has no truncation error and costs a few hundredths of a solve. Near corrections
// are those of constant strengths: what the nodes' sums of the linear part leave stands for the
// terms of higher degree that strengths leave out.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"

namespace rankine::bem {

/// Charges c and doublets m, one value per panel.
struct Densities {
  std::vector<double> charge, doublet;  ///< empty: zero
  bool even = false;  ///< images have the same values; else those times the signs of the planes
};

class SampledLayers {
 public:
  /// At the points of the panels `at`. `panels` and `backend` must outlive this object.
  SampledLayers(const Panels& panels, const QuadratureOptions& quadrature,
                std::vector<std::size_t> at, Backend& backend);

  /// Values at the points for each of the `densities`, one after the other.
  std::vector<double> operator()(std::span<const Densities> densities) const;

 private:
  std::size_t images() const { return static_cast<std::size_t>(panels_.symmetry.images()); }
  void integrate();

  const Panels& panels_;
  Backend& backend_;
  std::vector<std::size_t> at_;
  CollocatedPanels surface_;
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
