/* Potential and gradient of charges from a program in C, against a plain loop; then the points move.
 *   potential(x_i) = sum_j q_j / |x_i - x_j| , j /= i                                             */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rankine/fmm.h>

enum { n = 20000 };
static double points[n][3], charges[n], potential[n], gradient[n][3];

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

static void require(int status) {
  if (status == RANKINE_OK) return;
  fprintf(stderr, "error %d: %s\n", status, rankine_message());
  exit(status);
}

/* The relative error of every 200th gradient, and that of the potential where it is larger. */
static double error_of_sample(void) {
  double error[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
  for (int i = 0; i < n; i += 200) {
    double exact[4] = {0.0, 0.0, 0.0, 0.0};
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      const double x = points[i][0] - points[j][0], y = points[i][1] - points[j][1],
                   z = points[i][2] - points[j][2], r = sqrt(x * x + y * y + z * z);
      exact[0] += charges[j] / r;
      exact[1] -= charges[j] * x / (r * r * r);
      exact[2] -= charges[j] * y / (r * r * r);
      exact[3] -= charges[j] * z / (r * r * r);
    }
    for (int k = 0; k < 4; ++k) {
      const double found = k == 0 ? potential[i] : gradient[i][k - 1];
      error[k > 0] += (found - exact[k]) * (found - exact[k]);
      size[k > 0] += exact[k] * exact[k];
    }
  }
  return sqrt(fmax(error[0] / size[0], error[1] / size[1]));
}

int main(void) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) points[i][k] = uniform();
    charges[i] = uniform();
  }
  const rankine_fmm_points where = {.source_count = n, .sources = points[0]};
  const rankine_fmm_strengths given = {.charges = charges};
  const rankine_fmm_results wanted = {.potential = potential, .gradient = gradient[0]};

  rankine_fmm_options options;
  require(rankine_fmm_default_options(&options, sizeof options));
  options.tolerance = 1e-6;
  options.derivatives = 1;
  rankine_fmm_plan* plan;
  require(rankine_fmm_create(&plan, &where, &options));
  require(rankine_fmm_apply(plan, &given, &wanted, 1, RANKINE_HOST));
  const double before = error_of_sample();

  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k) points[i][k] += 0.1 * uniform();
  require(rankine_fmm_move(plan, &where, RANKINE_HOST));
  require(rankine_fmm_apply(plan, &given, &wanted, 1, RANKINE_HOST));
  const double after = error_of_sample();

  rankine_fmm_info info;
  require(rankine_fmm_get_info(plan, &info, sizeof info));
  rankine_fmm_destroy(plan);
  printf("relative error of %d sums on the %s: %.1e, after the points moved %.1e\n", n,
         info.backend == RANKINE_CUDA ? "device" : "processor", before, after);
  return before < options.tolerance && after < options.tolerance ? 0 : 1;
}
