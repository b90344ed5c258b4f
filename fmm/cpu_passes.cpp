#include "rankine/fmm/cpu_passes.hpp"

#include <omp.h>

#include <algorithm>

namespace rankine::fmm {
namespace {

double edge_of(const Box& box) { return 1.0 / static_cast<double>(1u << box.level); }

template <class T>
void to_array(const Vec3d& v, T (&out)[3]) {
  for (int axis = 0; axis < 3; ++axis) out[axis] = static_cast<T>(v[axis]);
}

}  // namespace

/// Sums of one leaf: rhs x count values of the potential and of each gradient component.
template <class T>
struct CpuPasses<T>::LeafWorkspace {
  std::vector<T> potential, gradient[3];
  std::vector<T> derivatives[3];
  std::vector<SourceRange<T>> ranges;
  std::int64_t stride = 0;
  bool with_gradient = false;

  void clear(std::int32_t count, int rhs, int width) {
    stride = count + width;
    potential.assign(stride * rhs, T(0));
    for (auto& each : gradient) each.assign(with_gradient ? stride * rhs : 0, T(0));
  }
};

template <class T>
CpuPasses<T>::CpuPasses(const Points& points, Plan plan)
    : plan_(std::move(plan)),
      kernels_(kernels<T>()),
      regular_terms_(Harmonic::regular, plan_.orders.order),
      singular_terms_(Harmonic::singular, plan_.orders.order),
      sources_(local_sources<T>(plan_, points.sources, kernels_.width)),
      targets_(local_targets<T>(plan_, points.targets, kernels_.width)) {
  const Octree& tree = plan_.tree;
  source_stride_ = static_cast<std::int64_t>(points.sources.size());
  if (!points.normals.empty()) {
    normals_.resize(points.normals.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < normals_.size(); ++i) {
      const Vec3d& n = points.normals[tree.source_order[i]];
      normals_[i] = {static_cast<T>(n.x), static_cast<T>(n.y), static_cast<T>(n.z)};
    }
  }
  if (plan_.options.method == Method::direct) return;
  const int size = coefficient_count(plan_.orders.order);
  stride_ = (size + kernels_.width - 1) / kernels_.width * kernels_.width;
  m2m_table_ = octant_table<T>(Shift::multipole_to_multipole, plan_.orders.order);
  for (int level = 1; level <= tree.depth(); ++level)
    m2m_schedules_.push_back(m2m_schedule(tree, level));
  if (plan_.options.method == Method::treecode) return;
  l2l_table_ = octant_table<T>(Shift::local_to_local, plan_.orders.order);
  for (int level = 1; level <= tree.depth(); ++level)
    l2l_schedules_.push_back(l2l_schedule(tree, level));
  m2l_table_ = m2l_table<T>(plan_.orders);
  m2l_schedule_ = m2l_schedule(tree, plan_.lists.far);
}

template <class T>
void CpuPasses<T>::load(const Strengths& strengths, int rhs) {
  rhs_ = rhs;
  with_charges_ = !strengths.charges.empty();
  with_dipoles_ = !strengths.normal_dipoles.empty() || !strengths.dipoles.empty();
  const std::int64_t n = source_stride_;
  const T inverse_side = static_cast<T>(1.0 / plan_.tree.side);
  if (with_charges_) charges_.resize(n * rhs + kernels_.width);
  if (with_dipoles_) dipoles_.resize(3 * n * rhs + kernels_.width);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t j = plan_.tree.source_order[i];
    for (int k = 0; k < rhs; ++k) {
      if (with_charges_) charges_[k * n + i] = static_cast<T>(strengths.charges[k * n + j]);
      if (!with_dipoles_) continue;
      const std::int64_t at = k * n + j;
      const Vec3<T> moment = source_moment(
          strengths.normal_dipoles.empty() ? nullptr : strengths.normal_dipoles.data() + at,
          [&] { return normals_[i]; },
          strengths.dipoles.empty() ? nullptr : strengths.dipoles.data() + 3 * at, inverse_side);
      for (int axis = 0; axis < 3; ++axis) dipoles_[(axis * rhs + k) * n + i] = moment[axis];
    }
  }
}

template <class T>
void CpuPasses<T>::accumulate_sources(Harmonic kind, const Box& source, const T* origin, T scale,
                                      int k, const GradientTerms<T>& terms, T* expansion,
                                      std::vector<T>& workspace) const {
  const std::int32_t begin = source.source_begin, count = source.source_count();
  const T *x = sources_.x.data() + begin, *y = sources_.y.data() + begin,
          *z = sources_.z.data() + begin;
  if (with_charges_) {
    const T* charges = charges_.data() + k * source_stride_ + begin;
    kernels_.accumulate(kind, recursion_, plan_.orders.order, x, y, z, count, origin, scale,
                        &charges, 1, expansion);
  }
  if (with_dipoles_) {
    const int order = terms.gradient_order(), size = coefficient_count(order);
    workspace.assign(3 * size, T(0));
    const T *moments[3], *sums[3];
    for (int axis = 0; axis < 3; ++axis) {
      moments[axis] = dipoles_.data() + (axis * rhs_ + k) * source_stride_ + begin;
      sums[axis] = workspace.data() + axis * size;
    }
    kernels_.accumulate(kind, recursion_, order, x, y, z, count, origin, scale, moments, 3,
                        workspace.data());
    terms.collect_dipoles(sums, scale, expansion);
  }
}

template <class T>
void CpuPasses<T>::p2m() {
  multipoles_.resize(rhs_ * boxes() * stride_);
  const T origin[3] = {};
#pragma omp parallel
  {
    std::vector<T> workspace;
#pragma omp for schedule(dynamic, 64)
    for (std::int64_t b = 0; b < boxes(); ++b) {
      const Box& box = plan_.tree.boxes[b];
      for (int k = 0; k < rhs_; ++k) {
        T* expansion = multipole(k, static_cast<std::int32_t>(b));
        std::fill(expansion, expansion + stride_, T(0));
        if (!box.is_leaf() || box.source_count() == 0) continue;
        accumulate_sources(Harmonic::regular, box, origin, static_cast<T>(1.0 / edge_of(box)), k,
                           regular_terms_, expansion, workspace);
      }
    }
  }
}

template <class T>
void CpuPasses<T>::translate(const TranslationSchedule& schedule, const TranslationTable<T>& table,
                             const AlignedVector<T>& source, AlignedVector<T>& target) {
#pragma omp parallel for schedule(dynamic, 1) collapse(2)
  for (int k = 0; k < rhs_; ++k) {
    for (std::int64_t block = 0; block < schedule.blocks(); ++block) {
      for (std::int64_t g = schedule.block_begin[block]; g < schedule.block_begin[block + 1]; ++g) {
        const TranslationSchedule::Group& group = schedule.groups[g];
        kernels_.translate(
            table[group.direction], schedule.from.data() + group.begin,
            schedule.to.data() + group.begin, static_cast<std::int32_t>(group.end - group.begin),
            source.data() + k * boxes() * stride_, target.data() + k * boxes() * stride_, stride_);
      }
    }
  }
}

template <class T>
void CpuPasses<T>::m2m() {
  for (std::size_t level = m2m_schedules_.size(); level-- > 0;) {
    translate(m2m_schedules_[level], m2m_table_, multipoles_, multipoles_);
  }
}

template <class T>
void CpuPasses<T>::m2l() {
  locals_.resize(rhs_ * boxes() * stride_);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < locals_.size(); i += stride_) {
    std::fill(locals_.begin() + static_cast<std::ptrdiff_t>(i),
              locals_.begin() + static_cast<std::ptrdiff_t>(i + stride_), T(0));
  }
  translate(m2l_schedule_, m2l_table_, multipoles_, locals_);
}

template <class T>
void CpuPasses<T>::p2l() {
  if (plan_.lists.local.items.empty()) return;
#pragma omp parallel
  {
    std::vector<T> workspace;
#pragma omp for schedule(dynamic, 64)
    for (std::int64_t b = 0; b < boxes(); ++b) {
      const Box& box = plan_.tree.boxes[b];
      for (const std::int32_t c : plan_.lists.local.row(static_cast<std::int32_t>(b))) {
        const Box& source = plan_.tree.boxes[c];
        T origin[3];
        to_array(box_centre(box) - box_centre(source), origin);
        for (int k = 0; k < rhs_; ++k) {
          accumulate_sources(Harmonic::singular, source, origin, static_cast<T>(1.0 / edge_of(box)),
                             k, singular_terms_, local(k, static_cast<std::int32_t>(b)), workspace);
        }
      }
    }
  }
}

template <class T>
void CpuPasses<T>::l2l() {
  for (const TranslationSchedule& schedule : l2l_schedules_)
    translate(schedule, l2l_table_, locals_, locals_);
}

template <class T>
void CpuPasses<T>::evaluate_locals(std::int32_t leaf, int k, LeafWorkspace& work) const {
  const Box& box = plan_.tree.boxes[leaf];
  const T* expansion = locals_.data() + (k * boxes() + leaf) * stride_;
  const T origin[3] = {};
  const T scale = static_cast<T>(1.0 / edge_of(box));
  const int order = plan_.orders.order, gradient_order = regular_terms_.gradient_order();
  const T* coefficients[4] = {expansion};
  T* results[4] = {work.potential.data() + k * work.stride};
  const int orders[4] = {order, gradient_order, gradient_order, gradient_order};
  const T weights[4] = {scale, scale * scale, scale * scale, scale * scale};
  if (work.with_gradient) {
    T* derivatives[3];
    for (int axis = 0; axis < 3; ++axis) {
      work.derivatives[axis].resize(max_order * max_order);
      derivatives[axis] = work.derivatives[axis].data();
      coefficients[1 + axis] = derivatives[axis];
      results[1 + axis] = work.gradient[axis].data() + k * work.stride;
    }
    regular_terms_.differentiate(expansion, derivatives);
  }
  kernels_.evaluate(Harmonic::regular, recursion_, order, targets_.x.data() + box.target_begin,
                    targets_.y.data() + box.target_begin, targets_.z.data() + box.target_begin,
                    box.target_count(), origin, scale, coefficients, orders, weights,
                    work.with_gradient ? 4 : 1, results);
}

template <class T>
void CpuPasses<T>::evaluate_multipoles(std::int32_t leaf, int k, LeafWorkspace& work) const {
  const Box& box = plan_.tree.boxes[leaf];
  const int order = plan_.orders.order, gradient_order = singular_terms_.gradient_order();
  const int orders[4] = {order, gradient_order, gradient_order, gradient_order};
  for (const std::int32_t c : plan_.lists.multipole.row(leaf)) {
    const Box& source = plan_.tree.boxes[c];
    const T* expansion = multipoles_.data() + (k * boxes() + c) * stride_;
    T origin[3];
    to_array(box_centre(source) - box_centre(box), origin);
    const T scale = static_cast<T>(1.0 / edge_of(source));
    const T weights[4] = {scale, scale * scale, scale * scale, scale * scale};
    const T* coefficients[4] = {expansion};
    T* results[4] = {work.potential.data() + k * work.stride};
    if (work.with_gradient) {
      T* derivatives[3];
      for (int axis = 0; axis < 3; ++axis) {
        work.derivatives[axis].resize((max_order + 1) * (max_order + 1));
        derivatives[axis] = work.derivatives[axis].data();
        coefficients[1 + axis] = derivatives[axis];
        results[1 + axis] = work.gradient[axis].data() + k * work.stride;
      }
      singular_terms_.differentiate(expansion, derivatives);
    }
    kernels_.evaluate(Harmonic::singular, recursion_, work.with_gradient ? gradient_order : order,
                      targets_.x.data() + box.target_begin, targets_.y.data() + box.target_begin,
                      targets_.z.data() + box.target_begin, box.target_count(), origin, scale,
                      coefficients, orders, weights, work.with_gradient ? 4 : 1, results);
  }
}

template <class T>
void CpuPasses<T>::sum_pairs(std::int32_t leaf, LeafWorkspace& work) const {
  const Box& box = plan_.tree.boxes[leaf];
  work.ranges.clear();
  const auto add = [&](std::int32_t c) {
    const Box& source = plan_.tree.boxes[c];
    if (source.source_count() == 0) return;
    work.ranges.push_back(source_range<T>(box, source));
  };
  if (plan_.options.method == Method::direct) {
    for (const std::int32_t c : plan_.leaves) add(c);
  } else {
    for (const std::int32_t c : plan_.lists.near.row(leaf)) add(c);
  }
  const std::int64_t n = source_stride_;
  SourceArrays<T> sources{.at = {sources_.x.data(), sources_.y.data(), sources_.z.data()},
                          .rhs_stride = n};
  if (with_charges_) sources.charge = charges_.data();
  TargetSums<T> targets{
      .at = {targets_.x.data() + box.target_begin, targets_.y.data() + box.target_begin,
             targets_.z.data() + box.target_begin},
      .count = box.target_count(),
      .derivatives = work.with_gradient ? 1 : 0,
      .sum = {work.potential.data()},
      .rhs_stride = work.stride};
  for (int axis = 0; axis < 3; ++axis) {
    if (with_dipoles_) sources.dipole[axis] = dipoles_.data() + axis * rhs_ * n;
    targets.sum[gradient_at + axis] = work.gradient[axis].data();
  }
  kernels_.p2p(sources, work.ranges.data(), static_cast<int>(work.ranges.size()), targets, rhs_,
               plan_.root);
}

template <class T>
void CpuPasses<T>::write(const Box& box, const Results& results, const LeafWorkspace& work) const {
  const double inverse_side = 1.0 / plan_.tree.side;
  const std::int64_t n = plan_.tree.boxes[0].target_count();
  for (int k = 0; k < rhs_; ++k) {
    for (std::int32_t i = 0; i < box.target_count(); ++i) {
      const std::int64_t at = k * n + plan_.tree.target_order[box.target_begin + i];
      if (!results.potential.empty())
        results.potential[at] = work.potential[k * work.stride + i] * inverse_side;
      if (results.gradient.empty()) continue;
      for (int axis = 0; axis < 3; ++axis) {
        results.gradient[3 * at + axis] =
            work.gradient[axis][k * work.stride + i] * inverse_side * inverse_side;
      }
    }
  }
}

template <class T>
void CpuPasses<T>::leaves(const Results& results, LeafSeconds* seconds) {
  const bool fmm = plan_.options.method == Method::fmm;
#pragma omp parallel
  {
    LeafWorkspace work;
    work.with_gradient = !results.gradient.empty();
#pragma omp for schedule(dynamic, 16)
    for (std::size_t i = 0; i < plan_.leaves.size(); ++i) {
      const std::int32_t leaf = plan_.leaves[i];
      const Box& box = plan_.tree.boxes[leaf];
      if (box.target_count() == 0) continue;
      work.clear(box.target_count(), rhs_, kernels_.width);
      const double start = seconds != nullptr ? omp_get_wtime() : 0.0;
      for (int k = 0; fmm && k < rhs_; ++k) evaluate_locals(leaf, k, work);
      const double after_l2p = seconds != nullptr ? omp_get_wtime() : 0.0;
      for (int k = 0; k < rhs_; ++k) evaluate_multipoles(leaf, k, work);
      const double after_m2p = seconds != nullptr ? omp_get_wtime() : 0.0;
      sum_pairs(leaf, work);
      write(box, results, work);
      if (seconds == nullptr) continue;
      LeafSeconds& mine = seconds[omp_get_thread_num()];
      mine.l2p += after_l2p - start;
      mine.m2p += after_m2p - after_l2p;
      mine.p2p += omp_get_wtime() - after_m2p;
    }
  }
}

template <class T>
std::size_t CpuPasses<T>::bytes() const {
  const auto vector_bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t total = vector_bytes(plan_.tree.boxes) + vector_bytes(plan_.tree.source_order) +
                      vector_bytes(plan_.tree.target_order) + vector_bytes(plan_.leaves);
  for (const BoxLists* lists :
       {&plan_.lists.near, &plan_.lists.far, &plan_.lists.multipole, &plan_.lists.local}) {
    total += vector_bytes(lists->begin) + vector_bytes(lists->items);
  }
  for (const LocalPoints<T>* points : {&sources_, &targets_}) {
    total += vector_bytes(points->x) + vector_bytes(points->y) + vector_bytes(points->z);
  }
  total += vector_bytes(normals_) + vector_bytes(charges_) + vector_bytes(dipoles_) +
           vector_bytes(multipoles_) + vector_bytes(locals_) + m2l_schedule_.bytes() +
           m2l_table_.bytes() + m2m_table_.bytes() + l2l_table_.bytes();
  for (const auto& schedule : m2m_schedules_) total += schedule.bytes();
  for (const auto& schedule : l2l_schedules_) total += schedule.bytes();
  return total;
}

template class CpuPasses<float>;
template class CpuPasses<double>;

}  // namespace rankine::fmm
