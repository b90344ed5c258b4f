#include "rankine/gpu/sums/tree_operator.hpp"

#include <algorithm>
#include <limits>

#include "rankine/gpu/runtime/profile_range.hpp"
#include "rankine/gpu/sums/mutual_sums.hpp"

namespace rankine::gpu {
template <class T>
TreeOperator<T>::TreeOperator(const DevicePoints& points, const fmm::Decisions& plan,
                              DeviceTree tree, std::shared_ptr<const Stream> stream,
                              const Stopwatch& stopwatch, const DeviceGroup* group)
    : stream_(std::move(stream)),
      far_(stream_->context(), Stream::Priority::high),
      near_(stream_->context()),
      plan_(plan),
      vortices_(is_vortex(plan.options.kernel)),
      has_normals_(!points.points().normals.empty()),
      arrays_(1, *stream_) {
  const ProfileRange range("setup of a tree operator");
  if (group != nullptr) shares_.emplace(*group);
  make_matrices();
  set_points(points, std::move(tree));
  info_.setup_seconds = stopwatch.seconds();
}

template <class T>
void TreeOperator<T>::move(const fmm::Points& points, MemorySpace where) {
  const ProfileRange range("move");
  fmm::check_move(points, info_, has_normals_, where);
  const DeviceScope scope(*stream_->context());
  const Stopwatch stopwatch;
  const DevicePoints given(points, where, *stream_);
  stream_->synchronize();  // a graph may still be running
  graphs_.clear();
  set_points(given, build_device_tree(given, plan_.options.leaf_capacity, plan_.padding, *stream_,
                                      plan_.least_edge));
  info_.setup_seconds = stopwatch.seconds();
}

template <class T>
void TreeOperator<T>::set_order(int order) {
  const DeviceScope scope(*stream_->context());
  stream_->synchronize();  // a graph may still be running
  graphs_.clear();
  plan_.orders = fmm::orders_of(order);
  info_.order = order;
  const auto make = [&] {
    make_matrices();
    set_expansions();
  };
  if (shares_) {
    agreed(shares_->group().processes(), make);
  } else {
    make();
  }
}

/// Sets up everything that depends only on the orders of the plan.
template <class T>
void TreeOperator<T>::make_matrices() {
  const int order = plan_.orders.order;
  stride_ = padded_coefficients(order);
  tables_ = HarmonicTables<T>(order, vortices_, *stream_);
  if (plan_.options.method == fmm::Method::fmm)
    m2l_matrices_ = m2l_matrices<T>(plan_.orders, *stream_);
  if (order <= most_low_order) low_order_ = LowOrderMaps<T>(order, *stream_);
  octants_ = octant_matrices<T>(order, *stream_);
  tile_sizes_ = TileSizes<T>(order, columns(plan_.options.rhs));
}

/// Builds tree, lists and everything that depends on them. Only a few counts are downloaded.
template <class T>
void TreeOperator<T>::set_points(const DevicePoints& points, DeviceTree tree) {
  if (shares_) shares_->divide_targets(tree, *stream_);
  const fmm::Options& options = plan_.options;
  DeviceLists lists =
      build_device_lists(tree, fmm::list_rules(options.method, plan_.direct_threshold), *stream_);
  inverse_side_ = 1.0 / tree.root.side;
  boxes_ = tree.box_count;
  shared_points_ = tree.shared_points();
  const bool fmm = options.method == fmm::Method::fmm;
  has_locals_ = fmm && (lists.far.size > 0 || lists.local.size > 0);
  place_points(points, tree);
  if (shares_) shares_->divide_sources(tree, lists, *stream_);
  work_ = make_work_items<T>(tree, lists, fmm::CloseLimit(options), *stream_);
  describe(tree, lists, static_cast<std::int64_t>(points.points().targets.size()));
  separate_pairs(points, tree, lists);
  multipole_lists_ = make_multipole_lists(tree, lists, options.method, *stream_);
  lists.near = {};
  tree_ = std::move(tree);
  lists_ = std::move(lists);
  set_expansions();
}

/// Sets up everything that depends on the boxes and the orders of the plan.
template <class T>
void TreeOperator<T>::set_expansions() {
  const fmm::Options &options = plan_.options, expanded = fmm::expansion_options(options);
  multipole_lists_.set_orders(plan_.orders, *stream_);
  list_translations();
  reserve({true, options.dipoles, expanded.hessian ? 2 : (expanded.gradient ? 1 : 0), options.rhs});
  applied_ = false;
  multipoles_.zero(*stream_);  // removes values of the previous boxes
  locals_.zero(*stream_);
  stream_->synchronize();
}

template <class T>
void TreeOperator<T>::describe(const DeviceTree& tree, const DeviceLists& lists,
                               std::int64_t targets) {
  info_ = plan_.info();
  info_.depth = tree.depth();
  info_.sources = static_cast<std::int64_t>(source_points_.size() / 3);
  info_.targets =
      tree.shared_points() ? targets : static_cast<std::int64_t>(target_points_.size() / 3);
  info_.boxes = tree.box_count;
  info_.leaves = work_.leaves;
  info_.near_pairs = work_.near_pairs;
  info_.m2l = plan_.options.method == fmm::Method::fmm ? lists.far.size : 0;
}

template <class T>
void TreeOperator<T>::place_points(const DevicePoints& points, DeviceTree& tree) {
  source_points_ = local_sources<T>(tree, points, *stream_);
  target_points_ = {};
  if (!tree.shared_points()) target_points_ = local_targets<T>(tree, points, *stream_);
  source_order_ = std::move(tree.source_order);
  target_order_ = std::move(tree.target_order);
  if (has_normals_) normals_ = reordered<T>(points.points().normals, source_order_, *stream_);
  inverse_cores_ =
      inverse_cores<T>(points.points().core_radii, source_order_, tree.root.side, *stream_);
}

/// Finds the close pairs; if there are any, stores the caller's positions. If the points are both
/// sources and targets, builds mutual items for the other pairs of leaves.
template <class T>
void TreeOperator<T>::separate_pairs(const DevicePoints& points, const DeviceTree& tree,
                                     const DeviceLists& lists) {
  close_sources_ = {};
  close_targets_ = {};
  const bool shared = tree.shared_points();
  const GivenPoints sources{points.points().sources.data(), source_order_.data()},
      targets =
          shared ? sources : GivenPoints{points.points().targets.data(), target_order_.data()};
  DeviceBuffer<std::uint8_t> close =
      find_close(work_, view(source_points_), view(shared ? source_points_ : target_points_),
                 sources, targets, *stream_);
  if (shared) mark_both_ways(tree, lists.near.view(), close, *stream_);
  close_ = take_close(work_, close, *stream_);
  work_.near_reach = {};
  mutual_ = {};
  if (shared && !vortices_) mutual_ = shared_pairs(tree, lists, close);
  if (close_.blocks.size() == 0) return;
  close_sources_ = reordered<double>(points.points().sources, source_order_, *stream_);
  if (!shared) close_targets_ = reordered<double>(points.points().targets, target_order_, *stream_);
}

template <class T>
MutualItems<T> TreeOperator<T>::shared_pairs(const DeviceTree& tree, const DeviceLists& lists,
                                             const DeviceBuffer<std::uint8_t>& close) const {
  constexpr std::int64_t most_of_a_point = 64;
  const std::int64_t most =
      std::min<std::int64_t>(most_of_a_point * info_.sources, std::numeric_limits<int>::max());
  return make_mutual_items<T>(
      tree, {lists.near.view(), lists.near.size, close_.blocks.size() > 0 ? close.data() : nullptr},
      most, *stream_);
}

template <class T>
void TreeOperator<T>::list_translations() {
  const DeviceTree& tree = tree_;
  const DeviceLists& lists = lists_;
  const int depth = tree.depth();
  const TileSize size = [this](std::int64_t targets) { return tile_sizes_.best(targets); };
  const auto coarsest = [&](const DeviceRows& rows) {
    return rows.size > 0 ? rows.coarsest() : depth;
  };
  translation_targets_ = translation_targets(tree, *stream_);
  const TranslationTargets& targets = translation_targets_;
  m2m_tiles_.clear();
  // M2L connects boxes of one level, M2P boxes of any level. The lists of other devices are not
  // known, but boxes of level 1 are never separated.
  const int coarsest_multipole =
      shares_ ? std::min(2, depth) : std::min(coarsest(lists.far), multipole_lists_.coarsest);
  for (int level = depth - 1; level >= coarsest_multipole; --level)
    m2m_tiles_.push_back(m2m_tiles(tree, targets, level, size, octants_.m2m.entries, *stream_));
  m2l_tiles_ = {};
  l2l_tiles_.clear();
  if (!has_locals_) return;
  m2l_tiles_ = m2l_tiles(tree, targets, lists.far.view(), size, m2l_matrices_.entries, *stream_);
  for (int level = std::min(coarsest(lists.far), coarsest(lists.local)) + 1; level <= depth;
       ++level) {
    l2l_tiles_.push_back(l2l_tiles(tree, targets, level, size, octants_.l2l.entries, *stream_));
  }
}

template <class T>
void TreeOperator<T>::reserve(const Kind& kind) {
  const auto grow = [&]<class Real>(DeviceBuffer<Real>& buffer, std::size_t size) {
    if (buffer.size() >= size) return;
    graphs_.clear();
    stream_->synchronize();
    buffer = DeviceBuffer<Real>();
    buffer = DeviceBuffer<Real>(size, *stream_);
    buffer.zero(*stream_);  // the padding of expansions must be zero
  };
  tables_.add_derivatives(kind.derivatives, *stream_);
  const std::size_t rhs = static_cast<std::size_t>(kind.rhs),
                    columns = static_cast<std::size_t>(this->columns(kind.rhs));
  const std::size_t expansions = static_cast<std::size_t>(boxes_) * stride_ * columns;
  const auto sources = static_cast<std::size_t>(info_.sources),
             targets = static_cast<std::size_t>(info_.targets);
  grow(multipoles_, expansions);
  if (shares_ &&
      shares_->reserve(sizeof(T) * static_cast<std::size_t>(stride_) * columns, *stream_))
    graphs_.clear();
  if (has_locals_) grow(locals_, expansions);
  if (is_low_order(kind)) {
    grow(low_order_coefficients_,
         columns * static_cast<std::size_t>(boxes_) *
             LowOrderMaps<T>::stride(plan_.orders.order, kind.derivatives > 0));
  }
  if (is_mutual(kind))
    grow(partials_, static_cast<std::size_t>(mutual_.partials) * (kind.derivatives > 0 ? 4 : 1));
  if (kind.charges) grow(charges_, columns * sources);
  if (kind.dipoles) grow(dipoles_, 3 * rhs * sources);
  if (vortices_) {
    grow(velocity_, 3 * rhs * targets);
    if (kind.derivatives > 1) grow(velocity_gradient_, 9 * rhs * targets);
  } else {
    grow(potential_, rhs * targets);
    if (kind.derivatives > 0) grow(gradient_, 3 * rhs * targets);
    if (kind.derivatives > 1) grow(hessian_, 6 * rhs * targets);
  }
  info_.device_bytes = device_bytes();
}

template <class T>
std::size_t TreeOperator<T>::device_bytes() const {
  std::size_t total = tree_.boxes.bytes() + tables_.bytes() + m2l_tiles_.bytes() +
                      translation_targets_.bytes() + mutual_.bytes() + partials_.bytes() +
                      octants_.bytes() + m2l_matrices_.bytes() + multipole_lists_.bytes() +
                      low_order_.bytes() + low_order_coefficients_.bytes() + work_.bytes() +
                      close_.bytes() + source_order_.bytes() + target_order_.bytes() +
                      close_sources_.bytes() + close_targets_.bytes();
  for (const auto* buffer :
       {&source_points_, &target_points_, &normals_, &charges_, &dipoles_, &multipoles_, &locals_,
        &potential_, &gradient_, &hessian_, &inverse_cores_, &velocity_, &velocity_gradient_}) {
    total += buffer->bytes();
  }
  for (const DeviceRows* rows : {&lists_.far, &lists_.local})
    total += rows->begin.bytes() + rows->items.bytes();
  for (const auto& tiles : m2m_tiles_) total += tiles.bytes();
  for (const auto& tiles : l2l_tiles_) total += tiles.bytes();
  return total;
}

template class TreeOperator<float>;
template class TreeOperator<double>;

}  // namespace rankine::gpu
