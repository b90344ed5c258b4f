// The viscous drag of a wing, strip by strip: every strip has the drag coefficient c_d that a polar
// table gives for its lift coefficient c_l = 2 m/(U c), as if its flow were two-dimensional.
#pragma once

#include <filesystem>
#include <vector>

#include "rankine/bem/flow/flow.hpp"

namespace rankine::cases {

struct ViscousDrag {
  std::vector<double> section;  ///< c_d of every segment of the trailing edges
  double area = 0.0;            ///< sum of c_d c dy over the modelled strips, m^2
  std::size_t outside = 0;      ///< strips with a c_l beyond the tables, which have its end value
};

/// Throws InputError for tables that find_viscous_drag() refuses.
void check_polars(const std::filesystem::path& polars);

/// Tables from a .csv file with the columns cl and cd, and y where there are several: for sections
/// at the distances y from the plane y = 0, m, between which c_d is linear. Throws InputError if cl
/// does not increase within a section.
ViscousDrag find_viscous_drag(const std::filesystem::path& polars, const bem::FlowProblem& problem,
                              const bem::Solution& solution);

}  // namespace rankine::cases
