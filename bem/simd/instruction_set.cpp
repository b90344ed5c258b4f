// Sums over nodes, integrals over panels and fits around them for one instruction set. This file is
// compiled once per set; RANKINE_SIMD is the name of the set (cmake/RankineTargets.cmake).
#include <span>
#include <utility>

#include "rankine/bem/panels/panel_integrals.hpp"
#include "rankine/bem/panels/panel_moments.hpp"
#include "rankine/bem/panels/prediction.hpp"
#include "rankine/bem/simd/functions.hpp"
#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/bem/simd/panel_sums.hpp"
#include "rankine/bem/simd/plane_fits.hpp"
#include "rankine/fmm/simd/pack_functions.hpp"

namespace rankine::bem::RANKINE_SIMD {
namespace {

using Lanes = fmm::RANKINE_SIMD::Pack<double>;

// The fits of bem/panels over SIMD lanes (bem/simd/plane_fits.hpp). Only instruction_set.cpp
// includes this file.

/// samples(k) of the lanes from `from` on, with `Values` values starting at `first`.
template <int Values>
struct LoadSamples {
  const SampleLanes& all;
  int from, first;

  RANKINE_INLINE PlaneSamples<Values, Lanes> operator()(int k) const {
    const int at = k * SampleLanes::most + from;
    PlaneSamples<Values, Lanes> s{Lanes::load(all.x + at), Lanes::load(all.y + at), {}};
    for (int v = 0; v < Values; ++v) s.values[v] = Lanes::load(all.value[first + v] + at);
    return s;
  }
};

template <int Values>
void fit_planes(const SampleLanes& samples, PlanePolynomial (*results)[SampleLanes::most]) {
  for (int from = 0; from < SampleLanes::most; from += Lanes::width) {
    const PlaneFits<Values, Lanes> fits(samples.samples, Lanes::load(samples.count + from),
                                        LoadSamples<Values>{samples, from, 0},
                                        Lanes::load(samples.least + from));
    const auto found = fits.polynomials();
    for (int v = 0; v < Values; ++v) {
      for (int l = 0; l < Lanes::width; ++l) {
        PlanePolynomial& result = results[v][from + l];
        for (int k = 0; k < 9; ++k) result.s[k] = found[v].s[k].v[l];
        for (int k = 0; k < 3; ++k) result.axes[k] = found[v].axes[k].v[l];
        result.terms = found[v].terms.v[l];
      }
    }
  }
}

void predict_origins(const SampleLanes& samples, double (*results)[SampleLanes::most]) {
  constexpr int first = SampleLanes::most_values - predicted;
  for (int from = 0; from < SampleLanes::most; from += Lanes::width) {
    const OriginPrediction<predicted, Lanes> prediction(
        samples.samples, Lanes::load(samples.count + from),
        LoadSamples<predicted>{samples, from, first}, Lanes::load(samples.least + from));
    const auto found = prediction.values();
    for (int v = 0; v < predicted; ++v) found[v].store(results[v] + from);
  }
}

// The closed forms of bem/panels over SIMD lanes (bem/simd/panel_sums.hpp). Only
// instruction_set.cpp includes this file.

RANKINE_INLINE Vec3<Lanes> load(const double (&parts)[3][TriangleLanes::most], int from) {
  return {Lanes::load(parts[0] + from), Lanes::load(parts[1] + from), Lanes::load(parts[2] + from)};
}
RANKINE_INLINE void store(const Vec3<Lanes>& vector, double (&parts)[3][TriangleLanes::most],
                          int from) {
  vector.x.store(parts[0] + from);
  vector.y.store(parts[1] + from);
  vector.z.store(parts[2] + from);
}

template <bool curved>
RANKINE_INLINE TrianglePatch<Lanes> load(const TriangleLanes& triangles, int from) {
  TrianglePatch<Lanes> patch;
  for (int k = 0; k < 3; ++k) {
    patch.corner[k] = load(triangles.corner[k], from);
    if constexpr (curved) patch.bulge[k] = load(triangles.bulge[k], from);
  }
  return patch;
}

void triangle_moments(MomentLanes& lanes, int count) {
  for (int from = 0; from < count; from += Lanes::width) {
    PanelMomentsOf<Lanes> sum;
    bem::detail::add_triangle_moments(load<true>(lanes.triangles, from), load(lanes.x, from),
                                      Lanes::load(lanes.own + from) > Lanes(0.0),
                                      load(lanes.about, from), sum);
    store(sum.single, lanes.single, from);
    store(sum.dbl, lanes.dbl, from);
  }
}

template <IntegralSet wanted, bool curved>
void integrate(const TriangleLanes& triangles, int count, const Vec3d& x, IntegralLanes& result) {
  const Vec3<Lanes> at{Lanes(x.x), Lanes(x.y), Lanes(x.z)};
  for (int from = 0; from < count; from += Lanes::width) {
    const auto patch = load<curved>(triangles, from);
    PanelIntegrals<Lanes> sum;
    if constexpr (curved) {
      bem::detail::add_curved_triangle<wanted>(patch, at, false, Lanes(0.0), 1, sum);
    } else {
      bem::detail::add_flat_triangle<wanted>(patch.corner, at, false, false, sum);
    }
    if constexpr (wanted.single) sum.single.store(result.single + from);
    if constexpr (wanted.dbl) sum.dbl.store(result.dbl + from);
    if constexpr (wanted.grad_single) store(sum.grad_single, result.grad_single, from);
    if constexpr (wanted.grad_dbl) store(sum.grad_dbl, result.grad_dbl, from);
  }
}

/// The sets that bem/layers/near_entry.hpp computes together.
constexpr bool is_of_layers(const IntegralSet& set) {
  return set.dbl ? !set.grad_single && !set.grad_dbl
                 : set.single != set.grad_dbl || (set.grad_single && !set.single);
}

template <std::size_t index, bool curved>
constexpr IntegrateTriangles integrate_or_null() {
  constexpr IntegralSet wanted = set_of(index);
  if constexpr (is_of_layers(wanted)) return &integrate<wanted, curved>;
  return nullptr;
}

/// A register of nodes.
struct Nodes {
  Lanes x, y, z, nx, ny, nz, weight;
};

#if defined(__AVX512F__)
static_assert(Lanes::width == 2 * NodeGroup::size);

/// Loads two groups.
RANKINE_INLINE Nodes load(const NodeGroup& a, const NodeGroup& b) {
  const auto both = [](const double* low, const double* high) {
    return Lanes(reinterpret_cast<Lanes::Vector>(_mm512_insertf64x4(
        _mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high), 1)));
  };
  return {both(a.x, b.x),   both(a.y, b.y),   both(a.z, b.z),          both(a.nx, b.nx),
          both(a.ny, b.ny), both(a.nz, b.nz), both(a.weight, b.weight)};
}

/// Calls add(nodes) for every register. If the number of groups is odd, the last one is used twice,
/// the second time without strength.
template <class Add>
RANKINE_INLINE void for_each_register(std::span<const NodeGroup> groups, Add add) {
  std::size_t k = 0;
  for (; k + 2 <= groups.size(); k += 2) add(load(groups[k], groups[k + 1]));
  if (k == groups.size()) return;
  const auto low = [](const double* values) {
    return Lanes(reinterpret_cast<Lanes::Vector>(_mm512_maskz_loadu_pd(0x0f, values)));
  };
  const NodeGroup& g = groups[k];
  Nodes last = load(g, g);
  last.nx = low(g.nx), last.ny = low(g.ny), last.nz = low(g.nz), last.weight = low(g.weight);
  add(last);
}
#else
static_assert(NodeGroup::size % Lanes::width == 0);

/// Calls add(nodes) for every register.
template <class Add>
RANKINE_INLINE void for_each_register(std::span<const NodeGroup> groups, Add add) {
  for (const NodeGroup& g : groups) {
    for (int k = 0; k < NodeGroup::size; k += Lanes::width)
      add(Nodes{Lanes::load(g.x + k), Lanes::load(g.y + k), Lanes::load(g.z + k),
                Lanes::load(g.nx + k), Lanes::load(g.ny + k), Lanes::load(g.nz + k),
                Lanes::load(g.weight + k)});
  }
}
#endif

/// The vectors from the nodes to a point.
struct Offsets {
  Lanes dx, dy, dz, inverse;  ///< of the distance; 0 at a node itself

  RANKINE_INLINE Lanes along(const Nodes& n) const { return dx * n.nx + dy * n.ny + dz * n.nz; }
};

/// A point, and a length of the order of its distances from the nodes: the first approximation of
/// the square root has the range of float.
struct FieldPoint {
  Lanes x, y, z, inverse_scale, inverse_square;

  RANKINE_INLINE FieldPoint(const Vec3d& at, double scale)
      : x(at.x),
        y(at.y),
        z(at.z),
        inverse_scale(1.0 / scale),
        inverse_square(inverse_scale * inverse_scale) {}

  RANKINE_INLINE Offsets from(const Nodes& n) const {
    const Lanes dx = x - n.x, dy = y - n.y, dz = z - n.z;
    const Lanes r2 = (dx * dx + dy * dy + dz * dz) * inverse_square;
    return {dx, dy, dz,
            fmm::RANKINE_SIMD::where_nonzero(r2, fmm::RANKINE_SIMD::rsqrt<fmm::Root::precise>(r2)) *
                inverse_scale};
  }
};

template <IntegralSet wanted>
struct NodeSums {
  Lanes single{}, dbl{}, slope[3]{}, slope_dbl[3]{};

  RANKINE_INLINE void add(const Nodes& n, const FieldPoint& point) {
    const Offsets offset = point.from(n);
    const auto& [dx, dy, dz, inverse] = offset;
    const Lanes charge = n.weight * inverse;
    if constexpr (wanted.single) single += charge;
    if constexpr (wanted.dbl || wanted.grad_single || wanted.grad_dbl) {
      const Lanes inverse2 = inverse * inverse, cubic = charge * inverse2;
      if constexpr (wanted.grad_single) {
        slope[0] += dx * cubic;
        slope[1] += dy * cubic;
        slope[2] += dz * cubic;
      }
      if constexpr (wanted.dbl || wanted.grad_dbl) {
        const Lanes dipole = offset.along(n) * cubic;
        if constexpr (wanted.dbl) dbl += dipole;
        if constexpr (wanted.grad_dbl) {
          const Lanes thrice = dipole * inverse2 * 3.0;
          slope_dbl[0] += n.nx * cubic - dx * thrice;
          slope_dbl[1] += n.ny * cubic - dy * thrice;
          slope_dbl[2] += n.nz * cubic - dz * thrice;
        }
      }
    }
  }

  RANKINE_INLINE void add_to(PanelIntegrals<double>& sum) const {
    if constexpr (wanted.single) sum.single += single.sum();
    if constexpr (wanted.dbl) sum.dbl += dbl.sum();
    for (int axis = 0; axis < 3; ++axis) {
      if constexpr (wanted.grad_single) sum.grad_single[axis] -= slope[axis].sum();
      if constexpr (wanted.grad_dbl) sum.grad_dbl[axis] += slope_dbl[axis].sum();
    }
  }
};

template <std::size_t index>
void sum_over(std::span<const NodeGroup> groups, const Vec3d& at, double scale,
              PanelIntegrals<double>& sum) {
  NodeSums<set_of(index)> sums;
  const FieldPoint point(at, scale);
  for_each_register(groups, [&](const Nodes& n) { sums.add(n, point); });
  sums.add_to(sum);
}

void sum_fields(std::span<const NodeGroup> groups, const Vec3d& at, double scale, double& potential,
                Vec3d& gradient) {
  const FieldPoint point(at, scale);
  Lanes value{}, slope[3]{};
  for_each_register(groups, [&](const Nodes& n) {
    const Offsets offset = point.from(n);
    const Lanes inverse2 = offset.inverse * offset.inverse, cubic = offset.inverse * inverse2,
                dipole = offset.along(n) * cubic, charge = n.weight * offset.inverse,
                back = (charge + dipole * 3.0) * inverse2;
    value += charge + dipole;
    slope[0] += n.nx * cubic - offset.dx * back;
    slope[1] += n.ny * cubic - offset.dy * back;
    slope[2] += n.nz * cubic - offset.dz * back;
  });
  potential += value.sum();
  for (int axis = 0; axis < 3; ++axis) gradient[axis] += slope[axis].sum();
}

/// A thread whose points are in SIMD lanes.
struct PointLanes : OneLane {
  static constexpr int capacity = FractionCloud::capacity / Lanes::width;
  static double sum(Lanes x) { return x.sum(); }
};

bool find_fractions(FractionCloud& cloud, const Moments& moments, Moments& multipliers) {
  FractionPoints<PointLanes, Lanes> points;
  for (int j = 0; j < cloud.count; j += Lanes::width)
    points.add({Lanes::load(cloud.x + j), Lanes::load(cloud.y + j), Lanes::load(cloud.z + j)});
  return points.find(moments, multipliers, cloud.refutation);
}

template <std::size_t... index>
constexpr SimdFunctions every_function(std::index_sequence<index...>) {
  return {.sum_nodes = {&sum_over<index>...},
          .sum_fields = &sum_fields,
          .integrate_flat = {integrate_or_null<index, false>()...},
          .integrate_curved = {integrate_or_null<index, true>()...},
          .triangle_moments = &triangle_moments,
          .fit_planes = {&fit_planes<1>, &fit_planes<2>, &fit_planes<3>},
          .predict_origins = &predict_origins,
          .find_fractions = &find_fractions};
}

}  // namespace

const SimdFunctions& simd_functions() {
  static constexpr SimdFunctions all = every_function(std::make_index_sequence<integral_sets>());
  return all;
}

}  // namespace rankine::bem::RANKINE_SIMD
