// Vector operations of the host's backend against Eigen, and their independence of the number of
// threads.
#include "rankine/bem/cpu_backend.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
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

TEST(CpuBackend, MultipliesSparseMatricesAndTheirTransposes) {
  // (1 2 0; 0 0 0; 3 0 4; 0 5 0)
  const auto pattern =
      std::make_shared<const SparsityPattern>(SparsityPattern{{0, 2, 2, 4, 5}, {0, 1, 2, 0, 1}});
  const auto backend = make_cpu_backend();
  const auto matrix = backend->make_sparse({3, pattern, {1, 2, 4, 3, 5}});
  EXPECT_EQ(matrix->rows(), 4u);
  EXPECT_EQ(matrix->columns(), 3u);
  const std::vector<double> x{1, 10, 100, 2, 20, 200}, z{1, 10, 100, 1000};
  std::vector<double> y(8, 1.0), w(3, 1.0);
  matrix->add(2.0, x.data(), y.data(), 2);
  EXPECT_EQ(y, (std::vector<double>{43, 1, 807, 101, 85, 1, 1613, 201}));
  matrix->add_transposed(1.0, z.data(), w.data());
  EXPECT_EQ(w, (std::vector<double>{302, 5003, 401}));
}

TEST(CpuBackend, MultipliesByADiagonal) {
  const std::vector<double> d{1, 2, 3}, x{4, 5, 6};
  std::vector<double> y(3, 1.0);
  make_cpu_backend()->each(3, AddProduct{0.5, d.data(), x.data(), y.data()});
  EXPECT_EQ(y, (std::vector<double>{3, 6, 10}));
}

TEST(CpuBackend, MultipliesByTensorsAndTheirTransposes) {
  const std::size_t n = 1001;
  const VectorXd tensors = VectorXd::Random(9 * n), x = VectorXd::Random(3 * n);
  for (const bool transposed : {false, true}) {
    VectorXd y = VectorXd::Ones(3 * n);
    make_cpu_backend()->each(
        3 * n, AddTensorProduct{-0.5, tensors.data(), transposed, x.data(), y.data()});
    for (std::size_t i = 0; i < n; ++i) {
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> t(tensors.data() + 9 * i);
      const Eigen::Vector3d from = x.segment<3>(3 * i),
                            product = transposed ? Eigen::Vector3d(t.transpose() * from)
                                                 : Eigen::Vector3d(t * from);
      const Eigen::Vector3d expected = Eigen::Vector3d::Ones() - 0.5 * product;
      EXPECT_LE((y.segment<3>(3 * i) - expected).norm(), 1e-15 * 4) << i;
    }
  }
}

TEST(CpuBackend, TurnsVectorsTowardsCurls) {
  const std::size_t n = 101;
  const VectorXd gradients = VectorXd::Random(9 * n), x = VectorXd::Random(3 * n),
                 sigma = VectorXd::Random(n).array() + 2.0;
  const auto turned_by = [&](double alpha) {
    VectorXd y = VectorXd::Zero(3 * n);
    make_cpu_backend()->each(
        n, AddAlignment{alpha, gradients.data(), 3.0, sigma.data(), x.data(), y.data()});
    return y;
  };
  const VectorXd y = turned_by(0.1), all_the_way = turned_by(1e9);
  for (std::size_t i = 0; i < n; ++i) {
    const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> g(gradients.data() + 9 * i);
    const Eigen::Vector3d from = x.segment<3>(3 * i),
                          w = Eigen::Vector3d(g(2, 1) - g(1, 2), g(0, 2) - g(2, 0),
                                              g(1, 0) - g(0, 1)) +
                              3.0 / std::pow(sigma[static_cast<Eigen::Index>(i)], 3) * from,
                          expected = 0.1 * (from.norm() * w - w.norm() * from);
    EXPECT_LE((y.segment<3>(3 * i) - expected).norm(), 1e-15 * 8) << i;
    const Eigen::Vector3d reached = from + all_the_way.segment<3>(3 * i);
    EXPECT_LE((reached - from.norm() * w.normalized()).norm(), 1e-15 * 8) << i;
  }
}

TEST(CpuBackend, LimitsHowFarVectorsGrow) {
  const std::vector<double> sigma{1.0, 1.0, 2.0}, before{3, 0, 0, 0, 0.1, 0, 0, 0, 0};
  std::vector<double> x{0, 6, 0, 3, 0, 4, 0, 0, 15.9};
  EXPECT_EQ(make_cpu_backend()->count(3, LimitGrowth{2.0, sigma.data(), before.data(), x.data()}),
            2u);
  const std::vector<double> expected{0, 3, 0, 1.2, 0, 1.6, 0, 0, 15.9};
  for (std::size_t k = 0; k < x.size(); ++k) EXPECT_DOUBLE_EQ(x[k], expected[k]);
}

TEST(CpuBackend, SumsDoNotDependOnThreads) {
  const int n = 100003;
  const VectorXd w = VectorXd::Random(n);
  const auto norm_on = [&](int threads) {
    return Execution{.threads = threads}.run([&] { return make_cpu_backend()->norm(n, w.data()); });
  };
  EXPECT_EQ(norm_on(1), norm_on(2));
  EXPECT_EQ(norm_on(1), norm_on(5));
}

}  // namespace
}  // namespace rankine::bem
