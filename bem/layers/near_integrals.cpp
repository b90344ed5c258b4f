#include "rankine/bem/layers/near_integrals.hpp"

#include <vector>

#include "rankine/bem/simd/node_sums.hpp"
#include "rankine/bem/simd/panel_sums.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// From so many nodes on lanes are worth filling.
constexpr std::int64_t many_nodes = 12;

/// The closed forms of panels at one target, triangles of one kind in SIMD lanes.
template <IntegralSet wanted>
class TriangleBatch {
 public:
  explicit TriangleBatch(bool curved) : integrate_(integrate_triangles(wanted, curved)) {}

  void add(const TrianglePatch<double>& triangle, const Vec3d& x, PanelIntegrals<double>& sum) {
    triangles_.set(count_, triangle);
    sum_[count_++] = &sum;
    if (count_ == TriangleLanes::most) flush(x);
  }

  void flush(const Vec3d& x) {
    if (count_ == 0) return;
    integrate_(triangles_, count_, x, integrals_);
    for (int lane = 0; lane < count_; ++lane) integrals_.add_to(*sum_[lane], lane, wanted);
    count_ = 0;
  }

 private:
  IntegrateTriangles integrate_;
  TriangleLanes triangles_{};
  IntegralLanes integrals_;
  PanelIntegrals<double>* sum_[TriangleLanes::most];
  int count_ = 0;
};

/// near_entries() of a row: closed forms, and nodes of panels that have many of them, in SIMD lanes.
template <Layer... layers>
class HostEntries {
 public:
  static constexpr IntegralSet wanted = integrals_of<layers...>;

  /// What a thread needs for its rows.
  struct Workspace {
    std::vector<PanelIntegrals<double>> sums;
    TriangleBatch<wanted> flat{false}, curved{true};
  };

  HostEntries(const NearEntryView& view, std::size_t panels)
      : view_(view),
        nodes_(view.far_points, view.far_normals, view.far_weights,
               static_cast<std::size_t>(view.first_node[panels])),
        arrays_(nodes_.arrays()),
        subtract_(subtract_nodes(wanted)) {}

  /// The entries of `target` with `panels`, layer by layer from the given places on.
  template <class... Values>
  void write(std::int64_t target, std::span<const std::int32_t> panels, Workspace& work,
             Values*... values) const {
    const Vec3d x = view_.target[target];
    work.sums.assign(panels.size(), {});
    for (std::size_t k = 0; k < panels.size(); ++k)
      add_integrals(target, panels[k], work, work.sums[k]);
    work.flat.flush(x);
    work.curved.flush(x);
    for (std::size_t k = 0; k < panels.size(); ++k) {
      subtract(x, panels[k], work.sums[k]);
      double entries[sizeof...(layers)];
      write_entries<layers...>(view_, target, work.sums[k], entries);
      const double* entry = entries;
      ((values[k] = *entry++), ...);
    }
  }

 private:
  void add_integrals(std::int64_t target, std::int64_t panel, Workspace& work,
                     PanelIntegrals<double>& sum) const {
    const PanelShape<double>& shape = view_.shape[panel];
    // A flat quadrilateral's diagonal is no filament: not where gradients of dipoles are wanted.
    const bool in_lanes = shape.curved || shape.corners == 3 || !wanted.grad_dbl;
    if (target == panel || !in_lanes || !takes_closed_form(view_, target, panel)) {
      sum = accurate_integrals<wanted>(view_, target, panel);
      return;
    }
    TriangleBatch<wanted>& batch = shape.curved ? work.curved : work.flat;
    for (int half = 0; half + 2 < shape.corners; ++half)
      batch.add(triangle_of(shape, half), view_.target[target], sum);
  }

  void subtract(const Vec3d& x, std::int64_t panel, PanelIntegrals<double>& sum) const {
    const std::int64_t begin = view_.first_node[panel], end = view_.first_node[panel + 1];
    if (end - begin < many_nodes) {
      subtract_far_nodes<wanted>(view_, x, panel, sum);
    } else {
      subtract_(arrays_, begin, end, x, view_.middle_radius[panel], sum);
    }
  }

  const NearEntryView& view_;
  SeparateNodes nodes_;
  NodeArrays arrays_;
  SubtractNodes subtract_;
};

}  // namespace

void integrate_near(const NearEntryView& view, std::size_t panels, std::span<const Layer> layers,
                    const SparsityPattern& pairs, std::span<double* const> values) {
  for_each_layer_set(
      layers, values, [&]<Layer... set>(auto*... of_layer) {
        using Entries = HostEntries<set...>;
        const Entries host(view, panels);
        parallel_chunks(
            pairs.rows(), 256, [] { return typename Entries::Workspace{}; },
            [&](std::size_t row, typename Entries::Workspace& work) {
              const std::int64_t begin = pairs.offsets[row], end = pairs.offsets[row + 1];
              host.write(static_cast<std::int64_t>(row),
                         {pairs.columns.data() + begin, static_cast<std::size_t>(end - begin)},
                         work, (of_layer + begin)...);
            });
      });
}

}  // namespace rankine::bem
