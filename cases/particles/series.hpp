// The files of a run of particles: at every output step one of particles, one of a body's surface
// and one of every probe, their collections for ParaView, the monitors, the checkpoint and the
// summary. They take their places together, at every output step and checkpoint, so that a
// directory holds one run as far as it has come, and can be watched.
#pragma once

#include <string>
#include <vector>

#include "cases/output/results_directory.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/particle_checkpoint.hpp"
#include "cases/particles/simulation.hpp"

namespace rankine::cases {

/// The files that the case reads, and the names of those that a Series may write for it.
RunFiles files_of(const ParticleCase& given, bool force);

class Series {
 public:
  /// `rows`: monitors of the run that is resumed, whose files of particles are in the directory.
  Series(const ParticleCase& given, ResultsDirectory& results, std::vector<MonitorRow> rows);

  /// `mesh`: the body's surface, or null.
  void add(int step, const Snapshot& snapshot, const meshes::SurfaceMesh* mesh);
  const std::vector<MonitorRow>& rows() const { return rows_; }
  /// As it was written last.
  const Summary& summary() const { return summary_; }

  /// Puts all files in place, with `checkpoint`. If it is null, the last checkpoint is kept, unless
  /// the summary says that the run is finished.
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
