// Words of the Python interface and their C++ values.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <utility>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/gpu/runtime/device.hpp"

namespace rankine::python {

template <class Enum, std::size_t N>
struct Words {
  std::array<std::pair<const char*, Enum>, N> all;

  /// The value of a word. Throws InputError with the known words.
  Enum value(const std::string& what, const std::string& word) const {
    std::string known;
    for (const auto& [each, value] : all) {
      if (word == each) return value;
      known += (known.empty() ? "\"" : ", \"") + std::string(each) + "\"";
    }
    throw InputError(what + " \"" + word + "\" is not known; use one of " + known);
  }
  const char* word(Enum value) const {
    for (const auto& [each, of] : all)
      if (of == value) return each;
    return "";
  }
};

enum class Place { automatic, cpu, cuda };

inline Place place(const std::string& device) {
  static constexpr Words<Place, 3> places{
      {{{"auto", Place::automatic}, {"cpu", Place::cpu}, {"cuda", Place::cuda}}}};
  return places.value("device", device);
}

inline bool is_device(Place place) {
  return place == Place::cuda || (place == Place::automatic && gpu::available());
}

/// 0 threads: OMP_NUM_THREADS, else all processors. Throws InputError for a negative number.
inline Execution execution(int threads) {
  if (threads >= 0) return {.threads = threads};
  throw InputError("threads " + std::to_string(threads) +
                   " is negative; use 1 or more, or 0 for all");
}

}  // namespace rankine::python
