#include "rankine/bem/layers/near_field.hpp"

#include <omp.h>

#include <utility>
#include <vector>

#include "rankine/bem/layers/near_integrals.hpp"
#include "rankine/bem/panels/near_pairs.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

class CpuNearField final : public NearField {
 public:
  CpuNearField(const Panels& panels, const Discretization& discretization, Layer layer, int threads)
      : threads_(threads),
        pairs_(find_near_pairs(panels.centroid, panels.centroid, discretization.near_radius)),
        values_(pairs_.columns.size()) {
    const ThreadScope scope(threads);
    double* const values = values_.data();
    integrate_near(near_entry_view(panels, discretization), {&layer, 1}, pairs_, {&values, 1});
  }

  void add(double alpha, const double* x, double* y, int rhs) const override {
    const auto n = static_cast<std::int64_t>(pairs_.targets());
    while (rhs > 0) {
      const int count = rhs >= 4 ? 4 : rhs >= 2 ? 2 : 1;
      if (count == 4) multiply<4>(alpha, x, y);
      if (count == 2) multiply<2>(alpha, x, y);
      if (count == 1) multiply<1>(alpha, x, y);
      x += count * n;
      y += count * n;
      rhs -= count;
    }
  }

  std::size_t entries() const override { return values_.size(); }
  std::size_t bytes() const override {
    return values_.size() * (sizeof(double) + sizeof(std::int32_t)) +
           pairs_.offsets.size() * sizeof(std::int64_t);
  }

 private:
  /// Every entry, read once, meets `count` vectors.
  template <int count>
  void multiply(double alpha, const double* x, double* y) const {
    const auto rows = static_cast<std::int64_t>(pairs_.targets());
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::int64_t i = 0; i < rows; ++i) {
      double sum[count] = {};
      for (std::int64_t k = pairs_.offsets[i]; k < pairs_.offsets[i + 1]; ++k) {
        const double* column = x + pairs_.columns[k];
        for (int c = 0; c < count; ++c) sum[c] += values_[k] * column[c * rows];
      }
      for (int c = 0; c < count; ++c) y[c * rows + i] += alpha * sum[c];
    }
  }

  int threads_;
  NearPairs pairs_;
  std::vector<double> values_;
};

}  // namespace

NearEntryView near_entry_view(const Panels& panels, const Discretization& discretization) {
  return {panels.shape.data(),           panels.centroid.data(),
          panels.normal.data(),          discretization.middle_radius.data(),
          discretization.points.data(),  discretization.normals.data(),
          discretization.weights.data(), discretization.nodes};
}

std::unique_ptr<NearField> make_cpu_near_field(const Panels& panels,
                                               const Discretization& discretization, Layer layer,
                                               int threads) {
  return std::make_unique<CpuNearField>(panels, discretization, layer,
                                        threads > 0 ? threads : omp_get_max_threads());
}

}  // namespace rankine::bem
