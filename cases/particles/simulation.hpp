// The interface of a particle simulation, for gravity and for vortices.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cases/output/log.hpp"
#include "cases/particles/particle_case.hpp"
#include "cases/solve/probes.hpp"
#include "rankine/bem/backend.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/meshes/surface_mesh.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// The monitors of an output step, a line of monitors.csv.
struct MonitorRow {
  int step = 0;
  std::vector<double> values;  ///< in the order of Simulation::monitor_names()
};

struct Snapshot {
  std::vector<Vec3d> positions;
  meshes::Fields fields;
  meshes::Fields surface;  ///< on Simulation::surface()
  std::vector<ProbeResult> probes;
  std::vector<double> monitors;
};

/// A named array of a checkpoint.
struct StateArray {
  std::string name;
  std::vector<double> values;
};
using State = std::vector<StateArray>;

/// A named number of summary.json.
using Figure = std::pair<std::string, double>;

class Simulation {
 public:
  virtual ~Simulation() = default;

  virtual std::size_t size() const = 0;  ///< particles
  /// Advances by one time step.
  virtual void advance() = 0;
  /// The number of parts into which a time step is divided. If there are several, a stop request
  /// makes advance() throw Stopped, and the state is then incomplete.
  virtual int parts_of_step() const { return 1; }
  /// Chooses the summation method again for the current positions.
  virtual void renew() = 0;
  /// The surface of the body, or null.
  virtual const meshes::SurfaceMesh* surface() const { return nullptr; }
  /// The current state for output. Throws InputError if values are not finite.
  virtual Snapshot observe() = 0;
  virtual std::vector<std::string> monitor_names() const = 0;
  /// The complete state, from which resume_simulation() continues bit for bit.
  virtual State state() const = 0;
  /// Changes of invariants and other figures between the first and the last of `rows`, which are
  /// `seconds` apart.
  virtual std::vector<Figure> figures(const std::vector<MonitorRow>& rows,
                                      double seconds) const = 0;
  /// Names of the figures shown in the log during the run.
  virtual std::vector<std::string> headlines() const = 0;
  virtual const fmm::OperatorInfo& info() const = 0;
  /// The reason for direct sums if the case requests expansions; otherwise empty.
  virtual const std::string& refusal() const = 0;
  /// Upper bound of the number of particles after `steps` more steps.
  virtual std::size_t size_after(int steps) const = 0;
};

/// Generates or reads the particles of the case. Warns if memory may be insufficient. The backend
/// must outlive the simulation. Throws InputError, and DeviceError if memory is clearly
/// insufficient.
std::unique_ptr<Simulation> begin_simulation(const ParticleCase& given, bem::Backend& backend,
                                             Log& log);

/// Continues from the state of a checkpoint. Throws InputError if the state is incomplete.
std::unique_ptr<Simulation> resume_simulation(const ParticleCase& given, const State& state,
                                              bem::Backend& backend);

/// The same for the kinds "gravity" and "vortex".
std::unique_ptr<Simulation> begin_gravity(const ParticleCase& given, bem::Backend& backend,
                                          Log& log);
std::unique_ptr<Simulation> resume_gravity(const ParticleCase& given, const State& state,
                                           bem::Backend& backend);
std::unique_ptr<Simulation> begin_vortices(const ParticleCase& given, bem::Backend& backend,
                                           Log& log);
std::unique_ptr<Simulation> resume_vortices(const ParticleCase& given, const State& state,
                                            bem::Backend& backend);

/// For implementations: an array of a state, as numbers or vectors. Throws InputError if it is
/// missing.
const std::vector<double>& state_values(const State& state, const std::string& name);
/// Null if it is missing.
const std::vector<double>* find_values(const State& state, const std::string& name);
std::vector<Vec3d> state_vectors(const State& state, const std::string& name);
StateArray state_array(const std::string& name, const std::vector<Vec3d>& vectors);

/// Name of the monitor and figure for the measured error of sums at some particles, relative as
/// fmm.tolerance.
inline constexpr auto sum_error_name = "sum_error";

/// Figures of vortices: distance between particles over core radius; rotation of the fluid per
/// step, rad; change of the impulse over 1/2 sum |x - centroid| |Gamma|; number of limited
/// strengths (bem::limit_growth); largest fraction of particles that did not diffuse in a step;
/// length (2 nu h)^(1/2) over the spacing.
inline constexpr auto spacing_name = "spacing_over_sigma", rotation_name = "rotation_per_step",
                      impulse_change_name = "impulse_change", limited_name = "limited",
                      undiffused_name = "undiffused", force_difference_name = "force_difference",
                      sheet_spread_name = "sheet_spread", unsplit_name = "unsplit";

/// For implementations: the field "speed", the magnitudes of `velocities`.
meshes::Field speed_of(const std::vector<Vec3d>& velocities);

/// For implementations: appends a vector to monitors, and reads it from index `at`.
void append(std::vector<double>& values, const Vec3d& v);
Vec3d vector_at(const std::vector<double>& values, std::size_t at);
/// The largest value of the monitor with index `at`.
double largest(const std::vector<MonitorRow>& rows, std::size_t at);

/// For implementations: the options of [fmm].
fmm::Options sum_options(const FmmInput& input, fmm::Kernel kernel);

}  // namespace rankine::cases
