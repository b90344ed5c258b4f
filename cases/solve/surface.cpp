#include "cases/solve/surface.hpp"

#include "cases/build_info.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

std::vector<double> flat(const std::vector<Vec3d>& vectors) {
  std::vector<double> values;
  values.reserve(3 * vectors.size());
  for (const Vec3d& v : vectors) values.insert(values.end(), {v.x, v.y, v.z});
  return values;
}

}  // namespace

std::vector<double> average_to_nodes(const meshes::SurfaceMesh& mesh, std::span<const double> area,
                                     std::span<const double> values, int components) {
  const auto width = static_cast<std::size_t>(components);
  std::vector<double> sum(mesh.nodes.size() * width, 0.0), weight(mesh.nodes.size(), 0.0);
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int corner = 0; corner < meshes::corner_count(mesh.elements[e]); ++corner) {
      const auto node =
          static_cast<std::size_t>(mesh.elements[e][static_cast<std::size_t>(corner)]);
      weight[node] += area[e];
      for (std::size_t c = 0; c < width; ++c)
        sum[node * width + c] += area[e] * values[e * width + c];
    }
  }
  for (std::size_t node = 0; node < mesh.nodes.size(); ++node) {
    if (weight[node] == 0.0) continue;
    for (std::size_t c = 0; c < width; ++c) sum[node * width + c] /= weight[node];
  }
  return sum;
}

std::vector<double> pressure_coefficient(const std::vector<double>& pressure, double density,
                                         const Vec3d& stream) {
  const double reference = bem::reference_pressure(density, stream);
  if (!(reference > 0.0)) {
    throw InputError(
        "without a stream there is no pressure coefficient, which refers to its dynamic pressure; "
        "use the pressure itself");
  }
  std::vector<double> cp = pressure;
  for (double& value : cp) value /= reference;
  return cp;
}

meshes::Fields surface_fields(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                              const bem::Solution& solution) {
  const std::vector<double> area(problem.panels.area.begin(), problem.panels.area.end());
  const std::vector<double> velocity = flat(solution.velocity);

  meshes::Fields fields;
  fields.cell = {
      {"Cp", 1, pressure_coefficient(solution.pressure, problem.density, solution.stream)},
      {"U", 3, velocity},
      {"phi", 1, solution.phi},
      {"p", 1, solution.pressure},
      {"Area", 1, area}};
  if (solution.doublet.empty()) fields.cell.push_back({"sigma", 1, solution.charge});
  for (const auto& [name, components] :
       {std::pair{"Cp", 1}, std::pair{"U", 3}, std::pair{"phi", 1}}) {
    for (const meshes::Field& cell : fields.cell) {
      if (cell.name != name) continue;
      fields.point.push_back(
          {name, components, average_to_nodes(mesh, area, cell.values, components)});
    }
  }
  return fields;
}

meshes::Metadata metadata(const std::string& title) {
  return {
      {"title", title},
      {"program", "rankine " + build_info().version},
      {"units", "lengths m, U m/s, phi m^2/s (perturbation potential), p Pa, sigma m/s, Area m^2"}};
}

}  // namespace rankine::cases
