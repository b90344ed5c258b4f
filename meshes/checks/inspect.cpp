#include "rankine/meshes/checks/inspect.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "rankine/fmm/core/error.hpp"
#include "rankine/fmm/core/parallel.hpp"
#include "rankine/meshes/bodies.hpp"
#include "rankine/meshes/checks/panel_pairs.hpp"
#include "rankine/meshes/checks/panel_quality.hpp"
#include "rankine/meshes/checks/turned_parts.hpp"
#include "rankine/meshes/measures.hpp"
#include "rankine/meshes/mesh_constants.hpp"
#include "rankine/meshes/message_parts.hpp"

namespace rankine::meshes {
namespace {

class Flaws {
 public:
  explicit Flaws(const SurfaceMesh& mesh) : mesh_(mesh) {
    inspection_.marked.resize(mesh.elements.size(), 0);
    for (int kind = 0; kind < flaw_kinds; ++kind) flaws_[kind].kind = static_cast<FlawKind>(kind);
  }

  /// Counts a flaw of a panel. The worst value is the largest or, with `least_is_worst`, the
  /// smallest.
  Flaw& add(FlawKind kind, std::size_t panel, double value = 0.0, bool least_is_worst = false) {
    Flaw& flaw = flaws_[static_cast<int>(kind)];
    if (flaw.panels.count == 0 || (least_is_worst ? value < flaw.worst : value > flaw.worst)) {
      flaw.worst = value;
      flaw.worst_panel = panel;
    }
    flaw.panels.add(panel, corner_mean(mesh_, mesh_.elements[panel]));
    const auto mark = static_cast<std::uint8_t>(1 + static_cast<int>(kind));
    std::uint8_t& marked = inspection_.marked[panel];
    if (marked == 0 || mark < marked) marked = mark;
    return flaw;
  }

  /// Raises the severity of a kind to at least `severity`.
  void raise(FlawKind kind, Severity severity) {
    Severity& known = flaws_[static_cast<int>(kind)].severity;
    known = std::max(known, severity);
  }

  Inspection take() {
    for (Flaw& flaw : flaws_) {
      if (flaw.panels.count > 0) inspection_.flaws.push_back(std::move(flaw));
    }
    return std::move(inspection_);
  }

 private:
  const SurfaceMesh& mesh_;
  std::array<Flaw, flaw_kinds> flaws_{};
  Inspection inspection_;
};

double area_of(const SurfaceMesh& mesh, std::size_t e) {
  return norm(vector_area(mesh, mesh.elements[e]));
}

double total_area(const SurfaceMesh& mesh) {
  return parallel_sum(mesh.elements.size(), [&](std::size_t e) { return area_of(mesh, e); });
}

void add_quality(const SurfaceMesh& mesh, std::span<const PanelQuality> quality, Flaws& flaws) {
  double folded_area = 0.0;
  for (std::size_t e = 0; e < quality.size(); ++e) {
    const PanelQuality& panel = quality[e];
    const bool triangle = corner_count(mesh.elements[e]) == 3;
    const bool sliver = panel.aspect > limits::aspect.warned ||
                        (triangle && panel.largest_angle > limits::sliver_degrees);
    if (panel.folded) {
      flaws.add(FlawKind::folded, e, triangle ? panel.turn : std::max(panel.turn, panel.warp));
      if (!sliver) folded_area += area_of(mesh, e);
    }
    if (sliver || panel.aspect > limits::aspect.noted) flaws.add(FlawKind::sliver, e, panel.aspect);
    if (sliver) flaws.raise(FlawKind::sliver, Severity::warning);
    if (panel.size_jump > limits::size_jump.noted)
      flaws.add(FlawKind::size_jump, e, panel.size_jump);
    if (panel.size_jump > limits::size_jump.warned)
      flaws.raise(FlawKind::size_jump, Severity::warning);
    if (panel.warp > limits::warp_degrees.noted) flaws.add(FlawKind::warped, e, panel.warp);
    if (panel.warp > limits::warp_degrees.warned) flaws.raise(FlawKind::warped, Severity::warning);
  }
  const bool refused = folded_area > 0.0 && folded_area > limits::folded_area * total_area(mesh);
  flaws.raise(FlawKind::folded, refused ? Severity::refused : Severity::warning);
}

FlawKind flaw_of(PairKind kind) {
  switch (kind) {
    case PairKind::bodies_cross:
      return FlawKind::bodies_cross;
    case PairKind::bodies_touch:
      return FlawKind::bodies_touch;
    case PairKind::surface_cross:
      return FlawKind::surface_crosses;
    case PairKind::gap:
      return FlawKind::gap;
    default:
      return FlawKind::thin_wall;
  }
}

void add_pairs(const std::vector<PairFinding>& pairs, Flaws& flaws) {
  for (const PairFinding& pair : pairs) {
    const FlawKind kind = flaw_of(pair.kind);
    Flaw& flaw = flaws.add(kind, static_cast<std::size_t>(pair.panel), pair.value, true);
    if (flaw.others.size() < flaw.panels.first.size())
      flaw.others.push_back(static_cast<std::size_t>(pair.other));
    const bool between_bodies = kind == FlawKind::bodies_cross || kind == FlawKind::bodies_touch;
    const bool spoils = kind == FlawKind::surface_crosses || pair.value < 0.5 * limits::facing;
    flaws.raise(kind, between_bodies ? Severity::refused
                      : spoils       ? Severity::warning
                                     : Severity::note);
  }
}

/// No formulation solves a flow around a surface through itself of which parts are inside out.
void refuse_turned_parts(const SurfaceMesh& mesh, const Connections& connections,
                         const Symmetry& symmetry, const std::vector<PairFinding>& pairs,
                         Flaws& flaws) {
  std::vector<std::uint8_t> crossing(mesh.elements.size(), 0);
  bool any = false;
  for (const PairFinding& pair : pairs) {
    if (pair.kind != PairKind::surface_cross) continue;
    crossing[static_cast<std::size_t>(pair.panel)] = 1;
    any = true;
  }
  if (!any) return;
  if (are_turned(mesh, connections, symmetry, crossing, limits::folded_area * total_area(mesh)))
    flaws.raise(FlawKind::surface_crosses, Severity::refused);
}

/// Bodies whose normals point inwards: the walls of cavities. The first panel stands for its body.
void add_cavities(const SurfaceMesh& mesh, const Bodies& bodies, const Symmetry& symmetry,
                  Flaws& flaws) {
  const AlignedVector<double> volumes = volumes_under(mesh, bodies, symmetry);
  const std::vector<double> volume = value_of_bodies<double>(
      bodies, [&](std::size_t e, double& sum) { sum += volumes[e]; },
      [](double& sum, double part) { sum += part; });
  const std::vector<std::size_t> first = first_elements(bodies);
  for (std::size_t body = 0; body < volume.size(); ++body) {
    if (volume[body] < 0.0) flaws.add(FlawKind::cavity, first[body]);
  }
}

/// " (patches hull and keel)" if the two panels belong to different patches.
std::string patches_of(const SurfaceMesh& mesh, std::size_t panel, std::size_t other) {
  if (mesh.patch[panel] == mesh.patch[other]) return {};
  const auto patch_name = [&](std::size_t e) {
    return mesh.patch_names[static_cast<std::size_t>(mesh.patch[e])];
  };
  return " (patches " + patch_name(panel) + " and " + patch_name(other) + ")";
}

struct FlawTexts {
  const char *name, *measure, *advice;
};

const FlawTexts& texts_of(FlawKind kind) {
  static constexpr std::array<FlawTexts, flaw_kinds> all{{
      {"overlapping bodies", "",
       "unite the bodies before meshing or by mesh.repair = [\"union\"], or move them apart"},
      {"touching bodies", "distance / panel size",
       "unite the bodies before meshing or by mesh.repair = [\"union\"], or leave a gap of a panel "
       "between them"},
      {"folded panels", "degrees turned",
       "mesh the surface again there: the panels lie turned over on their neighbours"},
      {"surface through itself", "",
       "mesh the surface again there, or unite the body with itself by mesh.repair = [\"union\"]: "
       "a part of it lies inside the body, where values mean nothing, or encloses fluid as if that "
       "were the body. Of the first kind formulation = \"source\" finds the flow outside, the "
       "others do not"},
      {"narrow gap", "distance / panel size", "use panels as small as the gap there, or close it"},
      {"thin wall", "distance / panel size", "use panels as small as the wall is thick there"},
      {"slivers", "aspect ratio",
       "mesh again with better shaped panels there, or by mesh.repair = [\"remesh\"]"},
      {"size jumps", "size ratio", "let the size of panels change gradually"},
      {"warped quadrilaterals", "degrees", "split them into triangles, or use smaller ones"},
      {"bodies inside another", "",
       "leave the inner body out if it is not the wall of a cavity, or the outer one if it is a "
       "far "
       "field: mesh.exclude names patches"},
  }};
  return all[static_cast<std::size_t>(kind)];
}

}  // namespace

bool Inspection::refused() const {
  return std::any_of(flaws.begin(), flaws.end(),
                     [](const Flaw& flaw) { return flaw.severity == Severity::refused; });
}

Inspection inspect(const SurfaceMesh& mesh, const Symmetry& symmetry) {
  return inspect(mesh, Connections(mesh), symmetry);
}

Inspection inspect(const SurfaceMesh& mesh, const Connections& connections,
                   const Symmetry& symmetry) {
  const Bodies& bodies = connections.bodies;
  Flaws flaws(mesh);
  add_quality(mesh, measure_quality(mesh, connections.edges), flaws);
  std::vector<PairFinding> pairs = find_pairs(mesh, bodies);
  std::vector<std::uint8_t> known(mesh.elements.size(), 0);
  for (const PairFinding& each : pairs) {
    if (each.kind == PairKind::gap) known[static_cast<std::size_t>(each.panel)] = 1;
  }
  for (const PairFinding& gap : find_gaps_to_images(mesh, symmetry)) {
    if (known[static_cast<std::size_t>(gap.panel)] == 0) pairs.push_back(gap);
  }
  add_pairs(pairs, flaws);
  refuse_turned_parts(mesh, connections, symmetry, pairs, flaws);
  add_cavities(mesh, bodies, symmetry, flaws);
  return flaws.take();
}

const char* to_string(Severity severity) {
  constexpr std::array words{"note", "warning", "refused"};
  return words[static_cast<std::size_t>(severity)];
}

const char* name(FlawKind kind) { return texts_of(kind).name; }
const char* measure(FlawKind kind) { return texts_of(kind).measure; }
const char* advice(FlawKind kind) { return texts_of(kind).advice; }

std::string other_of(const Flaw& flaw, std::size_t k) {
  return flaw.others[k] == flaw.panels.first[k] ? "its image" : std::to_string(flaw.others[k]);
}

std::string describe(const SurfaceMesh& mesh, const Flaw& flaw) {
  std::string text = mesh.source.empty() ? "the mesh" : mesh.source;
  text += std::string(": ") + name(flaw.kind) + ": " + counted(flaw.panels.count, "panel") + " (";
  if (flaw.others.empty()) {
    text += numbered("element", flaw.panels);
  } else {
    for (std::size_t k = 0; k < flaw.others.size(); ++k) {
      text += (k == 0 ? "element " : ", ") + std::to_string(flaw.panels.first[k]) + " with " +
              other_of(flaw, k) + patches_of(mesh, flaw.panels.first[k], flaw.others[k]);
    }
    if (flaw.panels.count > flaw.others.size()) text += ", …";
  }
  text += ", the first at " + at(flaw.panels.where) + ")";
  if (*measure(flaw.kind) != '\0')
    text += ", at worst " + show_number(flaw.worst) + " " + measure(flaw.kind) + " (element " +
            std::to_string(flaw.worst_panel) + ")";
  return text + "; " + advice(flaw.kind);
}

void require_meaningful(const SurfaceMesh& mesh, const Inspection& inspection) {
  std::string message;
  for (const Flaw& flaw : inspection.flaws) {
    if (flaw.severity != Severity::refused) continue;
    if (!message.empty()) message += '\n';
    message += describe(mesh, flaw);
  }
  if (!message.empty()) throw MeshError(message);
}

}  // namespace rankine::meshes
