#include "tests/fuzz/targets.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <stop_token>
#include <string_view>
#include <thread>

#include "cases/input/read_case.hpp"
#include "cases/particles/particle_checkpoint.hpp"
#include "cases/particles/particle_file.hpp"
#include "cases/particles/read_particle_case.hpp"
#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/execution.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/files/byte_stream.hpp"
#include "rankine/meshes/files/file_mesh.hpp"
#include "rankine/meshes/files/mesh_bytes.hpp"
#include "rankine/meshes/files/mesh_file.hpp"
#include "rankine/meshes/repair/repair.hpp"

namespace rankine::testing {
namespace {

namespace fs = std::filesystem;

/// A file of this process that holds the bytes.
class InputFile {
 public:
  InputFile(const std::string& extension, std::span<const char> bytes)
      : path_(fs::temp_directory_path() /
              ("rankine-fuzz-" + std::to_string(::getpid()) + extension)) {
    std::ofstream(path_, std::ios::binary).write(bytes.data(), std::ssize(bytes));
  }
  ~InputFile() { fs::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Asks what this thread does meanwhile to stop after some seconds.
class Deadline {
 public:
  explicit Deadline(std::chrono::seconds time)
      : timer_([this, time](const std::stop_token& ended) {
          std::mutex mutex;
          std::unique_lock lock(mutex);
          std::condition_variable_any().wait_for(lock, ended, time, [] { return false; });
          if (!ended.stop_requested()) source_.request_stop();
        }) {}

  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::jthread timer_;
};

/// What the error says, or what is wrong with it.
template <class Work>
std::string objection_to(Work&& work) {
  try {
    return work();
  } catch (const Error& error) {
    return std::string_view(error.what()).empty() ? "an error without words" : "";
  } catch (const std::exception& error) {
    return std::string("not an error for users: ") + error.what();
  }
}

std::string objection_to_mesh(const meshes::SurfaceMesh& mesh) {
  if (mesh.elements.empty()) return "no elements";
  if (mesh.patch.size() != mesh.elements.size()) return "elements without a patch";
  if (!mesh.mid_nodes.empty() && mesh.mid_nodes.size() != mesh.elements.size())
    return "elements without mid-nodes";
  for (std::size_t e = 0; e < mesh.elements.size(); ++e) {
    for (int k = 0; k < meshes::corner_count(mesh.elements[e]); ++k) {
      const std::int32_t node = mesh.elements[e][k];
      if (node < 0 || node >= std::ssize(mesh.nodes)) return "a corner that is no node";
      if (!is_finite(mesh.nodes[node])) return "a corner that is not finite";
    }
    if (!mesh.mid_nodes.empty() &&
        !std::all_of(mesh.mid_nodes[e].begin(), mesh.mid_nodes[e].end(), is_finite))
      return "a mid-node that is not finite";
    if (mesh.patch[e] < 0 || mesh.patch[e] >= std::ssize(mesh.patch_names)) return "no such patch";
  }
  return {};
}

std::string use(meshes::SurfaceMesh mesh) {
  std::string objection = objection_to_mesh(mesh);
  if (!objection.empty()) return objection;
  meshes::SurfaceMesh repaired = mesh;
  try {
    meshes::repair(repaired,
                   {.merge = true, .degenerate = true, .duplicates = true, .orient = true});
    objection = objection_to_mesh(repaired);
  } catch (const MeshError&) {  // nothing is left, or it has no outside
  }
  if (objection.empty()) meshes::orient(mesh, meshes::Orient::outward);
  return objection;
}

std::string read_mesh_bytes(const std::string& extension, std::span<const char> bytes) {
  const InputFile file(extension, bytes);
  return objection_to([&] { return use(meshes::read_mesh(file.path(), {.scripts = true})); });
}

/// A geometry may take any time to be meshed: here, a few seconds.
std::string read_geometry_bytes(const std::string& extension, std::span<const char> bytes) {
  const Deadline deadline(std::chrono::seconds(5));
  return Execution{.stop = deadline.token()}.run([&] { return read_mesh_bytes(extension, bytes); });
}

/// Arrays as a library may give them.
meshes::FileMesh file_mesh_from(std::span<const char> span) {
  meshes::ByteReader bytes(span);
  meshes::FileMesh mesh;
  mesh.node_tags = bytes.all<std::int64_t>();
  mesh.coordinates = bytes.all<double>();
  constexpr std::size_t least_block = 2 * sizeof(std::int32_t) + 2 * sizeof(std::uint64_t);
  mesh.blocks.resize(bytes.count(least_block));
  for (meshes::ElementBlock& block : mesh.blocks) {
    block.corners = bytes.value<std::int32_t>();
    block.patch = bytes.value<std::int32_t>();
    block.tags = bytes.all<std::int64_t>();
    block.nodes = bytes.all<std::int64_t>();
  }
  mesh.patch_names.resize(bytes.count(sizeof(std::uint64_t)));
  for (std::string& name : mesh.patch_names) name = bytes.text();
  for (meshes::ElementBlock& block : mesh.blocks) {
    if (!bytes.at_end()) block.mid_nodes = bytes.all<std::int64_t>();
  }
  return mesh;
}

/// What `make` makes, through the rest of the way of a mesh.
template <class Make>
std::string finish(Make&& make) {
  return objection_to([&]() -> std::string {
    try {
      meshes::SurfaceMesh mesh = make();
      mesh.source = "bytes";
      return use(meshes::finish_mesh(std::move(mesh), {}));
    } catch (const meshes::DamagedBytes&) {
      return {};
    }
  });
}

std::string check_arrays(std::span<const char> bytes) {
  return finish([&] { return meshes::to_surface_mesh(file_mesh_from(bytes), "arrays"); });
}

std::string check_answer(std::span<const char> bytes) {
  return finish([&] { return meshes::surface_mesh_from(bytes); });
}

std::string read_case_bytes(std::span<const char> bytes) {
  const InputFile file(".toml", bytes);
  return objection_to([&]() -> std::string {
    if (cases::is_particle_case(file.path(), {})) {
      cases::read_particle_case(file.path());
    } else {
      cases::read_case(file.path());
    }
    return {};
  });
}

bool all_finite(const std::vector<Vec3d>& vectors) {
  return std::all_of(vectors.begin(), vectors.end(), is_finite);
}

bool all_positive(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(),
                     [](double each) { return each > 0.0 && std::isfinite(each); });
}

std::string read_body_bytes(const std::string& extension, std::span<const char> bytes) {
  const InputFile file(extension, bytes);
  return objection_to([&]() -> std::string {
    const bem::Bodies bodies = cases::read_bodies(file.path());
    const std::size_t count = bodies.masses.size();
    if (bodies.positions.size() != count || bodies.velocities.size() != count)
      return "bodies without a place or a velocity";
    if (!all_finite(bodies.positions) || !all_finite(bodies.velocities)) return "not finite";
    return all_positive(bodies.masses) ? "" : "a mass that is not above zero";
  });
}

std::string read_vortex_bytes(std::span<const char> bytes) {
  const InputFile file(".csv", bytes);
  return objection_to([&]() -> std::string {
    const bem::VortexParticles vortices = cases::read_vortices(file.path(), 0.0);
    const std::size_t count = vortices.positions.size();
    if (vortices.strengths.size() != count || vortices.core_radii.size() != count)
      return "vortices without a strength or a core";
    if (!all_finite(vortices.positions) || !all_finite(vortices.strengths)) return "not finite";
    return all_positive(vortices.core_radii) ? "" : "a core that is not above zero";
  });
}

/// Of a run whose case has the hash "abc".
std::string read_checkpoint_bytes(std::span<const char> bytes) {
  const InputFile file(".bin", bytes);
  return objection_to([&]() -> std::string {
    const cases::ParticleCheckpoint read = cases::read_particle_checkpoint(file.path(), "abc");
    if (read.trajectory != "abc") return "of another case";
    const bool whole = std::all_of(read.rows.begin(), read.rows.end(),
                                   [](const auto& row) { return row.step >= 0; });
    return read.step >= 0 && whole ? "" : "a step before the first";
  });
}

std::map<std::string, FuzzTarget> make_targets() {
  std::map<std::string, FuzzTarget> targets{{"arrays", check_arrays},
                                            {"answer", check_answer},
                                            {"case", read_case_bytes},
                                            {"vortices", read_vortex_bytes},
                                            {"checkpoint", read_checkpoint_bytes}};
  targets["bodies"] = [](auto bytes) { return read_body_bytes(".csv", bytes); };
  targets["bodies_vtp"] = [](auto bytes) { return read_body_bytes(".vtp", bytes); };
  for (const std::string name : {"msh", "stl", "unv", "obj", "ply", "vtk", "vtp", "vtu", "off",
                                 "mesh", "su2", "gdf", "dat", "pnl", "vspgeom"}) {
    targets[name] = [name](auto bytes) { return read_mesh_bytes("." + name, bytes); };
  }
  for (const std::string name : {"geo", "step", "brep", "iges"}) {
    targets[name] = [name](auto bytes) { return read_geometry_bytes("." + name, bytes); };
  }
  return targets;
}

}  // namespace

const std::map<std::string, FuzzTarget>& fuzz_targets() {
  static const std::map<std::string, FuzzTarget> targets = make_targets();
  return targets;
}

}  // namespace rankine::testing
