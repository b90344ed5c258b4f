// Vector operations of the host's backend against Eigen, and their independence of the number of
// threads.
#include "rankine/bem/backend.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <vector>

namespace rankine::bem {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

TEST(CpuBackend, VectorOperations) {
  const auto backend = make_cpu_backend();
  const int n = 30001, k = 3;
  const MatrixXd v = MatrixXd::Random(n, k);
  const VectorXd w = VectorXd::Random(n);
  EXPECT_NEAR(backend->norm(n, w.data()), w.norm(), 1e-12 * w.norm());
  VectorXd h(k);
  backend->project(n, k, v.data(), w.data(), h.data());
  EXPECT_LE((h - v.transpose() * w).norm(), 1e-11);
  VectorXd left = w;
  backend->subtract(n, k, v.data(), h.data(), left.data());
  EXPECT_LE((left - (w - v * h)).norm(), 1e-12 * (v * h).norm());
  backend->axpy(n, 2.0, w.data(), left.data());
  EXPECT_LE((left - (3.0 * w - v * h)).norm(), 1e-12 * (v * h).norm());

  Array zeros = backend->allocate(5);
  std::vector<double> host(5, 1.0);
  backend->download(zeros.data(), host);
  EXPECT_EQ(host, std::vector<double>(5, 0.0));
}

TEST(CpuBackend, DistributesStrengthsOverNodes) {
  const auto backend = make_cpu_backend();
  const std::vector<double> strength{2.0, 3.0}, weight{0.1, 0.2, 0.3, 0.4};
  std::vector<double> sources(4);
  backend->distribute(2, 2, strength.data(), weight.data(), sources.data());
  EXPECT_DOUBLE_EQ(sources[1], 0.4);
  EXPECT_DOUBLE_EQ(sources[2], 0.9);
  const std::vector<double> normals{1, 0, 0, 0, 1, 0}, vectors{5, 6, 7, 8, 9, 10};
  std::vector<double> y{1.0, 1.0};
  backend->add_normal_part(2, 2.0, normals.data(), vectors.data(), y.data());
  EXPECT_DOUBLE_EQ(y[0], 11.0);
  EXPECT_DOUBLE_EQ(y[1], 19.0);
}

TEST(CpuBackend, SumsDoNotDependOnThreads) {
  const int n = 100003;
  const VectorXd w = VectorXd::Random(n);
  const double one = make_cpu_backend(1)->norm(n, w.data());
  EXPECT_EQ(one, make_cpu_backend(2)->norm(n, w.data()));
  EXPECT_EQ(one, make_cpu_backend(5)->norm(n, w.data()));
}

}  // namespace
}  // namespace rankine::bem
