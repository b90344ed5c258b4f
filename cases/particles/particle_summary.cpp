#include "cases/particles/particle_summary.hpp"

#include <nlohmann/json.hpp>

#include "cases/input/words.hpp"
#include "cases/output/summary_json.hpp"

namespace rankine::cases {

using Json = nlohmann::ordered_json;

std::string to_json(const ParticleCase& given, const ParticleSummary& s, int indent) {
  Json json = head_json(s.status, s.exit_code, {s.device, s.threads}, {given.path, given.sha256});
  json["problem"] = {{"kind", word(kind_words, given.kind)}, {"particles", s.particles}};
  if (given.kind == ProblemKind::gravity) {
    json["problem"]["gravitational_constant"] = given.gravitational_constant;
    json["problem"]["softening"] = given.particles.softening;
  } else {
    const Vec3d& u = given.velocity;
    json["problem"]["velocity"] = {u.x, u.y, u.z};
    json["problem"]["sigma"] = given.particles.sigma;
    json["problem"]["core"] = word(core_words, given.particles.core);
  }
  json["time"] = {{"step", given.time.step},
                  {"steps", given.time.steps},
                  {"steps_done", s.steps_done},
                  {"scheme", word(scheme_words, given.time.scheme)}};
  if (given.kind == ProblemKind::vortex)
    json["time"]["stretching"] = word(stretching_words, given.time.stretching);
  json["fmm"] = {{"backend", s.backend},
                 {"method", word(method_words, s.sum.method)},
                 {"precision", word(precision_words, s.sum.precision)},
                 {"tolerance", s.sum.tolerance},
                 {"tolerance_kept", s.sum.kept_tolerance},
                 {"order", s.sum.order},
                 {"leaf_capacity", s.sum.leaf_capacity},
                 {"depth", s.sum.depth},
                 {"near_pairs", s.sum.near_pairs}};
  json["results"] = object_json(s.results);
  add_tail(json, s.seconds, {s.peak_host_bytes, s.peak_device_bytes}, s.files, s.warnings);
  return dump(json, indent);
}

}  // namespace rankine::cases
