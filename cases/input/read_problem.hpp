// The tables of a case file, each read by a source of its name: its keys, its defaults, and how it
// is written.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

/// What names of files and controls consist of: 52 letters first.
constexpr std::string_view file_name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

// [problem] and [[boundary]]: what is solved, and what holds on every patch.

void problem_keys(Keys& keys, ProblemInput& problem);
void boundary_keys(Keys& keys, BoundaryInput& boundary);
/// A charge.
void source_keys(Keys& keys, SourceInput& source);

/// A wall on every patch if the file has none. Throws InputError for patches that are named twice.
std::vector<BoundaryInput> read_boundaries(const Section& root);

/// [problem] alone; throws InputError for what in it excludes each other.
ProblemInput read_problem(const Section& root);

/// The stream and all conditions, which depend on each other. Throws InputError for conditions that
/// the problem does not have, and if nothing makes a flow or a potential.
void complete_problem(const Section& root, Case& flow_case);

/// [problem] and what it holds, [[boundary]].
std::string write_problem(const Case& flow_case, const std::filesystem::path& folder);

/// Whether all walls of a flow are without thickness.
bool walls_are_thin(ProblemKind kind, const std::vector<BoundaryInput>& boundaries);

// The table [mesh] of a case file.

void mesh_keys(Keys& keys, MeshInput& mesh);

// The tables [solver] and [fmm] of a case file: how equations are solved and sums are made.

void solver_keys(Keys& keys, SolverInput& solver);
void fmm_keys(Keys& keys, FmmInput& fmm);

/// Fills in the defaults that follow from the problem. Throws InputError for a formulation that
/// does not solve it.
void complete_solver(const Section& root, Case& flow_case);

/// Fills in the defaults that follow from `solver`. Throws InputError for a tolerance that the
/// precision does not reach.
void complete_fmm(const Section& root, const SolverInput& solver, FmmInput& fmm);

// The undisturbed stream of [problem]: its velocity, or angles and speed.

/// The stream with the speed `speed`, m/s, and the angles of attack and sideslip, degrees: x is
/// aft, y to starboard and z up; with a positive sideslip it comes from +y.
Vec3d stream_at(double speed, double alpha, double beta);

/// The rows of [problem] that give the stream.
void stream_keys(Keys& keys, ProblemInput& problem);

/// The stream, whose default is 1 m/s along x if nothing else moves the fluid. Throws InputError if
/// nothing does.
void complete_stream(const Section& section, const std::vector<BoundaryInput>& boundaries,
                     ProblemInput& problem);

// The table [lift] of a case file: wakes of lifting bodies, and to what coefficients refer. Its
// presence asks for wakes. [[control]]: control surfaces.

void lift_keys(Keys& keys, LiftInput& lift);
void reference_keys(Keys& keys, ReferenceInput& reference);
void control_keys(Keys& keys, ControlInput& control);

void rotor_keys(Keys& keys, RotorInput& rotor);

/// Throws one InputError with all that is wrong in the tables.
LiftInput read_lift(const Section& root);
RotorInput read_rotor(const Section& root);

/// Throws InputError for a problem that has no wakes.
void check_lift(const Section& root, const Case& flow_case);

/// Empty if there is no lift.
std::string write_lift(const LiftInput& lift, const std::filesystem::path& folder);

// [[problem.source]], [[problem.doublet]] and [[problem.vortex]] of a flow: what is in the fluid
// besides the stream.

/// A line from point to point with a circulation.
struct VortexLine {
  Vec3d from{}, to{};
  std::vector<Vec3d> points{};  ///< instead of these two
  double circulation = 0.0;
};
void doublet_keys(Keys& keys, bem::PointDoublet& doublet);
void vortex_line_keys(Keys& keys, VortexLine& line);

/// Throws InputError for what is not finite or what images in the problem's symmetry planes cancel,
/// and for keys that exclude each other.
OnsetInput read_onset(const Section& problem, const meshes::Symmetry& symmetry);

/// Throws InputError for conditions that do not go with it: motions, and potentials with vortices.
void check_onset(const OnsetInput& onset, const std::vector<BoundaryInput>& boundaries);

std::string write_onset(const bem::Onset& onset);

// The table [output]: where results go, and what a case asks for at points off the surface and
// along it.

void output_keys(Keys& keys, OutputInput& output);
void probe_keys(Keys& keys, ProbeInput& probe);
void section_keys(Keys& keys, SectionInput& section);
void streamline_keys(Keys& keys, StreamlineInput& lines);

/// Throws InputError as read_case() does.
OutputInput read_output(const Section& root);

/// The tables [[output.probe]] of `output`. `names`: of files that are taken; those of the probes
/// are added.
std::vector<ProbeInput> read_probes(const Section& output, std::set<std::string>& names);

std::string write_output(const OutputInput& output, const std::filesystem::path& folder);
std::string write_probes(const std::vector<ProbeInput>& probes,
                         const std::filesystem::path& folder);

}  // namespace rankine::cases
