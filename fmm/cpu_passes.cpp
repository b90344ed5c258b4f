#include "rankine/fmm/cpu_passes.hpp"

#include <algorithm>

#include "rankine/fmm/close_pairs.hpp"
#include "rankine/fmm/core/first_touch.hpp"
#include "rankine/fmm/core/parallel.hpp"

namespace rankine::fmm {
namespace {

/// The maps to first and to second derivatives.
template <class T>
std::array<GradientTerms<T>, 2> twice(Harmonic kind, int order) {
  const GradientTerms<T> first(kind, order);
  return {first, GradientTerms<T>(kind, first.derivative_order())};
}

}  // namespace

template <class T>
CpuPasses<T>::CpuPasses(const Points& points, Plan plan)
    : plan_(std::move(plan)), kernels_(kernels<T>()) {
  make_tables();
  place_points(points);
}

template <class T>
void CpuPasses<T>::make_tables() {
  local_derivatives_ = twice<T>(Harmonic::regular, plan_.orders.order);
  multipole_derivatives_ = twice<T>(Harmonic::singular, plan_.orders.order);
  const Method method = plan_.options.method;
  if (method != Method::direct) {
    const int size = coefficient_count(plan_.orders.order);
    stride_ = (size + kernels_.width - 1) / kernels_.width * kernels_.width;
    m2m_table_ = octant_table<T>(Shift::multipole_to_multipole, plan_.orders.order);
  }
  if (method == Method::fmm) {
    l2l_table_ = octant_table<T>(Shift::local_to_local, plan_.orders.order);
    m2l_table_ = m2l_table<T>(plan_.orders);
  }
  table_bytes_ = bytes_of<T>(m2m_table_) + bytes_of<T>(l2l_table_) + bytes_of<T>(m2l_table_);
}

template <class T>
void CpuPasses<T>::set_order(int order) {
  plan_.orders = orders_of(order);
  make_tables();
}

template <class T>
void CpuPasses<T>::move(const Points& points, Plan plan) {
  plan_ = std::move(plan);
  place_points(points);
}

template <class T>
void CpuPasses<T>::place_points(const Points& points) {
  const Octree& tree = plan_.tree;
  sources_ = local_sources<T>(plan_, points.sources, kernels_.width);
  targets_ = {};
  if (!tree.shared_points) targets_ = local_targets<T>(plan_, points.targets, kernels_.width);
  source_stride_ = static_cast<std::int64_t>(points.sources.size());
  place_close(points);
  groups_ = {};
  if (mutual_pairs(plan_.options, tree.shared_points))
    groups_ = leaf_groups(tree, plan_.leaves, plan_.lists.near);
  for (int axis = 0; axis < 3; ++axis) {
    const std::size_t count = points.normals.size();
    normals_[axis].resize(count > 0 ? count + kernels_.width : 0);
    parallel_for(count, [&](std::size_t i) {
      normals_[axis][i] = static_cast<T>(points.normals[tree.source_order[i]][axis]);
    });
  }
  // The inverse of a negligible core radius is bounded, since it could exceed the range of T.
  constexpr double most = 1e30;
  inverse_cores_.resize(points.core_radii.size());
  parallel_for(points.core_radii.size(), [&](std::size_t i) {
    inverse_cores_[i] =
        static_cast<T>(std::min(tree.side / points.core_radii[tree.source_order[i]], most));
  });
  m2m_schedules_.clear();
  l2l_schedules_.clear();
  for (int level = 1; level <= tree.depth(); ++level) {
    if (plan_.options.method != Method::direct) m2m_schedules_.push_back(m2m_schedule(tree, level));
    if (plan_.options.method == Method::fmm) l2l_schedules_.push_back(l2l_schedule(tree, level));
  }
  if (plan_.options.method == Method::fmm) m2l_schedule_ = m2l_schedule(tree, plan_.lists.far);
}

/// Finds the close pairs. If there are any, copies the caller's positions.
template <class T>
void CpuPasses<T>::place_close(const Points& points) {
  separate_close(plan_, points, sources_, targets());
  close_sources_ = close_targets_ = {};
  if (plan_.lists.close.items.empty()) return;
  const Octree& tree = plan_.tree;
  close_sources_ = caller_points(points.sources, tree.source_order, kernels_.width);
  if (!tree.shared_points)
    close_targets_ = caller_points(points.targets, tree.target_order, kernels_.width);
}

template <class T>
void CpuPasses<T>::load(const Strengths& strengths, int rhs) {
  rhs_ = rhs;
  if (vortices()) return load_vortices(strengths);
  with_charges_ = !strengths.charges.empty();
  with_dipoles_ = !strengths.normal_dipoles.empty() || !strengths.dipoles.empty();
  along_normals_ = rhs > 1 && with_dipoles_ && strengths.dipoles.empty() &&
                   plan_.options.kernel == Kernel::laplace;
  const std::int64_t n = source_stride_;
  const T inverse_side = static_cast<T>(1.0 / plan_.tree.side);
  if (with_charges_) charges_.resize(n * rhs + kernels_.width);
  if (with_dipoles_) dipoles_.resize((along_normals_ ? 1 : 3) * n * rhs + kernels_.width);
  const double* const along_normals =
      strengths.normal_dipoles.empty() ? nullptr : strengths.normal_dipoles.data();
  const double* const free = strengths.dipoles.empty() ? nullptr : strengths.dipoles.data();
  parallel_for(static_cast<std::size_t>(n), [&](std::size_t i) {
    for (int k = 0; k < rhs; ++k) {
      const std::int64_t at = k * n + plan_.tree.source_order[i];
      if (with_charges_) charges_[k * n + i] = static_cast<T>(strengths.charges[at]);
      if (along_normals_) {
        dipoles_[k * n + i] = static_cast<T>(along_normals[at]) * inverse_side;
        continue;
      }
      if (!with_dipoles_) continue;
      const Vec3<T> moment = source_moment(
          along_normals == nullptr ? nullptr : along_normals + at,
          [&] {
            return Vec3<T>{normals_[0][i], normals_[1][i], normals_[2][i]};
          },
          free == nullptr ? nullptr : free + 3 * at, inverse_side);
      for (int axis = 0; axis < 3; ++axis) dipoles_[(axis * rhs + k) * n + i] = moment[axis];
    }
  });
}

template <class T>
void CpuPasses<T>::load_vortices(const Strengths& strengths) {
  const std::int64_t n = source_stride_;
  with_charges_ = true;
  charges_.resize(3 * n * rhs_ + kernels_.width);
  parallel_for(static_cast<std::size_t>(n), [&](std::size_t i) {
    for (int k = 0; k < rhs_; ++k) {
      const double* const vortex =
          strengths.vortices.data() + 3 * (k * n + plan_.tree.source_order[i]);
      for (int axis = 0; axis < 3; ++axis)
        charges_[(3 * k + axis) * n + i] = static_cast<T>(vortex[axis]);
    }
  });
}

template <class T>
SourceStrengths<T> CpuPasses<T>::expanded_strengths() const {
  if (vortices()) return {.charge = charges_.data(), .rhs_stride = source_stride_};
  return strengths();
}

template <class T>
SourceStrengths<T> CpuPasses<T>::strengths() const {
  if (vortices()) {
    const T* const first = charges_.data();
    return {.dipole = {first, first + source_stride_, first + 2 * source_stride_},
            .rhs_stride = 3 * source_stride_};
  }
  SourceStrengths<T> result{.rhs_stride = source_stride_};
  if (with_charges_) result.charge = charges_.data();
  if (along_normals_) result.along = dipoles_.data();
  for (int axis = 0; with_dipoles_ && axis < 3; ++axis) {
    result.dipole[axis] =
        along_normals_ ? normals_[axis].data() : dipoles_.data() + axis * rhs_ * source_stride_;
  }
  return result;
}

template <class T>
AlignedVector<T> CpuPasses<T>::kernel_workspace() const {
  return AlignedVector<T>(kernels_.workspace_size(multipole_derivatives_[1].derivative_order()));
}

template <class T>
ScaledPoints<T> CpuPasses<T>::in_frame(const LocalPoints<T>& points, std::int32_t begin,
                                       std::int32_t count, const Vec3d& origin, const Box& frame) {
  ScaledPoints<T> scaled{
      {points.x.data() + begin, points.y.data() + begin, points.z.data() + begin},
      count,
      {},
      static_cast<T>(1.0 / box_edge(frame))};
  for (int axis = 0; axis < 3; ++axis) scaled.origin[axis] = static_cast<T>(origin[axis]);
  return scaled;
}

template <class T>
void CpuPasses<T>::accumulate_sources(Harmonic kind, std::int32_t source, std::int32_t target,
                                      AlignedVector<T>& expansions, T* workspace) const {
  const Box &from = plan_.tree.boxes[source], &to = plan_.tree.boxes[target];
  const ScaledPoints<T> points =
      in_frame(sources_, from.source_begin, from.source_count(), box_shift(to, from), to);
  kernels_.accumulate(kind, recursion_, plan_.orders.order, points,
                      expanded_strengths().from_source(from.source_begin), columns(), workspace,
                      expansions.data() + target * stride_, boxes() * stride_);
}

template <class T>
void CpuPasses<T>::p2m() {
  resize_touched(multipoles_, static_cast<std::size_t>(columns() * boxes() * stride_));
  parallel_chunks(
      boxes(), 64, [&] { return kernel_workspace(); },
      [&](std::size_t b, AlignedVector<T>& workspace) {
        const auto box = static_cast<std::int32_t>(b);
        for (int k = 0; k < columns(); ++k) {
          T* const expansion = multipoles_.data() + (k * boxes() + box) * stride_;
          std::fill(expansion, expansion + stride_, T(0));
        }
        const Box& leaf = plan_.tree.boxes[b];
        if (leaf.is_leaf() && leaf.source_count() > 0 && leaf.holder == Holder::here)
          accumulate_sources(Harmonic::regular, box, box, multipoles_, workspace.data());
      });
}

template <class T>
void CpuPasses<T>::translate(const TranslationSchedule& schedule, const TranslationTable<T>& table,
                             const AlignedVector<T>& source, AlignedVector<T>& target) {
  const std::int64_t rhs_stride = boxes() * stride_;
  parallel_chunks(
      columns() * schedule.blocks(), 1, [&] { return kernel_workspace(); },
      [&](std::size_t i, AlignedVector<T>& workspace) {
        const std::int64_t k = i / schedule.blocks(), block = i % schedule.blocks();
        for (auto g = schedule.block_begin[block]; g < schedule.block_begin[block + 1]; ++g) {
          const TranslationSchedule::Group& group = schedule.groups[g];
          kernels_.translate(factors_of(table[group.direction]), schedule.from.data() + group.begin,
                             schedule.to.data() + group.begin,
                             static_cast<std::int32_t>(group.end - group.begin),
                             source.data() + k * rhs_stride, target.data() + k * rhs_stride,
                             stride_, workspace.data());
        }
      });
}

template <class T>
void CpuPasses<T>::m2m() {
  for (std::size_t level = m2m_schedules_.size(); level-- > 0;) {
    translate(m2m_schedules_[level], m2m_table_, multipoles_, multipoles_);
  }
}

template <class T>
void CpuPasses<T>::exchange(const ExpansionExchange& exchange) {
  const auto width = static_cast<std::size_t>(columns() * stride_);
  const auto expansion = [&](std::int32_t box, int k) {
    return multipoles_.data() + (k * boxes() + box) * stride_;
  };
  const auto rows_of = [&](const std::vector<std::int32_t>& of) {
    std::vector<T> rows(of.size() * width);
    parallel_for(of.size(), [&](std::size_t i) {
      for (int k = 0; k < columns(); ++k)
        std::copy_n(expansion(of[i], k), stride_, rows.data() + i * width + k * stride_);
    });
    return rows;
  };
  const auto store = [&](const std::vector<std::int32_t>& of, const std::vector<T>& rows) {
    parallel_for(of.size(), [&](std::size_t i) {
      for (int k = 0; k < columns(); ++k)
        std::copy_n(rows.data() + i * width + k * stride_, stride_, expansion(of[i], k));
    });
  };
  const std::vector<T> sent = rows_of(exchange.sent());
  std::vector<T> received(exchange.received().size() * width), shared = rows_of(exchange.shared());
  exchange.run<T>(static_cast<int>(width), sent, received, shared);
  store(exchange.received(), received);
  store(exchange.shared(), shared);
}

template <class T>
void CpuPasses<T>::m2l() {
  locals_.resize(columns() * boxes() * stride_);
  parallel_for(columns() * boxes(), [&](std::size_t i) {
    std::fill(locals_.data() + i * stride_, locals_.data() + (i + 1) * stride_, T(0));
  });
  translate(m2l_schedule_, m2l_table_, multipoles_, locals_);
}

template <class T>
void CpuPasses<T>::p2l() {
  if (plan_.lists.local.items.empty()) return;
  parallel_chunks(
      boxes(), 64, [&] { return kernel_workspace(); },
      [&](std::size_t i, AlignedVector<T>& workspace) {
        const auto b = static_cast<std::int32_t>(i);
        for (const std::int32_t c : plan_.lists.local.row(b))
          accumulate_sources(Harmonic::singular, c, b, locals_, workspace.data());
      });
}

template <class T>
void CpuPasses<T>::l2l() {
  for (const TranslationSchedule& schedule : l2l_schedules_)
    translate(schedule, l2l_table_, locals_, locals_);
}

template <class T>
std::size_t CpuPasses<T>::bytes() const {
  const auto vector_bytes = [](const auto& v) { return v.capacity() * sizeof(v[0]); };
  std::size_t total = vector_bytes(plan_.tree.boxes) + vector_bytes(plan_.tree.source_order) +
                      vector_bytes(plan_.tree.target_order) + vector_bytes(plan_.leaves);
  for (const BoxLists* lists : {&plan_.lists.near, &plan_.lists.far, &plan_.lists.multipole,
                                &plan_.lists.local, &plan_.lists.close}) {
    total += vector_bytes(lists->begin) + vector_bytes(lists->items);
  }
  for (const LocalPoints<T>* points : {&sources_, &targets_}) {
    total += vector_bytes(points->x) + vector_bytes(points->y) + vector_bytes(points->z);
  }
  for (const LocalPoints<double>* points : {&close_sources_, &close_targets_}) {
    total += vector_bytes(points->x) + vector_bytes(points->y) + vector_bytes(points->z);
  }
  for (const std::vector<T>& axis : normals_) total += vector_bytes(axis);
  total += vector_bytes(inverse_cores_) + groups_.bytes() + vector_bytes(halo_);
  total += vector_bytes(charges_) + vector_bytes(dipoles_) + vector_bytes(multipoles_) +
           vector_bytes(locals_) + m2l_schedule_.bytes() + table_bytes_;
  for (const auto& schedule : m2m_schedules_) total += schedule.bytes();
  for (const auto& schedule : l2l_schedules_) total += schedule.bytes();
  return total;
}

template class CpuPasses<float>;
template class CpuPasses<double>;

}  // namespace rankine::fmm
