// The files of a run of particles: at every output step one of particles, one of a body's surface
// and one of every probe, their collections for ParaView, the monitors, the checkpoint and the
// summary. They take their places together, at every checkpoint and at the end, so that a directory
// holds one run as far as it has come.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/output/results_directory.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/simulation.hpp"

namespace rankine::cases {

// The state of particles at a step, from which --resume goes on with the same bits.

struct ParticleCheckpoint {
  std::string trajectory;  ///< trajectory_hash() of the case
  int step = 0;
  State state;
  std::vector<MonitorRow> rows;  ///< of all output steps so far
};

/// A text header, then the values as little-endian doubles. Throws InputError where it cannot be
/// written.
void write_particle_checkpoint(const std::filesystem::path& file,
                               const ParticleCheckpoint& checkpoint);

/// Throws InputError where the file is missing, damaged, or of a case with another trajectory.
ParticleCheckpoint read_particle_checkpoint(const std::filesystem::path& file,
                                            const std::string& trajectory);

/// What the case reads, and the names of what a Series may write of it.
RunFiles files_of(const ParticleCase& given, bool force);

class Series {
 public:
  /// `rows`: of the run that is resumed, whose files of particles lie in the directory.
  Series(const ParticleCase& given, ResultsDirectory& results, std::vector<MonitorRow> rows);

  /// `mesh`: the body's surface, or null.
  void add(int step, const Snapshot& snapshot, const meshes::SurfaceMesh* mesh);
  const std::vector<MonitorRow>& rows() const { return rows_; }
  /// As it was written last.
  const Summary& summary() const { return summary_; }

  /// Puts everything in place; `checkpoint`: to go on from, none at the end.
  void commit(const std::vector<std::string>& monitor_names, Summary summary,
              const ParticleCheckpoint* checkpoint);

 private:
  /// For ParaView, of all files of a series: "particles.pvd" of "particles.vtp".
  void write_collection(const std::string& name);

  const ParticleCase& given_;
  ResultsDirectory& results_;
  std::vector<MonitorRow> rows_;
  Summary summary_;
};

/// "step,time,..." and a line for each row.
std::string monitors_csv(const std::vector<std::string>& names, const std::vector<MonitorRow>& rows,
                         double step);

}  // namespace rankine::cases
