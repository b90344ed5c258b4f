#include "python/src/python_surface.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "python/src/arrays.hpp"
#include "python/src/interruptible.hpp"
#include "rankine/bem/cpu_backend.hpp"
#include "rankine/bem/layers/off_surface.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/meshes/checks/defects.hpp"
#include "rankine/meshes/checks/inspect.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/checks/sharp_edges.hpp"
#include "rankine/meshes/files/finish_mesh.hpp"
#include "rankine/meshes/formats/own_formats.hpp"
#include "rankine/meshes/halo.hpp"
#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/shapes/wing.hpp"

namespace rankine::python {
namespace {

using meshes::SurfaceMesh;
using Elements = nb::ndarray<const std::int32_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Patches = nb::ndarray<const std::int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

SurfaceMesh mesh_of(const GivenPoints& nodes, const Elements& elements,
                    const std::optional<Patches>& patch, std::vector<std::string> names,
                    std::string source, double scale) {
  SurfaceMesh mesh;
  mesh.source = std::move(source);
  mesh.nodes.assign(vectors(nodes).begin(), vectors(nodes).end());
  mesh.elements.resize(elements.shape(0));
  std::copy_n(elements.data(), elements.size(), mesh.elements.data()->data());
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int k = 0; k < 4; ++k) {
      const std::int64_t node = mesh.elements[e][k];
      if ((node >= 0 && node < static_cast<std::int64_t>(mesh.nodes.size())) ||
          (k == 3 && node == -1))
        continue;
      throw MeshError(mesh.source + ": face " + std::to_string(e) + " names the node " +
                      std::to_string(node) + ", but nodes are 0 to " +
                      std::to_string(static_cast<std::int64_t>(mesh.nodes.size()) - 1));
    }
  }
  if (patch) {
    mesh.patch.assign(patch->data(), patch->data() + patch->size());
    mesh.patch_names = std::move(names);
  }
  const meshes::ReadOptions options{.scale = scale};
  meshes::require_options(options);
  return meshes::finish_mesh(std::move(mesh), options);
}

std::optional<SurfaceMesh> read_file(const std::filesystem::path& path, double scale) {
  return interruptible(0, [&]() -> std::optional<SurfaceMesh> {
    const meshes::ReadOptions options{.scale = scale};
    meshes::require_options(options);
    meshes::require_readable(path);
    std::optional<SurfaceMesh> mesh = meshes::read_own_format(path);
    if (!mesh) return std::nullopt;
    mesh->source = path.string();
    return meshes::finish_mesh(std::move(*mesh), options);
  });
}

SurfaceMesh wing(std::int64_t panels, const std::string& section, double span, double root_chord,
                 double tip_chord, double sweep, double dihedral, double twist) {
  const meshes::WingPlan plan{.span = span,
                              .root_chord = root_chord,
                              .tip_chord = tip_chord,
                              .sweep = sweep,
                              .dihedral = dihedral,
                              .twist = twist};
  return meshes::make_wing(meshes::wing_panels(panels, plan), meshes::naca_section(section), plan);
}

/// -D 1 on flat panels, with the normals of the mesh.
nb::ndarray<nb::numpy, double> winding_number(const SurfaceMesh& mesh, const GivenPoints& points,
                                              double tolerance) {
  const std::size_t n = points.shape(0);
  require_finite("points", {points.data(), points.size()}, 3);
  auto found = interruptible(0, [&] {
    const auto backend = bem::make_cpu_backend();
    const bem::Panels panels = bem::make_panels(mesh, bem::PanelGeometry::flat);
    const bem::OffSurfaceOperator layers(*backend, panels, {}, {}, {});
    std::vector<double> winding = layers.winding(vectors(points), {}, tolerance);
    for (double& each : winding) each = -each;
    return winding;
  });
  return as_numpy<double>(std::move(found), {n});
}

}  // namespace

Body prepare(SurfaceMesh mesh, const meshes::Symmetry& symmetry) {
  Body body{std::move(mesh), {}, {}};
  std::vector<std::string> moved;
  if (!symmetry.empty()) {
    const meshes::MeshReport report = meshes::check_mesh(body.mesh);
    if (report.bad_indices.count > 0 || report.non_finite_nodes.count > 0)
      meshes::require_sound(body.mesh, report);
    moved = meshes::meet_planes(body.mesh, symmetry);
  }
  meshes::Orientation orientation = meshes::orient(body.mesh, meshes::Orient::outward, symmetry);
  body.report = std::move(orientation.report);
  body.warnings = body.mesh.warnings;
  std::move(moved.begin(), moved.end(), std::back_inserter(body.warnings));
  std::move(orientation.notes.begin(), orientation.notes.end(), std::back_inserter(body.warnings));
  const meshes::Connections& connections = *body.report.connections;
  meshes::choose_sharp_angle(body.mesh, connections.edges, 0.0);
  const meshes::Inspection inspection = meshes::inspect(body.mesh, connections, symmetry);
  for (const meshes::Flaw& flaw : inspection.flaws)
    if (flaw.severity == meshes::Severity::warning)
      body.warnings.push_back(meshes::describe(body.mesh, flaw));
  meshes::require_meaningful(body.mesh, inspection);
  return body;
}

SurfaceMesh joined(const std::vector<const SurfaceMesh*>& parts) {
  SurfaceMesh all;
  bool curved = false;
  for (const SurfaceMesh* part : parts) curved = curved || !part->mid_nodes.empty();
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const SurfaceMesh& part = *parts[k];
    const auto first = static_cast<std::int32_t>(all.nodes.size());
    all.nodes.insert(all.nodes.end(), part.nodes.begin(), part.nodes.end());
    for (std::size_t e = 0; e < part.elements.size(); ++e) {
      meshes::Element element = part.elements[e];
      for (std::int32_t& node : element)
        if (node >= 0) node += first;
      all.elements.push_back(element);
      all.patch.push_back(static_cast<std::int32_t>(k));
      if (!curved) continue;
      all.mid_nodes.push_back(part.mid_nodes.empty()
                                  ? meshes::straight_mid_nodes(part, part.elements[e])
                                  : part.mid_nodes[e]);
    }
    all.patch_names.push_back("part" + std::to_string(k));
    all.source += (k == 0 ? "" : " + ") + part.source;
  }
  return all;
}

void define_surface(nb::module_& module) {
  using nb::arg;
  using Handle = nb::handle_t<SurfaceMesh>;
  nb::class_<SurfaceMesh>(module, "Surface", "Nodes, triangles and quadrilaterals (rankine.Mesh).")
      .def_prop_ro("nodes",
                   [](Handle self) {
                     const std::vector<Vec3d>& nodes = nb::cast<const SurfaceMesh&>(self).nodes;
                     return view(self, &nodes.data()->x, {nodes.size(), 3});
                   })
      .def_prop_ro("faces",
                   [](Handle self) {
                     const auto& faces = nb::cast<const SurfaceMesh&>(self).elements;
                     return view(self, faces.data()->data(), {faces.size(), 4});
                   })
      .def_prop_ro("patch",
                   [](Handle self) {
                     const auto& patch = nb::cast<const SurfaceMesh&>(self).patch;
                     return view(self, patch.data(), {patch.size()});
                   })
      .def_ro("patch_names", &SurfaceMesh::patch_names)
      .def_ro("source", &SurfaceMesh::source)
      .def_ro("warnings", &SurfaceMesh::warnings)
      .def("__len__", [](const SurfaceMesh& mesh) { return mesh.elements.size(); })
      .def("measures", [](const SurfaceMesh& mesh) {
        const meshes::MeshReport report = meshes::check_mesh(mesh);
        return nb::make_tuple(report.area, report.volume, report.watertight());
      });
  module.def("surface", &mesh_of, arg("nodes"), arg("faces"), arg("patch").none(),
             arg("patch_names"), arg("source"), arg("scale"));
  module.def("read_file", &read_file, arg("path"), arg("scale"));
  module.def(
      "ellipsoid",
      [](std::int64_t panels, const Triple& semi_axes, const Triple& centre) {
        return meshes::make_ellipsoid(panels, vector(semi_axes), vector(centre));
      },
      arg("panels"), arg("semi_axes"), arg("centre"));
  module.def(
      "sphere",
      [](std::int64_t panels, double radius, const Triple& centre) {
        return meshes::make_sphere(panels, radius, vector(centre));
      },
      arg("panels"), arg("radius"), arg("centre"));
  module.def("wing", &wing, arg("panels"), arg("section"), arg("span"), arg("root_chord"),
             arg("tip_chord"), arg("sweep"), arg("dihedral"), arg("twist"));
  module.def("winding_number", &winding_number, arg("surface"), arg("points"), arg("tolerance"));
}

}  // namespace rankine::python
