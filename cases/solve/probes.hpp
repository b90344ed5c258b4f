// The flow at the points off the surface that a case asks for.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/meshes/vtk_writer.hpp"

namespace rankine::cases {

/// One probe with what was found at its points. Inside the body the flow is zero and `inside` is 1.
struct ProbeResult {
  ProbeInput probe;
  std::vector<Vec3d> points;  ///< m
  meshes::Fields fields;      ///< as point_fields() has them
};

/// Reads the files of points that probes and seeds of streamlines name. Throws InputError.
void read_point_files(OutputInput& output);

/// The points of a probe: for a plane or box the corners of its cells, x fastest.
std::vector<Vec3d> probe_points(const ProbeInput& probe);

/// The field at points.
using FieldAt = std::function<bem::Field(std::span<const Vec3d>)>;

/// Point data U, Cp (p where there is none), phi, inside; of a potential alone grad_phi in place of U, and its
/// negative E (V/m) where that is `electric`.
meshes::Fields point_fields(const bem::FlowProblem& problem, const Vec3d& stream,
                            const bem::Field& field, bool electric);

/// Evaluates all probes at once, so that the far field is built once. `at`: the field at points; `stream`: that to
/// which Cp refers.
std::vector<ProbeResult> evaluate_probes(const std::vector<ProbeInput>& probes,
                                         const bem::FlowProblem& problem, const Vec3d& stream,
                                         const FieldAt& at, bool electric);

/// "midplane.vti" or "taps.vtp".
std::string probe_file_name(const ProbeInput& probe);

/// Throws InputError when the file cannot be written.
void write_probe(const std::filesystem::path& path, const ProbeResult& result,
                 const meshes::Metadata& metadata);

}  // namespace rankine::cases
