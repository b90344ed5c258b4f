#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cases/input/suggest.hpp"
#include "cases/input/sweep.hpp"
#include "cases/input/words.hpp"

namespace rankine::cases {
namespace {

const Choices<Combine> combine_words{{"product", Combine::product}, {"zip", Combine::zip}};

/// The key of the case for a name in [sweep].
std::string key_of(const ListOfValues& list, const std::vector<TableText>& tables) {
  if (list.key.find('.') != std::string::npos) return list.key;
  std::vector<std::string> known;
  for (const TableText& table : tables) {
    if (table.list && table.path == list.key) return list.key;  // a list of whole tables
    if (table.list || table.path.empty() || table.path == "sweep") continue;
    for (const Row& row : table.rows) {
      if (row.name == list.key) return table.path + "." + row.name;
      known.push_back(row.name);
    }
  }
  const std::string meant = did_you_mean(list.key, known);
  const bool close = meant.find("did you mean") != std::string::npos;
  throw InputError(fmt::format("{}: sweep.{} is no key of a case{}", list.where, list.key,
                               close ? meant : "; see rankine keys for all of them"));
}

}  // namespace

std::size_t Sweep::size() const {
  if (keys.empty()) return 0;
  if (combine == Combine::zip) return keys.front().values.size();
  std::size_t product = 1;
  for (const SweptKey& each : keys) product *= each.values.size();
  return product;
}

std::vector<std::size_t> Sweep::values_of(std::size_t k) const {
  std::vector<std::size_t> values(keys.size(), k);
  if (combine == Combine::zip) return values;
  for (std::size_t i = keys.size(); i > 0; --i) {
    values[i - 1] = k % keys[i - 1].values.size();
    k /= keys[i - 1].values.size();
  }
  return values;
}

void sweep_keys(Keys& keys, Sweep& sweep) {
  keys.table(
      "sweep",
      "Cases for `rankine sweep`: any key of the case with a list of values. alpha = [0, 2] is "
      "problem.alpha; solver.tolerance = [1e-4, 1e-6] names the table.");
  keys.key("combine", sweep.combine, combine_words,
           {"All combinations, the last key fastest, or first with first, second with second."});
}

Sweep read_sweep(const Section& root, const std::vector<TableText>& tables) {
  Sweep sweep;
  if (!root.has("sweep")) return sweep;
  const Section section = root.table("sweep");
  std::string word = "product";
  section.read_word("combine", word, words_of(combine_words));
  if (word == "zip") sweep.combine = Combine::zip;
  Errors errors;
  std::set<std::string> taken;
  double cases = 1.0;
  for (const ListOfValues& list : section.lists({"combine"})) {
    errors.collect([&] {
      const std::string key = key_of(list, tables);
      if (!taken.insert(key).second)
        throw InputError(fmt::format("{}: sweep has {} twice; keep one", list.where, key));
      const std::size_t first =
          sweep.keys.empty() ? list.values.size() : sweep.keys.front().values.size();
      if (sweep.combine == Combine::zip && list.values.size() != first) {
        throw InputError(fmt::format(
            "{}: sweep.{} has {} values and sweep.{} has {}; a zip takes lists of one length",
            list.where, list.key, list.values.size(), sweep.keys.front().name, first));
      }
      cases *= static_cast<double>(list.values.size());
      sweep.keys.push_back({list.key, key, list.values});
    });
  }
  errors.raise();
  if (sweep.combine == Combine::zip && !sweep.keys.empty())
    cases = static_cast<double>(sweep.keys.front().values.size());
  if (cases > static_cast<double>(most_swept_cases))
    section.fail("combine", fmt::format("makes {} cases, more than {}; give shorter lists", cases,
                                        most_swept_cases));
  if (sweep.keys.empty())
    section.fail("combine", "has nothing to combine; give a key, for example alpha = [0, 2, 4]");
  return sweep;
}

}  // namespace rankine::cases
