// FMM and treecode on the device: the passes of one apply and their order. Near and far field run
// concurrently, captured as one graph. Strengths and results are on the device, in the caller's
// order. Several processes may share the work (gpu/sums/tree_shares.hpp).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "rankine/fmm/core/stopwatch.hpp"
#include "rankine/fmm/operator.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/runtime/stream.hpp"
#include "rankine/gpu/sums/expansion_products.hpp"
#include "rankine/gpu/sums/low_order_multipoles.hpp"
#include "rankine/gpu/sums/mutual_items.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"
#include "rankine/gpu/sums/strengths.hpp"
#include "rankine/gpu/sums/tree_shares.hpp"

namespace rankine::gpu {

/// The coordinates of points, which are stored one after the other: 3 x points.
template <class T>
PointView<T> view(const DeviceBuffer<T>& points) {
  const std::size_t n = points.size() / 3;
  return {points.data(), points.data() + n, points.data() + 2 * n};
}

template <class T>
class TreeOperator final : public fmm::Operator {
 public:
  /// Uses the decisions `plan` for `points`, whose tree is `tree`; queues its work on `stream`.
  /// `stopwatch` was started at the beginning of the set-up. With a `group`, which must outlive the
  /// operator, its processes share the work; constructor, move() and apply() are then collective.
  /// Throws DeviceError if there is not enough memory.
  TreeOperator(const DevicePoints& points, const fmm::Decisions& plan, DeviceTree tree,
               std::shared_ptr<const Stream> stream, const Stopwatch& stopwatch,
               const DeviceGroup* group);

  void move(const fmm::Points& points, MemorySpace where) override;
  void set_order(int order) override;
  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override;
  void synchronize() override { stream_->synchronize(); }
  const fmm::OperatorInfo& info() const override { return info_; }
  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override;

 private:
  /// The properties that determine which kernels run; there is one graph for each combination.
  struct Kind {
    bool charges, dipoles;
    int derivatives;  ///< as in fmm::PairTerms
    int rhs;
    // clang-tidy mistakes the comparison with zero in a defaulted <=> for one with a pointer.
    auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  /// The concurrent branches: near field and far field. The last pass of the far field waits for
  /// the near field.
  enum class Branch { far, near };
  /// The work of the other branch that must be complete before a pass begins.
  enum class Needs { nothing, strengths, multipoles, near_sums };
  struct Pass {
    const char* name;
    Branch branch;
    Needs needs;
    std::function<void(const Stream&)> queue;
  };

  void make_matrices();
  void set_expansions();
  void set_points(const DevicePoints& points, DeviceTree tree);
  /// Converts the points, and moves the orders out of `tree`.
  void place_points(const DevicePoints& points, DeviceTree& tree);
  void separate_pairs(const DevicePoints& points, const DeviceTree& tree, const DeviceLists& lists);
  MutualItems<T> shared_pairs(const DeviceTree& tree, const DeviceLists& lists,
                              const DeviceBuffer<std::uint8_t>& close) const;
  void list_translations();
  void describe(const DeviceTree& tree, const DeviceLists& lists, std::int64_t targets);
  void reserve(const Kind& kind);
  Kind prepare(const fmm::Strengths& strengths, const fmm::Results& results, int rhs);
  std::vector<Pass> passes(const Kind& kind);
  void queue_passes(const Kind& kind);
  void queue_apply(const Kind& kind);
  std::size_t device_bytes() const;
  /// True if M2P uses gpu/sums/low_order_multipoles.hpp.
  bool is_low_order(const Kind& kind) const {
    return !vortices_ && !multipole_lists_.empty() && plan_.orders.order <= most_low_order &&
           kind.derivatives < 2;
  }
  /// True if P2P uses gpu/sums/mutual_sums.hpp.
  bool is_mutual(const Kind& kind) const {
    return mutual_.blocks.size() > 0 && kind.charges && !kind.dipoles && kind.derivatives < 2 &&
           kind.rhs == 1;
  }
  /// Expansions per box: one per right-hand side, or three for vortices.
  int columns(int rhs) const { return vortices_ ? 3 * rhs : rhs; }

  std::shared_ptr<const Stream> stream_;
  std::optional<TreeShares> shares_;  ///< none for a single process
  Stream far_, near_;
  Event begun_, strengths_ready_, multipoles_ready_, near_done_, done_;
  fmm::Decisions plan_;
  fmm::OperatorInfo info_;
  double inverse_side_ = 1.0;
  bool vortices_ = false, has_normals_ = false, has_locals_ = false;
  bool shared_points_ = false;  ///< the targets are the sources
  std::int64_t boxes_ = 0;
  std::int32_t stride_ = 0;

  DeviceTree tree_;    ///< without orders of points
  DeviceLists lists_;  ///< without pairs of leaves

  // Points and work lists.
  /// 3 x points each; the targets are empty if they are the sources.
  DeviceBuffer<T> source_points_, target_points_, normals_;
  DeviceBuffer<T> inverse_cores_;  ///< for vortices, in units of 1 / root box edge
  DeviceBuffer<std::int32_t> source_order_, target_order_;
  WorkItems<T> work_;
  MutualItems<T> mutual_;
  MultipoleLists multipole_lists_;
  CloseItems<T> close_;
  DeviceBuffer<double> close_sources_, close_targets_;  ///< source_points_ at the given positions
  HarmonicTables<T> tables_;
  LowOrderMaps<T> low_order_;
  OctantMatrices<T> octants_;
  DeviceMatrices<T> m2l_matrices_;
  TileSizes<T> tile_sizes_;
  TranslationTargets translation_targets_;
  DeviceTiles m2l_tiles_;
  std::vector<DeviceTiles> m2m_tiles_, l2l_tiles_;  ///< in order of execution

  // Written by apply().
  DeviceBuffer<ApplyArrays> arrays_;
  DeviceBuffer<T> charges_, dipoles_, multipoles_, locals_, potential_, gradient_, hessian_;
  DeviceBuffer<T> low_order_coefficients_;        ///< for M2P
  DeviceBuffer<T> partials_;                      ///< for mutual sums
  DeviceBuffer<T> velocity_, velocity_gradient_;  ///< for vortices
  std::map<Kind, Graph> graphs_;
  bool applied_ = false;  ///< whether apply() has been called for these points
};

extern template class TreeOperator<float>;
extern template class TreeOperator<double>;

}  // namespace rankine::gpu
