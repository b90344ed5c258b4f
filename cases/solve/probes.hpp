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
  std::vector<Vec3d> points;     ///< m
  std::vector<Vec3d> velocity;   ///< total, m/s
  std::vector<double> phi;       ///< perturbation potential, m^2/s
  std::vector<double> cp;        ///< empty where there is no reference
  std::vector<double> pressure;  ///< Pa; empty of a potential alone
  std::vector<double> inside;    ///< 1 inside a body, else 0
  bool electric = false;         ///< the potential's gradient is that of an electric field
};

/// The points of a probe: for a plane or box the corners of its cells, x fastest.
std::vector<Vec3d> probe_points(const ProbeInput& probe);

/// Evaluates all probes at once, so that the far field is built once. `at`: the field at points; `stream`: that to
/// which Cp refers.
std::vector<ProbeResult> evaluate_probes(
    const std::vector<ProbeInput>& probes, const bem::FlowProblem& problem, const Vec3d& stream,
    const std::function<bem::Field(std::span<const Vec3d>)>& at, bool electric);

/// "midplane.vti" or "taps.vtp".
std::string probe_file_name(const ProbeInput& probe);

/// Point data U, Cp (p where there is none), phi, inside; of a potential alone grad_phi in place of U, and its
/// negative E (V/m) where that is electric. Throws InputError when the file cannot be written.
void write_probe(const std::filesystem::path& path, const ProbeResult& result,
                 const meshes::Metadata& metadata);

}  // namespace rankine::cases
