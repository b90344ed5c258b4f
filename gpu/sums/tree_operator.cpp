#include "rankine/gpu/sums/tree_operator.hpp"

#include <algorithm>
#include <chrono>

#include "rankine/gpu/runtime/profile_range.hpp"
#include "rankine/gpu/sums/collect.hpp"
#include "rankine/gpu/sums/cuda_tuning.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/near_sums.hpp"
#include "rankine/gpu/sums/point_order.hpp"

namespace rankine::gpu {
namespace {

template <class T>
PointView<T> view(const DeviceBuffer<T>& points) {
  const std::size_t n = points.size() / 3;
  return {points.data(), points.data() + n, points.data() + 2 * n};
}

template <class T>
DeviceMatrices<T> upload_matrices(const MatrixSet<T>& set, const std::vector<std::uint8_t>& signs,
                                  const Stream& stream) {
  return {DeviceBuffer<T>(set.fragments, stream), DeviceBuffer<std::uint8_t>(signs, stream)};
}

/// The coarsest level of whose boxes `lists` has rows.
int coarsest_row(const fmm::Octree& tree, const fmm::BoxLists& lists) {
  for (int level = 0; level < tree.depth(); ++level) {
    if (lists.begin[tree.level_begin[level + 1]] > lists.begin[tree.level_begin[level]])
      return level;
  }
  return tree.depth();
}

/// The coarsest level whose multipole expansions are used: M2L joins boxes of one level, M2P any.
int coarsest_multipole(const fmm::Plan& plan) {
  int level = coarsest_row(plan.tree, plan.lists.far);
  const std::vector<std::int32_t>& items = plan.lists.multipole.items;
#pragma omp parallel for schedule(static) reduction(min : level)
  for (std::size_t i = 0; i < items.size(); ++i)
    level = std::min(level, plan.tree.boxes[items[i]].level);
  return level;
}

int coarsest_local(const fmm::Plan& plan) {
  return std::min(coarsest_row(plan.tree, plan.lists.far),
                  coarsest_row(plan.tree, plan.lists.local));
}

/// Kernels build the tree of many points; for few the host is done before they have started.
fmm::Plan build_plan(const fmm::Points& points, const fmm::Options& options, const Stream& stream) {
  constexpr std::size_t many_points = 50'000;
  fmm::TreeBuilder host;
  std::unique_ptr<fmm::TreeBuilder> device;
  if (points.sources.size() + points.targets.size() >= many_points)
    device = make_device_tree_builder(stream);
  fmm::TreeBuilder& builder = device ? *device : host;
  return fmm::make_plan(points, options, builder, tuning(options));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

template <class T>
TreeOperator<T>::TreeOperator(const fmm::Points& points, const fmm::Options& options,
                              std::shared_ptr<const Stream> stream)
    : stream_(std::move(stream)) {
  const ProfileRange range("setup of a tree operator");
  const auto start = std::chrono::steady_clock::now();
  const fmm::Plan plan = build_plan(points, options, *stream_);
  info_ = plan.info();
  inverse_side_ = 1.0 / plan.tree.side;
  has_normals_ = !points.normals.empty();
  boxes_ = static_cast<std::int64_t>(plan.tree.boxes.size());
  root_ = plan.root;

  place_points(plan, points);
  const WorkItems<T> work = make_work_items<T>(plan);
  p2m_ = DeviceBuffer<CollectItem<T>>(work.p2m, *stream_);
  p2l_ = DeviceBuffer<CollectItem<T>>(work.p2l, *stream_);
  p2m_ranges_ = DeviceBuffer<SourceRange<T>>(work.p2m_ranges, *stream_);
  p2l_ranges_ = DeviceBuffer<SourceRange<T>>(work.p2l_ranges, *stream_);
  near_ranges_ = DeviceBuffer<SourceRange<T>>(work.near, *stream_);
  views_ = DeviceBuffer<MultipoleView<T>>(work.multipoles, *stream_);
  blocks_ = DeviceBuffer<TargetBlock<T>>(work.target_blocks, *stream_);
  arrays_ = DeviceBuffer<ApplyArrays>(1, *stream_);
  build_far_field(plan);
  reserve({true, options.dipoles, options.gradient, std::max(options.rhs, 1)});
  stream_->synchronize();
  info_.setup_seconds = seconds_since(start);
}

template <class T>
void TreeOperator<T>::place_points(const fmm::Plan& plan, const fmm::Points& points) {
  const DeviceBuffer<fmm::Box> boxes(plan.tree.boxes, *stream_);
  const DeviceBuffer<std::int32_t> leaves(plan.leaves, *stream_);
  source_order_ = DeviceBuffer<std::int32_t>(plan.tree.source_order, *stream_);
  source_points_ = local_points<T>(plan, boxes, leaves, PointSet::sources, points.sources,
                                   source_order_, *stream_);
  if (!plan.tree.shared_points) {
    target_order_ = DeviceBuffer<std::int32_t>(plan.tree.target_order, *stream_);
    target_points_ = local_points<T>(plan, boxes, leaves, PointSet::targets, points.targets,
                                     target_order_, *stream_);
  }
  if (has_normals_) normals_ = reordered<T>(points.normals, source_order_, *stream_);
}

template <class T>
void TreeOperator<T>::build_far_field(const fmm::Plan& plan) {
  const int order = plan.orders.order;
  stride_ = padded_coefficients(order);
  tables_ = HarmonicTables<T>(order, *stream_);
  const std::vector<std::uint8_t> signs = reflection_signs(order);

  const MatrixSet<T> m2m = m2m_matrix<T>(order);
  m2m_matrix_ = upload_matrices(m2m, signs, *stream_);
  for (int level = plan.tree.depth() - 1; level >= coarsest_multipole(plan); --level) {
    m2m_tiles_.emplace_back(m2m_tiles(plan.tree, level, order, matrix_headers(m2m)), *stream_);
  }

  has_locals_ = !plan.lists.far.items.empty() || !plan.lists.local.items.empty();
  if (!has_locals_) return;
  const MatrixSet<T> m2l = m2l_matrices<T>(plan.orders);
  m2l_matrices_ = upload_matrices(m2l, signs, *stream_);
  m2l_tiles_ =
      DeviceTiles(m2l_tiles(plan.tree, plan.lists.far, order, matrix_headers(m2l)), *stream_);
  const MatrixSet<T> l2l = l2l_matrix<T>(order);
  l2l_matrix_ = upload_matrices(l2l, signs, *stream_);
  for (int level = coarsest_local(plan) + 1; level <= plan.tree.depth(); ++level) {
    l2l_tiles_.emplace_back(l2l_tiles(plan.tree, level, order, matrix_headers(l2l)), *stream_);
  }
}

template <class T>
void TreeOperator<T>::reserve(const Kind& kind) {
  const auto grow = [&](DeviceBuffer<T>& buffer, std::size_t size) {
    if (buffer.size() >= size) return;
    graphs_.clear();
    stream_->synchronize();
    buffer = DeviceBuffer<T>();
    buffer = DeviceBuffer<T>(size, *stream_);
    buffer.zero(*stream_);  // the padding of expansions stays zero
  };
  const std::size_t expansions = static_cast<std::size_t>(boxes_) * stride_ * kind.rhs;
  const std::size_t rhs = static_cast<std::size_t>(kind.rhs);
  const auto sources = static_cast<std::size_t>(info_.sources),
             targets = static_cast<std::size_t>(info_.targets);
  grow(multipoles_, expansions);
  if (has_locals_) grow(locals_, expansions);
  if (kind.charges) grow(charges_, rhs * sources);
  if (kind.dipoles) grow(dipoles_, 3 * rhs * sources);
  grow(potential_, rhs * targets);
  if (kind.gradient) grow(gradient_, 3 * rhs * targets);
  info_.device_bytes = device_bytes();
}

template <class T>
std::size_t TreeOperator<T>::device_bytes() const {
  std::size_t total = tables_.bytes() + m2l_tiles_.bytes() + blocks_.bytes() + views_.bytes() +
                      p2m_.bytes() + p2l_.bytes() + p2m_ranges_.bytes() + p2l_ranges_.bytes() +
                      near_ranges_.bytes() + source_order_.bytes() + target_order_.bytes();
  for (const auto* buffer :
       {&source_points_, &target_points_, &normals_, &charges_, &dipoles_, &multipoles_, &locals_,
        &potential_, &gradient_, &m2m_matrix_.fragments, &m2l_matrices_.fragments,
        &l2l_matrix_.fragments}) {
    total += buffer->bytes();
  }
  for (const auto& tiles : m2m_tiles_) total += tiles.bytes();
  for (const auto& tiles : l2l_tiles_) total += tiles.bytes();
  return total;
}

template <class T>
std::vector<typename TreeOperator<T>::Pass> TreeOperator<T>::passes(const Kind& kind) {
  const bool shared = target_order_.size() == 0 && info_.targets == info_.sources;
  const SourceView<T> sources{view(source_points_), info_.sources,
                              kind.charges ? charges_.data() : nullptr,
                              kind.dipoles ? dipoles_.data() : nullptr};
  const PointView<T> targets = view(shared ? source_points_ : target_points_);
  const std::int32_t* const target_order = (shared ? source_order_ : target_order_).data();
  const SumView<T> sums{info_.targets, potential_.data(),
                        kind.gradient ? gradient_.data() : nullptr};
  const std::int64_t rhs_stride = boxes_ * stride_;
  const Expansions<T> multipoles{multipoles_.data(), stride_, rhs_stride},
      locals{locals_.data(), stride_, rhs_stride};
  const Expansions<const T> from_multipoles{multipoles.data, stride_, rhs_stride},
      from_locals{locals.data, stride_, rhs_stride};
  const int rhs = kind.rhs;
  const Root root = root_;

  std::vector<Pass> all;
  all.push_back({"other", false, [=, this](const Stream& stream) {
                   const StrengthArrays<T> out{kind.charges ? charges_.data() : nullptr,
                                               kind.dipoles ? dipoles_.data() : nullptr,
                                               normals_.data()};
                   load_strengths(arrays_.data(), source_order_.data(), info_.sources,
                                  inverse_side_, out, rhs, stream);
                 }});
  all.push_back({"P2P", true, [=, this](const Stream& stream) {
                   sum_near(blocks_, near_ranges_, sources, targets, sums, rhs, root, stream);
                 }});
  all.push_back({"P2M", false, [=, this](const Stream& stream) {
                   collect(fmm::Harmonic::regular, p2m_, p2m_ranges_, tables_, sources, multipoles,
                           rhs, stream);
                 }});
  all.push_back({"M2M", false, [=, this](const Stream& stream) {
                   for (const DeviceTiles& tiles : m2m_tiles_) {
                     translate("M2M", tiles, m2m_matrix_, from_multipoles, multipoles, Update::set,
                               rhs, stream);
                   }
                 }});
  if (views_.size() > 0) {
    all.push_back({"M2P", true, [=, this](const Stream& stream) {
                     evaluate_multipoles(blocks_, views_, tables_, targets, from_multipoles, sums,
                                         rhs, stream);
                   }});
  }
  if (has_locals_) {
    all.push_back({"M2L", false, [=, this](const Stream& stream) {
                     translate("M2L", m2l_tiles_, m2l_matrices_, from_multipoles, locals,
                               Update::set, rhs, stream);
                   }});
    if (p2l_.size() > 0) {
      all.push_back({"P2L", false, [=, this](const Stream& stream) {
                       collect(fmm::Harmonic::singular, p2l_, p2l_ranges_, tables_, sources, locals,
                               rhs, stream);
                     }});
    }
    all.push_back({"L2L", false, [=, this](const Stream& stream) {
                     for (const DeviceTiles& tiles : l2l_tiles_) {
                       translate("L2L", tiles, l2l_matrix_, from_locals, locals, Update::add, rhs,
                                 stream);
                     }
                   }});
  }
  all.push_back({"L2P", false, [=, this](const Stream& stream) {
                   evaluate_locals(blocks_, tables_, targets, from_locals, sums, target_order,
                                   inverse_side_, &arrays_.data()->results, rhs, stream);
                 }});
  return all;
}

template <class T>
Graph TreeOperator<T>::capture(const Kind& kind) {
  const std::vector<Pass> all = passes(kind);
  return Graph(far_, [&] {
    for (const Pass& pass : all) {
      const std::string_view name = pass.name;
      if (name == "M2P") {
        multipoles_ready_.record(far_);
        near_.wait(multipoles_ready_);
      }
      if (name == "L2P") {
        near_done_.record(near_);
        far_.wait(near_done_);
      }
      pass.queue(pass.near ? near_ : far_);
      if (name == "other") {
        begun_.record(far_);
        near_.wait(begun_);
      }
    }
  });
}

template <class T>
typename TreeOperator<T>::Kind TreeOperator<T>::prepare(const fmm::Strengths& strengths,
                                                        const fmm::Results& results, int rhs) {
  fmm::check_apply(strengths, results, rhs, info_, has_normals_);
  const Kind kind{!strengths.charges.empty(),
                  !strengths.normal_dipoles.empty() || !strengths.dipoles.empty(),
                  !results.gradient.empty(), rhs};
  reserve(kind);
  store_arrays({address(strengths.charges),
                address(strengths.normal_dipoles),
                address(strengths.dipoles),
                {address(results.potential), address(results.gradient)}},
               arrays_.data(), *stream_);
  return kind;
}

template <class T>
void TreeOperator<T>::apply(const fmm::Strengths& strengths, const fmm::Results& results, int rhs) {
  const ProfileRange range("apply");
  const Kind kind = prepare(strengths, results, rhs);
  if (info_.targets == 0) return;
  auto found = graphs_.find(kind);
  if (found == graphs_.end()) found = graphs_.emplace(kind, capture(kind)).first;
  found->second.launch(*stream_);
}

template <class T>
std::vector<fmm::PassTime> TreeOperator<T>::breakdown(const fmm::Strengths& strengths,
                                                      const fmm::Results& results, int rhs) {
  const std::vector<Pass> all = passes(prepare(strengths, results, rhs));
  std::vector<Event> marks;
  for (std::size_t i = 0; i <= all.size(); ++i) marks.emplace_back(Event::Timing::on);
  for (int warm = 0; warm < 2; ++warm) {
    marks[0].record(*stream_);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].queue(*stream_);
      marks[i + 1].record(*stream_);
    }
  }
  std::vector<fmm::PassTime> times;
  for (std::size_t i = 0; i < all.size(); ++i) {
    times.push_back({all[i].name, seconds_between(marks[i], marks[i + 1])});
  }
  return times;
}

template class TreeOperator<float>;
template class TreeOperator<double>;

}  // namespace rankine::gpu
