// The contents of a case file with every default filled in. SI units throughout;
// docs/reference/case.md explains keys and defaults.
#pragma once

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cases/input/section.hpp"
#include "rankine/bem/flow/flow.hpp"
#include "rankine/fmm/core/bounding_box.hpp"
#include "rankine/fmm/core/vec3.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/meshes/checks/orient.hpp"
#include "rankine/meshes/repair/repair.hpp"
#include "rankine/meshes/shapes/wing.hpp"
#include "rankine/meshes/symmetry.hpp"

namespace rankine::cases {

enum class Shape { none, sphere, ellipsoid, torus, box, disc, plate, tube, wing, propeller };
enum class BackendChoice { automatic, cpu, cuda };
enum class ProbeKind { plane, box, line, points };
enum class ExactFlow { none, sphere, ellipsoid };
enum class ProblemKind { flow, laplace, electrostatics, gravity, vortex };

/// Whether the case moves particles (cases/particles/) and solves no surface problem.
inline bool has_particles(ProblemKind kind) {
  return kind == ProblemKind::gravity || kind == ProblemKind::vortex;
}

enum class BoundaryType {
  wall,
  normal_velocity,
  motion,
  potential,
  flux,
  conductor,
  floating,
  interface
};

/// Whether a condition of this type prescribes a potential, known or unknown.
inline bool has_potential(BoundaryType type) {
  return type == BoundaryType::potential || type == BoundaryType::conductor ||
         type == BoundaryType::floating;
}

/// A built-in shape without thickness.
inline bool is_sheet(Shape shape) {
  return shape == Shape::disc || shape == Shape::plate || shape == Shape::tube;
}

/// Maximum number of panels of a built-in shape.
inline constexpr int most_panels = 100000000;

/// A mesh file, or a built-in shape of at least `panels` panels.
struct MeshInput {
  std::filesystem::path file;  ///< empty for a built-in shape
  Shape shape = Shape::none;
  OneOrTwo<int> panels{20480};     ///< two for a wing or a blade: around a section, along the span
  double radius = 1.0;             ///< sphere, disc, tube
  Vec3d semi_axes{3.0, 2.0, 1.0};  ///< ellipsoid
  double major_radius = 2.0;       ///< torus: centre line
  double minor_radius = 1.0;       ///< torus: tube
  Vec3d size{1.0, 1.0, 1.0};       ///< box: edges
  double length = 1.0;             ///< plate along x, tube along z
  double width = 1.0;              ///< plate along y
  double grading = 1.0;            ///< box, disc, plate, tube: refinement towards edges and rims
  DigitsOrFile section{"0012"};    ///< wing
  OneOrTwo<double> chord{1.0};     ///< wing: root, tip
  meshes::WingPlan wing;           ///< except its chords, which are in `chord`
  std::filesystem::path blade;     ///< propeller: a table of sections
  int blades = 3;                  ///< propeller
  bool sector = false;             ///< propeller: one blade with its part of the hub
  double diameter = 1.0;           ///< propeller
  Vec3d centre{};                  ///< of a built-in shape; for a wing its leading edge at the root
  double scale = 1.0;              ///< file units to metres
  bool scripts = false;            ///< whether a .geo file (a Gmsh script) may be run
  // For geometries that Gmsh meshes:
  double panel_size = 0.0;    ///< largest panel edge, m; 0: automatic
  int panel_budget = 20'000;  ///< panels of a CAD file, unless panel_size requires more
  double time_limit = 40.0;   ///< processor time, s
  meshes::Orient orient = meshes::Orient::outward;
  double sharp_angle = 0.0;                   ///< degrees; 0: automatic
  meshes::Repairs repairs;                    ///< of a mesh file
  std::vector<std::string> patches, exclude;  ///< of a mesh file: read only these; read all but
                                              ///< these
  std::string patches_at, exclude_at;         ///< FILE:LINE:COLUMN of both keys, for messages
  std::vector<std::string> with_conditions;   ///< patches named in boundary conditions
};

/// A point charge, or a point source of a flow.
struct SourceInput {
  Vec3d position{};
  double value = 0.0;   ///< charge, C; for a flow the volume flow rate, m^3/s
  std::string where{};  ///< FILE:LINE:COLUMN of the position, for messages
};

/// The singularities in the fluid of a flow, and the FILE:LINE:COLUMN of each, for messages.
struct OnsetInput {
  bem::Onset flow{};
  std::vector<std::string> source_at{}, doublet_at{}, vortex_at{};

  /// The name of the first kind present, such as "[[problem.source]]".
  std::string first_name() const {
    return flow.sources.empty()
               ? flow.doublets.empty() ? "[[problem.vortex]]" : "[[problem.doublet]]"
               : "[[problem.source]]";
  }
};

struct ProblemInput {
  ProblemKind kind = ProblemKind::flow;
  bem::Domain domain = bem::Domain::exterior;
  Vec3d velocity{1.0, 0.0, 0.0};  ///< free-stream velocity, m/s
  /// The stream by angles instead of its velocity: attack and sideslip, degrees; speed, m/s.
  std::optional<double> alpha, beta, speed;
  double mach = 0.0;                 ///< of the stream; 0: incompressible
  double density = 1.0;              ///< kg/m^3
  Vec3d moment_centre{};             ///< reference point of moments and of the rotations of added
                                     ///< mass
  double reference_speed = 0.0;      ///< for Cp, m/s; 0: the speed of the stream
  double permittivity = 1.0;         ///< relative permittivity of the outermost medium
  Vec3d field{};                     ///< applied electric field, V/m
  std::vector<SourceInput> sources;  ///< point charges
  OnsetInput onset;                  ///< of a flow
  bool added_mass = false;           ///< for the six rigid modes of every body
  std::filesystem::path modes;       ///< file of normal displacements of further modes; empty: none
  meshes::Symmetry symmetry;         ///< symmetry planes, which bound the modelled part
  std::string symmetry_at;           ///< FILE:LINE:COLUMN, for messages
  std::vector<int> whole;  ///< normals (axes) of planes that halve bodies; added mass is of the
                           ///< whole body
  int free_surface = -1;   ///< normal (axis) of the water surface; -1: there is none
};

/// A boundary condition on some patches.
struct BoundaryInput {
  std::vector<std::string> patches{"*"};  ///< names, or "*": all patches without another condition
  BoundaryType type = BoundaryType::wall;
  double value = 0.0;          ///< uniform on all panels; for a floating conductor its charge, C
  std::filesystem::path file;  ///< with one value per panel or node; empty: none
  std::string array;           ///< name of the array in a file with several
  std::pair<double, double> permittivity{1.0, 1.0};  ///< interface: outside, inside
  bem::RigidMotion motion;
  bool thin = false;  ///< surfaces without thickness, possibly open, with a field on both sides
  bool has_centre = false;  ///< the file gives the centre of the motion; moments refer to it
  std::string where{};      ///< FILE:LINE:COLUMN of the patches, for messages

  bool is_for_all() const { return patches.size() == 1 && patches.front() == "*"; }
};

inline bool any_of_type(const std::vector<BoundaryInput>& boundaries, BoundaryType type) {
  return std::any_of(boundaries.begin(), boundaries.end(),
                     [type](const BoundaryInput& each) { return each.type == type; });
}
inline bool all_of_type(const std::vector<BoundaryInput>& boundaries, BoundaryType type) {
  return std::all_of(boundaries.begin(), boundaries.end(),
                     [type](const BoundaryInput& each) { return each.type == type; });
}
inline bool any_is_thin(const std::vector<BoundaryInput>& boundaries) {
  return std::any_of(boundaries.begin(), boundaries.end(),
                     [](const BoundaryInput& each) { return each.thin; });
}

/// Arithmetic of a solve. Mixed: GMRES products in float, residuals in double.
enum class SolverPrecision { float64, float32, mixed };

/// The iterative solver: that of bem/krylov, or PETSc.
enum class Krylov { own, petsc };

struct SolverInput {
  bem::Formulation formulation = bem::Formulation::green;
  bool formulation_is_given = false;  ///< in the case file; else the mesh decides
  bem::PanelGeometry panels = bem::PanelGeometry::curved;
  double tolerance = 1e-6;  ///< of the true residual, relative to the right-hand side
  int max_iterations = 200;
  int restart = 200;
  BackendChoice backend = BackendChoice::automatic;
  Krylov krylov = Krylov::own;
  bem::Preconditioner preconditioner = bem::Preconditioner::automatic;
  /// Less accurate products as the residual falls; none: only for panels with many nodes.
  std::optional<bool> relaxation{};
  SolverPrecision precision = SolverPrecision::float64;
};

struct FmmInput {
  std::optional<fmm::Method> method{};  ///< none: fmm, or direct if that is faster
  double tolerance = 1e-7;              ///< of the operator; default: solver.tolerance / 10
  int order = 0;                        ///< 0: derived from the tolerance
  int leaf_capacity = 0;                ///< 0: tuned
  fmm::Precision precision = fmm::Precision::float64;  ///< default: float if solver.precision is
};

/// Points off the surface where the flow is evaluated.
struct ProbeInput {
  std::string name;
  ProbeKind kind = ProbeKind::plane;
  Vec3d origin{}, size{};      ///< plane, box
  Vec3<int> cells{1, 1, 1};    ///< plane, box
  Vec3d from{}, to{};          ///< line
  int count = 101;             ///< line
  std::vector<Vec3d> points;   ///< points
  std::filesystem::path file;  ///< of points, instead of the list; empty: none
};

/// Number of grid points along one axis: cells + 1, or 1 if the extent is zero.
inline int axis_point_count(const ProbeInput& probe, int axis) {
  return probe.size[axis] == 0.0 ? 1 : probe.cells[axis] + 1;
}

inline double probe_point_count(const ProbeInput& probe) {
  if (probe.kind == ProbeKind::points) return static_cast<double>(probe.points.size());
  if (probe.kind == ProbeKind::line) return probe.count;
  double count = 1.0;
  for (int axis = 0; axis < 3; ++axis) count *= axis_point_count(probe, axis);
  return count;
}

inline double probe_point_count(const std::vector<ProbeInput>& probes) {
  double count = 0.0;
  for (const ProbeInput& probe : probes) count += probe_point_count(probe);
  return count;
}

/// A plane that cuts the surface; results are written along the cut.
struct SectionInput {
  std::string name;
  Vec3d origin{}, normal{};
  std::string where{};  ///< FILE:LINE:COLUMN, for messages
};

enum class Course { downstream, upstream, both };

/// Streamlines from seed points.
struct StreamlineInput {
  ProbeInput seeds;
  Course course = Course::downstream;
  double length = 0.0;             ///< in each direction, m; 0: five diagonals of the mesh's
                                   ///< bounding box
  double tolerance = 1e-5;         ///< error of a step, relative to the diagonal of that box
  std::optional<BoundingBox> box;  ///< lines end at its faces; none: unbounded
};

struct OutputInput {
  std::filesystem::path directory = "results";
  std::vector<ProbeInput> probes;
  std::vector<SectionInput> sections;
  std::vector<StreamlineInput> streamlines;
};

/// The exact solution for comparison, and the largest permitted errors.
struct VerifyInput {
  ExactFlow exact = ExactFlow::none;
  Vec3d semi_axes{1.0, 1.0, 1.0};  ///< all equal for a sphere
  Vec3d centre{};
  std::optional<double> potential_l2, velocity_l2, velocity_max, added_mass;  ///< limits
};

enum class WakeForm { straight, relaxed, helical, file };
/// Whether wake lines of this form are polylines.
inline bool has_lines(WakeForm form) { return form == WakeForm::relaxed || form == WakeForm::file; }
enum class WakeDirection { stream, body };
enum class KuttaCondition { automatic, linear, pressure };

/// Reference values of lift coefficients; none: derived from the mesh.
struct ReferenceInput {
  std::optional<double> area, span, chord;
  std::optional<Vec3d> centre;
};

/// A control surface: the panels of a patch aft of the hinge.
struct ControlInput {
  std::string name, patch;
  std::vector<Vec3d> hinge;  ///< two points, m
  double deflection = 0.0;   ///< degrees, about the axis from the first hinge point to the second
  std::string where{};       ///< FILE:LINE:COLUMN of the patch, for messages
};

struct LiftInput {
  bool given = false;  ///< the file has the table
  bool wakes = true;
  std::vector<std::string> edges{"auto"};  ///< or a curve, a file, or two patches
  std::filesystem::path edges_file;        ///< the entry of `edges` if a file has that name
  WakeForm wake = WakeForm::straight;
  std::filesystem::path wake_file;  ///< file of its lines
  WakeDirection direction = WakeDirection::stream;
  KuttaCondition kutta = KuttaCondition::automatic;
  bool edge_strip = false;       ///< cut panels at trailing edges at one distance
  std::filesystem::path polars;  ///< file of the drag of sections; empty: none
  bool derivatives = false;      ///< also solve for all steady motions
  ReferenceInput reference;
  std::vector<ControlInput> controls;

  bool has_wakes() const { return given && wakes; }
  bool names_edges() const { return edges.size() != 1 || edges.front() != "auto"; }
};

/// Bodies that rotate with their wakes about an axis parallel to the stream.
struct RotorInput {
  bool given = false;         ///< the file has the table
  std::optional<Vec3d> axis;  ///< none: along the stream
  Vec3d centre{};
  double angular_velocity = 0.0;  ///< rad/s, positive by the right-hand rule about the axis
  std::optional<double> rpm, diameter;
  std::optional<double> pitch;  ///< of the wakes, m; none: that of the flow
  std::optional<int> blades;
  bool images = false;  ///< the mesh is one blade of `blades`, with its part of the hub
};

struct Case {
  std::filesystem::path path;  ///< of the case file
  std::string sha256;          ///< of the text of the case file
  std::string title;
  MeshInput mesh;
  ProblemInput problem;
  std::vector<BoundaryInput> boundaries{BoundaryInput{}};
  LiftInput lift;
  RotorInput rotor;
  SolverInput solver;
  FmmInput fmm;
  OutputInput output;
  VerifyInput verify;
};

/// Whether the case has dielectric interfaces, point charges or an applied field
/// (bem/electric/media.hpp).
bool has_media(const Case& flow_case);

}  // namespace rankine::cases
