// summary.json, schema 1: what a run was, found and cost, for scripts. Its keys are a contract
// (cases/README.md).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "rankine/bem/flow/error_estimate.hpp"
#include "rankine/bem/layers/far_field_check.hpp"
#include "rankine/bem/panels/panels.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/operator.hpp"

namespace rankine::cases {

/// Errors against the exact solution; `pass` says whether every limit of the case held.
struct VerifyResult {
  std::string exact;
  double potential_l2 = 0.0;  ///< area-weighted, relative to the exact perturbation potential
  double velocity_l2 = 0.0;   ///< area-weighted, relative to the exact surface velocity
  double velocity_max = 0.0;  ///< largest |U - exact| over the largest exact |U|
  /// Largest relative error of the coefficients k_i with U_i != 0.
  std::optional<double> added_mass;
  std::vector<std::string> exceeded;  ///< one sentence per limit that did not hold
  bool pass() const { return exceeded.empty(); }
};

/// What the pressure does to one body.
struct BodyLoads {
  std::string name;
  double volume = 0.0;  ///< m^3
  Vec3d centre;         ///< of the moment, m
  Vec3d force, moment;  ///< N, N m
};

/// Rows and columns body by body x, y, z, rx, ry, rz, then further modes.
struct AddedMassMatrix {
  std::vector<std::string> modes;                   ///< "hull x", ...
  std::vector<Vec3d> centres;                       ///< of every body, m
  std::vector<std::vector<double>> matrix;          ///< kg, kg m, kg m^2
  std::vector<std::vector<double>> nondimensional;  ///< over rho V, rho V^(4/3), rho V^(5/3)
  double asymmetry = 0.0;                           ///< of the matrix found, relative
  int iterations = 0;                               ///< most of any mode
};

struct ConductorResult {
  std::string name;
  double potential = 0.0, charge = 0.0;  ///< V, C
  Vec3d force{};                         ///< N
};

/// What the field does to a body and what is within it.
struct BodyForce {
  std::string name;
  Vec3d force{};  ///< N
};

struct ElectricResults {
  std::vector<ConductorResult> conductors;
  std::vector<BodyForce> bodies;
  std::vector<std::vector<double>> capacitance;  ///< rows, F
  double asymmetry = 0.0;                        ///< of the matrix found, relative
  double energy = 0.0;                           ///< J
};

struct Summary {
  std::string status = "converged";
  int exit_code = 0;

  std::string backend, device;
  int threads = 0;
  std::filesystem::path case_path;
  std::string case_sha256;

  std::string mesh_path;
  std::int64_t panels = 0, nodes = 0;
  double volume = 0.0, area = 0.0;
  bool watertight = false;
  std::vector<std::pair<std::string, std::int64_t>> patches;

  Vec3d velocity;                      ///< of the undisturbed stream
  std::array<std::size_t, 3> onset{};  ///< sources, doublets and vortex segments in the fluid
  double density = 0.0;
  meshes::Symmetry symmetry;
  std::string kind = "flow", domain = "exterior";

  fmm::OperatorInfo far_field;
  bool mixed_precision = false;
  double sampled_error = 0.0;  ///< of the solution's sums
  bem::FarFieldAccuracy accuracy;
  std::int64_t near_entries = 0;

  std::string formulation, preconditioner = "none";
  std::string panel_kind;
  bem::CurveReport curves;
  int iterations = 0, restart = 0;
  double tolerance = 0.0, residual = 0.0, true_residual = 0.0;

  Vec3d force, moment;
  std::vector<std::pair<std::string, Vec3d>> patch_forces;  ///< N, they sum to `force`
  Vec3d added_mass;  ///< (1/V) int phi n dA, m/s: k_i U_i where the added-mass matrix is diagonal
  double Cp_min = 0.0, Cp_max = 0.0, U_max = 0.0;
  bool has_pressure = true;  ///< false of a potential alone: no loads
  bool has_Cp = true;        ///< false where there is nothing it could refer to
  double phi_min = 0.0, phi_max = 0.0;
  std::vector<std::pair<std::string, double>>
      patch_fluxes;           ///< int dphi/dn dA into the fluid, m^3/s
  double removed_flux = 0.0;  ///< taken from the data, m^3/s
  std::vector<BodyLoads> bodies;
  std::optional<AddedMassMatrix> added_mass_matrix;
  std::optional<ElectricResults> electric;
  bem::ErrorFigures errors;  ///< estimated

  std::optional<VerifyResult> verify;
  std::vector<std::pair<std::string, double>> seconds;  ///< phases, with "total", and parts of them
  std::size_t peak_host_bytes = 0, peak_device_bytes = 0;
  std::vector<std::string> files, warnings;
};

/// One JSON object, indented by `indent` spaces (-1: one line).
std::string to_json(const Summary& summary, int indent = 2);

}  // namespace rankine::cases
