// The passes of the FMM on the CPU, in working precision T. cpu_operator.cpp calls them in order.
#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "rankine/fmm/core/aligned.hpp"
#include "rankine/fmm/distributed/essential_tree.hpp"
#include "rankine/fmm/gradient_terms.hpp"
#include "rankine/fmm/leaf_groups.hpp"
#include "rankine/fmm/plan.hpp"
#include "rankine/fmm/simd/kernels.hpp"
#include "rankine/fmm/translation_schedule.hpp"

namespace rankine::fmm {

/// Seconds that a thread spends on the parts of the leaf pass.
struct LeafSeconds {
  double l2p = 0.0, m2p = 0.0, p2p = 0.0;
};

template <class T>
class CpuPasses {
 public:
  /// Makes the tables of the plan and copies the points for which it was made.
  CpuPasses(const Points& points, Plan plan);

  /// Replaces the points and the plan, which must have the same decisions as before.
  void move(const Points& points, Plan plan);

  void set_order(int order);

  /// Converts strengths from the caller's order to working precision and Morton order.
  void load(const Strengths& strengths, int rhs);

  void p2m();
  void m2m();
  /// Exchanges expansions with other processes.
  void exchange(const ExpansionExchange& exchange);
  void m2l();
  void p2l();
  void l2l();
  /// L2P, M2P and P2P leaf by leaf, written to `results` in the caller's order. `seconds`, if not
  /// null, receives the mean of the threads' times.
  void leaves(const Results& results, LeafSeconds* seconds);

  const Plan& plan() const { return plan_; }
  bool has_normals() const { return !normals_[0].empty(); }
  std::size_t bytes() const;

 private:
  struct LeafWorkspace;

  /// Makes everything that depends only on the orders of the plan.
  void make_tables();
  void place_points(const Points& points);
  void place_close(const Points& points);
  void load_vortices(const Strengths& strengths);
  const LocalPoints<T>& targets() const { return plan_.tree.shared_points ? sources_ : targets_; }
  std::int64_t boxes() const { return static_cast<std::int64_t>(plan_.tree.boxes.size()); }
  void translate(const TranslationSchedule& schedule, const TranslationTable<T>& table,
                 const AlignedVector<T>& source, AlignedVector<T>& target);
  AlignedVector<T> kernel_workspace() const;
  /// `count` points from `begin` on, relative to `origin` and in units of the edge of `frame`.
  static ScaledPoints<T> in_frame(const LocalPoints<T>& points, std::int32_t begin,
                                  std::int32_t count, const Vec3d& origin, const Box& frame);
  /// Strengths for P2M and P2L, where a vortex is three charges; and for P2P, where it is a vector.
  SourceStrengths<T> expanded_strengths() const;
  SourceStrengths<T> strengths() const;
  SourceArrays<T> source_arrays() const {
    return {{sources_.x.data(), sources_.y.data(), sources_.z.data()},
            strengths(),
            inverse_cores_.data()};
  }
  bool vortices() const { return is_vortex(plan_.options.kernel); }
  /// Number of expansions of a box.
  int columns() const { return vortices() ? 3 * rhs_ : rhs_; }
  /// Adds sources to the expansions of all right-hand sides of a target box.
  void accumulate_sources(Harmonic kind, std::int32_t source, std::int32_t target,
                          AlignedVector<T>& expansions, T* workspace) const;
  // The leaf pass (cpu_leaf_pass.cpp).
  void evaluate_multipoles(std::int32_t leaf, LeafWorkspace& work) const;
  void evaluate_expansion(Harmonic kind, std::int32_t source, std::int32_t leaf, int order,
                          LeafWorkspace& work) const;
  /// True if pairs of different leaves are summed once for both.
  bool mutual(const Results& results) const;
  void sum_leaf(std::int32_t leaf, LeafWorkspace& work) const;
  void sum_pairs(std::int32_t leaf, LeafWorkspace& work) const;
  /// Adds the sums of close pairs to the results in double, since they may exceed the range of
  /// float.
  void add_close_pairs(std::int32_t leaf, const Results& results, LeafWorkspace& work) const;
  void sum_mutual_pairs(std::int32_t leaf, LeafWorkspace& work) const;
  void add_derivatives(const std::array<GradientTerms<T>, 2>& rules, int k, std::int32_t source,
                       const AlignedVector<T>& expansions, T scale, int left_out,
                       LeafWorkspace& work) const;
  void add_curl(const std::array<GradientTerms<T>, 2>& rules, int k, std::int32_t source,
                const AlignedVector<T>& expansions, T scale, int left_out,
                LeafWorkspace& work) const;
  void list_ranges(std::int32_t leaf, LeafWorkspace& work) const;
  void list_near(std::int32_t leaf, LeafWorkspace& work) const;
  using MakeWorkspace = std::function<LeafWorkspace()>;
  void sum_group(std::span<const std::int32_t> leaves, std::int64_t halo, const Results& results,
                 LeafWorkspace& work) const;
  void sum_mutual_groups(const Results& results, const MakeWorkspace& make_workspace);
  std::span<T> halo(std::size_t g, int component, int components);
  /// Writes sums to the results, or adds them.
  template <class S>
  void write(const Box& box, const Results& results, const TargetSums<S>& sums, bool add) const;

  Plan plan_;
  const Kernels<T>& kernels_;
  RecursionTable<T> recursion_;
  /// First and second derivatives of local and of multipole expansions.
  std::array<GradientTerms<T>, 2> local_derivatives_, multipole_derivatives_;
  LocalPoints<T> sources_, targets_;  ///< targets are empty, here and below, if they are the
                                      ///< sources
  LocalPoints<double> close_sources_, close_targets_;  ///< the caller's positions; empty if there
                                                       ///< are no close pairs
  LeafGroups groups_;                                  ///< none unless pairs may be mutual
  AlignedVector<T> halo_;                              ///< of every group: components x points
  std::vector<T> normals_[3];                          ///< in Morton order, by axis
  std::vector<T> inverse_cores_;  ///< of vortices, in Morton order, inverse edges of the root
  std::int64_t source_stride_ = 0;
  int rhs_ = 1;
  bool with_charges_ = false, with_dipoles_ = false;
  bool along_normals_ = false;  ///< right-hand sides share the directions of dipoles
  /// Charges: rhs x sources; vortices: rhs x axis x sources. Dipoles along normals: rhs x sources,
  /// otherwise axis x rhs x sources.
  std::vector<T> charges_, dipoles_;
  std::int64_t stride_ = 0;               ///< coefficients per expansion, padded
  AlignedVector<T> multipoles_, locals_;  ///< rhs x boxes x stride
  TranslationTable<T> m2l_table_, m2m_table_, l2l_table_;
  std::size_t table_bytes_ = 0;
  TranslationSchedule m2l_schedule_;
  std::vector<TranslationSchedule> m2m_schedules_, l2l_schedules_;  ///< by level
};

extern template class CpuPasses<float>;
extern template class CpuPasses<double>;

}  // namespace rankine::fmm
