#include "cases/solve/probes.hpp"

#include <fmt/format.h>

#include <utility>

#include "cases/input/case.hpp"
#include "cases/solve/surface.hpp"
#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/vtk/vtk_arrays.hpp"

namespace rankine::cases {
namespace {

meshes::Grid grid_of(const ProbeInput& probe) {
  meshes::Grid grid;
  grid.origin = probe.origin;
  for (int i = 0; i < 3; ++i) {
    const int points = axis_point_count(probe, i);
    grid.points[static_cast<std::size_t>(i)] = points;
    // A single layer has no spacing, but ParaView requires a positive one.
    grid.spacing[i] = points == 1 ? 1.0 : probe.size[i] / probe.cells[i];
  }
  return grid;
}

/// The values at the points from `begin` to `end` (exclusive).
meshes::Fields part(const meshes::Fields& fields, std::size_t begin, std::size_t end) {
  meshes::Fields some;
  for (const meshes::Field& each : fields.point) {
    const auto width = static_cast<std::ptrdiff_t>(each.components);
    const auto first = each.values.begin();
    some.point.push_back({each.name,
                          each.components,
                          {first + width * static_cast<std::ptrdiff_t>(begin),
                           first + width * static_cast<std::ptrdiff_t>(end)}});
  }
  return some;
}

}  // namespace

std::vector<Vec3d> read_points(const std::filesystem::path& path) {
  if (path.extension() != ".csv") return meshes::read_vtk_points(path);
  const std::vector<Column> columns = read_columns(path);
  const Column* axes[3] = {};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const Column& each : columns) {
      if (each.name == std::string(1, "xyz"[axis]) || each.name == std::string(1, "XYZ"[axis]))
        axes[axis] = &each;
    }
    const bool unnamed = columns.size() == 3 && columns.front().name == "column 1";
    if (unnamed) axes[axis] = &columns[axis];
    if (axes[axis] == nullptr) {
      throw InputError(
          fmt::format("{}: has no column \"{}\"; points are three columns of metres, or "
                      "those called x, y and z",
                      path.string(), "xyz"[axis]));
    }
  }
  std::vector<Vec3d> points;
  for (std::size_t i = 0; i < axes[0]->values.size(); ++i)
    points.push_back({axes[0]->values[i], axes[1]->values[i], axes[2]->values[i]});
  return points;
}

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

void read_point_files(std::vector<ProbeInput>& probes) {
  for (ProbeInput& probe : probes) {
    if (!probe.file.empty()) probe.points = read_points(probe.file);
  }
}

void read_point_files(OutputInput& output) {
  read_point_files(output.probes);
  for (StreamlineInput& lines : output.streamlines) {
    if (!lines.seeds.file.empty()) lines.seeds.points = read_points(lines.seeds.file);
  }
}

void flag_inside(std::vector<meshes::Field>& fields, std::span<const std::uint8_t> inside) {
  meshes::Field flags{"inside", 1, {inside.begin(), inside.end()}}, hidden = flags;
  hidden.name = "vtkGhostType";
  for (double& each : hidden.values) each *= 2.0;
  fields.push_back(std::move(hidden));
  fields.push_back(std::move(flags));
}

PointValues point_values(const bem::FlowProblem& problem, const Vec3d& stream, bem::Field found) {
  const std::optional<std::vector<double>> cp =
      pressure_coefficient(problem, found.pressure, stream);
  PointValues values{{}, std::move(found.velocity), std::move(found.inside), found.sum_error};
  std::vector<meshes::Field>& fields = values.fields.point;
  fields.push_back({problem.has_pressure ? "U" : "grad_phi", 3, flat(values.along)});
  if (cp) fields.push_back({"Cp", 1, *cp});
  if (!cp && problem.has_pressure) fields.push_back({"p", 1, std::move(found.pressure)});
  fields.push_back({"phi", 1, std::move(found.phi)});
  flag_inside(fields, values.inside);
  return values;
}

PointValues electric_values(bem::PotentialField found) {
  PointValues values{{}, std::move(found.gradient), std::move(found.inside), found.sum_error};
  std::vector<double> field = flat(values.along);
  for (double& each : field) each = -each;
  values.fields.point = {{"grad_phi", 3, flat(values.along)},
                         {"E", 3, std::move(field)},
                         {"phi", 1, std::move(found.phi)}};
  flag_inside(values.fields.point, values.inside);
  return values;
}

std::vector<Vec3d> points_of(const std::vector<ProbeInput>& probes) {
  std::vector<Vec3d> all;
  for (const ProbeInput& probe : probes) {
    const std::vector<Vec3d> points = probe_points(probe);
    all.insert(all.end(), points.begin(), points.end());
  }
  return all;
}

std::vector<ProbeResult> evaluate_probes(const std::vector<ProbeInput>& probes,
                                         const FieldsAt& at) {
  std::vector<ProbeResult> results;
  for (const ProbeInput& probe : probes) results.push_back({probe, probe_points(probe), {}});
  const std::vector<Vec3d> all = points_of(probes);
  if (all.empty()) return results;
  const meshes::Fields found = at(all);
  std::size_t begin = 0;
  for (ProbeResult& result : results) {
    const std::size_t end = begin + result.points.size();
    result.fields = part(found, begin, end);
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
    meshes::write_volume_vti(path, grid_of(result.probe), result.fields, metadata);
  } else if (result.probe.kind == ProbeKind::line) {
    meshes::write_lines_vtp(path, result.points, {result.points.size()}, result.fields, metadata);
  } else {
    meshes::write_points_vtp(path, result.points, result.fields, metadata);
  }
}

}  // namespace rankine::cases
