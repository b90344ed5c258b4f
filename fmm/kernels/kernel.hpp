// Which kernel is summed. A new one is a class like Laplace in a file of its own here, a value and a
// name below, and a line of with_kernel(): pair loops of every backend choose by it.
#pragma once

#include <string_view>

#include "rankine/fmm/kernels/laplace.hpp"

namespace rankine::fmm {

enum class Kernel {
  laplace,             ///< 1/r
  plummer,             ///< softened gravity, 1/sqrt(r^2 + eps^2)
  vortex_exponential,  ///< Biot-Savart, core exp(-rho^3), rho = r / sigma
  vortex_gaussian,     ///< Biot-Savart, core exp(-rho^2 / 2)
};

template <class Term>
struct KernelConstant {
  using type = Term;
};

/// Calls work(KernelConstant<the class of the kernel>).
template <class Work>
decltype(auto) with_kernel(Kernel kernel, Work&& work) {
  switch (kernel) {
    default:
      break;
  }
  return work(KernelConstant<Laplace>{});
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
