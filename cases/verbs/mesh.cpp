// rankine mesh: writes a built-in shape as a mesh file.
#include "cases/exit_code.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/load_mesh.hpp"
#include "cases/verbs/verbs.hpp"
#include "rankine/meshes/files/mesh_file.hpp"

namespace rankine::cases {

int run(const MeshArguments& arguments) {
  Log log;
  LoadedMesh loaded{make_shape(arguments.shape), {}};
  loaded.report = meshes::check_mesh(loaded.mesh);
  describe_mesh(loaded, {}, log);
  meshes::write_mesh(arguments.output, loaded.mesh);
  log.fact("written", arguments.output.string());
  return exit_solved;
}

}  // namespace rankine::cases
