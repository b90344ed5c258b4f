#include "cases/output/summary.hpp"

#include <nlohmann/json.hpp>

#include "cases/input/words.hpp"
#include "cases/output/summary_json.hpp"

namespace rankine::cases {
namespace {

using Json = nlohmann::ordered_json;

Json array(const Vec3d& v) { return Json::array({v.x, v.y, v.z}); }

Json forces_json(const std::vector<std::pair<std::string, Vec3d>>& forces) {
  Json json = Json::object();
  for (const auto& [patch, force] : forces) json[patch] = array(force);
  return json;
}

Json symmetry_json(const meshes::Symmetry& symmetry) {
  Json planes = Json::array();
  for (const meshes::SymmetryPlane& plane : symmetry.planes())
    planes.push_back(word(plane_words, {plane.axis, plane.sign}));
  return planes;
}

/// Of the vectors that were measured.
Json errors_json(const bem::FarFieldAccuracy& accuracy) {
  Json json = Json::object();
  for (std::size_t k = 0; k < bem::solve_vector_count; ++k) {
    if (accuracy.errors[k] > 0.0)
      json[bem::to_string(static_cast<bem::SolveVector>(k))] = accuracy.errors[k];
  }
  return json;
}

/// Relative but for force (N) and added mass (m/s).
Json estimates_json(const bem::ErrorFigures& errors, bool has_pressure) {
  Json json = {{"potential_l2", errors.potential.l2}, {"potential_max", errors.potential.max}};
  if (has_pressure) {
    json["velocity_l2"] = errors.velocity.l2;
    json["velocity_max"] = errors.velocity.max;
    json["Cp_l2"] = errors.cp.l2;
    json["Cp_max"] = errors.cp.max;
    json["force"] = errors.force;
    json["added_mass"] = errors.added_mass;
  } else {
    json["gradient_l2"] = errors.velocity.l2;
    json["gradient_max"] = errors.velocity.max;
  }
  json["doubtful_area"] = errors.doubtful;
  json["doubtful_panels"] = errors.doubtful_panels;
  return json;
}

Json verify_json(const VerifyResult& verify) {
  Json json{{"exact", verify.exact},
            {"potential_l2", verify.potential_l2},
            {"velocity_l2", verify.velocity_l2},
            {"velocity_max", verify.velocity_max}};
  if (verify.added_mass) json["added_mass"] = *verify.added_mass;
  json["exceeded"] = verify.exceeded;
  json["pass"] = verify.pass();
  return json;
}

Json bodies_json(const std::vector<BodyLoads>& bodies) {
  Json json = Json::array();
  for (const BodyLoads& each : bodies) {
    json.push_back({{"name", each.name},
                    {"volume", each.volume},
                    {"centre", array(each.centre)},
                    {"force", array(each.force)},
                    {"moment", array(each.moment)}});
  }
  return json;
}

void add_electric(const ElectricResults& electric, Json& json) {
  json["conductors"] = Json::array();
  for (const ConductorResult& each : electric.conductors) {
    json["conductors"].push_back({{"name", each.name},
                                  {"potential", each.potential},
                                  {"charge", each.charge},
                                  {"force", array(each.force)}});
  }
  json["bodies"] = Json::array();
  for (const BodyForce& each : electric.bodies)
    json["bodies"].push_back({{"name", each.name}, {"force", array(each.force)}});
  json["charges"] = Json::array();
  for (const ConductorResult& each : electric.conductors) json["charges"].push_back(each.charge);
  json["capacitance"] = electric.capacitance;
  json["capacitance_matrix"] = electric.capacitance;
  json["capacitance_asymmetry"] = electric.asymmetry;
  json["energy"] = electric.energy;
}

Json results_json(const Summary& s) {
  Json json = Json::object();
  if (s.has_pressure) {
    json = {{"force", array(s.force)},
            {"moment", array(s.moment)},
            {"patch_forces", forces_json(s.patch_forces)},
            {"bodies", bodies_json(s.bodies)},
            {"added_mass", array(s.added_mass)},
            {"Cp_min", s.has_Cp ? Json(s.Cp_min) : Json()},
            {"Cp_max", s.has_Cp ? Json(s.Cp_max) : Json()},
            {"U_max", s.U_max}};
  }
  json["error_estimates"] = estimates_json(s.errors, s.has_pressure);
  json["phi_min"] = s.phi_min;
  json["phi_max"] = s.phi_max;
  json["patch_fluxes"] = object_json(s.patch_fluxes);
  json["removed_flux"] = s.removed_flux;
  if (s.electric) add_electric(*s.electric, json);
  if (!s.added_mass_matrix) return json;
  const AddedMassMatrix& added = *s.added_mass_matrix;
  json["added_mass_modes"] = added.modes;
  json["added_mass_matrix"] = added.matrix;
  json["added_mass_nondimensional"] = added.nondimensional;
  json["added_mass_centres"] = Json::array();
  for (const Vec3d& centre : added.centres) json["added_mass_centres"].push_back(array(centre));
  json["added_mass_asymmetry"] = added.asymmetry;
  json["added_mass_iterations"] = added.iterations;
  return json;
}

}  // namespace

std::string to_json(const Summary& s, int indent) {
  Json json = head_json(s.status, s.exit_code, {s.device, s.threads}, {s.case_path, s.case_sha256});
  json.update(Json{{"mesh",
                    {{"path", s.mesh_path},
                     {"panels", s.panels},
                     {"nodes", s.nodes},
                     {"volume", s.volume},
                     {"area", s.area},
                     {"watertight", s.watertight},
                     {"patches", object_json(s.patches)}}},
                   {"problem",
                    {{"kind", s.kind},
                     {"domain", s.domain},
                     {"velocity", array(s.velocity)},
                     {"sources", s.onset[0]},
                     {"doublets", s.onset[1]},
                     {"vortex_segments", s.onset[2]},
                     {"density", s.density},
                     {"symmetry", symmetry_json(s.symmetry)},
                     {"symmetry_origin", array(s.symmetry.onto(s.symmetry.images() - 1, {}))},
                     {"images", s.symmetry.images()}}},
                   {"fmm",
                    {{"backend", s.backend},
                     {"method", word(method_words, s.far_field.method)},
                     {"precision", precision_word(s.far_field.precision, s.mixed_precision)},
                     {"tolerance", s.accuracy.asked},
                     {"tolerance_used", s.accuracy.tolerance},
                     {"raised", s.accuracy.raises.size()},
                     {"order", s.far_field.order},
                     {"leaf_capacity", s.far_field.leaf_capacity},
                     {"depth", s.far_field.depth},
                     {"near_pairs", s.far_field.near_pairs},
                     {"near_entries", s.near_entries},
                     {"samples", s.accuracy.samples},
                     {"sampled_error", s.sampled_error},
                     {"sampled_errors", errors_json(s.accuracy)}}},
                   {"solver",
                    {{"formulation", s.formulation},
                     {"preconditioner", s.preconditioner},
                     {"panels", s.panel_kind},
                     {"curved_panels", s.curves.curved},
                     {"straightened_panels", s.curves.straight},
                     {"iterations", s.iterations},
                     {"tolerance", s.tolerance},
                     {"residual", s.residual},
                     {"true_residual", s.true_residual},
                     {"restart", s.restart}}},
                   {"results", results_json(s)}});
  if (s.verify) json["verify"] = verify_json(*s.verify);
  add_tail(json, s.seconds, {s.peak_host_bytes, s.peak_device_bytes}, s.files, s.warnings);
  return dump(json, indent);
}

}  // namespace rankine::cases
