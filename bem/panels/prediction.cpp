#include "rankine/bem/panels/prediction.hpp"

#include "rankine/bem/panels/small_cholesky.hpp"

namespace rankine::bem {
namespace {

/// False where the samples do not fix 1, u, v, u^2, u v, v^2 as far as `Terms` goes, with one to spare.
template <int Terms>
bool predict(std::span<const PlaneSample> samples, std::vector<double>& weights) {
  if (samples.size() < Terms + 1) return false;
  struct TermValues {
    double term[6];
    explicit TermValues(const PlaneSample& s)
        : term{1.0, s.x, s.y, s.x * s.x, s.x * s.y, s.y * s.y} {}
  };
  const auto weight_of = [](const PlaneSample& s) {
    return PlaneFit::weight_at(s.x * s.x + s.y * s.y);
  };
  double normal[Terms][Terms] = {};
  for (const PlaneSample& s : samples) {
    const TermValues of(s);
    for (int i = 0; i < Terms; ++i) {
      for (int j = 0; j <= i; ++j) normal[i][j] += weight_of(s) * of.term[i] * of.term[j];
    }
  }
  const SmallCholesky<Terms> factors([&](int i, int j) { return normal[i][j]; });
  if (!factors.is_regular(1e-4)) return false;
  double of_constant[Terms] = {1.0};
  factors.solve(of_constant);
  weights.clear();
  for (const PlaneSample& s : samples) {
    const TermValues of(s);
    double sum = 0.0;
    for (int i = 0; i < Terms; ++i) sum += of_constant[i] * of.term[i];
    weights.push_back(weight_of(s) * sum);
  }
  return true;
}

}  // namespace

void predict_origin(std::span<const PlaneSample> samples, double least,
                    std::vector<double>& weights) {
  const Whitening whitening(
      static_cast<int>(samples.size()), [&](int k) { return samples[static_cast<std::size_t>(k)]; },
      least);
  std::vector<PlaneSample> white;
  for (const PlaneSample& s : samples) white.push_back(whitening(s));
  if (predict<6>(white, weights) || predict<3>(white, weights)) return;
  weights.assign(samples.size(), 1.0 / static_cast<double>(samples.size()));
}

}  // namespace rankine::bem
