// The words of the case file for enumerators, used in reading and writing.
#pragma once

#include <string>

#include "cases/input/case.hpp"
#include "cases/input/section.hpp"

namespace rankine::cases {

inline const Choices<Shape> shape_words{
    {"sphere", Shape::sphere}, {"ellipsoid", Shape::ellipsoid}, {"torus", Shape::torus},
    {"box", Shape::box},       {"disc", Shape::disc},           {"plate", Shape::plate},
    {"tube", Shape::tube},     {"wing", Shape::wing},           {"propeller", Shape::propeller}};
inline const Choices<meshes::WingTip> tip_words{{"flat", meshes::WingTip::flat},
                                                {"round", meshes::WingTip::round}};
inline const Choices<meshes::Orient> orient_words{{"check", meshes::Orient::check},
                                                  {"outward", meshes::Orient::outward},
                                                  {"keep", meshes::Orient::keep}};
/// In the order in which repairs are applied.
inline const Choices<bool meshes::Repairs::*> repair_words{
    {"union", &meshes::Repairs::unite},           {"merge", &meshes::Repairs::merge},
    {"degenerate", &meshes::Repairs::degenerate}, {"duplicates", &meshes::Repairs::duplicates},
    {"stitch", &meshes::Repairs::stitch},         {"fill", &meshes::Repairs::fill},
    {"orient", &meshes::Repairs::orient},         {"wrap", &meshes::Repairs::wrap},
    {"remesh", &meshes::Repairs::remesh}};
inline const Choices<ProblemKind> kind_words{{"flow", ProblemKind::flow},
                                             {"laplace", ProblemKind::laplace},
                                             {"electrostatics", ProblemKind::electrostatics},
                                             {"gravity", ProblemKind::gravity},
                                             {"vortex", ProblemKind::vortex}};
inline const Choices<bem::Domain> domain_words{{"exterior", bem::Domain::exterior},
                                               {"interior", bem::Domain::interior}};
inline const Choices<BoundaryType> boundary_words{
    {"wall", BoundaryType::wall},         {"normal-velocity", BoundaryType::normal_velocity},
    {"motion", BoundaryType::motion},     {"potential", BoundaryType::potential},
    {"flux", BoundaryType::flux},         {"conductor", BoundaryType::conductor},
    {"floating", BoundaryType::floating}, {"interface", BoundaryType::interface}};
inline const Choices<bem::Formulation> formulation_words{{"green", bem::Formulation::green},
                                                         {"source", bem::Formulation::source},
                                                         {"doublet", bem::Formulation::doublet}};
inline const Choices<bem::Preconditioner> preconditioner_words{
    {"auto", bem::Preconditioner::automatic},
    {"none", bem::Preconditioner::none},
    {"block", bem::Preconditioner::block},
    {"two-level", bem::Preconditioner::two_level}};
inline const Choices<Krylov> krylov_words{{"own", Krylov::own}, {"petsc", Krylov::petsc}};
inline const Choices<bem::PanelGeometry> panel_words{{"curved", bem::PanelGeometry::curved},
                                                     {"flat", bem::PanelGeometry::flat}};
inline const Choices<BackendChoice> backend_words{
    {"auto", BackendChoice::automatic}, {"cpu", BackendChoice::cpu}, {"cuda", BackendChoice::cuda}};
inline const Choices<fmm::Method> method_words{{"direct", fmm::Method::direct},
                                               {"treecode", fmm::Method::treecode},
                                               {"fmm", fmm::Method::fmm}};
/// For case files, in which the method is optional.
inline const Choices<std::optional<fmm::Method>> method_choices{{"auto", std::nullopt},
                                                                {"direct", fmm::Method::direct},
                                                                {"treecode", fmm::Method::treecode},
                                                                {"fmm", fmm::Method::fmm}};
inline const Choices<fmm::Precision> precision_words{{"double", fmm::Precision::float64},
                                                     {"float", fmm::Precision::float32}};
inline const Choices<SolverPrecision> solver_precision_words{{"double", SolverPrecision::float64},
                                                             {"float", SolverPrecision::float32},
                                                             {"mixed", SolverPrecision::mixed}};
inline const Choices<ProbeKind> probe_words{{"plane", ProbeKind::plane},
                                            {"box", ProbeKind::box},
                                            {"line", ProbeKind::line},
                                            {"points", ProbeKind::points}};
inline const Choices<Course> course_words{
    {"downstream", Course::downstream}, {"upstream", Course::upstream}, {"both", Course::both}};
inline const Choices<ExactFlow> exact_words{{"sphere-flow", ExactFlow::sphere},
                                            {"ellipsoid-flow", ExactFlow::ellipsoid}};

inline const Choices<WakeForm> wake_words{{"straight", WakeForm::straight},
                                          {"relaxed", WakeForm::relaxed},
                                          {"helical", WakeForm::helical},
                                          {"file", WakeForm::file}};
inline const Choices<WakeDirection> wake_direction_words{{"stream", WakeDirection::stream},
                                                         {"body", WakeDirection::body}};
inline const Choices<KuttaCondition> kutta_words{{"auto", KuttaCondition::automatic},
                                                 {"linear", KuttaCondition::linear},
                                                 {"pressure", KuttaCondition::pressure}};

/// Axis and sign of a symmetry plane.
inline const Choices<std::pair<int, double>> plane_words{{"x", {0, 1.0}},   {"y", {1, 1.0}},
                                                         {"z", {2, 1.0}},   {"-x", {0, -1.0}},
                                                         {"-y", {1, -1.0}}, {"-z", {2, -1.0}}};

inline const Choices<int> axis_words{{"none", -1}, {"x", 0}, {"y", 1}, {"z", 2}};

/// The word for a solve with an accurate far field in `precision`.
inline std::string precision_word(fmm::Precision precision, bool mixed) {
  return mixed ? word(solver_precision_words, SolverPrecision::mixed)
               : word(precision_words, precision);
}

}  // namespace rankine::cases
