#include "rankine/bem/particles/redistribution.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/particles/redistribution_steps.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/core/radix_sort.hpp"

namespace rankine::bem {
namespace {

struct HostSpace {
  template <class T>
  using Array = AlignedVector<T>;
  template <class T>
  using Shown = std::span<const T>;

  template <class T>
  static Array<T> make(std::size_t n) {
    return Array<T>(n, T{});
  }
  template <class T>
  static Shown<T> shown(const std::vector<T>& values) {
    return values;
  }
  template <class T>
  static void read(const Array<T>& values, std::vector<T>& on_host) {
    on_host.assign(values.begin(), values.end());
  }
  template <class Work>
  static void each(std::size_t n, const Work& work) {
    constexpr std::size_t together = 16;
    parallel_chunks(n, together, work);
  }
  static void sort(Array<std::uint64_t>& keys, Array<std::int32_t>& values, int bits) {
    radix_sort(keys, values, bits);
  }
};

}  // namespace

void check_finite(const VortexParticles& particles) {
  for (std::size_t i = 0; i < particles.positions.size(); ++i) {
    if (!is_finite(particles.positions[i]) || !is_finite(particles.strengths[i]))
      throw InputError("vortices are not finite any more");
  }
}

RedistributionRecord redistribute(VortexParticles& particles, std::size_t sheet, double step,
                                  const RedistributionOptions& options) {
  HostSpace space;
  return redistribute_in(space, particles, sheet, step, options);
}

void spread_cores(VortexParticles& particles, fmm::Kernel kernel, double viscosity, double step) {
  const double growth = 2.0 * viscosity * step / core_variance(kernel);
  for (double& sigma : particles.core_radii) sigma = std::sqrt(sigma * sigma + growth);
}

}  // namespace rankine::bem
