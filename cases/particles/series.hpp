// The files of a particle run: for every output step the particles, the surface of a body and every
// probe; their collections for ParaView, the monitors, the checkpoint and the summary. All are
// moved into place together at every output step and checkpoint, so the directory always contains a
// consistent state of one run and can be viewed during it.
#pragma once

#include <string>
#include <vector>

#include "cases/output/results_directory.hpp"
#include "cases/output/summary.hpp"
#include "cases/particles/particle_checkpoint.hpp"
#include "cases/particles/simulation.hpp"

namespace rankine::cases {

/// The files that the case reads, and the names of files that a Series may write.
RunFiles files_of(const ParticleCase& given, bool force);

class Series {
 public:
  /// `rows`: monitors of a resumed run, whose particle files are in the directory.
  Series(const ParticleCase& given, ResultsDirectory& results, std::vector<MonitorRow> rows);

  /// `mesh`: the body's surface, or null.
  void add(int step, const Snapshot& snapshot, const meshes::SurfaceMesh* mesh);
  const std::vector<MonitorRow>& rows() const { return rows_; }
  /// The summary last written.
  const Summary& summary() const { return summary_; }

  /// Moves all files and `checkpoint` into place. If it is null the last checkpoint stays, unless
  /// the status in the summary is that of a finished run.
  void commit(const std::vector<std::string>& monitor_names, Summary summary,
              const ParticleCheckpoint* checkpoint);

 private:
  /// Writes the ParaView collection of a series: "particles.pvd" for "particles.vtp".
  void write_collection(const std::string& name);

  const ParticleCase& given_;
  ResultsDirectory& results_;
  std::vector<MonitorRow> rows_;
  Summary summary_;
};

/// The heading "step,time,..." and one line per row.
std::string monitors_csv(const std::vector<std::string>& names, const std::vector<MonitorRow>& rows,
                         double step);

}  // namespace rankine::cases
