#include "cases/particles/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "cases/output/checkpoint.hpp"
#include "cases/output/view_script.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/solve/surface.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

constexpr auto particles_name = "particles.vtp", wall_name = "surface.vtp";

/// For example "particles_000050.vtp" from "particles.vtp".
std::string name_at(int step, const fs::path& name) {
  return fmt::format("{}_{:06}{}", name.stem().string(), step, name.extension().string());
}

/// The names of series with one file per output step.
std::vector<std::string> series_of(const ParticleCase& given) {
  std::vector<std::string> names{particles_name};
  if (given.body) names.emplace_back(wall_name);
  for (const ProbeInput& probe : given.output.probes) names.push_back(probe_file_name(probe));
  return names;
}

meshes::Metadata metadata_of(const ParticleCase& given, int step) {
  meshes::Metadata about = metadata(given.title);
  about.back().second = "lengths m, times s";
  about.emplace_back("step", fmt::format("{}", step));
  about.emplace_back("time", fmt::format("{:.17g}", step * given.time.step));
  return about;
}

}  // namespace

RunFiles files_of(const ParticleCase& given, bool force) {
  RunFiles files{.inputs = {given.path, given.particles.file},
                 .names = {"monitors.csv", "case.resolved.toml", "view.py"},
                 .force = force};
  if (given.body) files.inputs.push_back(given.body->mesh.file);
  for (const ProbeInput& probe : given.output.probes) files.inputs.push_back(probe.file);
  for (const std::string& name : series_of(given)) {
    files.series.insert(name);
    files.names.insert(fs::path(name).stem().string() + ".pvd");
  }
  return files;
}

std::string monitors_csv(const std::vector<std::string>& names, const std::vector<MonitorRow>& rows,
                         double step) {
  std::string text = "step,time";
  for (const std::string& name : names) text += "," + name;
  for (const MonitorRow& row : rows) {
    text += fmt::format("\n{},{:.17g}", row.step, row.step * step);
    for (const double each : row.values) text += fmt::format(",{:.17g}", each);
  }
  return text + "\n";
}

Series::Series(const ParticleCase& given, ResultsDirectory& results, std::vector<MonitorRow> rows)
    : given_(given), results_(results), rows_(std::move(rows)) {
  std::vector<std::string> there;
  for (const MonitorRow& row : rows_) {
    for (const std::string& name : series_of(given)) {
      const std::string file = name_at(row.step, name);
      if (fs::exists(results_.path() / file)) there.push_back(file);
    }
  }
  results_.adopt(there);
}

void Series::add(int step, const Snapshot& snapshot, const meshes::SurfaceMesh* mesh) {
  const meshes::Metadata about = metadata_of(given_, step);
  if (mesh != nullptr) {
    results_.write(name_at(step, wall_name), [&](const fs::path& path) {
      meshes::write_surface_vtp(path, *mesh, snapshot.surface, about);
    });
  }
  results_.write(name_at(step, particles_name), [&](const fs::path& path) {
    meshes::write_points_vtp(path, snapshot.positions, snapshot.fields, about);
  });
  for (const ProbeResult& probe : snapshot.probes) {
    results_.write(name_at(step, probe_file_name(probe.probe)),
                   [&](const fs::path& path) { write_probe(path, probe, about); });
  }
  rows_.push_back({step, snapshot.monitors});
}

/// Lists only existing files: the probes of a resumed run may differ from before.
void Series::write_collection(const std::string& name) {
  const std::set<std::string> written(results_.files().begin(), results_.files().end());
  std::vector<std::pair<double, fs::path>> steps;
  for (const MonitorRow& row : rows_) {
    const std::string file = name_at(row.step, name);
    if (written.count(file) > 0) steps.emplace_back(row.step * given_.time.step, file);
  }
  results_.write(fs::path(name).stem().string() + ".pvd",
                 [&](const fs::path& path) { meshes::write_collection_pvd(path, steps); });
}

void Series::commit(const std::vector<std::string>& monitor_names, Summary summary,
                    const ParticleCheckpoint* checkpoint) {
  for (const std::string& name : series_of(given_)) write_collection(name);
  results_.write_text("monitors.csv", monitors_csv(monitor_names, rows_, given_.time.step));
  results_.write_text("case.resolved.toml", write_particle_case(given_, results_.path()));
  results_.write_text("view.py", particle_view_script());
  const bool finished = summary.status == "finished";
  if (finished) results_.drop(checkpoint_name);
  if (checkpoint != nullptr) {
    results_.write(checkpoint_name,
                   [&](const fs::path& path) { write_particle_checkpoint(path, *checkpoint); });
  }
  results_.drop(summary_name);  // so that it comes last in the list
  summary.files = results_.files();
  summary.files.push_back(summary_name);
  results_.write_text(summary_name, to_json(summary) + "\n");
  results_.commit();
  if (finished) results_.remove_checkpoint();
  summary_ = std::move(summary);
}

}  // namespace rankine::cases
