// The kernels. To add one, write a class like Laplace in a file of this folder, and add a value, a
// name and a case of with_kernel() below; the pair loops of every backend use with_kernel().
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

/// True if strengths are vortices and results are velocities.
constexpr bool is_vortex(Kernel kernel) {
  return kernel == Kernel::vortex_exponential || kernel == Kernel::vortex_gaussian;
}

/// A kernel with the parameters that all its pairs share.
struct PairKernel {
  Kernel kernel = Kernel::laplace;
  double softening = 0.0;  ///< in units of the edge of the root box
};

/// Calls work(kernel object with numbers of type S).
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
