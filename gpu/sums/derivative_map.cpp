#include "rankine/gpu/sums/derivative_map.hpp"

#include <algorithm>

namespace rankine::gpu {
namespace {

template <class T>
LinearMap<T> from_rows(const std::vector<std::vector<typename LinearMap<T>::Entry>>& rows) {
  LinearMap<T> map;
  map.rows = static_cast<std::int32_t>(rows.size());
  for (const auto& row : rows)
    map.width = std::max(map.width, static_cast<std::int32_t>(row.size()));
  map.entries.resize(static_cast<std::size_t>(map.rows) * map.width);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t i = 0; i < rows[r].size(); ++i) map.entries[i * rows.size() + r] = rows[r][i];
  }
  return map;
}

}  // namespace

template <class T>
LinearMap<T> derivative_map(fmm::Harmonic kind, int order, int row_size) {
  std::vector<std::vector<typename LinearMap<T>::Entry>> rows(3 *
                                                              static_cast<std::size_t>(row_size));
  const fmm::GradientTerms<T> gradient(kind, order);
  for (const auto& term : gradient.terms()) {
    rows[static_cast<std::size_t>(term.axis) * row_size + term.in].push_back(
        {term.of, term.coefficient});
  }
  return from_rows<T>(rows);
}

template LinearMap<float> derivative_map<float>(fmm::Harmonic, int, int);
template LinearMap<double> derivative_map<double>(fmm::Harmonic, int, int);

}  // namespace rankine::gpu
