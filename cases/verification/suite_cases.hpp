// The problems of `rankine verify` that are case files. Each is solved as by `rankine solve`, and
// numbers of its summary.json are compared with exact values.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace rankine::cases {

/// A number, or an array of numbers, of a summary.
struct Quantity {
  std::string name;
  std::string pointer;        ///< JSON pointer (RFC 6901) into summary.json
  std::vector<double> exact;  ///< nested arrays are flattened by rows
  double limit;               ///< for |found - exact| / scale
  double scale = 0.0;         ///< 0: |exact|
  double order = 0.0;         ///< minimum observed order, from a mesh with a quarter of the panels
};

struct SuiteCase {
  std::string group, name;
  std::string text;  ///< the case file, without mesh.panels
  int panels;
  std::vector<Quantity> quantities;
};

/// Ellipsoids in a stream: errors of potential, velocity and added mass.
std::vector<SuiteCase> quick_cases();

/// Cases that take minutes: added masses, loads on moving bodies, a source beside a sphere,
/// capacitances, dielectrics, thin walls and thin conductors.
std::vector<SuiteCase> long_cases();

/// |found - exact| / scale, of arrays the Euclidean norm. Infinite without a summary (null), zero
/// in processes that have none (empty).
double error_of(const Quantity& quantity, const nlohmann::json& summary);

}  // namespace rankine::cases
