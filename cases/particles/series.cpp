#include "cases/particles/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cases/output/checkpoint.hpp"
#include "cases/output/commit.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "cases/solve/surface.hpp"
#include "rankine/meshes/vtk_writer.hpp"

namespace rankine::cases {
namespace {

namespace fs = std::filesystem;

std::string particle_file_name(int step) { return fmt::format("particles_{:06}.vtp", step); }
std::string surface_file_name(int step) { return fmt::format("surface_{:06}.vtp", step); }

meshes::Metadata metadata_of(const ParticleCase& given, int step) {
  meshes::Metadata about = metadata(given.title);
  about.back().second = "lengths m, times s";
  about.emplace_back("step", fmt::format("{}", step));
  about.emplace_back("time", fmt::format("{:.17g}", step * given.time.step));
  return about;
}

}  // namespace

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
    for (const std::string& name : {particle_file_name(row.step), surface_file_name(row.step)}) {
      if (fs::exists(results_.path() / name)) there.push_back(name);
    }
  }
  results_.adopt(there);
}

void Series::add(int step, const Snapshot& snapshot, const meshes::SurfaceMesh* surface) {
  if (surface != nullptr) {
    results_.write(surface_file_name(step), [&](const fs::path& path) {
      meshes::write_surface_vtp(path, *surface, snapshot.surface, metadata_of(given_, step));
    });
  }
  results_.write(particle_file_name(step), [&](const fs::path& path) {
    meshes::write_points_vtp(path, snapshot.positions, snapshot.fields, metadata_of(given_, step));
  });
  rows_.push_back({step, snapshot.monitors});
}

void Series::write_collection(const std::string& name, std::string (*file_of_step)(int)) {
  std::vector<std::pair<double, fs::path>> steps;
  for (const MonitorRow& row : rows_)
    steps.emplace_back(row.step * given_.time.step, file_of_step(row.step));
  results_.write(name, [&](const fs::path& path) { meshes::write_collection_pvd(path, steps); });
}

void Series::commit(const std::vector<std::string>& monitor_names, ParticleSummary summary,
                    const ParticleCheckpoint* checkpoint) {
  write_collection("particles.pvd", particle_file_name);
  if (given_.body) write_collection("surface.pvd", surface_file_name);
  results_.write_text("monitors.csv", monitors_csv(monitor_names, rows_, given_.time.step));
  results_.write_text("case.resolved.toml", write_particle_case(given_, results_.path()));
  results_.drop(checkpoint_name);
  if (checkpoint != nullptr) {
    results_.write(checkpoint_name,
                   [&](const fs::path& path) { write_particle_checkpoint(path, *checkpoint); });
  }
  results_.drop(summary_name);  // last of the list
  summary.files = results_.files();
  summary.files.push_back(summary_name);
  results_.write_text(summary_name, to_json(given_, summary) + "\n");
  results_.commit();
  summary_ = std::move(summary);
}

}  // namespace rankine::cases
