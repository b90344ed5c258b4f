#include "rankine/meshes/vtk/vtk_arrays.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <system_error>

#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/files/reader_program.hpp"

namespace rankine::meshes {
namespace {

/// Runs a job and calls take(ByteReader) with its answer. Throws InputError if the path is not a
/// file, the reader crashes, or the answer is invalid.
template <class Take>
void read_guarded(const std::filesystem::path& path, const std::string& what, Job job,
                  Take&& take) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InputError(path.string() + ": no such file of " + what);
  std::string death;
  try {
    const std::vector<char> bytes = ask_reader(request_for(job, path));
    ByteReader reader(bytes);
    take(reader);
    return;
  } catch (const ChildDied& died) {
    death = died.what();
  } catch (const DamagedBytes& damage) {
    death = std::string("gave ") + damage.what();
  }
  throw InputError(path.string() + ": the reader of VTK " + death +
                   "; the file is damaged, export it again");
}

std::vector<ScalarArray> read_arrays(const std::filesystem::path& path, Job job,
                                     const std::string& nothing) {
  std::vector<ScalarArray> arrays;
  read_guarded(path, "values", job, [&](ByteReader& bytes) {
    while (!bytes.at_end()) {
      std::string name = bytes.text();
      arrays.push_back({std::move(name), bytes.all<double>()});
    }
  });
  if (arrays.empty()) throw InputError(path.string() + ": " + nothing);
  for (const ScalarArray& array : arrays) {
    if (!std::all_of(array.values.begin(), array.values.end(),
                     [](double v) { return std::isfinite(v); }))
      throw InputError(path.string() + ": the array \"" + array.name +
                       "\" holds a value that is not finite; repair the file");
  }
  return arrays;
}

}  // namespace

std::vector<Vec3d> read_vtk_points(const std::filesystem::path& path) {
  const std::string kind = path.extension().string();
  if (!std::set<std::string>{".vtp", ".vtu", ".vtk"}.contains(kind)) {
    throw InputError(path.string() +
                     ": points are read from .csv, .vtp, .vtu and .vtk files, not \"" + kind +
                     "\"; convert it");
  }
  std::vector<Vec3d> points;
  read_guarded(path, "points", Job::vtk_points,
               [&](ByteReader& bytes) { points = bytes.all<Vec3d>(); });
  if (points.empty()) throw InputError(path.string() + ": holds no points");
  if (!std::all_of(points.begin(), points.end(), is_finite))
    throw InputError(path.string() + ": holds a point that is not finite; repair the file");
  return points;
}

std::vector<ScalarArray> read_vtp_scalars(const std::filesystem::path& path) {
  return read_arrays(path, Job::vtk_scalars,
                     "holds no array of one number per cell or point; write one, or a .csv file");
}

std::vector<ScalarArray> read_vtp_point_columns(const std::filesystem::path& path) {
  return read_arrays(path, Job::vtk_point_columns, "holds no points");
}

}  // namespace rankine::meshes
