#include "cases/solve/surface.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "cases/build_info.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::cases {
namespace {

/// Adds the images of panels to the means at nodes on symmetry planes, which include one side only.
void add_images(const meshes::SurfaceMesh& mesh, const meshes::Symmetry& symmetry,
                bool changes_sign, meshes::Field& field) {
  if (symmetry.empty()) return;
  const auto width = static_cast<std::size_t>(field.components);
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) {
    const int planes = symmetry.planes_at(mesh.nodes[n]);
    for (std::size_t k = 0; k < symmetry.planes().size(); ++k) {
      if ((planes >> k & 1) == 0) continue;
      const meshes::SymmetryPlane& plane = symmetry.planes()[k];
      for (std::size_t c = 0; c < width; ++c) {
        const double turned = width == 3 && static_cast<int>(c) == plane.axis ? -1.0 : 1.0;
        field.values[n * width + c] *= 0.5 * (1.0 + (changes_sign ? plane.sign : 1.0) * turned);
      }
    }
  }
}

}  // namespace

std::vector<double> flat(std::span<const Vec3d> vectors) {
  std::vector<double> values;
  values.reserve(3 * vectors.size());
  for (const Vec3d& v : vectors) values.insert(values.end(), {v.x, v.y, v.z});
  return values;
}

std::vector<double> average_to_nodes(const bem::NodePanels& around, std::size_t nodes,
                                     std::span<const double> area, std::span<const double> values,
                                     int components) {
  const auto width = static_cast<std::size_t>(components);
  std::vector<double> means(nodes * width, 0.0);
  parallel_for(nodes, [&](std::size_t node) {
    double* const mean = means.data() + node * width;
    double weight = 0.0;
    for (std::int64_t k = around.offsets[node]; k < around.offsets[node + 1]; ++k) {
      const auto panel = static_cast<std::size_t>(around.panels[static_cast<std::size_t>(k)]);
      if (panel >= area.size()) break;  // images follow the panels
      weight += area[panel];
      for (std::size_t c = 0; c < width; ++c) mean[c] += area[panel] * values[panel * width + c];
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
  for (const auto& [name, components] :
       {std::pair{"Cp", 1}, std::pair{"U", 3}, std::pair{"grad_phi", 3}, std::pair{"phi", 1}}) {
    for (const meshes::Field& cell : fields.cell) {
      if (cell.name != name) continue;
      fields.point.push_back({name, components,
                              average_to_nodes(*problem.panels.at_nodes, mesh.nodes.size(), area,
                                               cell.values, components)});
      add_images(mesh, problem.panels.symmetry, cell.name != "Cp", fields.point.back());
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
