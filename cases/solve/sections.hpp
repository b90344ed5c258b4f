// Cuts of the surface by planes, with the data of surface.vtp along them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/case_bodies.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Lines one after the other. Point data: `line`, `s` (arc length from its beginning, m), what surface.vtp has at
/// nodes, `patch` and `body`, indices of the panel on which the line goes on.
struct SectionResult {
  std::string name;
  std::vector<Vec3d> points{};       ///< m
  std::vector<std::size_t> sizes{};  ///< points of every line
  meshes::Fields fields{};
};

/// Cuts by the planes of the case; one that misses the surface is a warning, with its distance. `fields` are those
/// of surface.vtp.
std::vector<SectionResult> cut_sections(const std::vector<SectionInput>& sections,
                                        const meshes::SurfaceMesh& mesh,
                                        const meshes::Fields& fields, const CaseBodies& bodies,
                                        Log& log);

/// A header, then a line for every point: line, s, x, y, z, the fields and the names of patch and body.
std::string section_csv(const SectionResult& section, const meshes::SurfaceMesh& mesh,
                        const CaseBodies& bodies);

}  // namespace rankine::cases
