// Particles that move: what a run asks of them, whatever moves them.
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

/// What is kept of an output step: a line of monitors.csv.
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

/// Numbers of a checkpoint.
struct StateArray {
  std::string name;
  std::vector<double> values;
};
using State = std::vector<StateArray>;

/// A number of summary.json.
using Figure = std::pair<std::string, double>;

class Simulation {
 public:
  virtual ~Simulation() = default;

  virtual std::size_t size() const = 0;  ///< particles
  /// Advances by a step.
  virtual void advance() = 0;
  /// Chooses how sums are made again, for where the particles are.
  virtual void renew() = 0;
  /// The body that the particles flow around, or null.
  virtual const meshes::SurfaceMesh* surface() const { return nullptr; }
  /// Throws InputError where numbers are not finite any more.
  virtual Snapshot observe() = 0;
  virtual std::vector<std::string> monitor_names() const = 0;
  /// Everything from which resume_simulation() continues with the same bits.
  virtual State state() const = 0;
  /// What became of what should be kept, from the first of `rows` to the last, `seconds` later.
  virtual std::vector<Figure> figures(const std::vector<MonitorRow>& rows,
                                      double seconds) const = 0;
  /// Those of the figures that the log shows on the way.
  virtual std::vector<std::string> headlines() const = 0;
  virtual const fmm::OperatorInfo& info() const = 0;
  /// Why sums are direct although the case asks for expansions; otherwise empty.
  virtual const std::string& refusal() const = 0;
  /// The largest number of particles that so many more steps can lead to.
  virtual std::size_t size_after(int steps) const = 0;
};

/// Made or read as the case says, where there is room for it: warns where there may be none. The
/// backend must outlive it. Throws InputError, and DeviceError where memory is clearly too small.
std::unique_ptr<Simulation> begin_simulation(const ParticleCase& given, bem::Backend& backend,
                                             Log& log);

/// From the state of a checkpoint. Throws InputError where it lacks something.
std::unique_ptr<Simulation> resume_simulation(const ParticleCase& given, const State& state,
                                              bem::Backend& backend);

/// The same for bodies of the kind "gravity" and for particles of the kind "vortex".
std::unique_ptr<Simulation> begin_gravity(const ParticleCase& given, bem::Backend& backend,
                                          Log& log);
std::unique_ptr<Simulation> resume_gravity(const ParticleCase& given, const State& state,
                                           bem::Backend& backend);
std::unique_ptr<Simulation> begin_vortices(const ParticleCase& given, bem::Backend& backend,
                                           Log& log);
std::unique_ptr<Simulation> resume_vortices(const ParticleCase& given, const State& state,
                                            bem::Backend& backend);

/// For implementations: an array of a state, as vectors. Throws InputError where it is missing.
const std::vector<double>& state_values(const State& state, const std::string& name);
std::vector<Vec3d> state_vectors(const State& state, const std::string& name);
StateArray state_array(const std::string& name, const std::vector<Vec3d>& vectors);

/// The monitor, and the figure, of what sums err by at some particles: relative, in the sense of
/// fmm.tolerance.
inline constexpr auto sum_error_name = "sum_error";

/// Figures of vortices: distances between particles over core radii; angle by which the fluid turns
/// in a step, rad; change of the impulse over 1/2 sum |x - centroid| |Gamma|; times that a strength
/// was kept from growing (bem::limit_growth); largest part of the particles that a step could not
/// diffuse.
inline constexpr auto spacing_name = "spacing_over_sigma", rotation_name = "rotation_per_step",
                      impulse_change_name = "impulse_change", limited_name = "limited",
                      undiffused_name = "undiffused";

/// For implementations: the array "speed".
meshes::Field speed_of(const std::vector<Vec3d>& velocities);

/// For implementations: the places of a vector in monitors.
void append(std::vector<double>& values, const Vec3d& v);
Vec3d vector_at(const std::vector<double>& values, std::size_t at);
/// The largest of a monitor so far.
double largest(const std::vector<MonitorRow>& rows, std::size_t at);

/// For implementations: what [fmm] asks for.
fmm::Options sum_options(const FmmInput& input, fmm::Kernel kernel);

}  // namespace rankine::cases
