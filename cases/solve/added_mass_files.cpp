#include "cases/solve/added_mass_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "cases/solve/values_file.hpp"

namespace rankine::cases {
namespace {

constexpr std::array rigid_names{"x", "y", "z", "rx", "ry", "rz"};

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

int modes_held(const Case& flow_case, std::size_t bodies, const FurtherModes& further) {
  if (flow_case.problem.kind == ProblemKind::electrostatics)
    return static_cast<int>(flow_case.boundaries.size()) + (has_media(flow_case) ? 1 : 0);
  if (!flow_case.problem.added_mass) return 1;
  return std::min(bem::modes_together, static_cast<int>(6 * bodies + further.names.size()));
}

AddedMassMatrix describe(const bem::AddedMass& found, const CaseBodies& bodies,
                         const FurtherModes& further, double density) {
  AddedMassMatrix result;
  for (const std::string& body : bodies.name) {
    for (const char* mode : rigid_names) result.modes.push_back(body + " " + mode);
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

std::optional<std::string> warning_of_modes(const meshes::Symmetry& symmetry) {
  std::string parted;
  for (int mode = 0; mode < 6; ++mode) {
    // A wall allows translations along it and the rotation about its normal, a plane of zero
    // potential the other modes.
    const bool turns = mode >= 3;
    const bool allowed =
        std::all_of(symmetry.planes().begin(), symmetry.planes().end(),
                    [&](const meshes::SymmetryPlane& plane) {
                      return (mode % 3 == plane.axis) == (turns == (plane.sign > 0.0));
                    });
    if (!allowed) parted += (parted.empty() ? "" : ", ") + std::string(rigid_names[mode]);
  }
  if (parted.empty()) return std::nullopt;
  return "the symmetry planes do not allow the modes " + parted +
         " of a whole body: in their rows of the added-mass matrix the modelled part and its "
         "images move apart";
}

}  // namespace rankine::cases
