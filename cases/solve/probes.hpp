// What is found at the points off the surface that a case asks for: of a flow, or of whatever has fields there.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// One probe with what was found at its points.
struct ProbeResult {
  ProbeInput probe;
  std::vector<Vec3d> points;  ///< m
  meshes::Fields fields;      ///< point data
};

/// Reads the files of points that probes name. Throws InputError.
void read_point_files(std::vector<ProbeInput>& probes);
/// The same of probes and seeds of streamlines.
void read_point_files(OutputInput& output);

/// The points of a probe: for a plane or box the corners of its cells, x fastest.
std::vector<Vec3d> probe_points(const ProbeInput& probe);

/// The flow at points.
using FieldAt = std::function<bem::Field(std::span<const Vec3d>)>;

/// Point data U, Cp (p where there is none), phi, inside, which is 1 in bodies, where all else is zero; of a potential alone grad_phi in place of U, and its
/// negative E (V/m) where that is `electric`.
meshes::Fields point_fields(const bem::FlowProblem& problem, const Vec3d& stream,
                            const bem::Field& field, bool electric);

/// Point data of all points.
using FieldsAt = std::function<meshes::Fields(std::span<const Vec3d>)>;

/// Evaluates all probes at once, so that far fields are built once.
std::vector<ProbeResult> evaluate_probes(const std::vector<ProbeInput>& probes, const FieldsAt& at);

/// "midplane.vti" or "taps.vtp".
std::string probe_file_name(const ProbeInput& probe);

/// Throws InputError when the file cannot be written.
void write_probe(const std::filesystem::path& path, const ProbeResult& result,
                 const meshes::Metadata& metadata);

}  // namespace rankine::cases
