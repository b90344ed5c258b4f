#include "cases/solve/probes.hpp"

#include <cstdint>

#include "cases/input/probe_count.hpp"
#include "cases/solve/surface.hpp"
#include "rankine/bem/flow/field.hpp"

namespace rankine::cases {
namespace {

meshes::Grid grid_of(const ProbeInput& probe) {
  meshes::Grid grid;
  grid.origin = probe.origin;
  for (int i = 0; i < 3; ++i) {
    const int points = axis_point_count(probe, i);
    grid.points[static_cast<std::size_t>(i)] = points;
    // A layer of its own has no spacing; ParaView wants a positive one.
    grid.spacing[i] = points == 1 ? 1.0 : probe.size[i] / probe.cells[i];
  }
  return grid;
}

meshes::Fields fields_of(const ProbeResult& result) {
  std::vector<double> velocity;
  for (const Vec3d& u : result.velocity) velocity.insert(velocity.end(), {u.x, u.y, u.z});
  meshes::Fields fields;
  fields.point.push_back({result.pressure.empty() ? "grad_phi" : "U", 3, velocity});
  if (result.electric) {
    for (double& each : velocity) each = -each;
    fields.point.push_back({"E", 3, velocity});
  }
  if (!result.cp.empty()) fields.point.push_back({"Cp", 1, result.cp});
  if (result.cp.empty() && !result.pressure.empty())
    fields.point.push_back({"p", 1, result.pressure});
  fields.point.push_back({"phi", 1, result.phi});
  fields.point.push_back({"inside", 1, result.inside});
  return fields;
}

}  // namespace

std::vector<Vec3d> probe_points(const ProbeInput& probe) {
  if (probe.kind == ProbeKind::points) return probe.points;
  std::vector<Vec3d> points;
  if (probe.kind == ProbeKind::line) {
    for (int i = 0; i < probe.count; ++i) {
      points.push_back(probe.from +
                       (probe.to - probe.from) * (static_cast<double>(i) / (probe.count - 1)));
    }
    return points;
  }
  const meshes::Grid grid = grid_of(probe);
  for (int k = 0; k < grid.points[2]; ++k) {
    for (int j = 0; j < grid.points[1]; ++j) {
      for (int i = 0; i < grid.points[0]; ++i) {
        points.push_back(grid.origin +
                         Vec3d{i * grid.spacing.x, j * grid.spacing.y, k * grid.spacing.z});
      }
    }
  }
  return points;
}

std::vector<ProbeResult> evaluate_probes(
    const std::vector<ProbeInput>& probes, const bem::FlowProblem& problem, const Vec3d& stream,
    const std::function<bem::Field(std::span<const Vec3d>)>& at, bool electric) {
  std::vector<Vec3d> all;
  for (const ProbeInput& probe : probes) {
    const std::vector<Vec3d> points = probe_points(probe);
    all.insert(all.end(), points.begin(), points.end());
  }
  if (all.empty()) return {};
  const bem::Field field = at(all);

  const std::optional<std::vector<double>> cp =
      pressure_coefficient(problem, field.pressure, stream);
  std::vector<ProbeResult> results;
  std::size_t begin = 0;
  for (const ProbeInput& probe : probes) {
    const std::size_t end = begin + static_cast<std::size_t>(probe_point_count(probe));
    const auto part = [&](const auto& values) {
      return std::vector(values.begin() + static_cast<std::ptrdiff_t>(begin),
                         values.begin() + static_cast<std::ptrdiff_t>(end));
    };
    const std::vector<std::uint8_t> inside = part(field.inside);
    results.push_back({probe, part(all), part(field.velocity), part(field.phi),
                       cp ? part(*cp) : std::vector<double>{},
                       problem.has_pressure ? part(field.pressure) : std::vector<double>{},
                       std::vector<double>(inside.begin(), inside.end()), electric});
    begin = end;
  }
  return results;
}

std::string probe_file_name(const ProbeInput& probe) {
  const bool grid = probe.kind == ProbeKind::plane || probe.kind == ProbeKind::box;
  return probe.name + (grid ? ".vti" : ".vtp");
}

void write_probe(const std::filesystem::path& path, const ProbeResult& result,
                 const meshes::Metadata& metadata) {
  if (result.probe.kind == ProbeKind::plane || result.probe.kind == ProbeKind::box) {
    meshes::write_volume_vti(path, grid_of(result.probe), fields_of(result), metadata);
  } else {
    meshes::write_points_vtp(path, result.points, fields_of(result), metadata,
                             result.probe.kind == ProbeKind::line);
  }
}

}  // namespace rankine::cases
