#include "cases/solve/sections.hpp"

#include <fmt/format.h>

#include "rankine/meshes/plane_cut.hpp"

namespace rankine::cases {
namespace {

/// The values of a field between nodes.
meshes::Field along(const meshes::Field& of_nodes, const std::vector<meshes::CutPoint>& points) {
  const auto width = static_cast<std::size_t>(of_nodes.components);
  meshes::Field field{of_nodes.name, of_nodes.components, {}};
  for (const meshes::CutPoint& point : points) {
    const double* const a = of_nodes.values.data() + static_cast<std::size_t>(point.from) * width;
    const double* const b = of_nodes.values.data() + static_cast<std::size_t>(point.to) * width;
    for (std::size_t c = 0; c < width; ++c)
      field.values.push_back((1.0 - point.share) * a[c] + point.share * b[c]);
  }
  return field;
}

SectionResult describe(const std::string& name, const meshes::PlaneCut& cut,
                       const meshes::SurfaceMesh& mesh, const meshes::Fields& fields,
                       const CaseBodies& bodies) {
  SectionResult result{.name = name};
  std::vector<meshes::CutPoint> points;
  meshes::Field line{"line", 1, {}}, s{"s", 1, {}}, patch{"patch", 1, {}}, body{"body", 1, {}};
  for (const meshes::CutLine& each : cut.lines) {
    double length = 0.0;
    for (std::size_t k = 0; k < each.points.size(); ++k) {
      const meshes::CutPoint& point = each.points[k];
      const Vec3d x = meshes::position(mesh, point);
      if (k > 0) length += norm(x - result.points.back());
      result.points.push_back(x);
      points.push_back(point);
      line.values.push_back(static_cast<double>(result.sizes.size()));
      s.values.push_back(length);
      patch.values.push_back(mesh.patch[point.element]);
      body.values.push_back(bodies.rigid.body[point.element]);
    }
    result.sizes.push_back(each.points.size());
  }
  result.fields.point = {std::move(line), std::move(s)};
  for (const meshes::Field& each : fields.point) result.fields.point.push_back(along(each, points));
  result.fields.point.push_back(std::move(patch));
  result.fields.point.push_back(std::move(body));
  return result;
}

/// As a field of a .csv file has it, which may hold commas and quotes.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
  return result + '"';
}

}  // namespace

std::vector<SectionResult> cut_sections(const std::vector<SectionInput>& sections,
                                        const meshes::SurfaceMesh& mesh,
                                        const meshes::Fields& fields, const CaseBodies& bodies,
                                        Log& log) {
  std::vector<SectionResult> results;
  for (const SectionInput& section : sections) {
    const meshes::PlaneCut cut = meshes::cut_by_plane(mesh, section.origin, section.normal);
    if (cut.lines.empty()) {
      log.warning(
          fmt::format("{}: the plane of the section \"{}\" misses the surface by {:.4g} m; "
                      "no file is written for it",
                      section.where, section.name, cut.distance));
      continue;
    }
    results.push_back(describe(section.name, cut, mesh, fields, bodies));
  }
  return results;
}

std::string section_csv(const SectionResult& section, const meshes::SurfaceMesh& mesh,
                        const CaseBodies& bodies) {
  const std::vector<meshes::Field>& fields = section.fields.point;
  std::string text = "line,s,x,y,z";
  for (std::size_t f = 2; f < fields.size(); ++f) {
    if (fields[f].components == 1) text += "," + fields[f].name;
    for (int c = 0; fields[f].components == 3 && c < 3; ++c)
      text += fmt::format(",{}_{}", fields[f].name, "xyz"[c]);
  }
  text += "\n";
  for (std::size_t k = 0; k < section.points.size(); ++k) {
    const Vec3d& x = section.points[k];
    text += fmt::format("{},{:.12g},{:.12g},{:.12g},{:.12g}", fields[0].values[k],
                        fields[1].values[k], x.x, x.y, x.z);
    for (std::size_t f = 2; f < fields.size(); ++f) {
      const auto width = static_cast<std::size_t>(fields[f].components);
      for (std::size_t c = 0; c < width; ++c) {
        const double value = fields[f].values[k * width + c];
        if (f + 2 < fields.size()) {
          text += fmt::format(",{:.9g}", value);
        } else {
          const auto index = static_cast<std::size_t>(value);
          text +=
              "," + quoted(f + 2 == fields.size() ? mesh.patch_names[index] : bodies.name[index]);
        }
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace rankine::cases
