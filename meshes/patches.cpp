#include "rankine/meshes/patches.hpp"

#include <algorithm>
#include <cstdint>

#include "rankine/meshes/repair/clean.hpp"

namespace rankine::meshes {
namespace {

std::string quoted(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "\"" : ", \"") + name + "\"";
  return text;
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void require_known(const SurfaceMesh& mesh, const std::vector<std::string>& names, bool kept) {
  for (const std::string& name : names) {
    if (contains(mesh.patch_names, name)) continue;
    throw NoSuchPatch(
        mesh.source + " has no patch \"" + name + "\"; it has " + quoted(mesh.patch_names), kept);
  }
}

/// The elements for which `keeps` is true, in their order.
void keep_elements(SurfaceMesh& mesh, const std::vector<bool>& keeps) {
  std::size_t kept = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    if (!keeps[static_cast<std::size_t>(mesh.patch[e])]) continue;
    mesh.elements[kept] = mesh.elements[e];
    mesh.patch[kept] = mesh.patch[e];
    if (!mesh.mid_nodes.empty()) mesh.mid_nodes[kept] = mesh.mid_nodes[e];
    ++kept;
  }
  mesh.elements.resize(kept);
  mesh.patch.resize(kept);
  if (!mesh.mid_nodes.empty()) mesh.mid_nodes.resize(kept);
}

/// Names of the patches that stay; indices follow.
void keep_names(SurfaceMesh& mesh, const std::vector<bool>& keeps) {
  std::vector<std::string> names;
  std::vector<std::int32_t> number(keeps.size(), -1);
  for (std::size_t p = 0; p < keeps.size(); ++p) {
    if (!keeps[p]) continue;
    number[p] = static_cast<std::int32_t>(names.size());
    names.push_back(mesh.patch_names[p]);
  }
  for (std::int32_t& patch : mesh.patch) patch = number[static_cast<std::size_t>(patch)];
  mesh.patch_names = std::move(names);
}

}  // namespace

void choose_patches(SurfaceMesh& mesh, const PatchChoice& choice) {
  if (!choice.any()) return;
  require_known(mesh, choice.keep, true);
  require_known(mesh, choice.exclude, false);
  std::vector<std::size_t> panels(mesh.patch_names.size(), 0);
  for (const std::int32_t patch : mesh.patch) ++panels[static_cast<std::size_t>(patch)];
  std::vector<bool> keeps(mesh.patch_names.size());
  std::string left_out;
  for (std::size_t p = 0; p < keeps.size(); ++p) {
    const std::string& name = mesh.patch_names[p];
    keeps[p] =
        (choice.keep.empty() || contains(choice.keep, name)) && !contains(choice.exclude, name);
    if (keeps[p]) continue;
    left_out += (left_out.empty() ? "" : ", ") + name + " (" + std::to_string(panels[p]) + ")";
  }
  keep_elements(mesh, keeps);
  if (mesh.elements.empty()) {
    throw MeshError("of the patches of " + mesh.source + " (" + quoted(mesh.patch_names) +
                    ") those chosen have no panels; keep or exclude others");
  }
  keep_names(mesh, keeps);
  drop_unused_nodes(mesh);
  if (!left_out.empty()) mesh.notes.push_back("left out " + left_out);
}

}  // namespace rankine::meshes
