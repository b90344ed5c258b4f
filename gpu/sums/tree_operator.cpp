#include "rankine/gpu/sums/tree_operator.hpp"

#include <algorithm>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/gpu/runtime/profile_range.hpp"
#include "rankine/gpu/sums/collect.hpp"
#include "rankine/gpu/sums/device_close_sums.hpp"
#include "rankine/gpu/sums/device_tree.hpp"
#include "rankine/gpu/sums/given_points.hpp"
#include "rankine/gpu/sums/near_sums.hpp"
#include "rankine/gpu/sums/point_order.hpp"

namespace rankine::gpu {
namespace {

template <class T>
PointView<T> view(const DeviceBuffer<T>& points) {
  const std::size_t n = points.size() / 3;
  return {points.data(), points.data() + n, points.data() + 2 * n};
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
  const std::span<const std::int32_t> items = plan.lists.multipole.items;
  const auto lower = [](int& least, int level) { least = std::min(least, level); };
  return parallel_reduce(
      items.size(), coarsest_row(plan.tree, plan.lists.far),
      [&](std::size_t i, int& least) { lower(least, plan.tree.boxes[items[i]].level); }, lower);
}

int coarsest_local(const fmm::Plan& plan) {
  return std::min(coarsest_row(plan.tree, plan.lists.far),
                  coarsest_row(plan.tree, plan.lists.local));
}

}  // namespace

template <class T>
TreeOperator<T>::TreeOperator(const fmm::Points& points, fmm::Plan plan,
                              std::shared_ptr<const Stream> stream, const Stopwatch& stopwatch)
    : stream_(std::move(stream)),
      far_(stream_->context(), Stream::Priority::high),
      near_(stream_->context()),
      plan_(std::move(plan)),
      has_normals_(!points.normals.empty()),
      arrays_(1, *stream_) {
  const ProfileRange range("setup of a tree operator");
  make_matrices();
  set_points(points);
  info_.setup_seconds = stopwatch.seconds();
}

template <class T>
void TreeOperator<T>::move(const fmm::Points& given, MemorySpace where) {
  const ProfileRange range("move");
  fmm::check_move(given, info_, has_normals_);
  const DeviceScope scope(*stream_->context());
  const Stopwatch stopwatch;
  const HostPoints host(given, where, *stream_);
  const fmm::Points& points = host.points();
  fmm::replan(plan_, points, *tree_builder(points, *stream_));
  stream_->synchronize();  // graphs may still run
  graphs_.clear();
  set_points(points);
  info_.setup_seconds = stopwatch.seconds();
}

/// What follows from the plan's orders alone.
template <class T>
void TreeOperator<T>::make_matrices() {
  const int order = plan_.orders.order;
  stride_ = padded_coefficients(order);
  tables_ = HarmonicTables<T>(order, *stream_);
  const std::vector<std::uint8_t> signs = reflection_signs(order);
  const auto upload = [&](const MatrixSet<T>& set, DeviceMatrices<T>& matrices,
                          std::vector<TileChunk>& headers) {
    matrices = {DeviceBuffer<T>(set.fragments, *stream_),
                DeviceBuffer<std::uint8_t>(signs, *stream_)};
    headers = matrix_headers(set);
  };
  upload(m2m_matrix<T>(order), m2m_matrix_, m2m_headers_);
  if (plan_.options.method == fmm::Method::treecode) return;
  upload(m2l_matrices<T>(plan_.orders), m2l_matrices_, m2l_headers_);
  upload(l2l_matrix<T>(order), l2l_matrix_, l2l_headers_);
}

/// Everything that the plan's tree and lists give.
template <class T>
void TreeOperator<T>::set_points(const fmm::Points& points) {
  info_ = plan_.info();
  inverse_side_ = 1.0 / plan_.tree.side;
  boxes_ = static_cast<std::int64_t>(plan_.tree.boxes.size());
  has_locals_ = !plan_.lists.far.items.empty() || !plan_.lists.local.items.empty();
  const Given given{DeviceBuffer<Vec3d>(points.sources, *stream_),
                    plan_.tree.shared_points ? DeviceBuffer<Vec3d>()
                                             : DeviceBuffer<Vec3d>(points.targets, *stream_)};
  place_points(points, given);
  list_work(given);
  list_translations();
  const fmm::Options& options = plan_.options;
  reserve({true, options.dipoles, options.hessian ? 2 : (options.gradient ? 1 : 0), options.rhs});
  multipoles_.zero(*stream_);  // what other boxes had
  locals_.zero(*stream_);
  stream_->synchronize();
  plan_.tree = {};
  plan_.lists = {};
  plan_.leaves = {};
}

template <class T>
void TreeOperator<T>::place_points(const fmm::Points& points, const Given& given) {
  const fmm::Octree& tree = plan_.tree;
  const DeviceBuffer<fmm::Box> boxes(tree.boxes, *stream_);
  const DeviceBuffer<std::int32_t> leaves(plan_.leaves, *stream_);
  source_order_ = DeviceBuffer<std::int32_t>(tree.source_order, *stream_);
  source_points_ = local_points<T>(plan_, boxes, leaves, PointSet::sources, given.sources,
                                   source_order_, *stream_);
  target_order_ = {};
  target_points_ = {};
  if (!tree.shared_points) {
    target_order_ = DeviceBuffer<std::int32_t>(tree.target_order, *stream_);
    target_points_ = local_points<T>(plan_, boxes, leaves, PointSet::targets, given.targets,
                                     target_order_, *stream_);
  }
  if (has_normals_) normals_ = reordered<T>({points.normals, *stream_}, source_order_, *stream_);
}

template <class T>
void TreeOperator<T>::list_work(const Given& given) {
  WorkItems<T> work = make_work_items<T>(plan_);
  p2m_ = DeviceBuffer<CollectItem<T>>(work.p2m, *stream_);
  p2l_ = DeviceBuffer<CollectItem<T>>(work.p2l, *stream_);
  p2m_ranges_ = DeviceBuffer<SourceRange<T>>(work.p2m_ranges, *stream_);
  p2l_ranges_ = DeviceBuffer<SourceRange<T>>(work.p2l_ranges, *stream_);
  views_ = DeviceBuffer<MultipoleView<T>>(work.multipoles, *stream_);
  near_ranges_ = DeviceBuffer<SourceRange<T>>(work.near, *stream_);
  blocks_ = DeviceBuffer<TargetBlock<T>>(work.target_blocks, *stream_);
  separate_close(work, given);
}

/// Finds the close pairs and, where there are any, keeps the points as they were given.
template <class T>
void TreeOperator<T>::separate_close(WorkItems<T>& work, const Given& given) {
  close_ranges_ = {};
  close_blocks_ = {};
  close_sources_ = {};
  close_targets_ = {};
  const bool shared = plan_.tree.shared_points;
  const GivenPoints sources{given.sources.data(), source_order_.data()},
      targets = shared ? sources : GivenPoints{given.targets.data(), target_order_.data()};
  const std::vector<std::uint8_t> close =
      find_close(blocks_, near_ranges_, work.near_reach, view(source_points_),
                 view(shared ? source_points_ : target_points_), sources, targets, *stream_);
  if (std::find(close.begin(), close.end(), 1) == close.end()) return;
  const CloseItems<T> items = take_close(work, close);
  near_ranges_ = DeviceBuffer<SourceRange<T>>(work.near, *stream_);
  blocks_ = DeviceBuffer<TargetBlock<T>>(work.target_blocks, *stream_);
  close_ranges_ = DeviceBuffer<SourceRange<T>>(items.ranges, *stream_);
  close_blocks_ = DeviceBuffer<CloseBlock>(items.blocks, *stream_);
  close_sources_ = reordered<double>(given.sources, source_order_, *stream_);
  if (!shared) close_targets_ = reordered<double>(given.targets, target_order_, *stream_);
}

template <class T>
void TreeOperator<T>::list_translations() {
  const fmm::Octree& tree = plan_.tree;
  const int order = plan_.orders.order;
  m2m_tiles_.clear();
  const int coarsest = coarsest_multipole(plan_);
  for (int level = tree.depth() - 1; level >= coarsest; --level)
    m2m_tiles_.emplace_back(m2m_tiles(tree, level, order, m2m_headers_), *stream_);
  m2l_tiles_ = {};
  l2l_tiles_.clear();
  if (!has_locals_) return;
  m2l_tiles_ = DeviceTiles(m2l_tiles(tree, plan_.lists.far, order, m2l_headers_), *stream_);
  for (int level = coarsest_local(plan_) + 1; level <= tree.depth(); ++level)
    l2l_tiles_.emplace_back(l2l_tiles(tree, level, order, l2l_headers_), *stream_);
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
  if (kind.derivatives > 0) grow(gradient_, 3 * rhs * targets);
  if (kind.derivatives > 1) grow(hessian_, 6 * rhs * targets);
  info_.device_bytes = device_bytes();
}

template <class T>
std::size_t TreeOperator<T>::device_bytes() const {
  std::size_t total = tables_.bytes() + m2l_tiles_.bytes() + blocks_.bytes() + views_.bytes() +
                      p2m_.bytes() + p2l_.bytes() + p2m_ranges_.bytes() + p2l_ranges_.bytes() +
                      near_ranges_.bytes() + source_order_.bytes() + target_order_.bytes() +
                      close_ranges_.bytes() + close_blocks_.bytes() + close_sources_.bytes() +
                      close_targets_.bytes();
  for (const auto* buffer :
       {&source_points_, &target_points_, &normals_, &charges_, &dipoles_, &multipoles_, &locals_,
        &potential_, &gradient_, &hessian_, &m2m_matrix_.fragments, &m2l_matrices_.fragments,
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
                        kind.derivatives > 0 ? gradient_.data() : nullptr,
                        kind.derivatives > 1 ? hessian_.data() : nullptr};
  const std::int64_t rhs_stride = boxes_ * stride_;
  const Expansions<T> multipoles{multipoles_.data(), stride_, rhs_stride},
      locals{has_locals_ ? locals_.data() : nullptr, stride_, rhs_stride};
  const Expansions<const T> from_multipoles{multipoles.data, stride_, rhs_stride},
      from_locals{locals.data, stride_, rhs_stride};
  const int rhs = kind.rhs;
  const Root root = plan_.root;
  const fmm::Kernel kernel = plan_.options.kernel;

  std::vector<Pass> all;
  all.push_back({"other", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                   const StrengthArrays<T> out{kind.charges ? charges_.data() : nullptr,
                                               kind.dipoles ? dipoles_.data() : nullptr,
                                               normals_.data()};
                   load_strengths(arrays_.data(), source_order_.data(), info_.sources,
                                  inverse_side_, out, rhs, stream);
                 }});
  all.push_back(
      {"P2P", Branch::near, Needs::strengths, [=, this](const Stream& stream) {
         sum_near(kernel, blocks_, near_ranges_, sources, targets, sums, rhs, root, stream);
         if (close_blocks_.size() == 0) return;
         const DeviceBuffer<double>& close_targets = shared ? close_sources_ : close_targets_;
         sum_close(kernel, close_blocks_, close_ranges_, view(close_sources_), view(close_targets),
                   inverse_side_, sources, sums, rhs, stream);
       }});
  all.push_back({"P2M", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                   collect(fmm::Harmonic::regular, p2m_, p2m_ranges_, tables_, sources, multipoles,
                           rhs, stream);
                 }});
  all.push_back({"M2M", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                   for (const DeviceTiles& tiles : m2m_tiles_) {
                     translate("M2M", tiles, m2m_matrix_, from_multipoles, multipoles, Update::set,
                               rhs, stream);
                   }
                 }});
  if (views_.size() > 0) {
    all.push_back({"M2P", Branch::near, Needs::multipoles, [=, this](const Stream& stream) {
                     evaluate_multipoles(blocks_, views_, tables_, targets, from_multipoles, sums,
                                         rhs, stream);
                   }});
  }
  if (has_locals_) {
    all.push_back({"M2L", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                     translate("M2L", m2l_tiles_, m2l_matrices_, from_multipoles, locals,
                               Update::set, rhs, stream);
                   }});
    if (p2l_.size() > 0) {
      all.push_back({"P2L", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                       collect(fmm::Harmonic::singular, p2l_, p2l_ranges_, tables_, sources, locals,
                               rhs, stream);
                     }});
    }
    all.push_back({"L2L", Branch::far, Needs::nothing, [=, this](const Stream& stream) {
                     for (const DeviceTiles& tiles : l2l_tiles_) {
                       translate("L2L", tiles, l2l_matrix_, from_locals, locals, Update::add, rhs,
                                 stream);
                     }
                   }});
  }
  all.push_back({"L2P", Branch::far, Needs::near_sums, [=, this](const Stream& stream) {
                   evaluate_locals(blocks_, tables_, targets, from_locals, sums, target_order,
                                   inverse_side_, &arrays_.data()->results, rhs, stream);
                 }});
  return all;
}

template <class T>
Graph TreeOperator<T>::capture(const Kind& kind) {
  const std::vector<Pass> all = passes(kind);
  const auto join = [](Event& event, const Stream& from, const Stream& to) {
    event.record(from);
    to.wait(event);
  };
  return Graph(far_, [&] {
    for (const Pass& pass : all) {
      if (pass.needs == Needs::strengths) join(strengths_ready_, far_, near_);
      if (pass.needs == Needs::multipoles) join(multipoles_ready_, far_, near_);
      if (pass.needs == Needs::near_sums) join(near_done_, near_, far_);
      pass.queue(pass.branch == Branch::near ? near_ : far_);
    }
  });
}

template <class T>
typename TreeOperator<T>::Kind TreeOperator<T>::prepare(const fmm::Strengths& strengths,
                                                        const fmm::Results& results, int rhs) {
  fmm::check_apply(strengths, results, rhs, info_, has_normals_);
  const Kind kind{!strengths.charges.empty(),
                  !strengths.normal_dipoles.empty() || !strengths.dipoles.empty(),
                  fmm::derivatives(results), rhs};
  reserve(kind);
  store_arrays({address(strengths.charges),
                address(strengths.normal_dipoles),
                address(strengths.dipoles),
                {address(results.potential), address(results.gradient), address(results.hessian)}},
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
  const DeviceScope scope(*stream_->context());
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
