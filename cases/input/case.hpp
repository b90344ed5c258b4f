// What a case file says, with every default filled in. Lengths in metres, SI units throughout; keys
// and defaults are explained in docs/reference/case.md.
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

/// Whether particles move (cases/particles/) instead of a surface being solved.
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

/// Whether a condition of this type is a potential, given or to be found.
inline bool has_potential(BoundaryType type) {
  return type == BoundaryType::potential || type == BoundaryType::conductor ||
         type == BoundaryType::floating;
}

/// A built-in shape without thickness.
inline bool is_sheet(Shape shape) {
  return shape == Shape::disc || shape == Shape::plate || shape == Shape::tube;
}

/// The largest built-in shape.
inline constexpr int most_panels = 100000000;

/// A mesh file, or a built-in shape of at least `panels` panels.
struct MeshInput {
  std::filesystem::path file;  ///< empty for a built-in shape
  Shape shape = Shape::none;
  OneOrTwo<int> panels{20480};     ///< two of a wing or a blade: around a section, along it
  double radius = 1.0;             ///< sphere, disc, tube
  Vec3d semi_axes{3.0, 2.0, 1.0};  ///< ellipsoid
  double major_radius = 2.0;       ///< torus: centre line
  double minor_radius = 1.0;       ///< torus: tube
  Vec3d size{1.0, 1.0, 1.0};       ///< box: edges
  double length = 1.0;             ///< plate along x, tube along z
  double width = 1.0;              ///< plate along y
  double grading = 1.0;            ///< box, disc, plate, tube: of panels towards edges and rims
  DigitsOrFile section{"0012"};    ///< wing
  OneOrTwo<double> chord{1.0};     ///< wing: root, tip
  meshes::WingPlan wing;           ///< its chords are in `chord`
  std::filesystem::path blade;     ///< propeller: a table of sections
  int blades = 3;                  ///< propeller
  double diameter = 1.0;           ///< propeller
  Vec3d centre{};                  ///< of a built-in shape; of a wing the nose of its root
  double scale = 1.0;              ///< file units to metres
  bool scripts = false;            ///< whether a .geo file, a script of Gmsh, may be run
  // Where a geometry is meshed:
  double panel_size = 0.0;    ///< largest panel edge, m; 0: automatic
  int panel_budget = 20'000;  ///< panels of a CAD file; more where panel_size asks for more
  double time_limit = 40.0;   ///< processor time, s
  meshes::Orient orient = meshes::Orient::outward;
  double sharp_angle = 0.0;                   ///< degrees; 0: automatic
  meshes::Repairs repairs;                    ///< of a mesh file
  std::vector<std::string> patches, exclude;  ///< of a mesh file: only these; all but these
  std::string patches_at, exclude_at;         ///< FILE:LINE:COLUMN of the two, for messages
  std::vector<std::string> with_conditions;   ///< patches that conditions name
};

/// What acts from a point.
struct SourceInput {
  Vec3d position{};
  double value = 0.0;   ///< charge, C; of a flow the volume that flows out, m^3/s
  std::string where{};  ///< FILE:LINE:COLUMN of the position, for messages
};

/// What is in the fluid of a flow besides the stream, and FILE:LINE:COLUMN of each, for messages.
struct OnsetInput {
  bem::Onset flow{};
  std::vector<std::string> source_at{}, doublet_at{}, vortex_at{};

  /// "[[problem.source]]", the first there is.
  std::string first_name() const {
    return flow.sources.empty()
               ? flow.doublets.empty() ? "[[problem.vortex]]" : "[[problem.doublet]]"
               : "[[problem.source]]";
  }
};

struct ProblemInput {
  ProblemKind kind = ProblemKind::flow;
  bem::Domain domain = bem::Domain::exterior;
  Vec3d velocity{1.0, 0.0, 0.0};  ///< of the undisturbed stream, m/s
  /// Of the stream, in place of its velocity: angles of attack and of sideslip, degrees, and m/s.
  std::optional<double> alpha, beta, speed;
  double mach = 0.0;                 ///< of the stream; 0: the fluid is incompressible
  double density = 1.0;              ///< kg/m^3
  Vec3d moment_centre{};             ///< moments, and rotations of added mass, are about this point
  double reference_speed = 0.0;      ///< to which Cp refers, m/s; 0: that of the stream
  double permittivity = 1.0;         ///< of the outermost medium, relative to that of vacuum
  Vec3d field{};                     ///< applied, V/m
  std::vector<SourceInput> sources;  ///< of charge
  OnsetInput onset;                  ///< of a flow
  bool added_mass = false;           ///< six modes of every body
  std::filesystem::path modes;       ///< normal displacements of further modes; empty: none
  meshes::Symmetry symmetry;         ///< planes that end what is modelled
  std::string symmetry_at;           ///< FILE:LINE:COLUMN, for messages
  std::vector<int> whole;  ///< axes of planes that halve bodies, whose added mass is of the whole
  int free_surface = -1;   ///< axis of the plane that is the water's surface; -1: none is
};

/// What holds on some patches.
struct BoundaryInput {
  std::vector<std::string> patches{"*"};  ///< names, or "*": all that no other condition names
  BoundaryType type = BoundaryType::wall;
  double value = 0.0;          ///< the same on all panels; of a floating conductor its charge, C
  std::filesystem::path file;  ///< of one value per panel or node; empty: none
  std::string array;           ///< of the file, where it has several
  std::pair<double, double> permittivity{1.0, 1.0};  ///< of an interface: outside, inside
  bem::RigidMotion motion;
  bool thin = false;  ///< surfaces without thickness, with a field on both sides, which may be open
  bool has_centre = false;  ///< the motion's centre is given, and moments are about it
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

/// Arithmetic of a solve. Mixed: products of GMRES in float, residuals in double.
enum class SolverPrecision { float64, float32, mixed };

struct SolverInput {
  bem::Formulation formulation = bem::Formulation::green;
  bool formulation_is_given = false;  ///< by the case; else the mesh may ask for another
  bem::PanelGeometry panels = bem::PanelGeometry::curved;
  double tolerance = 1e-6;  ///< true residual relative to the right-hand side
  int max_iterations = 200;
  int restart = 50;
  BackendChoice backend = BackendChoice::automatic;
  bem::Preconditioner preconditioner = bem::Preconditioner::automatic;
  /// Cheaper products as the residual falls; none: where panels have many nodes.
  std::optional<bool> relaxation{};
  SolverPrecision precision = SolverPrecision::float64;
};

struct FmmInput {
  std::optional<fmm::Method> method{};  ///< none: fmm, or direct where that is better
  double tolerance = 1e-7;              ///< of the operator; default a tenth of solver.tolerance
  int order = 0;                        ///< 0: from the tolerance
  int leaf_capacity = 0;                ///< 0: tuned
  fmm::Precision precision = fmm::Precision::float64;  ///< default float where solver.precision is
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
  std::filesystem::path file;  ///< of these points, instead of the list; empty: none
};

/// Grid points along one axis: one more than cells, and a single layer where the extent is zero.
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

/// A plane that cuts the surface, and where its data are written along the cut.
struct SectionInput {
  std::string name;
  Vec3d origin{}, normal{};
  std::string where{};  ///< FILE:LINE:COLUMN, for messages
};

enum class Course { downstream, upstream, both };

/// Lines that follow the flow from points.
struct StreamlineInput {
  ProbeInput seeds;
  Course course = Course::downstream;
  double length = 0.0;             ///< of each way, m; 0: five diagonals of the mesh's box
  double tolerance = 1e-5;         ///< of a step, of the diagonal of the mesh's box
  std::optional<BoundingBox> box;  ///< where lines end; none: nowhere
};

struct OutputInput {
  std::filesystem::path directory = "results";
  std::vector<ProbeInput> probes;
  std::vector<SectionInput> sections;
  std::vector<StreamlineInput> streamlines;
};

/// The exact solution to compare with, and the largest errors allowed.
struct VerifyInput {
  ExactFlow exact = ExactFlow::none;
  Vec3d semi_axes{1.0, 1.0, 1.0};  ///< three equal ones for a sphere
  Vec3d centre{};
  std::optional<double> potential_l2, velocity_l2, velocity_max, added_mass;  ///< limits
};

enum class WakeForm { straight, relaxed, helical, file };
/// Whether lines of wakes of this form have points.
inline bool has_lines(WakeForm form) { return form == WakeForm::relaxed || form == WakeForm::file; }
enum class WakeDirection { stream, body };

/// To what coefficients of lift refer; none: what follows from the mesh.
struct ReferenceInput {
  std::optional<double> area, span, chord;
  std::optional<Vec3d> centre;
};

/// A control surface: the panels of a patch aft of its hinge.
struct ControlInput {
  std::string name, patch;
  std::vector<Vec3d> hinge;  ///< two points, m
  double deflection = 0.0;   ///< degrees, about the hinge, from its first point to the second
  std::string where{};       ///< FILE:LINE:COLUMN of the patch, for messages
};

struct LiftInput {
  bool given = false;  ///< the file has the table
  bool wakes = true;
  std::vector<std::string> edges{"auto"};  ///< or a curve or file, or two patches
  std::filesystem::path edges_file;        ///< the name in `edges` if there is such a file
  WakeForm wake = WakeForm::straight;
  std::filesystem::path wake_file;  ///< of its lines
  WakeDirection direction = WakeDirection::stream;
  bool derivatives = false;  ///< solve for all steady motions
  ReferenceInput reference;
  std::vector<ControlInput> controls;

  bool has_wakes() const { return given && wakes; }
  bool names_edges() const { return edges.size() != 1 || edges.front() != "auto"; }
};

/// Bodies that turn with their wakes about an axis along the stream.
struct RotorInput {
  bool given = false;         ///< the file has the table
  std::optional<Vec3d> axis;  ///< none: along the stream
  Vec3d centre{};
  double angular_velocity = 0.0;  ///< rad/s, as a right-hand screw about the axis
  std::optional<double> rpm, diameter;
  std::optional<int> blades;
};

struct Case {
  std::filesystem::path path;  ///< of the case file
  std::string sha256;          ///< of the case file as it was read
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

/// Whether charges are more than those of conductors in one medium (bem/electric/media.hpp).
bool has_media(const Case& flow_case);

}  // namespace rankine::cases
