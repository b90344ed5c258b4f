#include "rankine/meshes/patches.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "rankine/meshes/measures.hpp"
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

/// For messages: "; it has "hull", and faces 1 to 12".
std::string names_of(const SurfaceMesh& mesh) {
  std::string text = mesh.patch_names.empty() ? "" : quoted(mesh.patch_names);
  const auto [least, most] = std::minmax_element(mesh.face.begin(), mesh.face.end());
  if (most != mesh.face.end() && *most > 0)
    text += (text.empty() ? "" : ", and ") + ("\"" + face_name(std::max(*least, 1))) + "\" to \"" +
            face_name(*most) + "\"";
  return "; it has " + text;
}

[[noreturn]] void refuse(const SurfaceMesh& mesh, const std::string& name, bool kept) {
  throw NoSuchPatch(mesh.source + " has no patch \"" + name + "\"" + names_of(mesh), kept);
}

void require_known(const SurfaceMesh& mesh, const std::vector<std::string>& names, bool kept) {
  for (const std::string& name : names) {
    if (!contains(mesh.patch_names, name)) refuse(mesh, name, kept);
  }
}

/// The value in SurfaceMesh::face for "face 12" or "hole 3"; 0 for other names.
std::int32_t face_number(const std::string& name) {
  constexpr std::size_t most_digits = 9;
  const std::size_t blank = name.rfind(' ') + 1, digits = name.size() - blank;
  if (blank == 0 || digits > most_digits ||
      !std::all_of(name.begin() + static_cast<std::ptrdiff_t>(blank), name.end(),
                   [](char c) { return c >= '0' && c <= '9'; }))
    return 0;
  const std::int32_t number = digits == 0 ? 0 : std::stoi(name.substr(blank));
  return face_name(number) == name ? number : face_name(-number) == name ? -number : 0;
}

void remove(SurfaceMesh& mesh, const std::vector<bool>& gone, const std::string& names) {
  drop_elements(mesh, gone);
  if (mesh.elements.empty()) {
    throw MeshError("of the patches of " + mesh.source + " (" + quoted(mesh.patch_names) +
                    ") those chosen have no panels; keep or exclude others");
  }
  drop_unused_nodes(mesh);
  if (!names.empty()) mesh.notes.push_back("left out " + names);
}

/// Removes the names of removed patches and renumbers the others.
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

std::string face_name(std::int32_t face) {
  return face < 0 ? "hole " + std::to_string(-face) : "face " + std::to_string(face);
}

void leave_out_faces(SurfaceMesh& mesh, PatchChoice& choice) {
  if (mesh.face.empty()) return;
  std::vector<std::string> others;
  std::map<std::int32_t, std::size_t> panels;
  for (std::string& name : choice.exclude) {
    const std::int32_t face = face_number(name);
    if (face <= 0 || contains(mesh.patch_names, name))
      others.push_back(std::move(name));
    else
      panels[face] = 0;
  }
  choice.exclude = std::move(others);
  if (panels.empty()) return;
  std::vector<bool> gone(mesh.elements.size(), false);
  for (std::size_t e = 0; e < gone.size(); ++e) {
    const auto found = panels.find(mesh.face[e]);
    gone[e] = found != panels.end();
    if (gone[e]) ++found->second;
  }
  std::string left_out;
  for (const auto& [face, count] : panels) {
    if (count == 0) refuse(mesh, face_name(face), false);
    left_out +=
        (left_out.empty() ? "" : ", ") + face_name(face) + " (" + std::to_string(count) + ")";
  }
  remove(mesh, gone, left_out);
}

void separate_faces(SurfaceMesh& mesh, const PatchChoice& choice) {
  std::map<std::int32_t, std::int32_t> patch_of;
  for (const auto* names : {&choice.keep, &choice.exclude, &choice.separate}) {
    for (const std::string& name : *names) {
      const std::int32_t face = face_number(name);
      if (face == 0 || contains(mesh.patch_names, name) ||
          std::find(mesh.face.begin(), mesh.face.end(), face) == mesh.face.end())
        continue;
      patch_of[face] = static_cast<std::int32_t>(mesh.patch_names.size());
      mesh.patch_names.push_back(name);
    }
  }
  if (patch_of.empty()) return;
  std::vector<bool> keeps(mesh.patch_names.size(), false);
  for (std::size_t e = 0; e < mesh.face.size(); ++e) {
    const auto found = patch_of.find(mesh.face[e]);
    if (found != patch_of.end()) mesh.patch[e] = found->second;
    keeps[static_cast<std::size_t>(mesh.patch[e])] = true;
  }
  keep_names(mesh, keeps);
}

void choose_patches(SurfaceMesh& mesh, const PatchChoice& choice) {
  if (!choice.any()) return;
  require_known(mesh, choice.keep, true);
  require_known(mesh, choice.exclude, false);
  std::vector<std::size_t> panels(mesh.patch_names.size(), 0);
  for (const std::int32_t patch : mesh.patch) ++panels[static_cast<std::size_t>(patch)];
  std::vector<bool> keeps(mesh.patch_names.size()), gone(mesh.elements.size());
  std::string left_out;
  for (std::size_t p = 0; p < keeps.size(); ++p) {
    const std::string& name = mesh.patch_names[p];
    keeps[p] =
        (choice.keep.empty() || contains(choice.keep, name)) && !contains(choice.exclude, name);
    if (keeps[p]) continue;
    left_out += (left_out.empty() ? "" : ", ") + name + " (" + std::to_string(panels[p]) + ")";
  }
  for (std::size_t e = 0; e < gone.size(); ++e)
    gone[e] = !keeps[static_cast<std::size_t>(mesh.patch[e])];
  remove(mesh, gone, left_out);
  keep_names(mesh, keeps);
}

std::vector<FaceReport> report_faces(const SurfaceMesh& mesh) {
  std::map<std::int32_t, FaceReport> faces;
  for (std::size_t e = 0; e < mesh.face.size(); ++e) {
    if (mesh.face[e] == 0) continue;
    FaceReport& face = faces[mesh.face[e]];
    const double area = norm(vector_area(mesh, mesh.elements[e]));
    face.face = mesh.face[e];
    ++face.panels;
    face.area += area;
    face.centre += area * corner_mean(mesh, mesh.elements[e]);
  }
  std::vector<FaceReport> reports;
  for (auto& [number, face] : faces) {
    if (face.area > 0.0) face.centre *= 1.0 / face.area;
    reports.push_back(face);
  }
  return reports;
}

}  // namespace rankine::meshes
