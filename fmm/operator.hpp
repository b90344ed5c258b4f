// The summation operator, built once from points and applied to many strengths:
//
//   phi(x_i)      = sum_j  q_j / |r|      +  mu_j . r / |r|^3 ,     r = x_i - y_j
//   grad phi(x_i) = sum_j -q_j r / |r|^3  +  mu_j / |r|^3 - 3 (mu_j . r) r / |r|^5
//
// Or, with kernels that are softened or regularised near by (fmm/kernels/plummer.hpp, vortex.hpp),
//
//   phi(x_i) = sum_j  q_j / sqrt(r^2 + eps^2)  and its derivatives, dipoles likewise
//   u(x_i)   = sum_j  q(|r|/sigma_j) Gamma_j x r / |r|^3  and  d u_i / d x_j
//
// Distances are target minus source; a pair whose coordinates are equal contributes nothing, however
// close others are. The factor 1/(4 pi) is not applied here: boundary operators do that. Methods
// behind the one interface: direct sum, treecode and fast multipole method [GR87; expansions of GD08].
//
// What the tolerance promises, for the potential, the gradient and the second derivatives each by
// itself and for every right-hand side: the root mean square of the error over the targets is at most
// the tolerance times the larger of
//
//   the root mean square of the result,
//   the root mean square over the targets of ( sum_j |term of j|^2 )^(1/2) ,
//
// the second being the size that the terms add up to when their signs are random. So where strengths
// cancel below that (far from a neutral cloud, say), the error stays as small as it would be without
// cancellation, and relative to what is left of the result it is larger by as much as was cancelled.
// Strengths concentrated in a few sources err as expansions do for those sources, which may be more
// than they do for all: where a single one outweighed the others, by up to six times the tolerance,
// more for points whose distances span many orders of magnitude.
// The promise rests on orders chosen by an estimate of the error for the points at hand
// (fmm/truncation.hpp); where no order keeps the tolerance for them, OperatorInfo::kept_tolerance
// says what is kept. Rounding bounds tolerances from below: least_tolerance(). Terms of
// dipoles count with |mu_j| / r^2, r the distance, whatever their direction: on a smooth surface, where
// dipoles stand across the lines that join them, a double layer is smaller, and errs by more of itself;
// bem/layers/far_field_check.hpp measures how much in a solve. Velocities of vortices and their gradients are
// results, each by itself, with their own terms. Expansions are those of 1/r for every kernel: trees of kernels
// that differ near by are not divided further than the tolerance allows (fmm/far_distance.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankine/fmm/core/memory_space.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/kernels/kernel.hpp"

namespace rankine::fmm {

enum class Method { direct, treecode, fmm };
enum class Precision { float64, float32 };

/// The tolerances that can be promised: rounding bounds them from below.
constexpr double least_tolerance(Precision precision) {
  return precision == Precision::float64 ? 1e-12 : 1e-5;
}
inline constexpr double most_tolerance = 0.1;

struct Options {
  Method method = Method::fmm;
  Kernel kernel = Kernel::laplace;
  double softening = 0.0;  ///< of Kernel::plummer, metres
  Precision precision = Precision::float64;
  double tolerance = 1e-6;  ///< promised as above, least_tolerance to most_tolerance
  int order = 0;  ///< terms per direction, p (p^2 coefficients); 0: chosen from the tolerance
  int leaf_capacity = 0;  ///< points a leaf may hold; 0: tuned for backend, method and tolerance
  /// Gradients, of velocities with vortices, will be asked for (decides tuning, not permission).
  bool gradient = false;
  bool hessian = false;  ///< second derivatives will be asked for (decides tuning, not permission)
  bool dipoles = false;  ///< dipoles will be given (decides tuning and memory, not permission)
  int rhs = 1;           ///< most right-hand sides applied at once (decides memory)
  int threads = 0;       ///< CPU threads; 0: all
  /// At most this many pairs are summed directly whatever the method: faster, and exact
  /// where too few points are left for truncation errors to average out; 0: never.
  std::int64_t direct_pairs = 1 << 24;
};

/// Points given at setup, on the host.
struct Points {
  std::span<const Vec3d> sources;
  std::span<const Vec3d> targets;
  std::span<const Vec3d> normals = {};      ///< optional, one per source: directions of dipoles
  std::span<const double> core_radii = {};  ///< of vortex kernels, one per source, metres
};

/// Strengths in the operator's memory space (addresses of device memory where it is a device's), in
/// the order of the points given at setup; empty: none. Right-hand sides are outermost:
/// charges[k * sources + j].
struct Strengths {
  std::span<const double> charges = {};         ///< q: rhs x sources
  std::span<const double> normal_dipoles = {};  ///< mu along the fixed normals: rhs x sources
  std::span<const double> dipoles = {};         ///< free dipole moments: rhs x sources x 3
  std::span<const double> vortices = {};  ///< of vortex kernels, and they alone: rhs x sources x 3
};

/// Results in the operator's memory space, overwritten; empty: not wanted.
struct Results {
  std::span<double> potential = {};  ///< rhs x targets
  std::span<double> gradient = {};   ///< rhs x targets x 3
  std::span<double> hessian = {};    ///< rhs x targets x 6: xx xy xz yy yz zz
  // Of vortex kernels, and nothing else of them.
  std::span<double> velocity = {};           ///< rhs x targets x 3
  std::span<double> velocity_gradient = {};  ///< rhs x targets x 9: d u_i / d x_j at 3 i + j
};

/// Derivatives that are wanted, as in PairTerms: 0 the potential alone, 1 gradients or velocities, 2 second
/// derivatives or those of velocities.
inline int derivatives(const Results& results) {
  if (!results.hessian.empty() || !results.velocity_gradient.empty()) return 2;
  return !results.gradient.empty() || !results.velocity.empty() ? 1 : 0;
}

/// What expansions are asked for: for vortices, whose velocities are derivatives, three columns of charges
/// each with gradients, or second derivatives where gradients of velocities are wanted.
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
  double seconds = 0.0;  ///< of the last apply, where passes overlap the sum can exceed the whole
};

/// What setup found and decided.
struct OperatorInfo {
  Method method = Method::fmm;
  Kernel kernel = Kernel::laplace;
  Precision precision =
      Precision::float64;  ///< double also where distances are too different for float
  double tolerance = 0.0;  ///< asked for
  /// Promised for these points: `tolerance`, or more where no order of expansions keeps it. Where the
  /// order was given, nothing is promised and this is 0.
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

/// One apply of an operator ends before the next begins: it owns the memory that it works in. Different
/// operators may be built and applied by different threads at once.
class Operator {
 public:
  virtual ~Operator() = default;

  /// Computes `results` from `strengths` for `rhs` right-hand sides. On a device the call returns
  /// once the work is queued on the operator's stream. Throws InputError where sizes do not fit,
  /// nothing is asked or given, or normal dipoles come without normals.
  virtual void apply(const Strengths& strengths, const Results& results, int rhs = 1) = 0;

  /// Takes other points, as many of each kind as before, and keeps all else: method, order, leaf
  /// capacity, tables and memory. Results are those of a new operator with these. `where` the arrays
  /// of points lie: on the host, or in the operator's memory space, where they may change once what is
  /// queued on the operator's stream is done. Throws InputError where the numbers
  /// of points differ or points are not finite; the operator is then as before. What the tolerance promises
  /// was decided for the first points: where others lie quite differently (a cloud that collapses, cores that
  /// grow) make a new operator.
  virtual void move(const Points& points, MemorySpace where = MemorySpace::host) = 0;

  /// Waits until all queued work is done (a no-op on the CPU).
  virtual void synchronize() {}

  virtual const OperatorInfo& info() const = 0;

  /// Seconds per pass of one apply, measured with the passes run one after the other.
  virtual std::vector<PassTime> breakdown(const Strengths& strengths, const Results& results,
                                          int rhs = 1) = 0;
};

/// For implementations: throws InputError for options outside their ranges and normals that do not
/// belong to the sources.
void check_options(const Points& points, const Options& options);

/// For implementations: throws InputError where there are not as many points of each kind as `info`
/// says, or core radii on the host are none.
void check_move(const Points& points, const OperatorInfo& info, bool has_normals,
                MemorySpace where = MemorySpace::host);

/// Throws InputError for core radii that are not positive and finite.
void check_core_radii(std::span<const double> radii);

/// For implementations: throws InputError where strengths or results do not have the sizes that
/// `rhs` right-hand sides and the points of `info` need, where apply is asked for nothing or given
/// nothing, or given normal dipoles without normals.
void check_apply(const Strengths& strengths, const Results& results, int rhs,
                 const OperatorInfo& info, bool has_normals);

std::string_view to_string(Method method);
std::string_view to_string(Precision precision);

}  // namespace rankine::fmm
