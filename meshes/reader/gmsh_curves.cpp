#include "rankine/meshes/reader/gmsh_curves.hpp"

#include <gmsh.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace rankine::meshes {

std::vector<NamedCurve> named_curves(double unit) {
  constexpr int curve_dimension = 1;
  std::vector<NamedCurve> curves;
  gmsh::vectorpair groups;
  gmsh::model::getPhysicalGroups(groups, curve_dimension);
  if (groups.empty()) return curves;
  std::vector<std::size_t> numbers;
  std::vector<double> places, parametric;
  gmsh::model::mesh::getNodes(numbers, places, parametric);
  std::map<std::size_t, std::size_t> index;
  for (std::size_t n = 0; n < numbers.size(); ++n) index[numbers[n]] = 3 * n;
  const auto place_of = [&](std::size_t node) {
    const std::size_t at = index.at(node);
    return unit * Vec3d{places[at], places[at + 1], places[at + 2]};
  };
  for (const auto& [same, group] : groups) {
    NamedCurve curve;
    gmsh::model::getPhysicalName(curve_dimension, group, curve.name);
    if (curve.name.empty()) continue;
    std::vector<int> tags;
    gmsh::model::getEntitiesForPhysicalGroup(curve_dimension, group, tags);
    for (const int tag : tags) {
      std::vector<int> types;
      std::vector<std::vector<std::size_t>> elements, nodes;
      gmsh::model::mesh::getElements(types, elements, nodes, curve_dimension, tag);
      for (std::size_t t = 0; t < types.size(); ++t) {
        const std::size_t each = nodes[t].size() / std::max<std::size_t>(1, elements[t].size());
        for (std::size_t k = 0; k + 1 < nodes[t].size(); k += each) {
          curve.ends.push_back(place_of(nodes[t][k]));
          curve.ends.push_back(place_of(nodes[t][k + 1]));
        }
      }
    }
    if (!curve.ends.empty()) curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace rankine::meshes
