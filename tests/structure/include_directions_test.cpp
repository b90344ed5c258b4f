// Holds the include directions of docs/architecture.md: cases, python -> gpu -> bem -> fmm, cases
// -> bem, gpu -> fmm, bem -> meshes, all of them -> fmm/core; nothing points back, and third-party
// libraries stay where they belong. Headers of the libraries are included as
// "rankine/fmm/operator.hpp".
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "tests/structure/source_files.hpp"

namespace rankine::structure {
namespace {

const std::vector<std::string> kFolders = {"fmm", "meshes", "bem", "gpu", "cases", "python"};

/// Folders that a folder may include besides itself.
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"fmm", {}},
    {"meshes", {}},
    {"bem", {"fmm", "meshes"}},
    {"gpu", {"bem", "fmm"}},
    {"cases", {"gpu", "bem", "fmm", "meshes"}},
    {"python", {"gpu", "bem", "fmm", "meshes"}}};

/// What everything stands on; it includes nothing but itself.
const std::string kCore = "fmm/core/";

/// Clients of one solver know it and not each other: a flow is no electric field.
const std::map<std::string, std::set<std::string>> kMayNotInclude = {
    {"bem/fields/", {"bem/electric/", "bem/flow/", "bem/particles/"}},
    {"bem/electric/", {"bem/flow/", "bem/particles/"}},
    {"bem/flow/", {"bem/electric/", "bem/particles/"}}};

/// The folders that are installed.
const std::set<std::string> kLibraryFolders = {"fmm", "meshes", "bem", "gpu"};

/// A library of others, recognised by how the names of its headers begin, and where it may appear.
struct Library {
  std::string name;
  std::vector<std::string> prefixes;
  std::set<std::string> folders;
  std::set<std::string> extensions;
};

const std::vector<Library> kLibraries = {
    {"Gmsh", {"gmsh"}, {"meshes"}, {".cpp"}},
    {"CGAL", {"CGAL/"}, {"meshes"}, {".cpp"}},
    {"VTK", {"vtk"}, {"meshes"}, {".cpp"}},
    {"Eigen", {"Eigen/"}, {"bem"}, {".cpp"}},
    {"CUDA",
     {"cuda", "cub/", "thrust/", "cublas", "nvtx3/"},
     {"gpu"},
     {".cu", ".cuh", ".cpp", ".hpp"}},
    {"CLI11", {"CLI/"}, {"cases"}, {".cpp", ".hpp"}},
    {"toml++", {"toml++/"}, {"cases"}, {".cpp", ".hpp"}},
    {"nlohmann-json", {"nlohmann/"}, {"cases"}, {".cpp", ".hpp"}},
    {"fmt", {"fmt/"}, {"cases"}, {".cpp", ".hpp"}},
    {"nanobind", {"nanobind/"}, {"python"}, {".cpp", ".hpp"}}};

/// The path from the repository root of an include.
std::string in_repository(const std::string& include) {
  const std::string prefix = "rankine/";
  return include.starts_with(prefix) ? include.substr(prefix.size()) : include;
}

bool starts_with_any(const std::string& text, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return text.rfind(prefix, 0) == 0; });
}

/// Why `file` may not include `include`; empty where it may.
std::string objection(const SourceFile& file, const Include& include) {
  if (include.quoted) {
    const std::string name = in_repository(include.name);
    const std::string folder = name.substr(0, name.find('/'));
    if ((include.name != name) != (kLibraryFolders.count(folder) > 0))
      return "libraries are included as rankine/..., the program is not";
    if (name.starts_with(kCore)) return {};
    if (file.path.starts_with(kCore)) return kCore + " includes nothing but itself";
    for (const auto& [room, others] : kMayNotInclude) {
      if (!file.path.starts_with(room)) continue;
      for (const std::string& other : others)
        if (name.starts_with(other)) return room + " may not include " + other;
    }
    if (folder == file.folder) return {};
    if (kMayInclude.at(file.folder).count(folder) > 0) return {};
    return file.folder + " may not include " + folder;
  }
  for (const Library& library : kLibraries) {
    if (!starts_with_any(include.name, library.prefixes)) continue;
    if (library.folders.count(file.folder) == 0)
      return library.name + " is not used in " + file.folder;
    if (library.extensions.count(file.extension) == 0) {
      return library.name + " is not included in " + file.extension + " files";
    }
  }
  return {};
}

std::string objection(const std::string& path, const std::string& line) {
  SourceFile file;
  file.path = path;
  file.folder = path.substr(0, path.find('/'));
  file.extension = path.substr(path.rfind('.'));
  return objection(file, find_includes(line).at(0));
}

TEST(IncludeDirections, RulesTellAllowedFromForbidden) {
  EXPECT_EQ(objection("cases/main.cpp", "#include \"rankine/gpu/cuda_backend.hpp\""), "");
  EXPECT_EQ(objection("gpu/p2p.cu", "#include <cub/cub.cuh>"), "");
  EXPECT_EQ(objection("meshes/a.hpp", "#include \"rankine/fmm/core/vec3.hpp\""), "");
  EXPECT_EQ(objection("meshes/gmsh/gmsh_reader.cpp", "#include <gmsh.h>"), "");
  EXPECT_EQ(objection("bem/gmres.cpp", "  # include <Eigen/Dense>"), "");

  EXPECT_NE(objection("fmm/a.cpp", "#include \"rankine/bem/panels/panels.hpp\""), "");
  EXPECT_NE(objection("fmm/core/a.hpp", "#include \"rankine/fmm/operator.hpp\""), "");
  EXPECT_NE(objection("bem/a.cpp", "#include \"fmm/operator.hpp\""), "");
  EXPECT_NE(objection("fmm/a.cpp", "#include \"tests/fmm/a.hpp\""), "");
  EXPECT_NE(objection("bem/a.cpp", "#include \"rankine/gpu/cuda_backend.hpp\""), "");
  EXPECT_NE(objection("bem/electric/a.hpp", "#include \"rankine/bem/flow/flow.hpp\""), "");
  EXPECT_NE(objection("gpu/a.cu", "#include \"rankine/meshes/surface_mesh.hpp\""), "");
  EXPECT_NE(objection("gpu/a.cu", "#include <Eigen/Dense>"), "");
  EXPECT_NE(objection("bem/a.cpp", "#include <cuda_runtime.h>"), "");
  EXPECT_NE(objection("bem/a.hpp", "#include <Eigen/Dense>"), "");
  EXPECT_NE(objection("meshes/a.hpp", "#include <gmsh.h>"), "");
  EXPECT_NE(objection("meshes/a.hpp", "#include \"rankine/fmm/operator.hpp\""), "");
  EXPECT_NE(objection("cases/a.cpp", "#include <vtkNew.h>"), "");
  EXPECT_NE(objection("python/src/a.cpp", "#include \"cases/input/case.hpp\""), "");
}

TEST(IncludeDirections, EveryIncludeIsAllowed) {
  for (const SourceFile& file : read_source_files(RANKINE_SOURCE_DIR, kFolders)) {
    for (const Include& include : file.includes) {
      EXPECT_EQ(objection(file, include), "")
          << file.path << ":" << include.line << ": " << include.name;
    }
  }
}

/// The headers of gpu that other folders see are plain C++, so that a build without CUDA has the
/// same headers.
TEST(IncludeDirections, OtherFoldersMeetNoCudaHeader) {
  std::map<std::string, SourceFile> files;
  for (SourceFile& file : read_source_files(RANKINE_SOURCE_DIR, kFolders))
    files[file.path] = std::move(file);

  const Library& cuda =
      *std::find_if(kLibraries.begin(), kLibraries.end(),
                    [](const Library& library) { return library.name == "CUDA"; });
  for (const auto& [path, file] : files) {
    if (file.folder == "gpu") continue;
    std::vector<std::string> queue = {path};
    std::set<std::string> seen = {path};
    while (!queue.empty()) {
      const std::string next = queue.back();
      queue.pop_back();
      const auto found = files.find(in_repository(next));
      if (found == files.end()) continue;
      for (const Include& include : found->second.includes) {
        if (include.quoted && seen.insert(include.name).second) queue.push_back(include.name);
        EXPECT_FALSE(!include.quoted && starts_with_any(include.name, cuda.prefixes))
            << path << " meets <" << include.name << "> through " << next;
      }
    }
  }
}

TEST(IncludeDirections, QuotedIncludesStartAtTheRepositoryRoot) {
  const std::filesystem::path root = RANKINE_SOURCE_DIR;
  std::vector<std::string> folders = kFolders;
  folders.push_back("tests");
  for (const SourceFile& file : read_source_files(RANKINE_SOURCE_DIR, folders)) {
    for (const Include& include : file.includes) {
      if (!include.quoted) continue;
      EXPECT_TRUE(std::filesystem::is_regular_file(root / in_repository(include.name)))
          << file.path << ":" << include.line << ": no file " << include.name
          << " in the repository";
    }
  }
}

/// A line of code names a header without its room.
TEST(SourceFiles, HeaderNamesAreUnique) {
  std::vector<std::string> folders = kFolders;
  folders.push_back("tests");
  std::map<std::string, std::string> seen;
  for (const SourceFile& file : read_source_files(RANKINE_SOURCE_DIR, folders)) {
    if (file.extension != ".hpp" && file.extension != ".cuh") continue;
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const auto [entry, is_new] = seen.emplace(name, file.path);
    EXPECT_TRUE(is_new) << file.path << " and " << entry->second;
  }
}

/// What a header declares is defined under its name, but for sources that share a header: a reader
/// for each format, passes, work on panels on a device, what is compiled for each instruction set,
/// and the program of readers.
TEST(SourceFiles, SourcesStandUnderTheNameOfTheirHeader) {
  const std::map<std::string, std::string> shared = {
      {"fmm/cpu_leaf_pass.cpp", "fmm/cpu_passes.hpp"},
      {"fmm/cpu_mutual_pass.cpp", "fmm/cpu_passes.hpp"},
      {"fmm/simd/instruction_set.cpp", "fmm/simd/kernels.hpp"},
      {"bem/simd/instruction_set.cpp", "bem/simd/functions.hpp"},
      {"gpu/c/fmm_plan.cpp", "gpu/c/rankine/fmm.h"},
      {"gpu/elements/", "gpu/elements/device_panels.hpp"},
      {"gpu/sums/collect.cu", "gpu/sums/mutual_sums.hpp"},
      {"gpu/sums/device_close_sums.cu", "gpu/sums/mutual_sums.hpp"},
      {"gpu/sums/near_sums.cu", "gpu/sums/mutual_sums.hpp"},
      {"gpu/sums/point_order.cu", "gpu/sums/mutual_sums.hpp"},
      {"gpu/sums/tree_passes.cpp", "gpu/sums/tree_operator.hpp"},
      {"gpu/no_cuda.cpp", "gpu/cuda_backend.hpp"},
      {"meshes/formats/", "meshes/formats/readers.hpp"},
      {"meshes/gmsh/gmsh_geometry.cpp", "meshes/gmsh/gmsh_files.hpp"},
      {"meshes/reader/", "meshes/reader/jobs.hpp"},
      {"meshes/shapes/", "meshes/shapes/shapes.hpp"}};
  const std::filesystem::path root = RANKINE_SOURCE_DIR;
  for (const SourceFile& file :
       read_source_files(RANKINE_SOURCE_DIR, {"fmm", "meshes", "bem", "gpu"})) {
    if (file.extension != ".cpp" && file.extension != ".cu") continue;
    std::string header = file.path.substr(0, file.path.rfind('.')) + ".hpp";
    for (const auto& [path, other] : shared) {
      if (file.path.starts_with(path) && !std::filesystem::exists(root / header)) header = other;
    }
    EXPECT_TRUE(std::filesystem::exists(root / header)) << file.path << " has no " << header;
  }
}

/// Names of the folders' namespaces in code, which a header may carry where no include says so.
std::vector<std::string> foreign_names(const SourceFile& file) {
  // What panels are made of; a device measures and bends them.
  static const std::set<std::string> shared = {"gpu meshes::Element", "gpu meshes::corner_count"};
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  std::vector<std::string> found;
  for (const std::string& folder : kFolders) {
    if (folder == file.folder || kMayInclude.at(file.folder).count(folder) > 0) continue;
    const std::string prefix = folder + "::";
    for (std::size_t at = file.code.find(prefix); at != std::string::npos;
         at = file.code.find(prefix, at + 1)) {
      if (at > 0 && is_word(file.code[at - 1])) continue;
      std::size_t end = at + prefix.size();
      while (end < file.code.size() && is_word(file.code[end])) ++end;
      const std::string whole = file.code.substr(at, end - at);
      if (shared.count(file.folder + " " + whole) == 0) found.push_back(whole);
    }
  }
  return found;
}

TEST(IncludeDirections, NamesFollowThemToo) {
  const SourceFile file{.path = "gpu/a.cu",
                        .folder = "gpu",
                        .extension = ".cu",
                        .code = "meshes::SurfaceMesh m; bem::Panels p; meshes::Element e;",
                        .includes = {}};
  EXPECT_EQ(foreign_names(file), std::vector<std::string>{"meshes::SurfaceMesh"});
  for (const SourceFile& each : read_source_files(RANKINE_SOURCE_DIR, kFolders)) {
    EXPECT_EQ(foreign_names(each), std::vector<std::string>{}) << each.path;
  }
}

}  // namespace
}  // namespace rankine::structure
