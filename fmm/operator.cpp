#include "rankine/fmm/operator.hpp"

namespace rankine::fmm {

std::string_view to_string(Method method) {
  switch (method) {
    case Method::direct:
      return "direct";
    case Method::treecode:
      return "treecode";
    case Method::fmm:
      break;
  }
  return "fmm";
}

std::string_view to_string(Precision precision) {
  switch (precision) {
    case Precision::float32:
      return "float";
    case Precision::mixed:
      return "mixed";
    case Precision::float64:
      break;
  }
  return "double";
}

}  // namespace rankine::fmm
