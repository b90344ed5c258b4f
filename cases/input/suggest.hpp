// "Did you mean": the known name closest to a misspelt word in the Damerau-Levenshtein distance
// (Damerau 1964).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rankine::cases {

/// Insertions, deletions, substitutions and swaps of neighbours
/// that turn `a` into `b`, ignoring case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// `; did you mean "NAME"?` where one of `known` is close to `word`, otherwise `; known: A, B, C`.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace rankine::cases
