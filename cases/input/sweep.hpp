// The table [sweep] of a case file: keys with lists of values. `rankine sweep` runs the case with
// one combination after the other.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "cases/input/keys.hpp"

namespace rankine::cases {

/// product: all combinations, the last key varies fastest; zip: the k-th values of all keys
/// together.
enum class Combine { product, zip };

struct SweptKey {
  std::string name;  ///< as written in the file
  std::string key;   ///< dotted, of the case
  std::vector<ListOfValues::Value> values;
};

struct Sweep {
  Combine combine = Combine::product;
  std::vector<SweptKey> keys;

  std::size_t size() const;  ///< number of cases
  /// For case `k`, the index of the value of every key.
  std::vector<std::size_t> values_of(std::size_t k) const;
};

inline constexpr std::size_t most_swept_cases = 100000;

void sweep_keys(Keys& keys, Sweep& sweep);

/// Without the table the sweep has no keys. A key without a table name belongs to the first of
/// `tables` that has such a key: "alpha" is problem.alpha. Throws InputError for unknown keys,
/// values that are not lists, lists of unequal lengths in a zip, and too many cases.
Sweep read_sweep(const Section& root, const std::vector<TableText>& tables);

}  // namespace rankine::cases
