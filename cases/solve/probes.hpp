// Values at the points off the surface that a case asks for.
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

/// One probe with what was found at its points.
struct ProbeResult {
  ProbeInput probe;
  std::vector<Vec3d> points;  ///< m
  meshes::Fields fields;      ///< point data
};

/// The columns x, y and z of a .csv file, its only three where it has no header, or the points of a
/// file of VTK. Throws InputError.
std::vector<Vec3d> read_points(const std::filesystem::path& path);

/// Reads the files of points that probes name. Throws InputError.
void read_point_files(std::vector<ProbeInput>& probes);
/// The same of probes and seeds of streamlines.
void read_point_files(OutputInput& output);

/// The points of a probe: for a plane or box the corners of its cells, x fastest.
std::vector<Vec3d> probe_points(const ProbeInput& probe);

/// Values at points: those that are written, and those that streamlines follow.
struct PointValues {
  meshes::Fields fields;             ///< point data
  std::vector<Vec3d> along;          ///< the direction of lines: the velocity, or the gradient
  std::vector<std::uint8_t> inside;  ///< 1 in bodies, where all other values are zero
};
using ValuesAt = std::function<PointValues(std::span<const Vec3d>)>;
using FieldsAt = std::function<meshes::Fields(std::span<const Vec3d>)>;

/// Adds "inside", and the flags by which VTK hides these points.
void flag_inside(std::vector<meshes::Field>& fields, std::span<const std::uint8_t> inside);

/// Of a flow U, Cp (p without a reference), phi and inside; without a pressure grad_phi for U.
PointValues point_values(const bem::FlowProblem& problem, const Vec3d& stream, bem::Field found);
/// Of charges grad_phi, its negative E (V/m), phi and inside.
PointValues electric_values(bem::PotentialField found);

/// The points of all probes, in their order.
std::vector<Vec3d> points_of(const std::vector<ProbeInput>& probes);

/// Evaluates all probes at once, so that far fields are built once.
std::vector<ProbeResult> evaluate_probes(const std::vector<ProbeInput>& probes, const FieldsAt& at);

/// "midplane.vti" or "taps.vtp".
std::string probe_file_name(const ProbeInput& probe);

/// Throws InputError when the file cannot be written.
void write_probe(const std::filesystem::path& path, const ProbeResult& result,
                 const meshes::Metadata& metadata);

}  // namespace rankine::cases
