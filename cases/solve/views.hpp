// What a case asks for off the surface: probes and streamlines.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/output/log.hpp"
#include "cases/solve/case_bodies.hpp"
#include "cases/solve/electrostatics.hpp"
#include "cases/solve/probes.hpp"
#include "rankine/bem/flow/goethert.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

// Cuts of the surface by planes, with the data of surface.vtp along them.

/// Lines one after the other. Point data: `line`, `s` (arc length from its beginning, m), what
/// surface.vtp has at nodes, `patch` and `body`, indices of the panel on which the line continues.
struct SectionResult {
  std::string name;
  std::vector<Vec3d> points{};       ///< m
  std::vector<std::size_t> sizes{};  ///< points of every line
  meshes::Fields fields{};
};

/// Cuts by the planes of the case; one that misses the surface is a warning, with its distance.
/// `fields` are those of surface.vtp.
std::vector<SectionResult> cut_sections(const std::vector<SectionInput>& sections,
                                        const meshes::SurfaceMesh& mesh,
                                        const meshes::Fields& fields, const CaseBodies& bodies,
                                        Log& log);

/// A header, then a line for every point: line, s, x, y, z, the fields and the names of patch and
/// body.
std::string section_csv(const SectionResult& section, const meshes::SurfaceMesh& mesh,
                        const CaseBodies& bodies);

// The streamlines that a case asks for.

/// Lines one after the other, each along the flow. Point data: `s` (arc length from the seed, m,
/// negative before it), `seed` (its number), `speed`, and what probes have.
struct StreamlineResult : SectionResult {
  std::size_t in_bodies = 0;  ///< seeds that have no line
  std::size_t cut = 0;        ///< lines that end after the largest number of steps
};

/// A warning where the length takes more steps than lines may have; empty where it does not.
std::string length_warning(const StreamlineInput& streamlines, const BoundingBox& box);

/// Traces lines from all seeds of each entry at once. `box` is that of the mesh, from which default
/// lengths and tolerances come.
std::vector<StreamlineResult> trace_streamlines(const std::vector<StreamlineInput>& streamlines,
                                                const BoundingBox& box, const ValuesAt& at);

struct Views {
  std::vector<ProbeResult> probes;
  std::vector<StreamlineResult> streamlines;
};

/// `rule`: the problem and solution are those of the stretched body; points, values and `box` are
/// not. `box`: of the mesh; `media`: where charges were solved for; `probed`: the flow at the
/// probes, if it is known. Seeds without a line are warned of.
Views evaluate_views(const Case& flow_case, const BoundingBox& box, const bem::FlowProblem& problem,
                     const bem::Solution& solution, const std::optional<SolvedMedia>& media,
                     const std::optional<bem::Field>& probed, const bem::FlowOptions& options,
                     bem::Backend& backend, Log& log, const bem::GoethertRule* rule = nullptr);

}  // namespace rankine::cases
