/* Velocities and their gradients of vortex particles with Gaussian cores, the innermost loop of a vortex
 * method, against that loop. With alpha a particle's strength, sigma its core radius, r = x - y,
 *   u(x) = 1/(4 pi) sum_j g(|r| / sigma_j) alpha_j x r / |r|^3
 *   g(rho) = erf(rho / sqrt 2) - sqrt(2 / pi) rho exp(-rho^2 / 2)                                  */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <rankine/fmm.h>

enum { n = 20000 };
static const double pi = 3.14159265358979323846;
static double points[n][3], strengths[n][3], radii[n], velocity[n][3], gradient[n][9];

static double uniform(void) { return 2.0 * rand() / RAND_MAX - 1.0; }

static void require(int status) {
  if (status == RANKINE_OK) return;
  fprintf(stderr, "error %d: %s\n", status, rankine_message());
  exit(status);
}

/* The velocity at particle i and d u_a / d x_b at 3 a + b. */
static void sum_directly(int i, double* u, double* du) {
  for (int k = 0; k < 3; ++k) u[k] = 0.0;
  for (int k = 0; k < 9; ++k) du[k] = 0.0;
  for (int j = 0; j < n; ++j) {
    if (j == i) continue;
    const double* alpha = strengths[j];
    const double r[3] = {points[i][0] - points[j][0], points[i][1] - points[j][1], points[i][2] - points[j][2]};
    const double d = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]), rho = d / radii[j];
    const double tail = sqrt(2.0 / pi) * rho * exp(-0.5 * rho * rho), g = erf(rho / sqrt(2.0)) - tail;
    const double factor = g / (4.0 * pi * d * d * d);                                 /* of alpha x r */
    const double slope = rho * tail / (4.0 * pi * radii[j] * d * d * d) - 3.0 * factor / d; /* d factor / d |r| */
    for (int a = 0; a < 3; ++a) {
      const int b = (a + 1) % 3, c = (a + 2) % 3;
      const double cross = alpha[b] * r[c] - alpha[c] * r[b];
      u[a] += factor * cross;
      for (int k = 0; k < 3; ++k) du[3 * a + k] += slope * cross * r[k] / d;
      du[3 * a + c] += factor * alpha[b];
      du[3 * a + b] -= factor * alpha[c];
    }
  }
}

int main(void) {
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k) {
      points[i][k] = uniform();
      strengths[i][k] = uniform();
    }
    radii[i] = 0.04 + 0.02 * uniform();
  }
  const rankine_fmm_points where = {.source_count = n, .sources = points[0], .core_radii = radii};
  const rankine_fmm_strengths given = {.vortices = strengths[0]};
  const rankine_fmm_results wanted = {.velocity = velocity[0], .velocity_gradient = gradient[0]};
  rankine_fmm_options options;
  require(rankine_fmm_default_options(&options, sizeof options));
  options.kernel = RANKINE_VORTEX_GAUSSIAN;
  options.tolerance = 1e-5;
  options.derivatives = 1;

  rankine_fmm_plan* plan;
  require(rankine_fmm_create(&plan, &where, &options));
  require(rankine_fmm_apply(plan, &given, &wanted, 1, RANKINE_HOST));
  rankine_fmm_destroy(plan);

  double error[2] = {0.0, 0.0}, size[2] = {0.0, 0.0};
  for (int i = 0; i < n; i += 200) {
    double u[3], du[9];
    sum_directly(i, u, du);
    for (int k = 0; k < 12; ++k) {
      const double exact = k < 3 ? u[k] : du[k - 3];
      const double found = (k < 3 ? velocity[i][k] : gradient[i][k - 3]) / (4.0 * pi);
      error[k >= 3] += (found - exact) * (found - exact);
      size[k >= 3] += exact * exact;
    }
  }
  printf("relative error of the velocities of %d vortex particles: %.1e, of their gradients %.1e\n", n,
         sqrt(error[0] / size[0]), sqrt(error[1] / size[1]));
  return sqrt(fmax(error[0] / size[0], error[1] / size[1])) < options.tolerance ? 0 : 1;
}
