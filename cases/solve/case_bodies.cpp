#include "cases/solve/case_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "cases/input/read_case.hpp"
#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {
namespace {

/// The name of each body: the patch that is exactly this body, else its number.
std::vector<std::string> names_of(const meshes::SurfaceMesh& mesh,
                                  const std::vector<std::int32_t>& body, std::size_t count) {
  std::vector<std::set<std::int32_t>> patches_of(count), bodies_of(mesh.patch_names.size());
  for (std::size_t e = 0; e < body.size(); ++e) {
    if (e > 0 && body[e] == body[e - 1] && mesh.patch[e] == mesh.patch[e - 1]) continue;
    patches_of[static_cast<std::size_t>(body[e])].insert(mesh.patch[e]);
    bodies_of[static_cast<std::size_t>(mesh.patch[e])].insert(body[e]);
  }
  std::vector<std::string> names;
  for (std::size_t b = 0; b < count; ++b) {
    const auto patch = static_cast<std::size_t>(*patches_of[b].begin());
    const bool own = patches_of[b].size() == 1 && bodies_of[patch].size() == 1;
    names.push_back(own ? mesh.patch_names[patch] : fmt::format("body{}", b + 1));
  }
  return names;
}

}  // namespace

std::vector<std::size_t> boundary_of_patch(const Case& flow_case,
                                           const std::vector<std::string>& patch_names) {
  check_patches(flow_case, patch_names);
  std::vector<std::size_t> found;
  for (const std::string& name : patch_names) {
    const auto names_it = [&](const BoundaryInput& each) {
      return std::find(each.patches.begin(), each.patches.end(), name) != each.patches.end();
    };
    const auto begin = flow_case.boundaries.begin(), end = flow_case.boundaries.end();
    auto boundary = std::find_if(begin, end, names_it);
    if (boundary == end)
      boundary = std::find_if(begin, end, [](const auto& each) { return each.is_for_all(); });
    if (boundary == end) {
      throw InputError(fmt::format(
          "{}: the mesh's patch \"{}\" has no boundary condition; add [[boundary]] patch = "
          "\"{}\", or one with patch = \"*\"",
          flow_case.path.string(), name, name));
    }
    found.push_back(static_cast<std::size_t>(boundary - begin));
  }
  return found;
}

CaseBodies find_case_bodies(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const bem::Panels& panels) {
  return find_case_bodies(flow_case, mesh, meshes::Connections(mesh).bodies, panels);
}

CaseBodies find_case_bodies(const Case& flow_case, const meshes::SurfaceMesh& mesh,
                            const meshes::Bodies& found, const bem::Panels& panels) {
  const auto count = static_cast<std::size_t>(found.count);
  CaseBodies bodies;
  bodies.rigid.body = found.of_element;
  bodies.rigid.centre.assign(count, flow_case.problem.moment_centre);
  bodies.name = names_of(mesh, found.of_element, count);
  bodies.volume = bem::enclosed_volumes(panels, found.of_element, count);
  for (double& each : bodies.volume) each = std::abs(each);
  const std::vector<std::size_t> boundary = boundary_of_patch(flow_case, mesh.patch_names);
  for (std::size_t e = 0; e < found.of_element.size(); ++e) {
    const BoundaryInput& on_panel =
        flow_case.boundaries[boundary[static_cast<std::size_t>(mesh.patch[e])]];
    if (on_panel.has_centre)
      bodies.rigid.centre[static_cast<std::size_t>(found.of_element[e])] = on_panel.motion.centre;
  }
  return bodies;
}

}  // namespace rankine::cases
