// Keys, defaults, reading and writing of the tables of a case file, one source file for each group
// of tables.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cases/input/case.hpp"
#include "cases/input/keys.hpp"

namespace rankine::cases {

/// The characters allowed in names of files and controls; the first 52 are letters.
constexpr std::string_view file_name_letters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

// [problem] and [[boundary]]: the equation and the boundary conditions.

void problem_keys(Keys& keys, ProblemInput& problem);
void boundary_keys(Keys& keys, BoundaryInput& boundary);
/// A point charge.
void source_keys(Keys& keys, SourceInput& source);

/// Without such a table, one wall on all patches. Throws InputError for a patch that is named
/// twice.
std::vector<BoundaryInput> read_boundaries(const Section& root);

/// Reads [problem] alone. Throws InputError for keys that exclude each other.
ProblemInput read_problem(const Section& root);

/// Completes the stream and all conditions, which depend on each other. Throws InputError for
/// conditions that this kind of problem does not have, and if the solution would be zero.
void complete_problem(const Section& root, Case& flow_case);

/// [problem] with its tables, and [[boundary]].
std::string write_problem(const Case& flow_case, const std::filesystem::path& folder);

/// Whether the walls of a flow have no thickness.
bool walls_are_thin(ProblemKind kind, const std::vector<BoundaryInput>& boundaries);

// The table [mesh] of a case file.

void mesh_keys(Keys& keys, MeshInput& mesh);

// The tables [solver] and [fmm] of a case file: the linear solver and the summation.

void solver_keys(Keys& keys, SolverInput& solver);
void fmm_keys(Keys& keys, FmmInput& fmm);

/// Fills in the defaults that depend on the problem. Throws InputError for a formulation that does
/// not apply to it.
void complete_solver(const Section& root, Case& flow_case);

/// Fills in the defaults that depend on `solver`. Throws InputError for a tolerance below the
/// precision.
void complete_fmm(const Section& root, const SolverInput& solver, FmmInput& fmm);

// The undisturbed stream of [problem]: its velocity, or angles and speed.

/// The stream of the given speed, m/s, and angles of attack and sideslip, degrees. x is aft, y to
/// starboard, z up; with positive sideslip the stream comes from +y.
Vec3d stream_at(double speed, double alpha, double beta);

/// The rows of [problem] that give the stream.
void stream_keys(Keys& keys, ProblemInput& problem);

/// Completes the stream; its default is 1 m/s along x if nothing else moves the fluid. Throws
/// InputError if nothing moves the fluid.
void complete_stream(const Section& section, const std::vector<BoundaryInput>& boundaries,
                     ProblemInput& problem);

// The table [lift] of a case file: wakes of lifting bodies and reference values of coefficients.
// Its presence switches wakes on. [[control]]: control surfaces.

void lift_keys(Keys& keys, LiftInput& lift);
void reference_keys(Keys& keys, ReferenceInput& reference);
void control_keys(Keys& keys, ControlInput& control);

void rotor_keys(Keys& keys, RotorInput& rotor);

/// Throws one InputError with all errors in the tables.
LiftInput read_lift(const Section& root);
RotorInput read_rotor(const Section& root);
/// Makes the symmetry of a rotor of which one blade is meshed.
void turn_images(Case& flow_case);

/// Throws InputError for a problem that has no wakes.
void check_lift(const Section& root, const Case& flow_case);

/// Empty without [lift].
std::string write_lift(const LiftInput& lift, const std::filesystem::path& folder);

// [[problem.source]], [[problem.doublet]] and [[problem.vortex]]: singularities in the fluid of a
// flow.

/// A polygonal vortex line with its circulation.
struct VortexLine {
  Vec3d from{}, to{};
  std::vector<Vec3d> points{};  ///< instead of `from` and `to`
  double circulation = 0.0;
};
void doublet_keys(Keys& keys, bem::PointDoublet& doublet);
void vortex_line_keys(Keys& keys, VortexLine& line);

/// The keys `symmetry`, with one of `words` for each plane and this description, and
/// `symmetry_origin`. `where`: FILE:LINE:COLUMN, for messages.
using PlaneWords = Choices<std::pair<int, double>>;
void symmetry_keys(Keys& keys, const PlaneWords& words, const std::string& text,
                   meshes::Symmetry& symmetry, std::string& where);

/// Throws InputError for singularities that are not finite or that their images in the symmetry
/// planes cancel, and for keys that exclude each other.
OnsetInput read_onset(const Section& problem, const meshes::Symmetry& symmetry);

/// Throws InputError for conditions that an onset flow excludes: motions, and potentials with
/// vortices.
void check_onset(const OnsetInput& onset, const std::vector<BoundaryInput>& boundaries);

std::string write_onset(const bem::Onset& onset);

// The table [output]: the results directory, and results at points off the surface and along
// sections.

void output_keys(Keys& keys, OutputInput& output);
void probe_keys(Keys& keys, ProbeInput& probe);
void section_keys(Keys& keys, SectionInput& section);
void streamline_keys(Keys& keys, StreamlineInput& lines);

/// Throws InputError as read_case() does.
OutputInput read_output(const Section& root);

/// The tables [[output.probe]] of `output`. `names`: file names in use; those of the probes are
/// added.
std::vector<ProbeInput> read_probes(const Section& output, std::set<std::string>& names);

std::string write_output(const OutputInput& output, const std::filesystem::path& folder);
std::string write_probes(const std::vector<ProbeInput>& probes,
                         const std::filesystem::path& folder);

}  // namespace rankine::cases
