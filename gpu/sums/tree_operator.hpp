// FMM and treecode on the device: the passes of one apply and their order. Near and far field run
// side by side, captured as one graph; strengths come in and results go out
// in the caller's order, on the device.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "rankine/fmm/plan.hpp"
#include "rankine/gpu/runtime/graph.hpp"
#include "rankine/gpu/sums/expansion_products.hpp"
#include "rankine/gpu/sums/point_expansions.hpp"
#include "rankine/gpu/sums/strengths.hpp"

namespace rankine::gpu {

template <class T>
class TreeOperator final : public fmm::Operator {
 public:
  /// Work is queued on `stream`. Throws InputError, or DeviceError where memory does not suffice.
  TreeOperator(const fmm::Points& points, const fmm::Options& options,
               std::shared_ptr<const Stream> stream);

  void apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) override;
  void synchronize() override { stream_->synchronize(); }
  const fmm::OperatorInfo& info() const override { return info_; }
  std::vector<fmm::PassTime> breakdown(const fmm::Strengths& strengths, const fmm::Results& results,
                                       int rhs) override;

 private:
  /// What decides which kernels run: one graph each.
  struct Kind {
    bool charges, dipoles, gradient;
    int rhs;
    // The check mistakes the comparison with zero of a defaulted <=> for a pointer.
    auto operator<=>(const Kind&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Pass {
    const char* name;
    bool near;  ///< runs beside the far field
    std::function<void(const Stream&)> queue;
  };

  void place_points(const fmm::Plan& plan, const fmm::Points& points);
  void build_far_field(const fmm::Plan& plan);
  void reserve(const Kind& kind);
  Kind prepare(const fmm::Strengths& strengths, const fmm::Results& results, int rhs);
  std::vector<Pass> passes(const Kind& kind);
  Graph capture(const Kind& kind);
  std::size_t device_bytes() const;

  std::shared_ptr<const Stream> stream_;
  Stream far_{Stream::Priority::high}, near_;
  Event begun_, multipoles_ready_, near_done_;
  fmm::OperatorInfo info_;
  double inverse_side_ = 1.0;
  bool has_normals_ = false, has_locals_ = false;
  std::int64_t boxes_ = 0;
  fmm::Root root_ = fmm::Root::precise;
  std::int32_t stride_ = 0;

  // Points and work lists.
  /// 3 x points each; targets empty where they are the sources.
  DeviceBuffer<T> source_points_, target_points_, normals_;
  DeviceBuffer<std::int32_t> source_order_, target_order_;
  DeviceBuffer<CollectItem<T>> p2m_, p2l_;
  DeviceBuffer<SourceRange<T>> p2m_ranges_, p2l_ranges_, near_ranges_;
  DeviceBuffer<MultipoleView<T>> views_;
  DeviceBuffer<TargetBlock<T>> blocks_;
  HarmonicTables<T> tables_;
  DeviceMatrices<T> m2m_matrix_, m2l_matrices_, l2l_matrix_;
  DeviceTiles m2l_tiles_;
  std::vector<DeviceTiles> m2m_tiles_, l2l_tiles_;  ///< in the order in which they run

  // What an apply writes.
  DeviceBuffer<ApplyArrays> arrays_;
  DeviceBuffer<T> charges_, dipoles_, multipoles_, locals_, potential_, gradient_;
  std::map<Kind, Graph> graphs_;
};

extern template class TreeOperator<float>;
extern template class TreeOperator<double>;

}  // namespace rankine::gpu
