// The jobs of CGAL for a build without it: errors.
#include "rankine/fmm/core/error.hpp"
#include "rankine/meshes/reader/jobs.hpp"

namespace rankine::meshes {

std::vector<char> unite_triangles(ByteReader& request) {
  throw InputError("cannot unite the bodies of " + request.text() +
                   ": this rankine-reader was built without CGAL (Debian: libcgal-dev); install it "
                   "and build again, or unite the bodies before meshing");
}

std::vector<char> wrap_triangles(ByteReader& request) {
  throw InputError("cannot wrap " + request.text() +
                   ": this rankine-reader was built without CGAL (Debian: libcgal-dev); install it "
                   "and build again, or mesh the outside of the body again");
}

std::vector<char> remesh_triangles(ByteReader& request) {
  throw InputError("cannot remesh " + request.text() +
                   ": this rankine-reader was built without CGAL (Debian: libcgal-dev); install it "
                   "and build again, or mesh the geometry again");
}

}  // namespace rankine::meshes
