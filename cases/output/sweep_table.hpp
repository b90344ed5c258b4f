// The results of the cases of a sweep in one table: .csv, a data set in NetCDF, a collection for
// ParaView.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/sweep.hpp"
#include "cases/output/summary.hpp"

namespace rankine::cases {

/// One case of a sweep that has ended.
struct SweptCase {
  std::string folder;           ///< of its results, in that of the sweep
  std::string status, message;  ///< "converged", ...; "failed" and why
  int exit_code = 0;
  Json summary = Json::object();  ///< summary.json; empty if there are no results
};

/// Numbers of a summary by name: those of "results", lists and objects taken apart (force_x,
/// lift.CL, capacitance_matrix_1_2, bodies.hull.volume), iterations, true_residual.
std::vector<std::pair<std::string, double>> figures_of(const Json& summary);

/// One line per case: folder, the values of keys, status, exit code, warnings, figures, message.
std::string sweep_csv(const Sweep& sweep, const std::vector<SweptCase>& cases);

/// The figures over the keys of a product, or over "case". Of cases without results they are NaN.
std::string sweep_netcdf(const Sweep& sweep, const std::vector<SweptCase>& cases);

/// "alpha 4, beta 0", the values of case `k`.
std::string show_values(const Sweep& sweep, std::size_t k);

}  // namespace rankine::cases
