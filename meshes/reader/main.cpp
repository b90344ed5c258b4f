// The program rankine-reader: reads and writes files with Gmsh; unites, wraps and remeshes bodies
// with CGAL. rankine starts it once per task. It links Gmsh, so the GPL applies to it.
#include "rankine/meshes/reader/program_frame.hpp"

namespace rankine::meshes {
namespace {

std::vector<char> answer(Job job, ByteReader& request, const SendProgress& send) {
  const bool confined = confine(job == Job::gmsh_write ? Files::writable : Files::read_only);
  switch (job) {
    case Job::gmsh_mesh:
      return read_gmsh_mesh(request);
    case Job::gmsh_geometry:
      return mesh_gmsh_geometry(request, send);
    case Job::gmsh_script:
      if (confined) return run_gmsh_script(request);
      throw MeshError("cannot read " + request.text() +
                      ": this system has no seccomp filter, which keeps a script from running "
                      "commands; mesh it with Gmsh, and give the .msh file");
    case Job::gmsh_write:
      return write_gmsh_mesh(request);
    case Job::unite:
      return unite_triangles(request);
    case Job::remesh:
      return remesh_triangles(request);
    case Job::wrap:
      return wrap_triangles(request);
    default:
      throw_other_version();
  }
}

}  // namespace
}  // namespace rankine::meshes

int main(int argc, char** argv) {
  rankine::meshes::run_reader(argc, argv, rankine::meshes::answer);
}
