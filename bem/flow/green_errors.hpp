// Errors of a solution from the residual of Green's identity at sample points.
//
// Near the point x_i a potential is phi_i + g.(x - x_i), g its gradient. A linear function is
// harmonic on either side of any closed surface, so that the exact layers have
//
//   r_i = S n - D (x - x_i) = 0 ,
//
// and those of the panels have the error of their shape, quadrature and strengths. This leaves
// g.r_i in the equation phi/2 - D phi + S q = 0. Formulations that do not solve this equation also
// leave its residual for the potential found. The part of a residual tau that is along S q has the
// same proportion to S q as the error of phi to phi. Of the rest, which varies from panel to panel,
// the jump 1/2 makes 2 tau. So the error is
//
//   e = f tau ,   f^2 = s (|phi| / |S q|)^2 + (1 - s) 2^2 ,
//
// s the share of |tau|^2 that is along S q. |phi| / |S q| is 3/2 for a sphere and large for a thin
// body across the stream. Inside, f = 4, the inverse of 1/2 - D at a right-angled edge; errors that
// vary slowly are found from all panels there (bem/flow/error_estimate.hpp). The error of the
// gradient is that of e, as the solution's is found from phi: the slope of a fit.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::bem {

/// |phi| / |S q| of a sphere in a stream.
inline constexpr double of_a_sphere = 1.5;

/// Whether symmetry planes allow a uniform field along an axis.
bool allows_uniform(const meshes::Symmetry& symmetry, int axis);

struct GreenErrors {
  /// Root mean square over the surface, and largest in the sample.
  struct Size {
    double mean = 0.0, largest = 0.0;

    /// Adds an independent error, by its mean square.
    void add(double mean_square, double most) {
      mean = std::sqrt(mean * mean + mean_square);
      largest = std::max(largest, most);
    }
  };
  double amplification = of_a_sphere;  ///< |phi| / |S q|
  Size potential;                      ///< m^2/s
  Size gradient;                       ///< m/s
};

/// Residuals of Green's identity at the points of a sample. They are linear in the solution.
struct GreenResiduals {
  /// Independent of each other: of the layers, and of the solution; m^2/s.
  std::array<std::vector<double>, 2> parts;
  std::vector<double> data;  ///< S q, m^2/s

  void add(double share, const GreenResiduals& other);
};

/// The panels that are sampled, and their layers: the same for every solution of one problem.
class GreenSample {
 public:
  /// The panels of `problem` and `backend` must outlive the object.
  GreenSample(const FlowProblem& problem, Backend& backend);
  ~GreenSample();
  GreenSample(GreenSample&&) noexcept;
  GreenSample& operator=(GreenSample&&) noexcept;

  /// Those of each of `solutions`. One pass over the surface sums three.
  std::vector<GreenResiduals> residuals(std::span<const Solution> solutions) const;
  /// As green_errors(); `found`: the residuals of `solution`.
  GreenErrors errors(const FlowProblem& problem, const Solution& solution,
                     const GreenResiduals& found) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;  ///< null if there are no errors
};

/// Of a complete solution. No errors if no flux is given, or with thin walls. Where potentials are
/// given beside fluxes, and inside, the amplification is that of the sphere.
GreenErrors green_errors(const FlowProblem& problem, const Solution& solution, Backend& backend);

}  // namespace rankine::bem
