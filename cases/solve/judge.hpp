// Checks of a solution against what must hold for any flow. They find results that are wrong
// however small the error of the sums is.
//
//   total force on closed bodies, over rho |U|^2/2 and the area    0, d'Alembert
//   integral of the sources, over |U| and the area                 0, nothing flows out of walls
//   speed on a panel, over the largest of its edge neighbours      about 1
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

struct Judgement {
  double force = 0.0;  ///< relative, as above
  /// Of the error of Cp the root mean square is at least so large, by the force that is left:
  /// int dp n.f dA <= |dp| |n.f| in L2, f the direction of the force.
  double pressure_error = 0.0;
  double flux = 0.0;
  double speed_jump = 0.0;                 ///< the largest, of speeds above the stream's
  std::vector<std::size_t> fast_panels{};  ///< much faster than their neighbours
  std::size_t fastest = 0;                 ///< the panel of speed_jump
};

/// For walls at rest in a stream. All numbers are 0 for other problems. `force`: the total, N.
Judgement judge(const bem::FlowProblem& problem, const bem::Solution& solution, const Vec3d& force);

/// One warning for each number above its limit, with what to do.
std::vector<std::string> warnings_of(const Judgement& judgement, const bem::Panels& panels);

/// Whether no digit is right: the estimated error of the velocities, relative L2, is above 1, or
/// that of the pressure, which is certain, above half of what the stream has where it stops.
bool is_meaningless(const Judgement& judgement, const bem::ErrorFigures& errors);

/// A warning if some velocities have an estimated error above a tenth of the stream, or, without a
/// flow, some gradients one above a tenth of their root mean square.
std::optional<std::string> warning_of(const bem::ErrorFigures& errors,
                                      const bem::FlowProblem& problem);

/// A warning if sources are the unknown inside a surface with sharp edges. Their density represents
/// a potential outside as well, which is singular at these edges. So errors fall slowly as panels
/// become smaller, of the potential like h^(2/3), and estimates do not contain them.
std::optional<std::string> warning_of_formulation(const bem::FlowProblem& problem,
                                                  bem::Formulation formulation);

/// A warning if the flow goes around a sharp trailing edge, as it does without a wake.
std::optional<std::string> warning_of_trailing_edges(const bem::FlowProblem& problem,
                                                     const bem::Solution& solution);

/// A warning if the flow is faster than sound somewhere, with the Mach number at which that begins.
std::optional<std::string> warning_of_sonic_flow(const bem::FlowProblem& problem,
                                                 const bem::Solution& solution, double mach);

/// Detects stagnation of GMRES from its residuals.
class StagnationWatch {
 public:
  /// Whether the last 30 iterations reduced the residual by less than a tenth. A residual that
  /// doubles belongs to another system; the count then starts again.
  bool add(double residual);
  bool stagnated() const { return stagnated_; }
  /// Likely causes, and what to do.
  std::string explanation() const;

 private:
  static constexpr std::size_t window = 30;

  std::deque<double> last_;  ///< residuals, one more than the window at most
  bool stagnated_ = false;
};

}  // namespace rankine::cases
