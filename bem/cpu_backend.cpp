// The host's backend: plain memory, OpenMP loops. Sums run over fixed blocks, so that results do
// not depend on the number of threads.
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <new>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/near_field.hpp"

namespace rankine::bem {
namespace {

constexpr std::int64_t block_size = 8192;

std::int64_t block_count(std::size_t n) {
  return (static_cast<std::int64_t>(n) + block_size - 1) / block_size;
}

double block_dot(std::int64_t begin, std::int64_t end, const double* x, const double* y) {
  double sum = 0.0;
#pragma omp simd reduction(+ : sum)
  for (std::int64_t i = begin; i < end; ++i) sum += x[i] * y[i];
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
  explicit CpuBackend(int threads) : threads_(threads > 0 ? threads : omp_get_max_threads()) {}

  std::string name() const override { return "cpu"; }
  std::string device() const override { return processor_name(); }

  Array allocate(std::size_t size) override {
    auto* data = new double[size];
    fill(size, 0.0, data);
    return Array(data, size, [](double* p) { delete[] p; });
  }

  void upload(std::span<const double> host, double* destination) override {
    std::copy(host.begin(), host.end(), destination);
  }
  void download(const double* source, std::span<double> host) override {
    std::copy(source, source + host.size(), host.begin());
  }

  std::unique_ptr<fmm::Operator> make_operator(const fmm::Points& points,
                                               const fmm::Options& options) override {
    fmm::Options own = options;
    if (own.threads == 0) own.threads = threads_;
    return fmm::make_cpu_operator(points, own);
  }

  std::unique_ptr<NearField> make_near_field(const Panels& panels,
                                             const Discretization& discretization,
                                             Layer layer) override {
    return make_cpu_near_field(panels, discretization, layer, threads_);
  }

  void copy(std::size_t n, const double* x, double* y) override {
    for_each(n, [=](std::int64_t i) { y[i] = x[i]; });
  }
  void scale(std::size_t n, double alpha, double* x) override {
    for_each(n, [=](std::int64_t i) { x[i] *= alpha; });
  }
  void axpy(std::size_t n, double alpha, const double* x, double* y) override {
    for_each(n, [=](std::int64_t i) { y[i] += alpha * x[i]; });
  }

  double norm(std::size_t n, const double* x) override {
    double h = 0.0;
    project(n, 1, x, x, &h);
    return std::sqrt(h);
  }

  void project(std::size_t n, int k, const double* v, const double* w, double* h) override {
    const std::int64_t blocks = block_count(n);
    std::vector<double> partial(static_cast<std::size_t>(blocks * k));
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t block = 0; block < blocks; ++block) {
      const std::int64_t end =
          std::min<std::int64_t>(static_cast<std::int64_t>(n), (block + 1) * block_size);
      for (int j = 0; j < k; ++j) {
        partial[block * k + j] =
            block_dot(block * block_size, end, v + j * static_cast<std::int64_t>(n), w);
      }
    }
    std::fill(h, h + k, 0.0);
    for (std::int64_t block = 0; block < blocks; ++block) {
      for (int j = 0; j < k; ++j) h[j] += partial[block * k + j];
    }
  }

  void subtract(std::size_t n, int k, const double* v, const double* h, double* w) override {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t block = 0; block < block_count(n); ++block) {
      const std::int64_t end =
          std::min<std::int64_t>(static_cast<std::int64_t>(n), (block + 1) * block_size);
      for (int j = 0; j < k; ++j) {
        const double* column = v + j * static_cast<std::int64_t>(n);
        for (std::int64_t i = block * block_size; i < end; ++i) w[i] -= h[j] * column[i];
      }
    }
  }

  void distribute(std::size_t panels, int nodes, const double* strength, const double* weight,
                  double* sources) override {
    for_each(panels, [=](std::int64_t j) {
      for (int k = 0; k < nodes; ++k) sources[j * nodes + k] = strength[j] * weight[j * nodes + k];
    });
  }

  void add_normal_part(std::size_t n, double alpha, const double* normals, const double* vectors,
                       double* y) override {
    for_each(n, [=](std::int64_t i) {
      const double* a = normals + 3 * i;
      const double* b = vectors + 3 * i;
      y[i] += alpha * (a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
    });
  }

 private:
  template <class Body>
  void for_each(std::size_t n, Body body) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(n); ++i) body(i);
  }

  void fill(std::size_t n, double value, double* x) const {
    for_each(n, [=](std::int64_t i) { x[i] = value; });
  }

  int threads_;
};

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(int threads) {
  return std::make_unique<CpuBackend>(threads);
}

}  // namespace rankine::bem
