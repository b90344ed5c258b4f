// The streamlines that a case asks for.
#pragma once

#include <string>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/solve/probes.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// Lines one after the other, each along the flow. Point data: `s` (arc length from the seed, m, negative before
/// it), `seed` (its number), `speed`, and what probes have.
struct StreamlineResult {
  std::string name;
  std::vector<Vec3d> points{};       ///< m
  std::vector<std::size_t> sizes{};  ///< points of every line
  meshes::Fields fields{};
  std::size_t in_bodies = 0;  ///< seeds that have no line
  std::size_t cut = 0;        ///< lines that end after the largest number of steps
};

/// A warning where the length takes more steps than lines may have; empty where it does not.
std::string length_warning(const StreamlineInput& streamlines, const BoundingBox& box);

/// Traces lines from all seeds of each entry at once. `box` is that of the mesh, from which default
/// lengths and tolerances come.
std::vector<StreamlineResult> trace_streamlines(const std::vector<StreamlineInput>& streamlines,
                                                const BoundingBox& box, const ValuesAt& at);

}  // namespace rankine::cases
