// Potential and gradient of panel sources and doublets at arbitrary points off the surface:
//
//   phi(x) = 1/(4 pi) sum_j ( q_j int_j 1/r dA + mu_j int_j n.r/r^3 dA )
//
// by an fmm::Operator over the far-field nodes and exact integrals over every panel closer than its
// near radius, summed over the images of a point in symmetry planes. The result is exact for
// piecewise constant strengths at any distance. Closer to the surface than a panel size such
// strengths are a poor approximation of smooth ones; bem/flow/field.hpp corrects for that.
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

/// The near integrals for fields off the surface, on a device (bem/layers/near_field.hpp).
class NearFields {
 public:
  virtual ~NearFields() = default;
  /// Finds the panels near `targets`, which are in the memory space `where`: the host or that of
  /// the backend.
  virtual void move_to(std::span<const Vec3d> targets, MemorySpace where) = 0;
  /// Adds the integrals to potentials and gradients from the far-field nodes at the targets, all
  /// without the factor 1/(4 pi) and in the backend's memory.
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
  /// Relative L2 error of checked sums, of the potential or the gradient, if it exceeds the
  /// tolerance; else 0.
  double sum_error = 0.0;
};

/// How the order of expansions is chosen if the options have none, and whether sums are checked.
enum class SumsOrder {
  promised,  ///< for strengths of any sign (fmm/operator.hpp)
  /// For the stored strengths: evaluate() compares sums with direct sums at some points, and raises
  /// the order while their relative L2 error exceeds the tolerance, unless the options have one.
  /// Smooth strengths need lower orders, 26 instead of 40 for 1e-7.
  checked
};

class OffSurfaceOperator {
 public:
  /// Plans the sums from the panels to `points`. `panels` must outlive this object.
  OffSurfaceOperator(Backend& backend, const Panels& panels, std::span<const Vec3d> points,
                     const fmm::Options& options, const QuadratureOptions& quadrature,
                     SumsOrder order = SumsOrder::promised);

  /// Plans the sums for other points and reuses the data of the panels.
  void move_to(std::span<const Vec3d> points);
  /// The same for points in the backend's memory (N x 3), with the order and leaf size of the
  /// previous points (fmm::Operator::move).
  void follow(const Array& points);

  /// Stores strengths in the form needed by nodes and near panels.
  void hold(const PanelStrengths& strengths);
  /// Evaluates the stored strengths.
  OffSurfaceValues evaluate() { return evaluate(panels_.symmetry); }
  OffSurfaceValues evaluate(const PanelStrengths& strengths) {
    hold(strengths);
    return evaluate();
  }
  /// The same with other signs of the planes. Strengths of panels that touch a plane must be zero
  /// if its sign differs from that of the panels.
  OffSurfaceValues evaluate(const meshes::Symmetry& planes);
  /// 4 pi times the gradients of `strengths`, N x 3, in the backend's memory.
  Array gradients(const PanelStrengths& strengths);

  /// D 1 at `points`: -1 inside a body, 0 outside. Images of the panels count with positive sign.
  /// `thin` panels (empty: none) enclose nothing and are ignored. `tolerance`: that of sums over
  /// far panels; the default is sufficient to distinguish inside from outside.
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
  bool has_strengths() const { return charges_.of_panels.size() + doublets_.of_panels.size() > 0; }
  // Without the factor 1/(4 pi), which evaluate() includes.
  /// Sums of the stored strengths over the nodes.
  void sum_nodes(Array& potential, Array& gradient);
  /// Adds the near integrals on a device.
  void add_near(Array& potential, Array& gradient);
  OffSurfaceValues downloaded(const Array& potential, const Array& gradient) const;
  /// Compares sums over nodes with direct ones. If their error relative to `values`, the sums with
  /// near integrals, exceeds the tolerance, raises the order and returns true, unless the last
  /// raise did not reduce the error. `error` is that of the previous order on input and that of the
  /// present order on output: 0 if sums keep the tolerance or are not checked.
  bool raise_order(const OffSurfaceValues& of_nodes, const OffSurfaceValues& values, double& error);

  Backend& backend_;
  const Panels& panels_;
  fmm::Options options_;
  bool checked_;           ///< SumsOrder::checked
  bool raises_;            ///< checked, and without an order in the options
  std::size_t count_ = 0;  ///< points and images
  /// The points and their images, image by image. Empty after follow() on a device.
  std::vector<Vec3d> targets_;
  Array nodes_, node_normals_;  ///< own ones, in the backend's memory; set by follow()
  CollocatedPanels discretization_;
  NearSearch near_search_;
  std::unique_ptr<fmm::Operator> far_, direct_;  ///< direct_: at sampled_, if sums are checked
  std::vector<std::size_t> sampled_;
  StrengthMatrices strengths_;
  std::unique_ptr<NearFields> near_fields_;  ///< null: on the host
  std::optional<SparsityPattern> near_;      ///< computed at its first use
  Strengths charges_, doublets_;
};

}  // namespace rankine::bem
