#include "cases/particles/wall_motion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/measures.hpp"

namespace rankine::cases {
namespace {

bem::PrescribedMotion motion_of(const MotionInput& input) {
  if (input.file.empty()) return bem::PrescribedMotion(input.steady);
  const std::vector<Column> columns = read_columns(input.file);
  const auto values = [&](const std::string& name) -> const std::vector<double>* {
    const auto found = std::find_if(columns.begin(), columns.end(),
                                    [&](const Column& each) { return each.name == name; });
    return found == columns.end() ? nullptr : &found->values;
  };
  constexpr std::array<const char*, 3> displacement{"x", "y", "z"}, rotation{"rx", "ry", "rz"};
  const auto require = [&](bool holds, const std::string& found) {
    if (holds) return;
    throw InputError(fmt::format(
        "{}: {}; a motion has the column \"time\", s, and any of x, y, z, m, and rx, ry, rz, rad; "
        "the first line names them",
        input.file.string(), found));
  };
  for (const Column& each : columns) {
    const auto is = [&](const char* name) { return each.name == name; };
    require(is("time") || std::any_of(displacement.begin(), displacement.end(), is) ||
                std::any_of(rotation.begin(), rotation.end(), is),
            fmt::format("the column \"{}\" is none of a motion", each.name));
  }
  const std::vector<double>* time = values("time");
  require(time != nullptr, "there is no column \"time\"");
  std::vector<bem::MotionSample> samples(time->size());
  for (std::size_t i = 0; i < samples.size(); ++i) samples[i].time = (*time)[i];
  for (int axis = 0; axis < 3; ++axis) {
    const std::vector<double>*moves = values(displacement[axis]), *turns = values(rotation[axis]);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (moves != nullptr) samples[i].displacement[axis] = (*moves)[i];
      if (turns != nullptr) samples[i].rotation[axis] = (*turns)[i];
    }
  }
  try {
    return {std::move(samples), input.steady.centre};
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", input.file.string(), error.what()));
  }
}

/// The index of the motion of every patch; motions.size() for patches at rest.
std::vector<std::int32_t> motion_of_patches(const std::vector<MotionInput>& motions,
                                            const meshes::SurfaceMesh& mesh) {
  const auto& names = mesh.patch_names;
  std::vector<std::int32_t> of_patch(names.size(), static_cast<std::int32_t>(motions.size()));
  for (const bool named : {false, true}) {  // named patches come last and override "*"
    for (std::size_t k = 0; k < motions.size(); ++k) {
      for (const std::string& patch : motions[k].patches) {
        if ((patch != "*") != named) continue;
        if (named && std::find(names.begin(), names.end(), patch) == names.end()) {
          throw InputError(fmt::format("{}: the mesh has no patch \"{}\"; it has \"{}\"",
                                       motions[k].where, patch, fmt::join(names, "\", \"")));
        }
        for (std::size_t p = 0; p < names.size(); ++p) {
          if (!named || names[p] == patch) of_patch[p] = static_cast<std::int32_t>(k);
        }
      }
    }
  }
  return of_patch;
}

}  // namespace

WallMotion::WallMotion(const std::vector<MotionInput>& motions, meshes::SurfaceMesh mesh,
                       const meshes::Symmetry& symmetry)
    : mesh_(std::move(mesh)), symmetry_(symmetry) {
  if (motions.empty()) return;
  for (const MotionInput& each : motions) {
    motions_.push_back(motion_of(each));
    places_.push_back(each.where);
  }
  motions_.emplace_back();
  const std::vector<std::int32_t> of_patch = motion_of_patches(motions, mesh_);
  const meshes::Bodies bodies = meshes::Connections(mesh_).bodies;
  std::vector<std::int32_t> of_body(static_cast<std::size_t>(bodies.count), -1);
  of_node_.assign(mesh_.nodes.size(), static_cast<std::int32_t>(motions.size()));
  for (std::size_t e = 0; e < mesh_.elements.size(); ++e) {
    const auto patch = static_cast<std::size_t>(mesh_.patch[e]);
    std::int32_t& body = of_body[static_cast<std::size_t>(bodies.of_element[e])];
    if (body < 0) body = of_patch[patch];
    if (body != of_patch[patch]) {
      throw InputError(fmt::format(
          "{}: patch \"{}\" is part of a body whose other patches have another motion; give all "
          "patches of a body in one [[motion]]",
          motions.front().where, mesh_.patch_names[patch]));
    }
    of_element_.push_back(body);
    for (int k = 0; k < meshes::corner_count(mesh_.elements[e]); ++k)
      of_node_[static_cast<std::size_t>(mesh_.elements[e][k])] = body;
  }
  rigid_ = moves_as_one();
}

/// A body that ends on a plane takes its images along (keep_to_planes()).
bool WallMotion::moves_as_one() const {
  const auto ends_on = [&](const meshes::SymmetryPlane& plane) {
    return std::any_of(mesh_.elements.begin(), mesh_.elements.end(), [&](const auto& element) {
      return std::any_of(
          element.begin(), element.begin() + meshes::corner_count(element),
          [&](std::int32_t n) { return plane.holds(mesh_.nodes[static_cast<std::size_t>(n)]); });
    });
  };
  const auto planes = symmetry_.planes();
  return std::all_of(of_element_.begin(), of_element_.end(),
                     [&](std::int32_t each) { return each == of_element_.front(); }) &&
         std::all_of(planes.begin(), planes.end(), ends_on);
}

meshes::SurfaceMesh WallMotion::mesh_at(double time) const {
  meshes::SurfaceMesh mesh = mesh_;
  if (!moves()) return mesh;
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i)
    mesh.nodes[i] = motions_[static_cast<std::size_t>(of_node_[i])].place(time, mesh.nodes[i]);
  for (std::size_t e = 0; e < mesh.mid_nodes.size(); ++e) {
    for (Vec3d& each : mesh.mid_nodes[e])
      each = motions_[static_cast<std::size_t>(of_element_[e])].place(time, each);
  }
  keep_to_planes(time, mesh);
  return mesh;
}

/// Nodes on a plane remain exactly on it; the others remain on their side.
void WallMotion::keep_to_planes(double time, meshes::SurfaceMesh& moved) const {
  const double rounding = 1e-9 * meshes::bounding_box(mesh_).diagonal();
  for (const meshes::SymmetryPlane& plane : symmetry_.planes()) {
    for (std::size_t i = 0; i < mesh_.nodes.size(); ++i) {
      const double before = mesh_.nodes[i][plane.axis] - plane.place;
      double& now = moved.nodes[i][plane.axis];
      const bool on_plane = before == 0.0, off = std::abs(now - plane.place) > rounding;
      if (on_plane ? off : !((now - plane.place) * before > 0.0)) {
        throw InputError(fmt::format(
            "{}: after {} s a body has {} the symmetry plane {}; bodies that end on a plane move "
            "along it and turn about its normal, the others stay on their side",
            places_[static_cast<std::size_t>(of_node_[i])], time, on_plane ? "left" : "crossed",
            meshes::name(plane)));
      }
      if (on_plane) now = plane.place;
    }
    for (std::size_t e = 0; e < mesh_.mid_nodes.size(); ++e) {
      for (std::size_t k = 0; k < mesh_.mid_nodes[e].size(); ++k) {
        if (plane.holds(mesh_.mid_nodes[e][k])) moved.mid_nodes[e][k][plane.axis] = plane.place;
      }
    }
  }
}

bem::MovingPanels WallMotion::panels_at(double time, const bem::PanelFit& fit) const {
  bem::MovingPanels made{
      bem::make_panels(mesh_at(time), bem::PanelGeometry::curved, symmetry_, fit),
      {},
      of_element_,
      rigid_};
  for (const bem::PrescribedMotion& each : motions_) made.motions.push_back(each.at(time));
  return made;
}

}  // namespace rankine::cases
