// Conductors and dielectrics, and the integral equation of the total charge on their surfaces.
//
// With sigma the charge of either kind over eps_0 and phi_e the potential of sources, phi = phi_e + S sigma
// everywhere, whatever media there are. With n from the medium eps_i within a body into eps_o around it,
//
//   interface   eps_o dphi/dn = eps_i dphi/dn :   sigma/2 - beta K' sigma = beta dphi_e/dn ,
//                                                 beta = (eps_o - eps_i) / (eps_o + eps_i)
//   conductor   phi = V :                         S sigma = V - phi_e
//
// of the second and of the first kind [J99 sec. 4.4]. Where eps_i is much larger than eps_o, the charge of a
// body is what little is left of two terms; Gauss's law knows it,
//
//   charge on and within the body = free charge within / eps_o ,
//
// and its multiple is added to the rows of every interface: a matrix of rank one that changes nothing in
// the solution, and keeps errors of integrals from being multiplied by the ratio. A surface of both kinds,
// a dielectric with electrodes, has a potential of its own and needs none.
#pragma once

#include <cstdint>
#include <vector>

#include "rankine/bem/flow/conductors.hpp"
#include "rankine/bem/flow/incident.hpp"

namespace rankine::bem {

struct PointCharge {
  Vec3d position;          ///< m
  double charge = 0.0;     ///< C
  std::int32_t body = -1;  ///< the innermost around it; -1: none
};

/// A closed surface and the media on both sides.
struct ElectricBody {
  std::int32_t parent = -1;  ///< the innermost body around; -1: none
  double outside = 1.0;      ///< relative permittivity, where the normals point
  double inside =
      0.0;  ///< the same of the other side; 0: it has no field, or none that is asked for
};

struct ElectricProblem {
  meshes::SurfaceMesh mesh;  ///< of which the panels are, with the same normals
  PanelGeometry geometry = PanelGeometry::curved;
  Panels panels;
  std::vector<std::int32_t> body;       ///< of every panel
  std::vector<std::int32_t> conductor;  ///< of every panel; -1: an interface
  std::vector<ElectricBody> bodies;
  int conductors = 0;
  double permittivity = 1.0;  ///< of the outermost medium, relative
  Vec3d field{};              ///< applied, V/m
  std::vector<PointCharge> charges{};
  /// Inside: body `enclosing` is a conductor around all others, whose normals point to them.
  Domain domain = Domain::exterior;
  std::int32_t enclosing = -1;

  bool has_sources() const { return !(field == Vec3d{}) || !charges.empty(); }
  /// Of the medium within a body, -1: the outermost.
  double medium(std::int32_t inside_body) const;
  /// Whether a panel's two sides are told apart by sigma alone: they are not where a conductor has a field
  /// on both, and where there is no step between the media.
  bool needs_both_sides(std::size_t panel) const;
};

/// A closed surface with its mesh; `conductor`: -1, all of it is an interface.
struct ElectricPart {
  meshes::SurfaceMesh mesh;
  ElectricBody body{};
  std::int32_t conductor = -1;
};

/// The bodies of a problem, numbered in this order, in vacuum, with no field and no charge.
ElectricProblem put_together(const std::vector<ElectricPart>& parts,
                             const meshes::Symmetry& symmetry = {});

/// Throws InputError for sizes and numbers that do not fit, permittivities that are not positive, and
/// charges within conductors.
void check(const ElectricProblem& problem);

/// Of the charges in the medium within `region` alone (-1: the outermost, with the field applied), or of all.
Incident incident_in(const ElectricProblem& problem, std::int32_t region);
Incident incident(const ElectricProblem& problem);

/// dphi_e/dn on every panel, of all sources.
std::vector<double> incident_flux(const ElectricProblem& problem);

/// Its flux is dS sigma/dn outside of panels that need both sides, and zero on others.
BoundaryFormulation electric_formulation(const ElectricProblem& problem);

/// What the equations know: of 1 V on every conductor in turn, then, where there are sources, of these.
std::vector<double> electric_data(const ElectricProblem& problem);

}  // namespace rankine::bem
