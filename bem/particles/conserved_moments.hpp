// Changes of vortex strengths that conserve the total vorticity sum Gamma and the linear impulse
// 1/2 sum x x Gamma.
//
// Let changes t_i at positions x_i be the momenta of masses m_i = |t_i|. They conserve both if
// their momentum sum t_i and their angular momentum sum x_i x t_i vanish. So the rigid motion of
// these masses, about their centre c, is subtracted:
//
//   t_i <- t_i - m_i (V + Omega x (x_i - c)) ,     sum m_i V = sum t_i ,
//   sum m_i (x_i - c) x (Omega x (x_i - c)) = sum (x_i - c) x t_i .
//
// Of all corrections e_i with this effect it has the least sum |e_i|^2 / m_i, the energy of a rigid
// motion, which is at most sum m_i. It vanishes where t_i does.
//
// Particles that move with their own velocities u_i for a time h conserve the impulse if the
// angular momentum of the changes by stretching is -h sum u_i x Gamma_i. Their strengths are only
// approximately free of divergence, so stretching alone does not have this property.
//
// The angular impulse 1/3 sum x x (x x Gamma) is not conserved. A condition for it would make
// results depend on the origin, because the changes alone are not free of divergence.
#pragma once

#include "rankine/bem/backend.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::bem {

/// Subtracts the rigid motion from `changes`, m^3/s, in the backend's memory, such that their
/// momentum vanishes and their angular momentum sum x x t about the origin becomes `angular`.
/// Images, of which vorticity is a pseudovector, are included. Beside a plane, the component of the
/// sum normal to the plane and the components of the impulse along it are conserved also for the
/// particles of one side alone. The other components are zero in the whole flow. Results have the
/// same bits for any number of threads, and in every run.
void conserve_moments(Backend& backend, const meshes::Symmetry& symmetry, const Array& positions,
                      Array& changes, const Vec3d& angular = {});

/// sum a over all vectors.
Vec3d sum_of(Backend& backend, const Array& a);
/// sum a x b over all vectors.
Vec3d sum_of_products(Backend& backend, const Array& a, const Array& b);

}  // namespace rankine::bem
