#include "cases/particles/read_body.hpp"

#include "cases/input/read_mesh_input.hpp"
#include "cases/input/write_case.hpp"

namespace rankine::cases {

std::optional<BodyInput> read_body(const Section& root, const Section& solver,
                                   const std::filesystem::path& file,
                                   const ParticleInput& particles) {
  if (particles.generator == Generator::none && !root.has("shedding")) {
    root.fail("particles",
              "has the generator \"none\", and nothing else makes particles; add [mesh] and "
              "[shedding], or choose another generator");
  }
  if (!root.has("mesh")) {
    if (root.has("shedding")) root.fail("shedding", "needs a wall; add [mesh]");
    refuse(solver, {"tolerance"}, "without [mesh], whose panels' equation it is of");
    return {};
  }
  BodyInput body;
  body.mesh = read_mesh_input(root, file);
  if (is_sheet(body.mesh.shape))
    root.fail("mesh", "is a surface without thickness; vortices flow around closed bodies");
  body.tolerance = solver.number("tolerance", body.tolerance, between(1e-11, 0.1));
  body.sheds = root.has("shedding");
  const Section shedding = root.table("shedding", {"distance"});
  if (body.sheds && !(particles.sigma > 0.0))
    root.fail("particles",
              "lacks sigma, the core radius of the particles that [shedding] makes, m");
  body.shedding_distance = shedding.number("distance", particles.sigma, positive());
  return body;
}

void write_body(CaseWriter& out, const BodyInput& body, const std::filesystem::path& folder) {
  write_mesh(out, body.mesh, folder);
  if (!body.sheds) return;
  out.header("[shedding]");
  out.line("distance", value(body.shedding_distance));
}

}  // namespace rankine::cases
