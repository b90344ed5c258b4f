// The summation operator, built once from points and applied to many strengths:
//
//   phi(x_i)      = sum_j  q_j / |r|      +  mu_j . r / |r|^3 ,     r = x_i - y_j
//   grad phi(x_i) = sum_j -q_j r / |r|^3  +  mu_j / |r|^3 - 3 (mu_j . r) r / |r|^5
//
// or, with kernels that are softened or regularised at short distances (fmm/kernels/plummer.hpp,
// vortex.hpp),
//
//   phi(x_i) = sum_j  q_j / sqrt(r^2 + eps^2)  and its derivatives, dipoles likewise
//   u(x_i)   = sum_j  q(|r|/sigma_j) Gamma_j x r / |r|^3  and  d u_i / d x_j
//
// A pair with equal coordinates contributes nothing. The factor 1/(4 pi) is not applied here:
// boundary operators do that. Three methods have this interface: direct sum, treecode and fast
// multipole method [GR87; expansions of GD08].
//
// The tolerance is a promise for the potential, the gradient and the second derivatives (or for
// velocities and their gradients), each separately, and for every right-hand side: the root mean
// square of the error over the targets is at most the tolerance times the larger of
//
//   the root mean square of the result,
//   the root mean square over the targets of ( sum_j |term of j|^2 )^(1/2) .
//
// The second is the size of a sum of terms with random signs. If the result is smaller than that
// because strengths cancel (far from a neutral cloud, for example), the error is as small as
// without cancellation, but larger relative to the result. If one source is much stronger than all
// others, the error may reach six times the tolerance, and more if distances span many orders of
// magnitude. The term of a dipole is |mu_j| / r^2 for any direction. On a smooth surface, where
// dipoles are normal to the lines that connect them, a double layer is smaller than that, and its
// relative error larger; bem/layers/far_field_check.hpp measures it in a solve.
//
// Orders are chosen by an estimate of the error for the given points (fmm/truncation.hpp). If no
// order meets the tolerance, OperatorInfo::kept_tolerance is the tolerance that is met.
// least_tolerance() is the lower limit due to rounding. Expansions are those of 1/r for every
// kernel; for kernels that differ at short distances, boxes are not divided further than the
// tolerance allows (fmm/far_distance.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/fmm/core/execution.hpp"
#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/fmm/core/mirrored.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/kernels/kernel.hpp"

namespace rankine::fmm {

enum class Method { direct, treecode, fmm };
enum class Precision { float64, float32 };

/// The smallest tolerance that can be promised, due to rounding.
constexpr double least_tolerance(Precision precision) {
  return precision == Precision::float64 ? 1e-12 : 1e-5;
}
inline constexpr double most_tolerance = 0.1;

struct Options {
  Method method = Method::fmm;
  Kernel kernel = Kernel::laplace;
  double softening = 0.0;  ///< eps of Kernel::plummer, metres
  Precision precision = Precision::float64;
  double tolerance = 1e-6;  ///< as defined above, least_tolerance to most_tolerance
  int order = 0;  ///< terms per direction, p (p^2 coefficients); 0: chosen from the tolerance
  int leaf_capacity = 0;  ///< largest number of points in a leaf; 0: tuned for backend, method and
                          ///< tolerance
  // Hints for tuning and memory; apply() also accepts other requests.
  bool gradient = false;  ///< gradients will be requested; with vortices, those of velocities
  bool hessian = false;   ///< second derivatives will be requested
  bool dipoles = false;   ///< dipoles will be given
  int rhs = 1;            ///< largest number of right-hand sides applied at once
  Execution execution{};  ///< for loops on the CPU; by default that of the caller
  /// Sums of at most this number of pairs are direct for any method: this is faster, and exact if
  /// there are too few points for truncation errors to average out. 0: never.
  std::int64_t direct_pairs = 1 << 24;
};

/// The points of an operator, on the host.
struct Points {
  MirroredSpan<Vec3d> sources;
  MirroredSpan<Vec3d> targets;
  MirroredSpan<Vec3d> normals = {};         ///< optional, one per source: directions of dipoles
  std::span<const double> core_radii = {};  ///< of vortex kernels, one per source, metres
};

/// Strengths in the operator's memory space (device addresses if that is a device), in the order of
/// the points; empty: none. Right-hand sides are outermost: charges[k * sources + j].
struct Strengths {
  std::span<const double> charges = {};         ///< q: rhs x sources
  std::span<const double> normal_dipoles = {};  ///< mu along the fixed normals: rhs x sources
  std::span<const double> dipoles = {};         ///< free dipole moments: rhs x sources x 3
  std::span<const double> vortices =
      {};  ///< Gamma, the only strengths of vortex kernels: rhs x sources x 3
};

/// Results in the operator's memory space, overwritten; empty: not requested.
struct Results {
  std::span<double> potential = {};  ///< rhs x targets
  std::span<double> gradient = {};   ///< rhs x targets x 3
  std::span<double> hessian = {};    ///< rhs x targets x 6: xx xy xz yy yz zz
  // The only results of vortex kernels:
  std::span<double> velocity = {};           ///< rhs x targets x 3
  std::span<double> velocity_gradient = {};  ///< rhs x targets x 9: d u_i / d x_j at 3 i + j
};

/// The number of requested derivatives, as in PairTerms: 0 only the potential, 1 gradients or
/// velocities, 2 second derivatives or gradients of velocities.
inline int derivatives(const Results& results) {
  if (!results.hessian.empty() || !results.velocity_gradient.empty()) return 2;
  return !results.gradient.empty() || !results.velocity.empty() ? 1 : 0;
}

/// The options of the expansions for `options`: a vortex is three columns of charges, whose
/// gradients give velocities and whose second derivatives give gradients of velocities.
inline Options expansion_options(Options options) {
  if (!is_vortex(options.kernel)) return options;
  options.hessian = options.hessian || options.gradient;
  options.gradient = true;
  options.dipoles = false;
  options.rhs *= 3;
  return options;
}

struct PassTime {
  std::string name;      ///< P2M, M2M, M2L, L2L, L2P, P2P, M2P, P2L, other
  double seconds = 0.0;  ///< of the last apply; passes overlap, so their sum can exceed the total
};

/// Properties of an operator.
struct OperatorInfo {
  Method method = Method::fmm;
  Kernel kernel = Kernel::laplace;
  Precision precision =
      Precision::float64;  ///< float64 also if the range of distances is too large for float32
  double tolerance = 0.0;  ///< as requested
  /// The tolerance promised for these points: `tolerance`, or a larger one if no order of
  /// expansions meets it. 0 if the order was given, since then nothing is promised.
  double kept_tolerance = 0.0;
  int order = 0;
  int leaf_capacity = 0;
  int depth = 0;  ///< levels below the root
  std::int64_t sources = 0, targets = 0;
  std::int64_t boxes = 0, leaves = 0;
  std::int64_t near_pairs = 0;  ///< point pairs summed directly
  std::int64_t m2l = 0;         ///< M2L translations
  std::size_t host_bytes = 0, device_bytes = 0;
  double setup_seconds = 0.0;  ///< of the constructor or of the last move
};

/// An operator owns its work memory, so only one apply may run at a time. Different threads may
/// build and apply different operators at the same time.
class Operator {
 public:
  virtual ~Operator() = default;

  /// Computes `results` from `strengths` for `rhs` right-hand sides. On a device the call returns
  /// when the work is queued on the operator's stream. Throws InputError if sizes do not match, if
  /// there are no strengths or no results, or if normal dipoles are given without normals.
  virtual void apply(const Strengths& strengths, const Results& results, int rhs = 1) = 0;

  /// Replaces the points by others, in any number, and keeps method, order, leaf capacity, tables
  /// and memory. Results are those of a new operator with these choices. `where` is the memory of
  /// the arrays: the host, or the operator's memory space; there they must not change until the
  /// work queued on the operator's stream is done. Throws InputError, without changing the
  /// operator, if there are normals but were none before or the reverse, or if points are not
  /// finite. The tolerance is promised only for the first points: if the distribution changes much
  /// (a cloud collapses or multiplies, cores grow), create a new operator.
  virtual void move(const Points& points, MemorySpace where = MemorySpace::host) = 0;

  /// Replaces the order of the expansions, 1 to highest_order() (fmm/order.hpp). Tree and lists are
  /// kept, although other leaves may be faster with the new order. Direct sums have no order.
  virtual void set_order(int order) = 0;

  /// Waits until all queued work is done (a no-op on the CPU).
  virtual void synchronize() {}

  virtual const OperatorInfo& info() const = 0;

  /// Seconds per pass of one apply, with the passes executed one after the other.
  virtual std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                          int rhs = 1) = 0;
};

/// For implementations: throws InputError for options outside their ranges, or if the number of
/// normals differs from that of the sources.
void check_options(const Points& points, const Options& options);

/// For implementations: throws InputError if the numbers of normals or core radii do not match, or
/// if core radii on the host are not positive and finite.
void check_move(const Points& points, const OperatorInfo& info, bool has_normals,
                MemorySpace where = MemorySpace::host);

/// Throws InputError for core radii that are not positive and finite.
void check_core_radii(std::span<const double> radii);

/// For implementations: throws InputError if strengths or results do not have the sizes for `rhs`
/// right-hand sides and the points of `info`, if there are no strengths or no results, or if normal
/// dipoles are given without normals.
void check_apply(const Strengths& strengths, const Results& results, int rhs,
                 const OperatorInfo& info, bool has_normals);

std::string_view to_string(Method method);
std::string_view to_string(Precision precision);

}  // namespace rankine::fmm
