#include "cases/solve/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cases/build_info.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::cases {

std::vector<double> flat(std::span<const Vec3d> vectors) {
  std::vector<double> values;
  values.reserve(3 * vectors.size());
  for (const Vec3d& v : vectors) values.insert(values.end(), {v.x, v.y, v.z});
  return values;
}

std::vector<double> average_to_nodes(const bem::PanelNeighbourhood& around, std::size_t nodes,
                                     std::span<const double> values, int components,
                                     bool changes_sign) {
  const bem::Panels& panels = around.panels();
  const auto width = static_cast<std::size_t>(components);
  std::vector<double> means(nodes * width, 0.0);
  parallel_for(nodes, [&](std::size_t node) {
    double* const mean = means.data() + node * width;
    double weight = 0.0;
    for (const std::int32_t each : around.panels_at(static_cast<std::int32_t>(node))) {
      const auto panel = static_cast<std::size_t>(around.origin(each));
      const double area = panels.area[panel],
                   signed_area = (changes_sign ? around.sign(each) : 1.0) * area;
      const double* const own = values.data() + panel * width;
      weight += area;
      if (width == 3) {
        const Vec3d v = panels.symmetry.vector(around.image(each), {own[0], own[1], own[2]});
        for (int c = 0; c < 3; ++c) mean[c] += signed_area * v[c];
      } else {
        for (std::size_t c = 0; c < width; ++c) mean[c] += signed_area * own[c];
      }
    }
    for (std::size_t c = 0; weight > 0.0 && c < width; ++c) mean[c] /= weight;
  });
  return means;
}

std::optional<std::vector<double>> pressure_coefficient(const bem::FlowProblem& problem,
                                                        const std::vector<double>& pressure,
                                                        const Vec3d& stream) {
  const double reference = bem::reference_pressure(problem, stream);
  if (!problem.has_pressure || !(reference > 0.0)) return std::nullopt;
  double fastest = 0.0;  // largest normal speed of the walls
  for (const double each : problem.normal_velocity) fastest = std::max(fastest, std::abs(each));
  if (problem.reference_speed == 0.0 && fastest > 1e3 * norm(stream)) return std::nullopt;
  std::vector<double> cp = pressure;
  for (double& value : cp) value /= reference;
  return cp;
}

meshes::Fields surface_fields(const meshes::SurfaceMesh& mesh, const bem::FlowProblem& problem,
                              const bem::Solution& solution, const bem::ErrorEstimate& errors) {
  const std::vector<double> area(problem.panels.area.begin(), problem.panels.area.end());
  const auto cp = pressure_coefficient(problem, solution.pressure, solution.stream);
  meshes::Fields fields;
  if (cp) fields.cell.push_back({"Cp", 1, *cp});
  fields.cell.push_back({problem.has_pressure ? "U" : "grad_phi", 3, flat(solution.vectors())});
  if (problem.has_pressure && !solution.velocity_behind.empty())
    fields.cell.push_back({"U_behind", 3, flat(solution.velocity_behind)});
  fields.cell.push_back({"phi", 1, bem::disturbance_potential(problem, solution)});
  if (problem.has_pressure) fields.cell.push_back({"p", 1, solution.pressure});
  fields.cell.push_back({"Area", 1, area});
  if (errors.figures.speed > 0.0) {
    std::vector<double> error = errors.velocity;
    for (double& each : error) each /= errors.figures.speed;
    fields.cell.push_back({"error_estimate", 1, error});
  }
  if (!problem.normal_velocity.empty()) fields.cell.push_back({"flux", 1, solution.flux});
  if (solution.doublet.empty()) fields.cell.push_back({"sigma", 1, solution.charge});
  const bem::PanelNeighbourhood around(problem.panels);
  for (const auto& [name, components] :
       {std::pair{"Cp", 1}, std::pair{"U", 3}, std::pair{"grad_phi", 3}, std::pair{"phi", 1}}) {
    for (const meshes::Field& cell : fields.cell) {
      if (cell.name != name) continue;
      fields.point.push_back({name, components,
                              average_to_nodes(around, mesh.nodes.size(), cell.values, components,
                                               cell.name != "Cp")});
    }
  }
  return fields;
}

meshes::Metadata metadata(const std::string& title) {
  return {{"title", title},
          {"program", "rankine " + build_info().version},
          {"units",
           "lengths m, U m/s, phi m^2/s (perturbation potential), p Pa, sigma and flux "
           "(dphi/dn) m/s, Area m^2"}};
}

}  // namespace rankine::cases
