// What a case of particles says, with every default filled in; keys and defaults are explained in
// cases/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

enum class Generator { plummer, cube, file };
enum class TimeScheme { leapfrog };

inline const Choices<Generator> generator_words{
    {"plummer", Generator::plummer}, {"cube", Generator::cube}, {"file", Generator::file}};
inline const Choices<TimeScheme> scheme_words{{"leapfrog", TimeScheme::leapfrog}};

struct ParticleInput {
  Generator generator = Generator::plummer;
  std::filesystem::path file;  ///< of the generator "file"
  int count = 10000;           ///< of the others
  int seed = 1;
  double mass = 1.0;       ///< of all bodies together
  double scale = 1.0;      ///< scale length of Plummer's sphere, edge of the cube, m
  double softening = 0.0;  ///< m
};

struct TimeInput {
  double step = 0.0;  ///< s
  int steps = 0;
  TimeScheme scheme = TimeScheme::leapfrog;
};

struct SeriesInput {
  std::filesystem::path directory = "results";
  int every = 50;              ///< steps between two files of particles
  int checkpoint_every = 100;  ///< steps between two checkpoints
};

struct ParticleCase {
  std::filesystem::path path;  ///< of the case file
  std::string sha256;          ///< of the case file as it was read
  std::string title;
  ProblemKind kind = ProblemKind::gravity;
  double gravitational_constant = 1.0;
  ParticleInput particles;
  TimeInput time;
  BackendChoice backend = BackendChoice::automatic;
  FmmInput fmm;
  SeriesInput output;
};

}  // namespace rankine::cases
