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

  void each(std::size_t n, const VectorStep& step) override {
    std::visit([n](const auto& one) { parallel_for(n, [one](std::size_t i) { one(i); }); }, step);
  }
  std::size_t count(std::size_t n, const LimitGrowth& limit) override {
    return parallel_count(n, limit);
  }
  void copy(std::size_t n, const double* x, double* y) override {
    parallel_for(n, [=](std::size_t i) { y[i] = x[i]; });
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
