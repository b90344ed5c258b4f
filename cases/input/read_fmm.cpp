#include "cases/input/read_fmm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cases/input/words.hpp"
#include "rankine/fmm/harmonics.hpp"

namespace rankine::cases {

Section fmm_table(const Section& root) {
  return root.table("fmm", {"method", "tolerance", "order", "leaf_capacity", "precision"});
}

FmmInput read_fmm(const Section& section, const Section& solver_section,
                  const SolverInput& solver) {
  FmmInput input;
  input.method = section.choice("method", input.method, method_words);
  const double least = fmm::least_tolerance(fmm::Precision::float64),
               least_float = fmm::least_tolerance(fmm::Precision::float32);
  input.tolerance = section.number("tolerance", std::max(0.1 * solver.tolerance, least),
                                   between(least, fmm::most_tolerance));
  input.order = section.integer("order", input.order, between(0, fmm::max_order - 1));
  input.leaf_capacity = section.integer("leaf_capacity", input.leaf_capacity, at_least(0));
  const bool single = solver.precision == SolverPrecision::float32;
  input.precision = section.choice(
      "precision", single ? fmm::Precision::float32 : fmm::Precision::float64, precision_words);
  if (input.precision == fmm::Precision::float32 && input.tolerance < least_float) {
    const Section& chosen = section.has("precision") ? section : solver_section;
    chosen.fail(
        "precision",
        fmt::format("\"float\" reaches tolerances of {} and above, fmm.tolerance is {}; use "
                    "\"double\", perhaps with solver.precision \"mixed\", or loosen the tolerance",
                    least_float, input.tolerance));
  }
  return input;
}

}  // namespace rankine::cases
