// Conductors and dielectrics, and the integral equation of the total charge on their surfaces.
//
// Let sigma be the total charge density, free and bound, over eps_0, and phi_e the potential of the
// sources. Then phi = phi_e + S sigma in all media. With n from the medium eps_i inside a body into
// the medium eps_o around it,
//
//   interface   eps_o dphi/dn = eps_i dphi/dn :   sigma/2 - beta K' sigma = beta dphi_e/dn ,
//                                                 beta = (eps_o - eps_i) / (eps_o + eps_i)
//   conductor   phi = V :                         S sigma = V - phi_e
//
// These are equations of the second and of the first kind [J99 sec. 4.4]. If eps_i is much larger
// than eps_o, the charge of a body is a small difference of two terms. It is determined by Gauss's
// law,
//
//   charge on and within the body = free charge within / eps_o .
//
// A multiple of this equation is added to the rows of every interface: a matrix of rank one, which
// does not change the solution and prevents errors of integrals from being multiplied by eps_i /
// eps_o. A surface with both kinds of panels, such as a dielectric with electrodes, does not need
// it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "rankine/bem/electric/conductors.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

struct IncidentPoint {
  Vec3d position;
  double strength = 0.0;  ///< c
};

/// The potential of a uniform gradient and of point charges, without surfaces,
///
///   phi(x) = a.x + sum_k sum_g s_g c_k / |x - R_g y_k| ,
///
/// where g runs over the images in symmetry planes and s_g are their signs (meshes/symmetry.hpp).
struct Incident {
  Vec3d uniform{};  ///< a
  std::vector<IncidentPoint> points{};
  meshes::Symmetry symmetry{};

  double potential(const Vec3d& x) const {
    double sum = dot(uniform, x);
    visit(x, [&](std::size_t, int, const Vec3d& r, double c) { sum += c / norm(r); });
    return sum;
  }
  Vec3d gradient(const Vec3d& x) const {
    Vec3d sum = uniform;
    visit(x, [&](std::size_t, int, const Vec3d& r, double c) {
      sum -= c / (dot(r, r) * norm(r)) * r;
    });
    return sum;
  }
  /// At point k, without the 1/r term of that point.
  double potential_at_point(std::size_t k) const {
    const Vec3d& x = points[k].position;
    double sum = dot(uniform, x);
    visit(x, [&](std::size_t j, int image, const Vec3d& r, double c) {
      if (j != k || image != 0) sum += c / norm(r);
    });
    return sum;
  }

 private:
  template <class Add>
  void visit(const Vec3d& x, Add&& add) const {
    for (std::size_t k = 0; k < points.size(); ++k) {
      for (int image = 0; image < symmetry.images(); ++image)
        add(k, image, x - symmetry.point(image, points[k].position),
            symmetry.sign(image) * points[k].strength);
    }
  }
};

struct PointCharge {
  Vec3d position;          ///< m
  double charge = 0.0;     ///< C
  std::int32_t body = -1;  ///< the innermost body around it; -1: none
};

/// A closed surface and the media on both sides, or a sheet within a medium.
struct ElectricBody {
  std::int32_t parent = -1;  ///< the innermost body around it; -1: none
  double outside = 1.0;      ///< relative permittivity on the side to which normals point
  double inside =
      0.0;  ///< relative permittivity on the other side; 0: no field there, or it is not needed
  bool thin = false;  ///< a conductor without thickness; `inside` is `outside`
};

struct ElectricProblem {
  meshes::SurfaceMesh mesh{};  ///< the mesh of the panels, with the same normals
  PanelGeometry geometry = PanelGeometry::curved;
  Panels panels;
  std::vector<std::int32_t> body{};     ///< of every panel
  std::vector<std::int32_t> conductor;  ///< of every panel; -1: an interface
  std::vector<ElectricBody> bodies;
  int conductors = 0;
  double permittivity = 1.0;  ///< of the outermost medium, relative
  Vec3d field{};              ///< applied, V/m
  std::vector<PointCharge> charges{};
  /// In an interior domain the body `enclosing` is a conductor around all others, with normals
  /// towards them.
  Domain domain = Domain::exterior;
  std::int32_t enclosing = -1;
  /// `source`: the unknown is the total charge. `green`, for closed conductors in one medium: the
  /// unknown is the flux, which is more accurate on smooth surfaces and in cavities.
  Formulation formulation = Formulation::source;

  const ElectricBody& body_of(std::size_t panel) const {
    return bodies[static_cast<std::size_t>(body[panel])];
  }
  bool has_sources() const { return !(field == Vec3d{}) || !charges.empty(); }
  /// Permittivity of the medium inside a body; -1: of the outermost medium.
  double medium(std::int32_t inside_body) const;
  /// Whether sigma alone does not determine the normal fields on both sides of a panel. This is so
  /// for a conductor with a field on both sides, for a conductor that encloses all others, and if
  /// the media on both sides are the same.
  bool needs_both_sides(std::size_t panel) const;
  /// Whether there is a medium with a field within a body.
  bool has_field_within(std::int32_t number) const {
    const ElectricBody& one = bodies[static_cast<std::size_t>(number)];
    return one.inside > 0.0 && !one.thin;
  }
  /// For every panel, whether it belongs to a sheet; empty if none does.
  std::vector<std::uint8_t> thin() const;
};

/// Conductors in one medium of this relative permittivity, without applied field and charges. The
/// problem has no mesh, which only several media need. `conductor`: that of every panel.
ElectricProblem one_medium(const Region& region, std::span<const std::int32_t> conductor,
                           int conductors, double permittivity, Formulation formulation);

/// Throws InputError for sizes and numbers that do not fit, permittivities that are not positive,
/// and charges within conductors.
void check(const ElectricProblem& problem);

/// The potential of the charges in the medium within `region` (-1: the outermost, with the applied
/// field), or of all sources.
Incident incident_in(const ElectricProblem& problem, std::int32_t region);
Incident incident(const ElectricProblem& problem);

/// dphi_e/dn of all sources on every panel.
std::vector<double> incident_flux(const ElectricProblem& problem);

/// The formulation of the problem. Its flux is dS sigma/dn on the outer side of panels that need
/// both sides, and zero on others.
BoundaryFormulation electric_formulation(const ElectricProblem& problem);

/// Known values: one right-hand side for 1 V on each conductor in turn, then one for the sources,
/// if there are any.
std::vector<double> electric_data(const ElectricProblem& problem);

}  // namespace rankine::bem
