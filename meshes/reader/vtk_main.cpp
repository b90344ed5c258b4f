// The program rankine-vtk-reader: reads files with VTK for rankine, which starts it once per file.
// Without Gmsh it starts in a tenth of the time of rankine-reader.
#include "rankine/meshes/reader/program_frame.hpp"

namespace rankine::meshes {
namespace {

std::vector<char> vtk_answer(Job job, ByteReader& request, const SendProgress&) {
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
      throw_other_version();
  }
}

}  // namespace
}  // namespace rankine::meshes

int main(int argc, char** argv) {
  rankine::meshes::run_reader(argc, argv, rankine::meshes::vtk_answer);
}
