// Small data sets in the classic NetCDF format (CDF-1), which xarray, Capytaine and MATLAB read:
// named dimensions, and variables of doubles or of strings over them. The format is that of
// "NetCDF Classic and 64-bit Offset File Formats" (OGC 10-092r3, section 7). The NetCDF library
// would bring some forty others into the program, a network client among them.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace rankine::cases {

struct NetcdfVariable {
  std::string name;
  std::vector<std::string> dimensions;  ///< names; none: one value
  /// As many as the product of the dimensions, the last varies fastest. Strings have one more
  /// dimension, of the longest.
  std::variant<std::vector<double>, std::vector<std::string>> values;
  std::vector<std::pair<std::string, std::string>> attributes{};
};

/// The bytes of a file. Throws std::logic_error for a dimension that is not named and for another
/// number of values.
std::string netcdf(const std::vector<std::pair<std::string, std::int32_t>>& dimensions,
                   const std::vector<std::pair<std::string, std::string>>& attributes,
                   const std::vector<NetcdfVariable>& variables);

}  // namespace rankine::cases
