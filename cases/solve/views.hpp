// Output besides the surface: probes, streamlines and sections.
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

// Sections: cuts of the surface by planes, with the data of surface.vtp.

/// The lines of a section, stored one after the other. Point data: `line`; `s`, arc length from the
/// start of the line, m; the point data of surface.vtp; `patch` and `body`, indices for the panel
/// on which the line continues.
struct SectionResult {
  std::string name;
  std::vector<Vec3d> points{};       ///< m
  std::vector<std::size_t> sizes{};  ///< number of points of every line
  meshes::Fields fields{};
};

/// Cuts the surface by the planes of the case. Warns of a plane that misses it, with the distance.
/// `fields`: those of surface.vtp.
std::vector<SectionResult> cut_sections(const std::vector<SectionInput>& sections,
                                        const meshes::SurfaceMesh& mesh,
                                        const meshes::Fields& fields, const CaseBodies& bodies,
                                        Log& log);

/// A header, then one line per point: line, s, x, y, z, the fields, and the names of patch and
/// body.
std::string section_csv(const SectionResult& section, const meshes::SurfaceMesh& mesh,
                        const CaseBodies& bodies);

// The streamlines of a case.

/// Streamlines, stored one after the other, each in flow direction. Point data: `s`, arc length
/// from the seed, m, negative upstream; `seed`, its index; `speed`; and the fields of probes.
struct StreamlineResult : SectionResult {
  std::size_t in_bodies = 0;  ///< number of seeds in bodies, which have no line
  std::size_t cut = 0;        ///< number of lines cut at the maximum number of steps
};

/// A warning if the length requires more steps than the maximum; else empty.
std::string length_warning(const StreamlineInput& streamlines, const BoundingBox& box);

/// Traces the lines of each entry, all seeds together. `box`: bounding box of the mesh, the scale
/// of default lengths and tolerances.
std::vector<StreamlineResult> trace_streamlines(const std::vector<StreamlineInput>& streamlines,
                                                const BoundingBox& box, const ValuesAt& at);

struct Views {
  std::vector<ProbeResult> probes;
  std::vector<StreamlineResult> streamlines;
};

/// `box`: bounding box of the mesh. `media`: for electrostatics. `probed`: the flow at the probes,
/// if known. `rule`: given if `problem` and `solution` are those of the stretched body; points,
/// values and `box` are always physical. Warns of seeds without a line.
Views evaluate_views(const Case& flow_case, const BoundingBox& box, const bem::FlowProblem& problem,
                     const bem::Solution& solution, const std::optional<SolvedMedia>& media,
                     const std::optional<bem::Field>& probed, const bem::FlowOptions& options,
                     bem::Backend& backend, Log& log, const bem::GoethertRule* rule = nullptr);

}  // namespace rankine::cases
