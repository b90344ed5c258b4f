#include "rankine/bem/panels/prediction.hpp"

#include <Eigen/Dense>

namespace rankine::bem {
namespace {

/// False where the samples do not fix 1, u, v, u^2, u v, v^2 as far as `Terms` goes, with one to spare.
template <int Terms>
bool predict(std::span<const PlaneSample> samples, std::vector<double>& weights) {
  if (samples.size() < Terms + 1) return false;
  using Vector = Eigen::Matrix<double, Terms, 1>;
  const auto terms_of = [](const PlaneSample& s) {
    Vector terms;
    const double all[6] = {1.0, s.x, s.y, s.x * s.x, s.x * s.y, s.y * s.y};
    for (int k = 0; k < Terms; ++k) terms(k) = all[k];
    return terms;
  };
  const auto weight_of = [](const PlaneSample& s) {
    return PlaneFit::weight_at(s.x * s.x + s.y * s.y);
  };
  Eigen::Matrix<double, Terms, Terms> normal = Eigen::Matrix<double, Terms, Terms>::Zero();
  for (const PlaneSample& s : samples) {
    const Vector terms = terms_of(s);
    normal += weight_of(s) * terms * terms.transpose();
  }
  const Eigen::LLT<Eigen::Matrix<double, Terms, Terms>> factors(normal);
  if (factors.info() != Eigen::Success) return false;
  const auto pivots = factors.matrixLLT().diagonal().array().square();
  if (!(pivots.minCoeff() > 1e-4 * pivots.maxCoeff())) return false;
  const Vector of_constant = factors.solve(Vector::Unit(0));
  weights.clear();
  for (const PlaneSample& s : samples)
    weights.push_back(weight_of(s) * of_constant.dot(terms_of(s)));
  return true;
}

}  // namespace

void predict_origin(std::span<const PlaneSample> samples, std::vector<double>& weights) {
  const Whitening whitening(static_cast<int>(samples.size()),
                            [&](int k) { return samples[static_cast<std::size_t>(k)]; });
  std::vector<PlaneSample> white;
  for (const PlaneSample& s : samples) white.push_back(whitening(s));
  if (predict<6>(white, weights) || predict<3>(white, weights)) return;
  weights.assign(samples.size(), 1.0 / static_cast<double>(samples.size()));
}

}  // namespace rankine::bem
