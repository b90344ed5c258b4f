// Values at the points off the surface that a case requests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "cases/input/case.hpp"
#include "rankine/bem/flow/field.hpp"
#include "rankine/meshes/vtk/vtk_writer.hpp"

namespace rankine::cases {

/// A probe with the values at its points.
struct ProbeResult {
  ProbeInput probe;
  std::vector<Vec3d> points;  ///< m
  meshes::Fields fields;      ///< point data
};

/// Points from the columns x, y and z of a .csv file (three columns if it has no header), or from a
/// VTK file. Throws InputError.
std::vector<Vec3d> read_points(const std::filesystem::path& path);

/// Reads the point files of the probes. Throws InputError.
void read_point_files(std::vector<ProbeInput>& probes);
/// The same for probes and seeds of streamlines.
void read_point_files(OutputInput& output);

/// The points of a probe; for a plane or box the corners of its cells, x fastest.
std::vector<Vec3d> probe_points(const ProbeInput& probe);

/// Values at points, for output and for tracing streamlines.
struct PointValues {
  meshes::Fields fields;             ///< point data
  std::vector<Vec3d> along;          ///< the tangent of streamlines: the velocity, or the gradient
  std::vector<std::uint8_t> inside;  ///< 1 in bodies, where all other values are zero
  double sum_error = 0.0;            ///< of the sums if above fmm.tolerance; else 0
};
using ValuesAt = std::function<PointValues(std::span<const Vec3d>)>;
using FieldsAt = std::function<meshes::Fields(std::span<const Vec3d>)>;

/// Adds "inside", and the flags with which VTK hides these points.
void flag_inside(std::vector<meshes::Field>& fields, std::span<const std::uint8_t> inside);

/// For a flow: U, Cp (p if there is no reference), phi and inside. Without a pressure: grad_phi
/// instead of U.
PointValues point_values(const bem::FlowProblem& problem, const Vec3d& stream, bem::Field found);
/// For electrostatics: grad_phi, E = -grad_phi (V/m), phi and inside.
PointValues electric_values(bem::PotentialField found);

/// The points of all probes, one probe after the other.
std::vector<Vec3d> points_of(const std::vector<ProbeInput>& probes);

/// Evaluates all probes together, so that the far field is built once.
std::vector<ProbeResult> evaluate_probes(const std::vector<ProbeInput>& probes, const FieldsAt& at);

/// For example "midplane.vti" or "taps.vtp".
std::string probe_file_name(const ProbeInput& probe);

/// Throws InputError if the file cannot be written.
void write_probe(const std::filesystem::path& path, const ProbeResult& result,
                 const meshes::Metadata& metadata);

}  // namespace rankine::cases
