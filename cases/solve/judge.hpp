// Checks a solution against properties of every flow. They detect results that are wrong even if
// the sums are accurate.
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
  /// A lower bound of the root mean square of the error of Cp, from the force, which should vanish:
  /// int dp n.f dA <= |dp| |n.f| in L2, with f the direction of the force.
  double pressure_error = 0.0;
  double flux = 0.0;
  double speed_jump = 0.0;                 ///< the largest, among speeds above that of the stream
  std::vector<std::size_t> fast_panels{};  ///< much faster than their neighbours
  std::size_t fastest = 0;                 ///< the panel of speed_jump
};

/// For walls at rest in a stream; all numbers are 0 for other problems. `force`: the total force,
/// N.
Judgement judge(const bem::FlowProblem& problem, const bem::Solution& solution, const Vec3d& force);

/// One warning, with a remedy, for each number above its limit.
std::vector<std::string> warnings_of(const Judgement& judgement, const bem::Panels& panels);

/// Whether no digit of the result is right: the estimated relative L2 error of the velocities is
/// above 1, or `pressure_error`, which is proven, is above 0.5, half of Cp at a stagnation point.
bool is_meaningless(const Judgement& judgement, const bem::ErrorFigures& errors);

/// A warning if the estimated error of some velocities exceeds a tenth of the stream or, in
/// problems other than flows, that of some gradients exceeds a tenth of their root mean square.
std::optional<std::string> warning_of(const bem::ErrorFigures& errors,
                                      const bem::FlowProblem& problem);

/// A warning for source unknowns in a domain inside a surface with sharp edges. Their density also
/// represents a potential outside, which is singular at these edges. Errors then converge slowly,
/// for the potential as h^(2/3), and estimates do not include them.
std::optional<std::string> warning_of_formulation(const bem::FlowProblem& problem,
                                                  bem::Formulation formulation);

/// A warning if the flow goes around a sharp trailing edge, which happens without a wake.
std::optional<std::string> warning_of_trailing_edges(const bem::FlowProblem& problem,
                                                     const bem::Solution& solution);

/// A warning if the flow is supersonic anywhere, with the critical Mach number.
std::optional<std::string> warning_of_sonic_flow(const bem::FlowProblem& problem,
                                                 const bem::Solution& solution, double mach);

/// Detects stagnation of GMRES from its residuals.
class StagnationWatch {
 public:
  /// Adds the residual of an iteration. Returns whether the last 30 iterations reduced it by less
  /// than a tenth. If the residual doubles a new system has begun, and the count restarts.
  bool add(double residual);
  bool stagnated() const { return stagnated_; }
  /// Likely causes and remedies.
  std::string explanation() const;

 private:
  static constexpr std::size_t window = 30;

  std::deque<double> last_;  ///< the last residuals, at most window + 1
  bool stagnated_ = false;
};

}  // namespace rankine::cases
