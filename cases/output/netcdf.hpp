// Writes small data sets in the classic NetCDF format (CDF-1), which xarray, Capytaine and MATLAB
// read: named dimensions, and variables of doubles or strings over them. Format: "NetCDF Classic
// and 64-bit Offset File Formats" (OGC 10-092r3, section 7). The NetCDF library is not used: it
// depends on some forty others, among them a network client.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rankine::cases {

struct NetcdfVariable {
  std::string name;
  std::vector<std::string> dimensions;  ///< names; empty: a scalar
  /// One value per point of the grid of dimensions; the last varies fastest. In the file strings
  /// have one more dimension, the length of the longest.
  std::variant<std::vector<double>, std::vector<std::string>> values;
  std::vector<std::pair<std::string, std::string>> attributes{};
};

/// The bytes of the file. Throws std::logic_error for an unknown dimension and for a wrong number
/// of values.
std::string netcdf(const std::vector<std::pair<std::string, std::int32_t>>& dimensions,
                   const std::vector<std::pair<std::string, std::string>>& attributes,
                   const std::vector<NetcdfVariable>& variables);

}  // namespace rankine::cases
