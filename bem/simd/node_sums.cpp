#include "rankine/bem/simd/node_sums.hpp"

namespace rankine::bem {

void SeparateNodes::resize(std::size_t count) {
  for (int axis = 0; axis < 3; ++axis) {
    point_[axis].resize(count);
    normal_[axis].resize(count);
  }
  weight_.resize(count);
}

void SeparateNodes::set(std::size_t k, const Vec3d& point, const Vec3d& normal, double weight) {
  for (int axis = 0; axis < 3; ++axis) {
    point_[axis][k] = point[axis];
    normal_[axis][k] = normal[axis];
  }
  weight_[k] = weight;
}

NodeArrays SeparateNodes::arrays() const {
  return {point_[0].data(),  point_[1].data(),  point_[2].data(), normal_[0].data(),
          normal_[1].data(), normal_[2].data(), weight_.data()};
}

}  // namespace rankine::bem
