#include "rankine/bem/layers/near_integrals.hpp"

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "rankine/bem/panels/spatial_order.hpp"
#include "rankine/bem/simd/functions.hpp"
#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::bem {
namespace {

/// The far-field nodes of every panel that is near a target, with negative weights, then its nodes
/// for intermediate distances. Both fill complete SIMD groups.
class NodesOfPanels {
 public:
  NodesOfPanels(const NearEntryView& view, std::size_t panels, const SparsityPattern& pairs)
      : first_(panels + 1, 0) {
    for (const std::int32_t near : pairs.columns) first_[static_cast<std::size_t>(near) + 1] = 1;
    parallel_for(panels, [&](std::size_t j) {
      first_[j + 1] *= far_groups(view, j) + group_count(middle_count(view.shape[j]));
    });
    std::inclusive_scan(first_.begin(), first_.end(), first_.begin());
    groups_.resize(static_cast<std::size_t>(first_.back()));
    parallel_for(panels, [&](std::size_t j) {
      if (first_[j + 1] > first_[j]) place(view, j);
    });
  }

  std::span<const NodeGroup> all(std::size_t panel) const {
    return {groups_.data() + first_[panel], groups_.data() + first_[panel + 1]};
  }
  std::span<const NodeGroup> far(const NearEntryView& view, std::size_t panel) const {
    return all(panel).first(static_cast<std::size_t>(far_groups(view, panel)));
  }

 private:
  static int middle_count(const PanelShape<double>& shape) {
    return middle_nodes_of_triangle * (shape.corners - 2);
  }
  static std::int64_t far_groups(const NearEntryView& view, std::size_t panel) {
    return group_count(view.first_node[panel + 1] - view.first_node[panel]);
  }

  /// Places `count` nodes, starting with `group`, and fills the last group with copies of the last
  /// node of weight zero. Returns the next group.
  template <class NodeOf>
  static NodeGroup* fill(NodeGroup* group, int count, NodeOf node_of) {
    for (int first = 0; first < count; first += NodeGroup::size, ++group) {
      for (int lane = 0; lane < NodeGroup::size; ++lane) {
        QuadratureNode node = node_of(std::min(first + lane, count - 1));
        if (first + lane >= count) node.weight = 0.0;
        group->set(lane, node);
      }
    }
    return group;
  }

  void place(const NearEntryView& view, std::size_t panel) {
    const std::int64_t first = view.first_node[panel], end = view.first_node[panel + 1];
    NodeGroup* const middle_groups =
        fill(groups_.data() + first_[panel], static_cast<int>(end - first), [&](int k) {
          return QuadratureNode{view.far_points[first + k], view.far_normals[first + k],
                                -view.far_weights[first + k]};
        });
    QuadratureNode middle[2 * middle_nodes_of_triangle];
    place_middle_nodes(view.shape[panel], middle);
    fill(middle_groups, middle_count(view.shape[panel]), [&](int k) { return middle[k]; });
  }

  std::vector<std::int64_t> first_;
  AlignedVector<NodeGroup> groups_;
};

/// Closed forms of panels at one target; triangles of one kind share SIMD lanes.
template <IntegralSet wanted>
class TriangleBatch {
 public:
  explicit TriangleBatch(bool curved)
      : integrate_((curved ? simd_functions().integrate_curved
                           : simd_functions().integrate_flat)[index_of(wanted)]) {}

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

/// near_entries() for a row: closed forms and sums over nodes, in SIMD lanes.
template <Layer... layers>
class HostEntries {
 public:
  static constexpr IntegralSet wanted = integrals_of<layers...>;

  /// Work arrays of a thread.
  struct Workspace {
    std::vector<PanelIntegrals<double>> sums;
    TriangleBatch<wanted> flat{false}, curved{true};
  };

  HostEntries(const NearEntryView& view, std::size_t panels, const SparsityPattern& pairs)
      : view_(view),
        nodes_(view, panels, pairs),
        sum_nodes_(simd_functions().sum_nodes[index_of(wanted)]) {}

  /// Writes the entries of `target` with `panels`, layer by layer, from the given positions on.
  template <class... Values>
  void write(std::int64_t target, std::span<const std::int32_t> panels, Workspace& work,
             Values*... values) const {
    const Vec3d x = view_.target[target];
    work.sums.assign(panels.size(), {});
    for (std::size_t k = 0; k < panels.size(); ++k) add(target, panels[k], work, work.sums[k]);
    work.flat.flush(x);
    work.curved.flush(x);
    for (std::size_t k = 0; k < panels.size(); ++k) {
      double entries[sizeof...(layers)];
      write_entries<layers...>(view_, target, work.sums[k], entries);
      const double* entry = entries;
      ((values[k] = *entry++), ...);
    }
  }

 private:
  void add(std::int64_t target, std::int64_t panel, Workspace& work,
           PanelIntegrals<double>& sum) const {
    const PanelShape<double>& shape = view_.shape[panel];
    const Vec3d& x = view_.target[target];
    const bool closed_form = takes_closed_form(view_, target, panel);
    const auto j = static_cast<std::size_t>(panel);
    sum_nodes_(closed_form ? nodes_.far(view_, j) : nodes_.all(j), x, view_.middle_radius[panel],
               sum);
    if (!closed_form) return;
    // The diagonal of a flat quadrilateral carries no vortex filament. So the quadrilateral is not
    // divided into triangles if gradients of dipoles are needed.
    const bool in_lanes = shape.curved || shape.corners == 3 || !wanted.grad_dbl;
    const bool own = is_own(view_, target, panel);
    if (own || !in_lanes) {
      sum += integrate_panel<wanted>(shape, x, own);
      return;
    }
    TriangleBatch<wanted>& batch = shape.curved ? work.curved : work.flat;
    for (int half = 0; half + 2 < shape.corners; ++half)
      batch.add(triangle_of(shape, half), x, sum);
  }

  const NearEntryView& view_;
  NodesOfPanels nodes_;
  SumNodes sum_nodes_;
};

}  // namespace

void integrate_near(const NearEntryView& view, std::size_t panels, std::span<const Layer> layers,
                    const SparsityPattern& pairs, std::span<double* const> values) {
  const AlignedVector<std::int32_t> order = spatial_order(std::span(view.target, pairs.rows()));
  for_each_layer_set(
      layers, values, [&]<Layer... set>(auto*... of_layer) {
        using Entries = HostEntries<set...>;
        const Entries host(view, panels, pairs);
        parallel_chunks(
            pairs.rows(), 256, [] { return typename Entries::Workspace{}; },
            [&](std::size_t k, typename Entries::Workspace& work) {
              const auto row = static_cast<std::size_t>(order[k]);
              const std::int64_t begin = pairs.offsets[row], end = pairs.offsets[row + 1];
              host.write(static_cast<std::int64_t>(row),
                         {pairs.columns.data() + begin, static_cast<std::size_t>(end - begin)},
                         work, (of_layer + begin)...);
            });
      });
}

}  // namespace rankine::bem
