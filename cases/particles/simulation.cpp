#include "cases/particles/simulation.hpp"

#include <algorithm>
#include <span>

#include "rankine/fmm/core/error.hpp"

namespace rankine::cases {

const std::vector<double>* find_values(const State& state, const std::string& name) {
  const auto found = std::find_if(state.begin(), state.end(),
                                  [&](const StateArray& each) { return each.name == name; });
  return found == state.end() ? nullptr : &found->values;
}

const std::vector<double>& state_values(const State& state, const std::string& name) {
  if (const auto* const values = find_values(state, name)) return *values;
  throw InputError("the checkpoint lacks \"" + name + "\"; run without --resume");
}

std::vector<Vec3d> state_vectors(const State& state, const std::string& name) {
  const std::vector<double>& values = state_values(state, name);
  std::vector<Vec3d> vectors(values.size() / 3);
  std::copy_n(values.begin(), 3 * vectors.size(), as_doubles(std::span(vectors)).begin());
  return vectors;
}

StateArray state_array(const std::string& name, const std::vector<Vec3d>& vectors) {
  const auto values = as_doubles(std::span(vectors));
  return {name, {values.begin(), values.end()}};
}

meshes::Field speed_of(const std::vector<Vec3d>& velocities) {
  meshes::Field speed{"speed", 1, {}};
  for (const Vec3d& u : velocities) speed.values.push_back(norm(u));
  return speed;
}

void append(std::vector<double>& values, const Vec3d& v) {
  values.insert(values.end(), {v.x, v.y, v.z});
}

Vec3d vector_at(const std::vector<double>& values, std::size_t at) {
  return {values[at], values[at + 1], values[at + 2]};
}

double largest(const std::vector<MonitorRow>& rows, std::size_t at) {
  double found = 0.0;
  for (const MonitorRow& row : rows) found = std::max(found, row.values[at]);
  return found;
}

fmm::Options sum_options(const FmmInput& input, fmm::Kernel kernel) {
  fmm::Options options;
  options.method = input.method.value_or(fmm::Method::fmm);
  options.kernel = kernel;
  options.precision = input.precision;
  options.tolerance = input.tolerance;
  options.order = input.order;
  options.leaf_capacity = input.leaf_capacity;
  return options;
}

std::unique_ptr<Simulation> begin_simulation(const ParticleCase& given, bem::Backend& backend,
                                             Log& log) {
  return given.kind == ProblemKind::gravity ? begin_gravity(given, backend, log)
                                            : begin_vortices(given, backend, log);
}

std::unique_ptr<Simulation> resume_simulation(const ParticleCase& given, const State& state,
                                              bem::Backend& backend) {
  return given.kind == ProblemKind::gravity ? resume_gravity(given, state, backend)
                                            : resume_vortices(given, state, backend);
}

}  // namespace rankine::cases
