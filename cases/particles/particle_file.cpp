#include "cases/particles/particle_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

#include "cases/input/suggest.hpp"
#include "cases/particles/tipsy_file.hpp"
#include "cases/solve/values_file.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/vtk/vtk_arrays.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;
using Names = std::array<std::string, 3>;

/// The columns of a file by name; components of .vtp vectors have column names too.
class Columns {
 public:
  Columns(const fs::path& path, const std::vector<std::pair<std::string, Names>>& vectors)
      : path_(path) {
    if (path.extension() == ".vtp") {
      for (meshes::ScalarArray& each : meshes::read_vtp_point_columns(path))
        columns_.push_back({std::move(each.name), std::move(each.values)});
      for (const auto& [array, names] : vectors) rename(array, names);
    } else if (path.extension() == ".csv") {
      columns_ = read_columns(path);
    } else if (path.extension() == ".tipsy") {
      columns_ = read_tipsy(path);
    } else {
      throw InputError(
          fmt::format("{}: particles are read from .csv, .vtp and .tipsy files, not \"{}\"",
                      path.string(), path.extension().string()));
    }
  }

  bool has(const std::string& name) const { return find(name) != columns_.end(); }

  const std::vector<double>& take(const std::string& name) const {
    const auto found = find(name);
    if (found != columns_.end()) return found->values;
    std::vector<std::string> names;
    for (const Column& each : columns_) names.push_back(each.name);
    throw InputError(
        fmt::format("{}: has no column \"{}\"{}", path_.string(), name, did_you_mean(name, names)));
  }

  std::vector<Vec3d> take(const Names& names) const {
    const std::array columns{&take(names[0]), &take(names[1]), &take(names[2])};
    std::vector<Vec3d> vectors(columns[0]->size());
    for (std::size_t i = 0; i < vectors.size(); ++i)
      vectors[i] = {(*columns[0])[i], (*columns[1])[i], (*columns[2])[i]};
    return vectors;
  }

  /// Throws InputError if a value is not positive.
  const std::vector<double>& take_positive(const std::string& name) const {
    const std::vector<double>& values = take(name);
    const auto bad = std::find_if(values.begin(), values.end(), [](double v) { return v <= 0.0; });
    if (bad == values.end()) return values;
    throw InputError(
        fmt::format("{}: \"{}\" must be greater than 0, found {} for particle {}; "
                    "leave such particles out",
                    path_.string(), name, *bad, bad - values.begin()));
  }

 private:
  std::vector<Column>::const_iterator find(const std::string& name) const {
    return std::find_if(columns_.begin(), columns_.end(),
                        [&](const Column& each) { return each.name == name; });
  }
  void rename(const std::string& array, const Names& names) {
    for (Column& each : columns_) {
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (each.name == fmt::format("{}_{}", array, "xyz"[axis])) each.name = names[axis];
      }
    }
  }

  fs::path path_;
  std::vector<Column> columns_;
};

const Names places{"x", "y", "z"}, velocities{"vx", "vy", "vz"}, strengths{"gx", "gy", "gz"};

}  // namespace

bem::Bodies read_bodies(const fs::path& path) {
  const Columns columns(path, {{"velocity", velocities}});
  bem::Bodies bodies{columns.take(places), {}, columns.take_positive("mass")};
  bodies.velocities.resize(bodies.positions.size());
  const bool moving = std::any_of(velocities.begin(), velocities.end(),
                                  [&](const std::string& name) { return columns.has(name); });
  if (moving) bodies.velocities = columns.take(velocities);
  return bodies;
}

bem::VortexParticles read_vortices(const fs::path& path, double sigma) {
  const Columns columns(path, {{"strength", strengths}});
  bem::VortexParticles particles{columns.take(places), columns.take(strengths), {}};
  particles.core_radii = sigma > 0.0 ? std::vector<double>(particles.positions.size(), sigma)
                                     : columns.take_positive("sigma");
  return particles;
}

}  // namespace rankine::cases
