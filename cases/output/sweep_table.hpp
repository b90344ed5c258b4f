// The results of a sweep: a .csv table, a NetCDF data set, and a collection for ParaView.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/sweep.hpp"
#include "cases/output/summary.hpp"

namespace rankine::cases {

/// A finished case of a sweep.
struct SweptCase {
  std::string folder;           ///< of its results, relative to that of the sweep
  std::string status, message;  ///< "converged", ...; "failed" with an error message
  int exit_code = 0;
  Json summary = Json::object();  ///< summary.json; empty without results
};

/// The numbers of a summary by name: iterations, true_residual and all of "results", with lists and
/// objects flattened (force_x, lift.CL, capacitance_matrix_1_2, bodies.hull.volume).
std::vector<std::pair<std::string, double>> figures_of(const Json& summary);

/// One line per case: folder, the values of keys, status, exit code, warnings, figures, message.
std::string sweep_csv(const Sweep& sweep, const std::vector<SweptCase>& cases);

/// The figures as variables. Their dimensions are the keys (Combine::product) or "case"
/// (Combine::zip). NaN for cases without results.
std::string sweep_netcdf(const Sweep& sweep, const std::vector<SweptCase>& cases);

/// The values of case `k`: "alpha 4, beta 0".
std::string show_values(const Sweep& sweep, std::size_t k);

}  // namespace rankine::cases
