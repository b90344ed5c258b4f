// Errors of a solution from the residual of Green's identity at sample points.
//
// Near the point x_i the potential is phi_i + g.(x - x_i), g its gradient. A linear function is
// harmonic on both sides of a closed surface, so the exact layers satisfy
//
//   S n - D (x - x_i) = 0
//
// on the body and on the panels. The discrete layers violate this identity for two reasons: errors
// of quadrature and strengths, and the distance of the panels from the body, whose values they
// carry. With the points y and normals m of the body (bem/panels/panel_offsets.hpp),
//
//   r_i = S m - D (y - y_i) .
//
// This causes the residual g.r_i of the equation phi/2 - D phi + S q = 0. A flux that follows from
// the flow U + v past walls with the velocity V is computed with the normals n of the panels,
// which adds S (U + v - V).(m - n). Formulations that do not solve this equation have a second
// residual, that of the computed potential. A third residual is S c. Given fluxes w are taken as
// means over panels, but are often values at the collocation points; c is the mean of a fit to
// these values minus the value. For moving walls c is zero, since their w are means.
//
// The part of a residual tau that is parallel to S q causes an error of phi; their ratio is that of
// phi to S q. The rest of tau varies from panel to panel and causes an error of 2 tau, because of
// the coefficient 1/2. So the error is
//
//   e = f tau ,   f^2 = s (|phi| / |S q|)^2 + (1 - s) 2^2 ,
//
// where s is the part of |tau|^2 that is parallel to S q. |phi| / |S q| is 3/2 for a sphere and
// large for a thin body across the stream. In interiors f = 4, the inverse of 1/2 - D at a
// right-angled edge; slowly varying errors are computed from all panels there
// (bem/flow/error_estimate.hpp). The error of the gradient is the gradient of e, from the same fit
// as that of phi.
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

/// Residuals of Green's identity at the points of a sample. They are linear in the solution and w.
struct GreenResiduals {
  /// Independent residuals, of layers and shape, of the solution and of given fluxes, m^2/s.
  std::array<std::vector<double>, 3> parts;
  std::vector<double> data;  ///< S q, m^2/s

  void add(double share, const GreenResiduals& other);
};

/// The sampled panels and their layers, which are the same for every solution of a problem.
class GreenSample {
 public:
  /// `problem` and `backend` must outlive the object.
  GreenSample(const FlowProblem& problem, Backend& backend);
  ~GreenSample();
  GreenSample(GreenSample&&) noexcept;
  GreenSample& operator=(GreenSample&&) noexcept;

  /// The residuals of each of `solutions`. One pass over the surface sums three solutions.
  std::vector<GreenResiduals> residuals(std::span<const Solution> solutions) const;
  /// As green_errors(); `found`: the residuals of `solution`.
  GreenErrors errors(const FlowProblem& problem, const Solution& solution,
                     const GreenResiduals& found) const;

 private:
  struct Data;
  std::unique_ptr<const Data> data_;  ///< null if there is nothing to sample
};

/// The errors of a complete solution; zero if no flux is given, or with thin walls. If both
/// potentials and fluxes are given, and in interiors, the amplification is that of a sphere.
GreenErrors green_errors(const FlowProblem& problem, const Solution& solution, Backend& backend);

}  // namespace rankine::bem
