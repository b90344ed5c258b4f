// The table [sweep] of a case file: keys with a list of values each, which `rankine sweep` puts
// into the case, one combination after the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cases/input/keys.hpp"

namespace rankine::cases {

/// All combinations, the last key varies fastest; or first values together, then second values, ...
enum class Combine { product, zip };

struct SweptKey {
  std::string name;  ///< as the file has it
  std::string key;   ///< dotted, of the case
  std::vector<ListOfValues::Value> values;
};

struct Sweep {
  Combine combine = Combine::product;
  std::vector<SweptKey> keys;

  std::size_t size() const;  ///< number of cases
  /// Of case `k`, the index of the value of every key.
  std::vector<std::size_t> values_of(std::size_t k) const;
};

inline constexpr std::size_t most_swept_cases = 100000;

void sweep_keys(Keys& keys, Sweep& sweep);

/// The sweep has no keys if the file has no such table. A key without the name of a table belongs
/// to the first of `tables` that has such a key: "alpha" is problem.alpha. Throws InputError for
/// keys that no table has, values that are not lists, lists of unequal lengths in a zip, and too
/// many cases.
Sweep read_sweep(const Section& root, const std::vector<TableText>& tables);

}  // namespace rankine::cases
