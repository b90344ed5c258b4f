/* The summation operator for C and for languages that can call C. A plan is built once from
 * points and applied to many strengths. With x a target, y_j the sources and r = x - y_j,
 *
 *   potential(x) = sum_j  q_j / |r|  +  mu_j . r / |r|^3
 *
 * and its derivatives with respect to x; for other kernels see below. The factor 1/(4 pi) is not
 * applied. A pair with equal coordinates contributes nothing. rankine/fmm/operator.hpp states
 * what the tolerance promises.
 *
 * Points and vectors are arrays of doubles, x y z x y z ..., in metres. Every function that can
 * fail returns a status and never throws; rankine_message() says what was wrong. Different
 * threads may use different plans at the same time. Only one thread at a time may use, or
 * destroy, the same plan. */
#ifndef RANKINE_FMM_H
#define RANKINE_FMM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return values of the functions: the exit codes of the program rankine. */
enum {
  RANKINE_OK = 0,
  RANKINE_INTERNAL_ERROR = 1, /* a bug in Rankine: please report it */
  RANKINE_INPUT_ERROR = 2,    /* an argument is wrong */
  RANKINE_DEVICE_ERROR = 6    /* no device, or not enough memory, on a device or the host */
};

/* Where a plan computes. */
enum {
  RANKINE_AUTO = 0, /* on a CUDA device if there is one, else on the processor */
  RANKINE_CPU = 1,
  RANKINE_CUDA = 2 /* on the device that the calling thread uses */
};

/* The memory in which arrays are. */
enum {
  RANKINE_HOST = 0,
  RANKINE_DEVICE = 1 /* on the device of a CUDA plan */
};

enum { RANKINE_DIRECT = 0, RANKINE_TREECODE = 1, RANKINE_FAST_MULTIPOLE = 2 };
enum { RANKINE_FLOAT64 = 0, RANKINE_FLOAT32 = 1 };

/* The kernel. Vortices of strength alpha and core radius sigma give velocities; with
 * rho = |r| / sigma_j,
 *
 *   velocity(x) = sum_j  g(rho) alpha_j x r / |r|^3 */
enum {
  RANKINE_LAPLACE = 0,            /* 1 / |r| */
  RANKINE_PLUMMER = 1,            /* 1 / sqrt(r^2 + softening^2) */
  RANKINE_VORTEX_EXPONENTIAL = 2, /* g = 1 - exp(-rho^3) */
  RANKINE_VORTEX_GAUSSIAN = 3     /* g = erf(rho / sqrt 2) - sqrt(2 / pi) rho exp(-rho^2 / 2) */
};

/* Later versions may add members at the end; `size` shows which members the caller has. The members
 * `derivatives`, `dipoles` and `rhs` are used for tuning and memory only: they limit nothing. */
typedef struct rankine_fmm_options {
  size_t size;
  double tolerance;     /* relative; 1e-12 to 0.1, from 1e-5 in float */
  double softening;     /* for RANKINE_PLUMMER, metres */
  int64_t direct_pairs; /* at most this many pairs are summed directly whatever the method */
  int backend;
  int kernel;
  int method;
  int precision;
  int order;         /* of expansions; 0: chosen from the tolerance */
  int leaf_capacity; /* most points in a leaf; 0: tuned */
  int derivatives;   /* expected: 0 none, 1 gradients, 2 second derivatives as well */
  int dipoles;       /* 1: dipoles are expected */
  int rhs;           /* most right-hand sides in one apply */
  int threads;       /* of the processor; 0: OMP_NUM_THREADS, else all */
} rankine_fmm_options;

/* Points of a plan. Unneeded pointers are NULL. A plan has its own copies. */
typedef struct rankine_fmm_points {
  int64_t source_count;
  int64_t target_count;     /* 0 if the targets are the sources */
  const double* sources;    /* sources x 3 */
  const double* targets;    /* targets x 3; NULL: the sources */
  const double* normals;    /* sources x 3: directions of normal dipoles */
  const double* core_radii; /* sources: sigma of vortex kernels, metres */
} rankine_fmm_points;

/* Strengths in the order of the points, right-hand sides outermost: charges[k * sources + j]. NULL:
 * none of this kind. */
typedef struct rankine_fmm_strengths {
  const double* charges;        /* rhs x sources */
  const double* normal_dipoles; /* rhs x sources: mu along the normals */
  const double* dipoles;        /* rhs x sources x 3 */
  const double* vortices;       /* rhs x sources x 3, of vortex kernels and they alone */
} rankine_fmm_strengths;

/* Results in the order of the targets, overwritten. NULL: not wanted. */
typedef struct rankine_fmm_results {
  double* potential;         /* rhs x targets */
  double* gradient;          /* rhs x targets x 3 */
  double* hessian;           /* rhs x targets x 6: xx xy xz yy yz zz */
  double* velocity;          /* rhs x targets x 3, vortex kernels only */
  double* velocity_gradient; /* rhs x targets x 9: d u_i / d x_j at 3 i + j, vortex kernels only */
} rankine_fmm_results;

/* Properties of a plan. */
typedef struct rankine_fmm_info {
  int64_t sources, targets;
  int64_t boxes, leaves;
  int64_t near_pairs; /* pairs of points summed directly */
  int64_t host_bytes, device_bytes;
  double tolerance;      /* requested */
  double kept_tolerance; /* promised for these points; 0 if the order was given */
  double setup_seconds;  /* of the creation or of the last move */
  void* stream;          /* the cudaStream_t of a CUDA plan, else NULL */
  int backend;           /* RANKINE_CPU or RANKINE_CUDA */
  int method, precision;
  int order, leaf_capacity;
  int depth; /* levels below the root */
} rankine_fmm_info;

typedef struct rankine_fmm_plan rankine_fmm_plan;

/* The message of this thread's last call that failed: what is wrong, the value found, what to
 * do. Valid until the next call of this thread; empty if no call has failed. */
const char* rankine_message(void);

/* Fills `options` with defaults; `size` is sizeof(rankine_fmm_options). */
int rankine_fmm_default_options(rankine_fmm_options* options, size_t size);

/* Builds a plan of points on the host. `options` NULL: the defaults. On failure *plan is NULL. */
int rankine_fmm_create(rankine_fmm_plan** plan, const rankine_fmm_points* points,
                       const rankine_fmm_options* options);

/* Replaces the points by others, in any number, which are in `memory`. Method, order and all other
 * decisions stay. The arrays may be changed after the return. If the points are refused, the
 * plan is unchanged. */
int rankine_fmm_move(rankine_fmm_plan* plan, const rankine_fmm_points* points, int memory);

/* Computes results from strengths. With arrays on the host the results are complete on return.
 * Arrays on the device need a CUDA plan: the work is queued on the plan's stream, which is not
 * ordered with other streams, and is complete after rankine_fmm_synchronize(). */
int rankine_fmm_apply(rankine_fmm_plan* plan, const rankine_fmm_strengths* strengths,
                      const rankine_fmm_results* results, int rhs, int memory);

/* Waits for all queued work. */
int rankine_fmm_synchronize(rankine_fmm_plan* plan);

/* Describes a plan; `size` is sizeof(rankine_fmm_info). */
int rankine_fmm_get_info(const rankine_fmm_plan* plan, rankine_fmm_info* info, size_t size);

/* Destroys a plan; NULL is allowed. */
void rankine_fmm_destroy(rankine_fmm_plan* plan);

#ifdef __cplusplus
}
#endif

#endif
