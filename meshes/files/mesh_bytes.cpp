#include "rankine/meshes/files/mesh_bytes.hpp"

#include <algorithm>

#include "rankine/meshes/files/byte_stream.hpp"

namespace rankine::meshes {
namespace {

void put(ByteWriter& bytes, const std::vector<std::string>& texts) {
  bytes.value(std::uint64_t{texts.size()});
  for (const std::string& text : texts) bytes.text(text);
}

std::vector<std::string> get_texts(ByteReader& bytes) {
  std::vector<std::string> texts(bytes.count(sizeof(std::uint64_t)));
  for (std::string& text : texts) text = bytes.text();
  return texts;
}

void require_indices(const SurfaceMesh& mesh) {
  const auto inside = [](std::int64_t index, std::size_t size) {
    return index >= 0 && index < static_cast<std::int64_t>(size);
  };
  const bool corners =
      std::all_of(mesh.elements.begin(), mesh.elements.end(), [&](const Element& e) {
        return std::all_of(e.begin(), e.end() - 1,
                           [&](auto n) { return inside(n, mesh.nodes.size()); }) &&
               (e[3] == -1 || inside(e[3], mesh.nodes.size()));
      });
  const bool patches = mesh.patch.size() == (mesh.patch_names.empty() ? 0 : mesh.elements.size()) &&
                       std::all_of(mesh.patch.begin(), mesh.patch.end(), [&](auto patch) {
                         return inside(patch, mesh.patch_names.size());
                       });
  const bool faces = mesh.face.empty() || mesh.face.size() == mesh.elements.size();
  const bool curved = mesh.mid_nodes.empty() || mesh.mid_nodes.size() == mesh.elements.size();
  const bool pieces =
      std::all_of(mesh.curves.begin(), mesh.curves.end(),
                  [](const NamedCurve& curve) { return curve.ends.size() % 2 == 0; });
  if (!pieces) throw DamagedBytes("a curve with half a piece");
  if (!corners || !patches || !faces || !curved)
    throw DamagedBytes("numbers of nodes or patches that there are not");
}

}  // namespace

void put(ByteWriter& bytes, const SurfaceMesh& mesh) {
  constexpr std::size_t for_the_rest = 4096;
  bytes.reserve(sizeof(Vec3d) * mesh.nodes.size() + sizeof(Element) * mesh.elements.size() +
                sizeof(std::int32_t) * (mesh.patch.size() + mesh.face.size()) +
                sizeof(MidNodes) * mesh.mid_nodes.size() + for_the_rest);
  bytes.all(mesh.nodes);
  bytes.all(mesh.elements);
  bytes.all(mesh.patch);
  put(bytes, mesh.patch_names);
  bytes.text(mesh.source);
  put(bytes, mesh.warnings);
  put(bytes, mesh.notes);
  bytes.all(mesh.mid_nodes);
  bytes.all(mesh.face);
  bytes.value(std::uint64_t{mesh.curves.size()});
  for (const NamedCurve& curve : mesh.curves) {
    bytes.text(curve.name);
    bytes.all(curve.ends);
  }
}

SurfaceMesh take_surface_mesh(ByteReader& bytes) {
  SurfaceMesh mesh;
  mesh.nodes = bytes.all<Vec3d>();
  mesh.elements = bytes.all<Element>();
  mesh.patch = bytes.all<std::int32_t>();
  mesh.patch_names = get_texts(bytes);
  mesh.source = bytes.text();
  mesh.warnings = get_texts(bytes);
  mesh.notes = get_texts(bytes);
  mesh.mid_nodes = bytes.all<MidNodes>();
  mesh.face = bytes.all<std::int32_t>();
  mesh.curves.resize(bytes.count(2 * sizeof(std::uint64_t)));
  for (NamedCurve& curve : mesh.curves) {
    curve.name = bytes.text();
    curve.ends = bytes.all<Vec3d>();
  }
  if (!bytes.at_end()) throw DamagedBytes("data after the end");
  require_indices(mesh);
  return mesh;
}

std::vector<char> to_bytes(const SurfaceMesh& mesh) {
  ByteWriter bytes;
  put(bytes, mesh);
  return bytes.take();
}

SurfaceMesh surface_mesh_from(std::span<const char> span) {
  ByteReader bytes(span);
  return take_surface_mesh(bytes);
}

}  // namespace rankine::meshes
