// Finds flaws of a sound mesh (defects.hpp) that reduce accuracy: flaws of panels, of pairs of
// panels and of bodies, each with its severity.
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

enum class Severity : std::uint8_t {
  note,     ///< for information
  warning,  ///< the solution is inaccurate there
  refused   ///< the equation has no meaning, every solution is wrong
};

/// In order of severity, the most severe first; a panel with several flaws is marked with the
/// first.
enum class FlawKind : std::uint8_t {
  bodies_cross,
  bodies_touch,
  folded,
  surface_crosses,
  gap,
  thin_wall,
  sliver,
  size_jump,
  warped,
  cavity
};
inline constexpr int flaw_kinds = 10;

struct Flaw {
  FlawKind kind;
  Severity severity = Severity::note;
  Finding panels{};    ///< count, first panels, position of the first
  double worst = 0.0;  ///< worst value, in the unit of measure(); 0 if it has none
  std::size_t worst_panel = 0;
  std::vector<std::size_t> others{};  ///< for pairs: the partner of each of panels.first
};

struct Inspection {
  std::vector<Flaw> flaws;           ///< one per kind found, the most severe first
  std::vector<std::uint8_t> marked;  ///< per panel: 1 + its most severe kind, or 0

  bool refused() const;
};

/// The mesh must be sound and oriented (orient.hpp).
Inspection inspect(const SurfaceMesh& mesh, const Symmetry& symmetry = {});
/// The same with known connections.
Inspection inspect(const SurfaceMesh& mesh, const Connections& connections,
                   const Symmetry& symmetry);

const char* to_string(Severity severity);
/// "overlapping bodies"
const char* name(FlawKind kind);
/// Name of Flaw::worst, for example "distance / panel size"; empty if the kind has no value.
const char* measure(FlawKind kind);
/// The remedy.
const char* advice(FlawKind kind);

/// The partner of the k-th of panels.first: a panel number, or "its image" in a symmetry plane.
std::string other_of(const Flaw& flaw, std::size_t k);

/// The flaw, its count, the first panels, the worst value, the remedy.
std::string describe(const SurfaceMesh& mesh, const Flaw& flaw);

/// Throws MeshError with all flaws of severity `refused`.
void require_meaningful(const SurfaceMesh& mesh, const Inspection& inspection);

}  // namespace rankine::meshes
