// How far the inverse distance of a pair is improved in double; in float the hardware's is taken.
#pragma once

namespace rankine::gpu {

enum class Root {
  precise,  ///< to the last digit
  quick     ///< to 1.2e-12 at most, 2e-13 on average, two of twelve instructions cheaper
};

/// The root that leaves the result of a sum within `tolerance` of its true value.
constexpr Root root_for(double tolerance) {
  return tolerance < 1e-10 ? Root::precise : Root::quick;
}

}  // namespace rankine::gpu
