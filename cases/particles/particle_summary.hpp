// summary.json of a case of particles, schema 1. Its keys are a contract (cases/README.md).
#pragma once

#include <string>
#include <vector>

#include "cases/particles/simulation.hpp"

namespace rankine::cases {

struct ParticleSummary {
  std::string status = "running";  ///< "running" at a checkpoint, "interrupted", "finished"
  int exit_code = 0;
  std::string backend, device;
  int threads = 0;
  std::size_t particles = 0;
  int steps_done = 0;
  fmm::OperatorInfo sum;
  std::vector<Figure> results;
  std::vector<std::pair<std::string, double>> seconds;  ///< phases, with "total"
  std::size_t peak_host_bytes = 0, peak_device_bytes = 0;
  std::vector<std::string> files, warnings;
};

/// One JSON object, indented by `indent` spaces (-1: one line).
std::string to_json(const ParticleCase& given, const ParticleSummary& summary, int indent = 2);

}  // namespace rankine::cases
