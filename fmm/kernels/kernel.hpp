// Which kernel is summed. A new one is a class like Laplace in a file of its own here, a value and a
// name below, and a case of with_kernel(): pair loops of every backend choose by it.
#pragma once

#include <string_view>

#include "rankine/fmm/kernels/laplace.hpp"
#include "rankine/fmm/kernels/plummer.hpp"
#include "rankine/fmm/kernels/vortex.hpp"

namespace rankine::fmm {

enum class Kernel {
  laplace,             ///< 1/r
  plummer,             ///< softened gravity, 1/sqrt(r^2 + eps^2)
  vortex_exponential,  ///< Biot-Savart, core exp(-rho^3), rho = r / sigma
  vortex_gaussian,     ///< Biot-Savart, core exp(-rho^2 / 2)
};

/// True where strengths are vortices and results velocities.
constexpr bool is_vortex(Kernel kernel) {
  return kernel == Kernel::vortex_exponential || kernel == Kernel::vortex_gaussian;
}

/// A kernel with what all its pairs share.
struct PairKernel {
  Kernel kernel = Kernel::laplace;
  double softening = 0.0;  ///< edges of the root box
};

/// Calls work(the kernel's object, with numbers S).
template <class S, class Work>
decltype(auto) with_kernel(const PairKernel& kernel, Work&& work) {
  switch (kernel.kernel) {
    case Kernel::plummer: {
      const auto softening = static_cast<S>(kernel.softening);
      Plummer<S> plummer;
      plummer.softening2 = softening * softening;
      return work(plummer);
    }
    case Kernel::vortex_exponential:
      return work(Vortex<ExponentialCore>{});
    case Kernel::vortex_gaussian:
      return work(Vortex<GaussianCore>{});
    case Kernel::laplace:
      break;
  }
  return work(Laplace{});
}

constexpr std::string_view to_string(Kernel kernel) {
  switch (kernel) {
    case Kernel::plummer:
      return "plummer";
    case Kernel::vortex_exponential:
      return "vortex_exponential";
    case Kernel::vortex_gaussian:
      return "vortex_gaussian";
    case Kernel::laplace:
      break;
  }
  return "laplace";
}

}  // namespace rankine::fmm
