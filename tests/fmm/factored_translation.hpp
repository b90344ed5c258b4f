// The factored translation of one expansion, as the passes apply it.
#pragma once

#include <algorithm>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/translation_schedule.hpp"

namespace rankine::fmm {

inline Translation<double> make_translation(Shift shift, const Vec3d& t, int order) {
  const auto of = static_cast<std::int8_t>(order);
  return make_translations<double>(shift, {&t, 1}, {&of, 1}).front();
}

inline std::vector<double> translated(const Translation<double>& translation,
                                      const std::vector<double>& expansion) {
  const Kernels<double>& simd = kernels<double>();
  AlignedVector<double> workspace(simd.workspace_size(translation.order));
  const std::size_t width = simd.width, stride = (expansion.size() + width - 1) / width * width;
  std::vector<double> source(stride, 0.0), target(stride, 0.0);
  std::copy(expansion.begin(), expansion.end(), source.begin());
  const std::int32_t box = 0;
  simd.translate(factors_of(translation), &box, &box, 1, source.data(), target.data(),
                 static_cast<std::int64_t>(stride), workspace.data());
  target.resize(expansion.size());
  return target;
}

}  // namespace rankine::fmm
