// The program rankine-vtk-reader: reads files with VTK for rankine, which starts it once per file.
// Without Gmsh it starts in a tenth of the time of rankine-reader.
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/files/reader_program.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {
namespace {

std::vector<char> vtk_answer(std::span<const char> bytes, const SendProgress&) {
  ByteReader request(bytes);
  const auto job = request.value<Job>();
  confine(Files::read_only);
  switch (job) {
    case Job::vtk_mesh:
      return read_vtk_mesh(request);
    case Job::vtk_scalars:
      return read_vtk_scalars(request);
    case Job::vtk_point_columns:
      return read_vtk_point_columns(request);
    case Job::vtk_points:
      return read_vtk_point_places(request);
    default:
      throw Error("a request of another version of rankine; install all programs of one version");
  }
}

}  // namespace
}  // namespace rankine::meshes

int main(int argc, char** argv) {
  rankine::Execution{.threads = 1}.run(
      [&] { rankine::meshes::serve_parent(argc, argv, rankine::meshes::vtk_answer); });
}
