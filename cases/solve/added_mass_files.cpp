#include "cases/solve/added_mass_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "cases/output/netcdf.hpp"
#include "cases/solve/values_file.hpp"

namespace rankine::cases {
namespace {

constexpr std::array rigid_names{"x", "y", "z", "rx", "ry", "rz"};
constexpr std::array ship_names{"surge", "sway", "heave", "roll", "pitch", "yaw"};

/// The square root of the reference mass of every mode: sqrt(rho V), times V^(1/3) for rotations.
std::vector<double> scales(const CaseBodies& bodies, const FurtherModes& further, double density) {
  std::vector<double> scale;
  double all = 0.0;
  for (const double volume : bodies.volume) {
    all += volume;
    for (int k = 0; k < 6; ++k)
      scale.push_back(std::sqrt(density * volume) * (k < 3 ? 1.0 : std::cbrt(volume)));
  }
  scale.resize(scale.size() + further.names.size(), std::sqrt(density * all));
  return scale;
}

}  // namespace

FurtherModes read_modes(const Case& flow_case, const meshes::SurfaceMesh& mesh) {
  FurtherModes further;
  const std::filesystem::path& file = flow_case.problem.modes;
  if (file.empty()) return further;
  for (const Column& column : read_columns(file)) {
    further.names.push_back(column.name);
    const std::vector<double> values = per_panel(mesh, column, file);
    further.displacements.insert(further.displacements.end(), values.begin(), values.end());
  }
  return further;
}

int most_modes_at_once(const Case& flow_case, std::size_t bodies, const FurtherModes& further) {
  if (flow_case.problem.kind == ProblemKind::electrostatics)
    return static_cast<int>(flow_case.boundaries.size()) + (has_media(flow_case) ? 1 : 0);
  if (flow_case.lift.has_wakes() && flow_case.lift.derivatives)
    return 6 + static_cast<int>(flow_case.lift.controls.size());
  if (!flow_case.problem.added_mass) return 1;
  return std::min(bem::modes_together, static_cast<int>(6 * bodies + further.names.size()));
}

AddedMassMatrix describe(const bem::AddedMass& found, const CaseBodies& bodies,
                         const FurtherModes& further, double density, bool floats) {
  AddedMassMatrix result;
  for (const std::string& body : bodies.name) {
    for (const char* mode : floats ? ship_names : rigid_names)
      result.modes.push_back(body + " " + mode);
  }
  result.modes.insert(result.modes.end(), further.names.begin(), further.names.end());
  result.centres = bodies.rigid.centre;
  const std::vector<double> scale = scales(bodies, further, density);
  for (int i = 0; i < found.modes; ++i) {
    auto &row = result.matrix.emplace_back(), &relative = result.nondimensional.emplace_back();
    for (int j = 0; j < found.modes; ++j) {
      row.push_back(found(i, j));
      relative.push_back(found(i, j) /
                         (scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)]));
    }
  }
  result.asymmetry = found.asymmetry;
  result.converged = found.converged();
  for (const bem::GmresResult& each : found.gmres)
    result.iterations = std::max(result.iterations, each.iterations);
  return result;
}

std::vector<AddedMassMatrix> solve_modes(const Case& flow_case, const bem::FlowProblem& problem,
                                         CaseBodies bodies, const FurtherModes& further,
                                         const bem::FlowOptions& options, bem::Backend& backend) {
  const ProblemInput& input = flow_case.problem;
  bodies.rigid.halved = input.whole;
  for (double& each : bodies.volume) each *= 1u << input.whole.size();
  const bool floats = input.free_surface >= 0;
  const auto solved = [&](const bem::FlowProblem& of_limit) {
    const bem::AddedMass found =
        bem::added_mass(of_limit, bodies.rigid, further.displacements, options, backend);
    return describe(found, bodies, further, problem.density, floats);
  };
  if (!floats) return {solved(problem)};
  std::vector<AddedMassMatrix> limits;
  bem::FlowProblem of_limit = problem;
  for (const double sign : {1.0, -1.0}) {
    of_limit.panels.symmetry = problem.panels.symmetry.with_sign(input.free_surface, sign);
    limits.push_back(solved(of_limit));
  }
  limits.back().limit = "_infinite";
  return limits;
}

std::string added_mass_csv(const AddedMassMatrix& matrix) {
  std::string text = "mode";
  for (const std::string& mode : matrix.modes) text += "," + mode;
  for (std::size_t i = 0; i < matrix.modes.size(); ++i) {
    text += "\n" + matrix.modes[i];
    for (const double value : matrix.matrix[i]) text += fmt::format(",{:.17g}", value);
  }
  return text + "\n";
}

std::string added_mass_json(const AddedMassMatrix& matrix, double density) {
  nlohmann::ordered_json json{
      {"schema", 1},
      {"modes", matrix.modes},
      {"units", "kg, kg m, kg m^2; x y z: 1 m/s, rx ry rz: 1 rad/s about the body's centre"},
      {"density", density},
      {"centres", nlohmann::ordered_json::array()},
      {"matrix", matrix.matrix},
      {"nondimensional", matrix.nondimensional},
      {"nondimensional_by",
       "rho V, rho V^(4/3), rho V^(5/3), V that of the body; of two bodies the "
       "geometric mean"},
      {"asymmetry", matrix.asymmetry}};
  for (const Vec3d& centre : matrix.centres)
    json["centres"].push_back({centre.x, centre.y, centre.z});
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string added_mass_netcdf(const std::vector<AddedMassMatrix>& limits, double density) {
  const AddedMassMatrix& first = limits.front();
  // Capytaine names the modes of a single body "Surge", those of several bodies "NAME__Surge".
  std::vector<std::string> modes;
  for (const std::string& mode : first.modes) {
    const std::size_t end = mode.rfind(' ');
    std::string name = mode.substr(end == std::string::npos ? 0 : end + 1);
    name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
    modes.push_back(first.centres.size() > 1 ? mode.substr(0, end) + "__" + name : name);
  }
  std::vector<double> matrices;
  for (const AddedMassMatrix& each : limits) {
    for (const std::vector<double>& row : each.matrix)
      matrices.insert(matrices.end(), row.begin(), row.end());
  }
  const auto count = static_cast<std::int32_t>(modes.size());
  const std::vector<std::string> of_matrices{"omega", "radiating_dof", "influenced_dof"};
  const double infinite = std::numeric_limits<double>::infinity();
  return netcdf({{"omega", 2}, {"radiating_dof", count}, {"influenced_dof", count}},
                {{"title", "Added mass in the limits of slow and of fast motions"}},
                {{"omega", {"omega"}, std::vector{0.0, infinite}, {{"units", "rad/s"}}},
                 {"radiating_dof", {"radiating_dof"}, modes},
                 {"influenced_dof", {"influenced_dof"}, modes},
                 {"added_mass", of_matrices, matrices, {{"units", "kg, kg m, kg m^2"}}},
                 {"radiation_damping", of_matrices, std::vector<double>(matrices.size(), 0.0)},
                 {"rho", {}, std::vector{density}, {{"units", "kg/m^3"}}},
                 {"water_depth", {}, std::vector{infinite}, {{"units", "m"}}}});
}

std::optional<std::string> warning_of_modes(const ProblemInput& problem) {
  const meshes::Symmetry& symmetry = problem.symmetry;
  std::string parted;
  for (int mode = 0; mode < 6; ++mode) {
    // A wall allows translations along it and the rotation about its normal; a plane of zero
    // potential allows the other modes.
    const bool turns = mode >= 3;
    const bool allowed =
        std::all_of(symmetry.planes().begin(), symmetry.planes().end(),
                    [&](const meshes::SymmetryPlane& plane) {
                      const auto& whole = problem.whole;
                      return plane.axis == problem.free_surface ||
                             std::find(whole.begin(), whole.end(), plane.axis) != whole.end() ||
                             (mode % 3 == plane.axis) == (turns == (plane.sign > 0.0));
                    });
    if (!allowed) parted += (parted.empty() ? "" : ", ") + std::string(rigid_names[mode]);
  }
  if (parted.empty()) return std::nullopt;
  return "the symmetry planes do not allow the modes " + parted +
         " of a whole body: in their rows of the added-mass matrix the modelled part and its "
         "images move apart";
}

}  // namespace rankine::cases
