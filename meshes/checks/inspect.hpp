// Finds what makes the answer inaccurate on a sound mesh (defects.hpp): flaws of panels, of pairs
// of panels and of bodies, each with its severity.
#pragma once

#include <string>
#include <vector>

#include "rankine/meshes/checks/mesh_check.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::meshes {

enum class Severity : std::uint8_t {
  note,     ///< good to know
  warning,  ///< the answer is inaccurate there
  refused   ///< the equation has no meaning, no answer can be right
};

/// The most severe first; a panel with several flaws is marked with the first of them.
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
  Finding panels{};    ///< how many, the first ones, where the first is
  double worst = 0.0;  ///< in the unit that `measure` names; 0 where there is none
  std::size_t worst_panel = 0;
  std::vector<std::size_t> others{};  ///< of pairs: with which panel each of panels.first was found
};

struct Inspection {
  std::vector<Flaw> flaws;           ///< one per kind that was found, the most severe first
  std::vector<std::uint8_t> marked;  ///< per panel: 1 + its most severe kind, 0 for none

  bool refused() const;
};

/// The mesh must be sound and oriented (orient.hpp).
Inspection inspect(const SurfaceMesh& mesh, const Symmetry& symmetry = {});
/// The same for one whose connections are known.
Inspection inspect(const SurfaceMesh& mesh, const Connections& connections,
                   const Symmetry& symmetry);

const char* to_string(Severity severity);
/// "overlapping bodies"
const char* name(FlawKind kind);
/// What Flaw::worst is: "distance / panel size"; empty where there is none.
const char* measure(FlawKind kind);
/// What to do about it.
const char* advice(FlawKind kind);

/// The partner of the k-th of panels.first: the number of a panel, or "its image" in a symmetry
/// plane.
std::string other_of(const Flaw& flaw, std::size_t k);

/// What is wrong, how often, the first panels, the worst value, what to do.
std::string describe(const SurfaceMesh& mesh, const Flaw& flaw);

/// Throws MeshError with every flaw that is refused.
void require_meaningful(const SurfaceMesh& mesh, const Inspection& inspection);

}  // namespace rankine::meshes
