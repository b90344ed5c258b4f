#include "rankine/bem/cpu_backend.hpp"
#include "rankine/fmm/cpu_operator.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <new>
#include <utility>
#include <vector>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/cpu_operator.hpp"

namespace rankine::bem {
namespace {

/// Size of the blocks of sums. Block sums are added in order, so that results do not depend on
/// threads.
constexpr std::size_t block_size = 8192;

double block_dot(std::size_t begin, std::size_t end, const double* x, const double* y) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t i = begin; i < end; ++i) sum += x[i] * y[i];
  return sum;
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    const auto colon = line.find(':');
    if (line.starts_with("model name") && colon != std::string::npos && colon + 2 <= line.size()) {
      return line.substr(colon + 2);
    }
  }
  return "processor";
}

class CpuBackend final : public Backend {
 public:
  std::string name() const override { return "cpu"; }
  std::string device() const override { return processor_name(); }
  MemorySpace memory_space() const override { return MemorySpace::host; }

  Array allocate(std::size_t size) override {
    Array array(new double[size], size, [](double* p) { delete[] p; });
    fill(size, 0.0, array.data());
    return array;
  }
  void upload(std::span<const double> host, double* destination) override {
    std::copy(host.begin(), host.end(), destination);
  }
  void download(const double* source, std::span<double> host) override {
    std::copy(source, source + host.size(), host.begin());
  }

  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    return fmm::make_cpu_operator(points, options);
  }
  std::unique_ptr<SparseMatrix> make_sparse(SparseRows matrix) override {
    return make_cpu_sparse(std::move(matrix));
  }

  void fill(std::size_t n, double value, double* x) override {
    parallel_for(n, [=](std::size_t i) { x[i] = value; });
  }
  void copy(std::size_t n, const double* x, double* y) override {
    parallel_for(n, [=](std::size_t i) { y[i] = x[i]; });
  }
  void scale(std::size_t n, double alpha, double* x) override {
    parallel_for(n, [=](std::size_t i) { x[i] *= alpha; });
  }
  void axpy(std::size_t n, double alpha, const double* x, double* y) override {
    parallel_for(n, [=](std::size_t i) { y[i] += alpha * x[i]; });
  }
  void add_product(std::size_t n, double alpha, const double* d, const double* x,
                   double* y) override {
    parallel_for(n, [=](std::size_t i) { y[i] += alpha * d[i] * x[i]; });
  }

  void add_tensor_product(std::size_t n, double alpha, const double* tensors, bool transposed,
                          const double* x, double* y) override {
    const int row = transposed ? 1 : 3, column = transposed ? 3 : 1;
    parallel_for(n, [=](std::size_t i) {
      const double *t = tensors + 9 * i, *from = x + 3 * i;
      for (int k = 0; k < 3; ++k) {
        const double* entry = t + row * k;
        y[3 * i + static_cast<std::size_t>(k)] +=
            alpha * (entry[0] * from[0] + entry[column] * from[1] + entry[2 * column] * from[2]);
      }
    });
  }
  void add_alignment(std::size_t n, double alpha, const double* gradients, double own,
                     const double* sigma, const double* x, double* y) override {
    parallel_for(n, [=](std::size_t i) {
      const double* g = gradients + 9 * i;
      const Vec3d from{x[3 * i], x[3 * i + 1], x[3 * i + 2]},
          w = Vec3d{g[7] - g[5], g[2] - g[6], g[3] - g[1]} +
              own / (sigma[i] * sigma[i] * sigma[i]) * from,
          turn = alpha / std::max(1.0, alpha * rankine::norm(w)) *
                 (rankine::norm(from) * w - rankine::norm(w) * from);
      for (int k = 0; k < 3; ++k) y[3 * i + static_cast<std::size_t>(k)] += turn[k];
    });
  }
  std::size_t limit_growth(std::size_t n, double most, const double* sigma, const double* before,
                           double* x) override {
    const auto length = [](const double* v) { return std::hypot(v[0], v[1], v[2]); };
    const auto limit = [&](std::size_t i, std::size_t& limited) {
      const double bound = std::max(length(before + 3 * i), most * sigma[i] * sigma[i] * sigma[i]),
                   size = length(x + 3 * i);
      if (size <= bound) return;
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) x[k] *= bound / size;
      ++limited;
    };
    return parallel_reduce(n, std::size_t{0}, limit,
                           [](std::size_t& all, std::size_t part) { all += part; });
  }

  void place_beside(std::size_t n, double distance, const double* sigma, const double* x,
                    const double* g, double* p) override {
    parallel_for(n, [=](std::size_t i) {
      const double size = std::hypot(g[3 * i], g[3 * i + 1], g[3 * i + 2]),
                   step = size > 0.0 ? distance * sigma[i] / size : 0.0;
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k) {
        p[k] = x[k];
        p[3 * n + k] = x[k] + step * g[k];
        p[6 * n + k] = x[k] - step * g[k];
      }
    });
  }
  void add_derivative(std::size_t n, double distance, const double* sigma, const double* g,
                      const double* u, double* y) override {
    parallel_for(n, [=](std::size_t i) {
      const double size = std::hypot(g[3 * i], g[3 * i + 1], g[3 * i + 2]),
                   factor = size / (2.0 * distance * sigma[i]);
      for (std::size_t k = 3 * i; k < 3 * i + 3; ++k)
        y[k] += factor * (u[3 * n + k] - u[6 * n + k]);
    });
  }

  double norm(std::size_t n, const double* x) override {
    double h = 0.0;
    project(n, 1, x, x, &h);
    return std::sqrt(h);
  }
  void project(std::size_t n, int k, const double* v, const double* w, double* h) override {
    const auto columns = static_cast<std::size_t>(k);
    const std::size_t blocks = (n + block_size - 1) / block_size;
    std::vector<double> partial(blocks * columns);
    parallel_for(blocks, [&](std::size_t block) {
      const std::size_t begin = block * block_size, end = std::min(n, begin + block_size);
      for (std::size_t j = 0; j < columns; ++j)
        partial[block * columns + j] = block_dot(begin, end, v + j * n, w);
    });
    std::fill(h, h + columns, 0.0);
    for (std::size_t block = 0; block < blocks; ++block) {
      for (std::size_t j = 0; j < columns; ++j) h[j] += partial[block * columns + j];
    }
  }
  void subtract(std::size_t n, int k, const double* v, const double* h, double* w) override {
    parallel_for((n + block_size - 1) / block_size, [&](std::size_t block) {
      const std::size_t begin = block * block_size, end = std::min(n, begin + block_size);
      for (int j = 0; j < k; ++j) {
        const double* column = v + static_cast<std::size_t>(j) * n;
        for (std::size_t i = begin; i < end; ++i) w[i] -= h[j] * column[i];
      }
    });
  }
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend() { return std::make_unique<CpuBackend>(); }

}  // namespace rankine::bem
