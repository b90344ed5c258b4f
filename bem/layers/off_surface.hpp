// Potential and gradient of panel sources and doublets at arbitrary points off the surface:
//
//   phi(x) = 1/(4 pi) sum_j ( q_j int_j 1/r dA + mu_j int_j n.r/r^3 dA )
//
// by an fmm::Operator over the far-field nodes and exact integrals over every panel nearer than its
// near radius, summed over the images of a point in symmetry planes. It is exact for piecewise
// constant strengths at any distance. Closer to the surface than a panel size these are a poor
// approximation of smooth strengths; bem/flow/field.hpp corrects for that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankine/bem/backend.hpp"
#include "rankine/bem/layers/collocated_panels.hpp"
#include "rankine/bem/layers/near_field.hpp"
#include "rankine/bem/panels/near_pairs.hpp"

namespace rankine::bem {

/// The near integrals of fields on a device (bem/layers/near_field.hpp).
class NearFields {
 public:
  virtual ~NearFields() = default;
  /// Finds the panels near `targets`, which are in the memory `where`: the host or the backend's.
  virtual void move_to(std::span<const Vec3d> targets, MemorySpace where) = 0;
  /// Adds them to potentials and gradients of the far-field nodes at the targets, all without the
  /// factor 1/(4 pi) and in the backend's memory.
  virtual void add(const LinearStrengths& charges, const LinearStrengths& doublets,
                   double* potential, Vec3d* gradient) = 0;
};

/// Strengths per panel; empty: none.
struct PanelStrengths {
  std::span<const double> charge;   ///< q, source strength
  std::span<const double> doublet;  ///< mu, along the normal
};

struct OffSurfaceValues {
  std::vector<double> potential;
  std::vector<Vec3d> gradient;
};

class OffSurfaceOperator {
 public:
  /// Plans the sums from the panels to `points`. `panels` must outlive this object.
  OffSurfaceOperator(Backend& backend, const Panels& panels, std::span<const Vec3d> points,
                     const fmm::Options& options, const QuadratureOptions& quadrature);

  /// Plans the sums to other points. The data of the panels are kept.
  void move_to(std::span<const Vec3d> points);
  /// The same for points in the backend's memory (N x 3), with the choices for the points before
  /// (fmm::Operator::move). For panels without symmetry planes.
  void follow(const Array& points);

  /// Stores strengths, in the form that nodes and near panels need.
  void hold(const PanelStrengths& strengths);
  /// Evaluates the stored strengths.
  OffSurfaceValues evaluate();
  OffSurfaceValues evaluate(const PanelStrengths& strengths);
  /// 4 pi times the gradients of `strengths`, N x 3, in the backend's memory.
  Array gradients(const PanelStrengths& strengths);

  /// D 1 at `points`, from the panels and their images, whatever the signs of the planes: -1
  /// inside a body, 0 outside. Panels that are `thin` (empty: none are) enclose nothing and are
  /// left out. `tolerance`: of sums over far panels; the default tells inside from outside.
  std::vector<double> winding(std::span<const Vec3d> points,
                              std::span<const std::uint8_t> thin = {},
                              double tolerance = 1e-3) const;

 private:
  /// Strengths of one kind; all empty: none.
  struct Strengths {
    Array of_panels, gradients, of_nodes;  ///< gradients as of LinearStrengths

    LinearStrengths linear() const { return {of_panels.data(), gradients.data()}; }
  };
  Strengths prepare(std::span<const double> strength) const;
  /// The panels near every target, on the host.
  const SparsityPattern& near();
  /// Of the stored strengths, without the near integrals of the host and the factor 1/(4 pi).
  void sum(Array& potential, Array& gradient);
  void add_near(OffSurfaceValues& values);

  Backend& backend_;
  const Panels& panels_;
  fmm::Options options_;
  std::size_t count_ = 0;  ///< points and images
  /// The points and their images, image by image. Empty after follow() on a device.
  std::vector<Vec3d> targets_;
  Array nodes_, node_normals_;  ///< of the panels, in the backend's memory, once followed
  CollocatedPanels discretization_;
  NearSearch near_search_;
  std::unique_ptr<fmm::Operator> far_;
  StrengthMatrices strengths_;
  std::unique_ptr<NearFields> near_fields_;  ///< null: on the host
  std::optional<SparsityPattern> near_;      ///< once asked for
  Strengths charges_, doublets_;
};

}  // namespace rankine::bem
