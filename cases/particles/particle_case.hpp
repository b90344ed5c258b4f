// The contents of a particle case with every default filled in; docs/reference/case.md explains
// keys and defaults.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"
#include "rankine/bem/panels/rigid_motion.hpp"
#include "rankine/bem/particles/vortex_rings.hpp"
#include "rankine/bem/particles/vortices.hpp"

namespace rankine::cases {

enum class Generator { plummer, cube, shell, expanding, ring, file, none };
enum class Diffusion { redistribution, core_spreading };
enum class TimeScheme { leapfrog, rk2, rk3 };

inline const Choices<Generator> generator_words{
    {"plummer", Generator::plummer}, {"cube", Generator::cube},
    {"shell", Generator::shell},     {"expanding", Generator::expanding},
    {"ring", Generator::ring},       {"file", Generator::file},
    {"none", Generator::none}};
inline const Choices<Diffusion> diffusion_words{{"redistribution", Diffusion::redistribution},
                                                {"core-spreading", Diffusion::core_spreading}};
inline const Choices<TimeScheme> scheme_words{
    {"leapfrog", TimeScheme::leapfrog}, {"rk2", TimeScheme::rk2}, {"rk3", TimeScheme::rk3}};
inline const Choices<fmm::Kernel> core_words{{"exponential", fmm::Kernel::vortex_exponential},
                                             {"gaussian", fmm::Kernel::vortex_gaussian}};
inline const Choices<bem::Stretching> stretching_words{{"transpose", bem::Stretching::transpose},
                                                       {"classic", bem::Stretching::classic},
                                                       {"none", bem::Stretching::none}};

struct ParticleInput {
  Generator generator = Generator::plummer;
  std::filesystem::path file;  ///< for the generator "file"
  int count = 10000;           ///< for the others; minimum number per ring
  int seed = 1;
  double mass = 1.0;       ///< total mass of all bodies
  double scale = 1.0;      ///< of Plummer's sphere; edge of the cube; radius of others, m
  double softening = 0.0;  ///< softening length of gravity, m
  double sigma = 0.0;      ///< core radius of vortex particles, m; 0: from the file
  fmm::Kernel core = fmm::Kernel::vortex_exponential;
  double viscosity = 0.0;  ///< kinematic, for vortices, m^2/s; 0: no diffusion
  Diffusion diffusion = Diffusion::redistribution;
  double spacing = 0.0;      ///< of particles added by redistribution, m; default sigma
  double smagorinsky = 0.0;  ///< constant C of the eddy viscosity; 0: none
  int most = 3000000;  ///< maximum number of particles that redistribution or splitting may reach
  std::optional<bool> split;  ///< none: ParticleCase::splits() decides
  std::vector<bem::VortexRing> rings{bem::VortexRing{}};

  bool redistributes() const { return viscosity > 0.0 && diffusion == Diffusion::redistribution; }
};

struct TimeInput {
  double step = 0.0;  ///< s
  int steps = 0;
  TimeScheme scheme = TimeScheme::leapfrog;
  bem::Stretching stretching = bem::Stretching::transpose;  ///< of vortices
  std::optional<double> relaxation;  ///< of vortices; none: ParticleCase::relaxation() decides
};

struct SeriesInput {
  std::filesystem::path directory = "results";
  int every = 50;              ///< steps between two output steps
  int checkpoint_every = 100;  ///< steps between two checkpoints
  std::vector<ProbeInput> probes;
};

/// The motion of the bodies to which some patches belong.
struct MotionInput {
  std::vector<std::string> patches{"*"};  ///< names, or "*": all patches without another motion
  bem::RigidMotion steady;                ///< from t = 0 on; with a file only its centre is used
  std::filesystem::path file;             ///< positions over time; empty: none
  std::string where{};                    ///< FILE:LINE:COLUMN, for messages

  bool turns() const { return !file.empty() || !(steady.angular_velocity == Vec3d{}); }
};

/// A body in the flow of vortices.
struct BodyInput {
  MeshInput mesh;
  std::vector<MotionInput> motions;  ///< empty: all bodies are at rest
  double tolerance = 1e-4;           ///< of the residual of the panel equation, relative to the
                                     ///< right-hand side
  bool sheds = false;                ///< the slip becomes vortex particles at every step
  double shedding_distance = 0.0;    ///< distance of new particles from the wall, m
};

struct ParticleCase {
  /// The coefficient c of bem::VortexOptions.
  double relaxation() const {
    const bool sheds = body && body->sheds;
    return time.relaxation.value_or(sheds && particles.redistributes() ? bem::default_relaxation
                                                                       : 0.0);
  }

  /// Whether particles that have become long are split.
  bool splits() const {
    const bool sheds = body && body->sheds;
    return particles.split.value_or(!sheds) && !particles.redistributes();
  }

  std::filesystem::path path;  ///< of the case file
  std::string sha256;          ///< of the text of the case file
  std::string title;
  ProblemKind kind = ProblemKind::gravity;
  double gravitational_constant = 1.0;
  Vec3d velocity{};           ///< free-stream velocity, for vortices, m/s
  meshes::Symmetry symmetry;  ///< of vortices
  std::string symmetry_at;    ///< FILE:LINE:COLUMN, for messages
  ParticleInput particles;
  std::optional<BodyInput> body;  ///< of vortices
  TimeInput time;
  BackendChoice backend = BackendChoice::automatic;
  FmmInput fmm;
  SeriesInput output;
};

}  // namespace rankine::cases
