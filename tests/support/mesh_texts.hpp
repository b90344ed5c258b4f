// Meshes as text in the formats that the product reads and does not write.
#pragma once

#include <algorithm>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "rankine/meshes/shapes/shapes.hpp"
#include "rankine/meshes/surface_mesh.hpp"

namespace rankine::testing {

/// A way to write a mesh, its patches and numbers of nodes where the format has them.
struct MeshText {
  std::string name, file;
  std::function<std::string(const meshes::SurfaceMesh&)> write;
};
inline void PrintTo(const MeshText& text, std::ostream* out) { *out << text.name; }

/// A box of quadrilaterals, some of them split, so that both kinds of panels come in turns.
inline meshes::SurfaceMesh mixed_box() {
  meshes::SurfaceMesh mesh = meshes::make_box(24, {2.0, 1.0, 1.0});
  std::vector<meshes::Element> elements;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    const meshes::Element& q = mesh.elements[e];
    if (e % 3 == 0) {
      elements.push_back({q[0], q[1], q[2], -1});
      elements.push_back({q[0], q[2], q[3], -1});
    } else {
      elements.push_back(q);
    }
  }
  mesh.elements = elements;
  mesh.patch.assign(elements.size(), 0);
  return mesh;
}

inline std::ostringstream text_stream() {
  std::ostringstream text;
  text.precision(17);
  return text;
}

inline std::string place(const Vec3d& x) {
  std::ostringstream text = text_stream();
  text << x.x << " " << x.y << " " << x.z;
  return text.str();
}

/// "3 1 2 3": the corners with their count in front, the first node being `first`.
inline std::string counted_corners(const meshes::Element& element, int first) {
  std::ostringstream text;
  text << meshes::corner_count(element);
  for (int k = 0; k < meshes::corner_count(element); ++k) text << " " << element[k] + first;
  return text.str();
}

/// Four corners, a triangle with its last one twice.
inline std::string four_corners(const meshes::Element& element) {
  std::ostringstream text;
  for (int k = 0; k < 4; ++k)
    text << (k == 0 ? "" : " ") << (element[k] < 0 ? element[2] : element[k]) + 1;
  return text.str();
}

inline std::string obj_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  for (const Vec3d& x : mesh.nodes) text << "v " << place(x) << "\n";
  for (const auto& element : mesh.elements)
    text << "f" << counted_corners(element, 1).substr(1) << "\n";
  return text.str();
}

inline std::string off_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "OFF\n# a comment\n" << mesh.nodes.size() << " " << mesh.elements.size() << " 0\n";
  for (const Vec3d& x : mesh.nodes) text << place(x) << "\n";
  for (const auto& element : mesh.elements) text << counted_corners(element, 0) << "\n";
  return text.str();
}

inline std::string coff_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "CNOFF " << mesh.nodes.size() << " " << mesh.elements.size() << " 0\n\n";
  for (const Vec3d& x : mesh.nodes) text << place(x) << " 0 0 1 255 0 0 255 # a vertex\n";
  for (const auto& element : mesh.elements) text << counted_corners(element, 0) << " 0.5 0.5 1\n";
  return text.str();
}

inline std::string medit_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "MeshVersionFormatted 2\nDimension\n3\n\nVertices\n" << mesh.nodes.size() << "\n";
  for (const Vec3d& x : mesh.nodes) text << place(x) << " 0\n";
  text << "Corners 2\n1\n2\n";
  for (const int corners : {3, 4}) {
    std::ostringstream lines;
    std::size_t count = 0;
    for (const auto& element : mesh.elements) {
      if (meshes::corner_count(element) != corners) continue;
      for (int k = 0; k < corners; ++k) lines << element[k] + 1 << " ";
      lines << "7\n";
      ++count;
    }
    text << (corners == 3 ? "Triangles " : "Quadrilaterals\n") << count << "\n" << lines.str();
  }
  text << "Tetrahedra 1\n1 2 3 4 0\nEnd\n";
  return text.str();
}

/// The patches are markers.
inline std::string su2_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "% a comment\nNDIME= 3\nNELEM= 1\n10 0 1 2 3 0\nNPOIN= " << mesh.nodes.size() << "\n";
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    text << place(mesh.nodes[n]) << " " << n << "\n";
  text << "NMARK= " << mesh.patch_names.size() << "\n";
  for (std::int32_t patch = 0; patch < std::ssize(mesh.patch_names); ++patch) {
    text << "MARKER_TAG= " << mesh.patch_names[patch]
         << "\nMARKER_ELEMS= " << std::count(mesh.patch.begin(), mesh.patch.end(), patch) << "\n";
    for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
      if (mesh.patch[e] != patch) continue;
      const bool triangle = meshes::corner_count(mesh.elements[e]) == 3;
      text << (triangle ? "5" : "9") << counted_corners(mesh.elements[e], 0).substr(1) << "\n";
    }
  }
  return text.str();
}

inline std::string gdf_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "a box\n1.0 9.80665 ULEN GRAV\n0 0 ISX ISY\n" << mesh.elements.size() << "\n";
  for (const auto& element : mesh.elements) {
    for (int k = 0; k < 4; ++k)
      text << place(mesh.nodes[element[k] < 0 ? element[2] : element[k]]) << "\n";
  }
  return text.str();
}

inline std::string nemoh_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "  2  0\n";
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    text << "  " << n + 1 << "  " << place(mesh.nodes[n]) << "\n";
  text << "0 0. 0. 0.\n";
  for (const auto& element : mesh.elements) text << four_corners(element) << "\n";
  text << "0 0 0 0\n";
  return text.str();
}

inline std::string nemoh_without_header(const meshes::SurfaceMesh& mesh) {
  const std::string text = nemoh_text(mesh);
  return text.substr(text.find('\n') + 1);
}

inline std::string nemoh_counted(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << mesh.nodes.size() << "\n" << mesh.elements.size() << "\n";
  for (const Vec3d& x : mesh.nodes) text << place(x) << "\n";
  for (const auto& element : mesh.elements) text << four_corners(element) << "\n";
  return text.str();
}

inline std::string hams_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "    --------------Hull Mesh File---------------\n\n"
          "    # Number of Panels, Nodes, X-Symmetry and Y-Symmetry\n"
       << mesh.elements.size() << " " << mesh.nodes.size()
       << " 0 0\n\n    # Start Definition of Node Coordinates     ! node_number   x   y   z\n";
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    text << n + 1 << " " << place(mesh.nodes[n]) << "\n";
  text << "    # End Definition of Node Coordinates\n\n    # Start Definition of Node Relations\n";
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    text << e + 1 << " " << counted_corners(mesh.elements[e], 1) << "\n";
  text << "    # End Definition of Node Relations\n\n    --------------End Hull Mesh "
          "File---------\n";
  return text.str();
}

inline std::string ply_text(const meshes::SurfaceMesh& mesh) {
  std::ostringstream text;
  text << "ply\nformat ascii 1.0\ncomment by hand\nelement vertex " << mesh.nodes.size()
       << "\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n"
          "element face "
       << mesh.elements.size() << "\nproperty list uchar int vertex_indices\nend_header\n";
  for (const Vec3d& x : mesh.nodes) text << place(x) << " 255\n";
  for (const auto& element : mesh.elements) text << counted_corners(element, 0) << "\n";
  return text.str();
}

inline std::string vspgeom_text(const meshes::SurfaceMesh& mesh, int version) {
  std::ostringstream text;
  if (version > 1) text << "# vspgeom v" << version << "\n";
  if (version > 2) text << "1\n";
  text << mesh.nodes.size();
  if (version > 2) text << " " << mesh.elements.size() << " 1";
  text << "\n";
  for (const Vec3d& x : mesh.nodes) text << place(x) << "\n";
  text << mesh.elements.size() << "\n";
  for (const auto& element : mesh.elements) text << counted_corners(element, 1) << "\n";
  for (std::size_t e = 0; e < mesh.elements.size(); ++e)
    text << (version > 1 ? "1 1" : "1") << " 0.1 0.2 0.3 0.4\n";
  for (std::size_t e = 0; version > 2 && e < mesh.elements.size(); ++e)
    text << e + 1 << " " << e + 1 << "\n";
  text << "1\n12 1 2 3 4 5 6 7 8 9 10\n11 12\n";
  return text.str();
}

inline std::vector<MeshText> mesh_texts() {
  return {{"Off", "box.off", off_text},
          {"CoffNormals", "box.off", coff_text},
          {"Medit", "box.mesh", medit_text},
          {"Su2", "box.su2", su2_text},
          {"Gdf", "box.gdf", gdf_text},
          {"NemohDat", "box.dat", nemoh_text},
          {"NemohMar", "box.mar", nemoh_without_header},
          {"NemohCounted", "box.dat", nemoh_counted},
          {"Hams", "box.pnl", hams_text},
          {"Ply", "box.ply", ply_text},
          {"Vspgeom1", "box.vspgeom", [](const auto& mesh) { return vspgeom_text(mesh, 1); }},
          {"Vspgeom2", "box.vspgeom", [](const auto& mesh) { return vspgeom_text(mesh, 2); }},
          {"Vspgeom3", "box.vspgeom", [](const auto& mesh) { return vspgeom_text(mesh, 3); }}};
}

}  // namespace rankine::testing
