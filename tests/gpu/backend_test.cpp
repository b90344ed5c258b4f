// The CUDA backend against the host's: vector operations, memory, errors.
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/gpu/cuda_backend.hpp"

#include <cmath>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/distributions.hpp"
#include "rankine/gpu/runtime/buffer.hpp"
#include "rankine/gpu/sums/cuda_operator.hpp"
#include "tests/support/device_test.hpp"

namespace rankine::gpu {
namespace {

using testing::DeviceTest;

class CudaBackendTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped() || HasFatalFailure()) return;
    device_ = make_cuda_backend();
  }

  bem::Array on_device(const std::vector<double>& host) {
    bem::Array array = device_->allocate(host.size());
    device_->upload(host, array.data());
    return array;
  }
  std::vector<double> on_host(const bem::Array& array) {
    std::vector<double> host(array.size());
    device_->download(array.data(), host);
    return host;
  }

  std::unique_ptr<bem::Backend> device_;
  std::unique_ptr<bem::Backend> host_ = bem::make_cpu_backend();
};

TEST_F(CudaBackendTest, AllocatesZeros) {
  const bem::Array array = device_->allocate(1000);
  EXPECT_EQ(on_host(array), std::vector<double>(1000, 0.0));
}

TEST_F(CudaBackendTest, UploadsArraysOfAnySizeUnchanged) {
  // From 4 MiB (1 << 19 values) on arrays pass through pinned buffers; the last array is larger
  // than all of them together.
  for (const std::size_t size : {1, 1 << 19, (1 << 19) + 1, 5 * (1 << 19) - 3}) {
    const auto host = fmm::make_strengths(size, 1);
    EXPECT_EQ(on_host(on_device(host)), host) << size;
  }
}

TEST_F(CudaBackendTest, ProjectsAndSubtractsAsTheHostDoes) {
  for (const std::size_t n : {1, 31, 1000, 300001}) {
    for (const int k : {1, 7, 8, 9, 70}) {
      SCOPED_TRACE("n " + std::to_string(n) + ", k " + std::to_string(k));
      const auto v = fmm::make_strengths(n * static_cast<std::size_t>(k), 1);
      auto w = fmm::make_strengths(n, 2);
      const bem::Array v_there = on_device(v);
      bem::Array w_there = on_device(w);
      std::vector<double> expected(static_cast<std::size_t>(k)), found(expected);
      host_->project(n, k, v.data(), w.data(), expected.data());
      device_->project(n, k, v_there.data(), w_there.data(), found.data());
      // Rounding of a dot product: below 1e-16 |v||w| sqrt(n), and |v| = |w| = sqrt(n/3).
      const double scale = static_cast<double>(n) / 3.0 * std::sqrt(static_cast<double>(n));
      for (std::size_t j = 0; j < found.size(); ++j)
        EXPECT_NEAR(found[j], expected[j], 1e-16 * scale + 1e-16);

      host_->subtract(n, k, v.data(), expected.data(), w.data());
      device_->subtract(n, k, v_there.data(), expected.data(), w_there.data());
      EXPECT_LE(relative_error(on_host(w_there), w), 1e-14);
    }
  }
}

TEST_F(CudaBackendTest, CombinesVectorsAsTheHostDoes) {
  const std::size_t n = 1001;
  const auto x = fmm::make_strengths(n, 1);
  auto y = fmm::make_strengths(n, 2);
  const bem::Array x_there = on_device(x);
  bem::Array y_there = on_device(y), copy = device_->allocate(n);
  device_->axpy(n, -0.3, x_there.data(), y_there.data());
  device_->scale(n, 1.7, y_there.data());
  device_->copy(n, y_there.data(), copy.data());
  host_->axpy(n, -0.3, x.data(), y.data());
  host_->scale(n, 1.7, y.data());
  EXPECT_LE(relative_error(on_host(copy), y), 1e-15);
  EXPECT_NEAR(device_->norm(n, copy.data()), host_->norm(n, y.data()), 1e-13);
}

TEST_F(CudaBackendTest, MultipliesSparseMatricesAsTheHostDoes) {
  // Rows of one, three and about two hundred entries; a rectangular matrix; several vectors.
  for (const std::size_t per_row : {1, 3, 10, 40, 200}) {
    const std::size_t rows = 501, columns = 250;
    auto pattern = std::make_shared<bem::SparsityPattern>();
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t k = 0; k < per_row; ++k)
        pattern->columns.push_back(static_cast<std::int32_t>((7 * i + k) % columns));
      pattern->offsets.push_back(static_cast<std::int64_t>(pattern->columns.size()));
    }
    const auto values = fmm::make_strengths(pattern->entries(), 1);
    const bem::SparseRows matrix{columns, pattern, {values.begin(), values.end()}};
    const auto here = host_->make_sparse(matrix), there = device_->make_sparse(matrix);
    const std::size_t rhs = 3;
    const auto x = fmm::make_strengths(rhs * columns, 2);
    auto y = fmm::make_strengths(rhs * rows, 3), z = fmm::make_strengths(rhs * columns, 4);
    const bem::Array x_there = on_device(x);
    bem::Array y_there = on_device(y), z_there = on_device(z);
    here->add(0.7, x.data(), y.data(), static_cast<int>(rhs));
    there->add(0.7, x_there.data(), y_there.data(), static_cast<int>(rhs));
    EXPECT_LE(relative_error(on_host(y_there), y), 1e-14) << per_row;
    here->add_transposed(0.7, y.data(), z.data(), static_cast<int>(rhs));
    there->add_transposed(0.7, y_there.data(), z_there.data(), static_cast<int>(rhs));
    EXPECT_LE(relative_error(on_host(z_there), z), 1e-14) << per_row;
  }
}

// Some of the vectors that are turned are turned all the way.
TEST_F(CudaBackendTest, TakesEveryStepAsTheHostDoes) {
  for (const std::size_t n : {1, 1001, 100003}) {
    const auto given = fmm::make_strengths(9 * n, 1), all = fmm::make_strengths(9 * n, 2),
               some = fmm::make_strengths(3 * n, 3);
    std::vector<double> sizes = fmm::make_strengths(n, 4);
    for (double& each : sizes) each = 1.0 + std::abs(each);
    const auto steps = [n](const double* a, const double* x, const double* sigma, double* y) {
      return std::vector<std::pair<std::size_t, bem::VectorStep>>{
          {n, bem::Fill{0.25, y}},
          {n, bem::Scale{1.7, y}},
          {n, bem::AddScaled{-0.3, x, y}},
          {n, bem::AddProduct{-2.0, sigma, x, y}},
          {3 * n, bem::AddTensorProduct{0.3, a, false, x, y}},
          {3 * n, bem::AddTensorProduct{0.3, a, true, x, y}},
          {n, bem::AddAlignment{0.9, a, 0.7, sigma, x, y}},
          {n, bem::PlaceBeside{n, 0.25, sigma, x, a, y}},
          {n, bem::AddMeanAndDerivative{n, 0.25, sigma, x, a, y, y + 3 * n}},
          {n,
           bem::AddMapped{
               {{0.0, -1.0, 0.5}, {1.0, 0.0, 2.0}, {0.3, 0.1, 1.0}}, {-0.7, 0.2, 1.5}, x, y}},
          {n, bem::SubtractMotion{{0.3, -0.2, 0.1}, {0.1, 0.5, -0.4}, x, y}}};
    };
    const bem::Array a = on_device(all), x = on_device(some), sigma = on_device(sizes);
    for (std::size_t k = 0; k < 11; ++k) {
      std::vector<double> y = given;
      bem::Array y_there = on_device(given);
      const auto [count, here] = steps(all.data(), some.data(), sizes.data(), y.data())[k];
      host_->each(count, here);
      device_->each(count, steps(a.data(), x.data(), sigma.data(), y_there.data())[k].second);
      EXPECT_LE(relative_error(on_host(y_there), y), 1e-15) << k << " of " << n;
    }
  }
}

TEST_F(CudaBackendTest, LimitsHowFarVectorsGrowAsTheHostDoes) {
  const std::size_t n = 100003;
  const auto before = fmm::make_strengths(3 * n, 1);
  std::vector<double> sigma(n, 0.8), x = fmm::make_strengths(3 * n, 2);
  const bem::Array before_there = on_device(before), sigma_there = on_device(sigma);
  bem::Array x_there = on_device(x);
  const std::size_t limited =
      host_->count(n, bem::LimitGrowth{1.0, sigma.data(), before.data(), x.data()});
  EXPECT_GT(limited, n / 100);
  EXPECT_EQ(device_->count(
                n, bem::LimitGrowth{1.0, sigma_there.data(), before_there.data(), x_there.data()}),
            limited);
  EXPECT_LE(relative_error(on_host(x_there), x), 1e-15);
}

TEST_F(CudaBackendTest, GivesTheSameBitsAgain) {
  const std::size_t n = 100003;
  const bem::Array v = on_device(fmm::make_strengths(9 * n, 1)),
                   w = on_device(fmm::make_strengths(n, 2));
  std::vector<double> once(9), again(9);
  device_->project(n, 9, v.data(), w.data(), once.data());
  device_->project(n, 9, v.data(), w.data(), again.data());
  EXPECT_EQ(once, again);
}

TEST_F(CudaBackendTest, SaysHowMuchMemoryIsMissing) {
  const std::size_t too_many =
      DeviceContext().available_bytes() / sizeof(double) + (std::size_t{1} << 30);
  try {
    device_->allocate(too_many);
    FAIL() << "allocated more than there is";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("are missing"), std::string::npos) << error.what();
  }
  EXPECT_EQ(on_host(device_->allocate(3)), std::vector<double>(3, 0.0))
      << "the backend must stay usable";
}

TEST_F(CudaBackendTest, ThousandOperatorsLeaveNothingBehind) {
  const auto points = fmm::make_points("sphere", 300, 1);
  const auto stream = std::make_shared<const Stream>();
  const DeviceBuffer<double> charges(fmm::make_strengths(300, 1), *stream);
  DeviceBuffer<double> potential(300, *stream);
  const auto use_one = [&](fmm::Method method) {
    const auto op =
        make_cuda_operator({points, points}, {.method = method, .tolerance = 1e-3}, stream);
    op->apply({.charges = charges.span()}, {.potential = potential.span()});
    op->synchronize();
  };
  for (const fmm::Method method : {fmm::Method::direct, fmm::Method::fmm}) use_one(method);
  const std::size_t before = stream->context()->available_bytes();
  for (int i = 0; i < 1000; ++i) use_one(i % 2 == 0 ? fmm::Method::direct : fmm::Method::fmm);
  EXPECT_GE(stream->context()->available_bytes(), before);
}

}  // namespace
}  // namespace rankine::gpu
