// Random numbers that are the same on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace rankine {

/// Uniform doubles made from the generator's bits, since std::uniform_real_distribution differs
/// between standard libraries.
class Uniform {
 public:
  explicit Uniform(std::uint64_t seed) : generator_(seed) {}
  /// In [0, 1).
  double operator()() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  /// A whole number from 0 to n - 1.
  std::size_t below(std::size_t n) { return generator_() % n; }
  double between(double a, double b) { return a + (b - a) * (*this)(); }

 private:
  std::mt19937_64 generator_;
};

}  // namespace rankine
