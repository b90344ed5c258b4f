#include "rankine/fmm/truncation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "rankine/fmm/core/parallel.hpp"
#include "rankine/fmm/drawn_points.hpp"
#include "rankine/fmm/far_candidates.hpp"
#include "rankine/fmm/order.hpp"
#include "rankine/fmm/squared_terms.hpp"

namespace rankine::fmm {
namespace {

constexpr std::size_t most_boxes = 1024;  ///< boxes whose lists are used, shared among levels
/// Pairs whose errors are computed, and candidates when a point of a box is drawn.
constexpr int sampled = 512;

/// Beyond this order rare pairs in the corners of boxes cause most of the error, and a sample may
/// miss them. Above it, the estimate decreases no faster than the error of points that fill their
/// boxes.
constexpr int well_sampled_order = 10;

/// The squared size of a result divided by the mean square of its component along a random
/// direction.
constexpr double directions[3] = {1.0, 3.0, 7.5};

}  // namespace

class TruncationSample::Sampler {
 public:
  Sampler(const Octree& tree, const MortonPoints& points, const Options& options,
          int direct_threshold, int likely_order, int most_order)
      : tree_(tree),
        points_(points),
        method_(options.method),
        kernel_{options.kernel, options.softening / tree.side},
        direct_threshold_(direct_threshold),
        most_order_(most_order),
        derivatives_(options.hessian ? 2 : (options.gradient ? 1 : 0)),
        strengths_(options.dipoles ? 2 : 1),
        likely_order_(likely_order) {}

  /// The entries of all pairs, which the processes divide; null: there are no others.
  std::vector<Entry> errors(Communicator* processes) const;

 private:
  /// A pair of points from two boxes, and all points that are read for it.
  struct Pair {
    FarPair far;
    double weight;
    Uniform random;
    PointSequence sources, targets;
    std::optional<BoxSums> sums{};  ///< of the leaf of the target
    Vec3d u{}, w{};                 ///< directions of derivatives
    DrawnPoint x{}, y{};
  };

  /// Inverse core radius of a source in Morton order, in inverse edges of the root; 0 if there are
  /// no cores.
  double inverse_core(std::int32_t source) const {
    return points_.core_radii.empty() ? 0.0 : tree_.side / points_.core_radii[source];
  }
  std::size_t target_count() const {
    return static_cast<std::size_t>(tree_.boxes[0].target_count());
  }
  std::array<AlignedVector<Vec3d>, 2> read(std::span<Pair> pairs) const;
  template <class Add>
  void visit_sources(Pair& pair, const Add& add) const;
  std::array<double, pair_kinds> squared_sums(Pair& pair) const;
  std::vector<Pair> drawn_pairs() const;
  Uniform draw(Pair& pair, Uniform random) const;
  /// The number of errors of an entry.
  std::size_t entry_size() const {
    return static_cast<std::size_t>(pair_kinds * (most_order_ + 1));
  }
  void measure(std::span<Pair> pairs, double* errors) const;
  void measure(Pair& pair, PairSeries& series, double* errors) const;

  const Octree& tree_;
  const MortonPoints& points_;
  Method method_;
  PairKernel kernel_;
  int direct_threshold_, most_order_, derivatives_, strengths_, likely_order_;
};

/// Reads all points of the pairs.
std::array<AlignedVector<Vec3d>, 2> TruncationSample::Sampler::read(std::span<Pair> pairs) const {
  std::vector<PointSequence*> sources, targets;
  for (Pair& each : pairs) {
    sources.push_back(&each.sources);
    targets.push_back(&each.targets);
  }
  return {PointSequence::read(sources, points_.sources),
          PointSequence::read(targets, points_.targets)};
}

/// Calls add(source, times) for the sources of the sums at the target of a pair: all near ones, and
/// one of each far box, which counts several times.
template <class Add>
void TruncationSample::Sampler::visit_sources(Pair& pair, const Add& add) const {
  if (!pair.sums) {
    std::int32_t leaf = 0;
    while (!tree_.boxes[leaf].is_leaf()) {
      leaf = tree_.boxes[leaf].first_child;
      while (tree_.boxes[leaf].target_end <= pair.x.index) ++leaf;
    }
    pair.sums.emplace(tree_, method_, direct_threshold_, leaf);
  }
  for (const std::int32_t c : pair.sums->near) {
    const Box& box = tree_.boxes[c];
    for (std::int32_t j = box.source_begin; j < box.source_end; ++j) add(j, 1.0);
  }
  Uniform random = pair.random;
  for (const FarPair& s : pair.sums->far_pairs) {
    const Box& box = tree_.boxes[s.source];
    const auto size = static_cast<std::size_t>(box.source_count());
    add(box.source_begin + static_cast<std::int32_t>(random.below(size)), box.source_count());
  }
}

/// The sums of the squared terms at the target of a pair.
std::array<double, pair_kinds> TruncationSample::Sampler::squared_sums(Pair& pair) const {
  const Vec3d x = pair.targets(pair.x.index);
  const double inverse_side = 1.0 / tree_.side;
  return with_kernel<double>(kernel_, [&](const auto& term) {
    SquaredTerms sums{.softening2 = kernel_.softening * kernel_.softening,
                      .highest = derivatives_ + strengths_ - 1};
    visit_sources(pair, [&](std::int32_t source, double times) {
      const Vec3d r = (x - pair.sources(source)) * inverse_side;
      const double r2 = dot(r, r);
      if (r2 > 0.0) sums.add(term, r2, inverse_core(source), times);
    });
    return sums.by_kind();
  });
}

std::vector<TruncationSample::Sampler::Pair> TruncationSample::Sampler::drawn_pairs() const {
  // A lower order, so that pairs whose errors decrease slowly do not get too large weights.
  const std::vector<FarCandidate> candidates = far_candidates(
      tree_, method_, direct_threshold_, std::max(1, likely_order_ * 3 / 4), most_boxes);
  if (candidates.empty()) return {};
  // Every kind of translation gets the same number of pairs.
  double total[3][most_derivatives + 1] = {};
  for (const FarCandidate& c : candidates)
    for (int k = 0; k <= most_derivatives; ++k) total[c.far.kind][k] += c.weight[k];
  const auto share = [&](const FarCandidate& c) {
    const double* const all = total[c.far.kind];
    double shares = 0.0;
    const int highest = std::clamp(derivatives_ + strengths_ - 1, 1, most_derivatives);
    for (int k = 0; k <= highest; ++k) shares += c.weight[k] / all[k];
    return shares;
  };
  std::vector<double> cumulative(candidates.size());
  parallel_for(candidates.size(), [&](std::size_t k) { cumulative[k] = share(candidates[k]); });
  double sum = 0.0;
  for (double& each : cumulative) each = sum += each;
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < static_cast<std::size_t>(sampled); ++i) {
    Uniform random(1000 + i);
    const double at = sum * (static_cast<double>(i) + random()) / sampled;
    const auto found = std::upper_bound(cumulative.begin(), cumulative.end() - 1, at);
    const FarCandidate& c = candidates[static_cast<std::size_t>(found - cumulative.begin())];
    const double chance = share(c) / sum * sampled;
    pairs.push_back({c.far, c.stands_for / (chance * static_cast<double>(target_count())), random,
                     PointSequence(points_.sources), PointSequence(points_.targets)});
  }
  return pairs;
}

/// Writes the errors of these pairs, entry_size() each.
void TruncationSample::Sampler::measure(std::span<Pair> pairs, double* errors) const {
  const auto for_pairs = [&](const auto& work) {
    parallel_chunks(pairs.size(), 4, [&](std::size_t i) { work(pairs[i]); });
  };
  const bool is_read = !points_.sources.on_host() || !points_.targets.on_host();
  std::array<AlignedVector<Vec3d>, 2> in_boxes, in_sums;
  if (is_read) {
    for_pairs([&](Pair& pair) { draw(pair, pair.random); });
    in_boxes = read(pairs);
  }
  for_pairs([&](Pair& pair) {
    pair.random = draw(pair, pair.random);
    if (!is_read) return;
    pair.sources = PointSequence(points_.sources);
    pair.targets = PointSequence(points_.targets);
    pair.targets(pair.x.index);
    visit_sources(pair, [&](std::int32_t source, double) { pair.sources(source); });
  });
  if (is_read) in_sums = read(pairs);
  const PairSeries empty(most_order_, derivatives_, strengths_);
  parallel_chunks(
      pairs.size(), 4, [&] { return PairSeries(empty); },
      [&](std::size_t i, PairSeries& series) {
        measure(pairs[i], series, errors + i * entry_size());
      });
}

std::vector<TruncationSample::Entry> TruncationSample::Sampler::errors(
    Communicator* processes) const {
  std::vector<Pair> pairs = drawn_pairs();
  std::vector<double> errors(pairs.size() * entry_size());
  if (processes == nullptr) {
    measure(pairs, errors.data());
  } else {
    const auto rank = static_cast<std::size_t>(processes->rank()),
               ranks = static_cast<std::size_t>(processes->size());
    const std::size_t begin = pairs.size() * rank / ranks, end = pairs.size() * (rank + 1) / ranks;
    std::vector<double> own((end - begin) * entry_size());
    agreed(*processes, [&] { measure(std::span(pairs).subspan(begin, end - begin), own.data()); });
    processes->gather(std::as_bytes(std::span(own)), std::as_writable_bytes(std::span(errors)));
  }
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const FarPair& far = pairs[i].far;
    const Box &target = tree_.boxes[far.frame], &source = tree_.boxes[far.source];
    const auto begin = errors.begin() + static_cast<std::ptrdiff_t>(i * entry_size());
    entries.push_back({far.kind, -1, {begin, begin + static_cast<std::ptrdiff_t>(entry_size())}});
    if (far.kind != FarPair::p2l && target.level == source.level)
      entries.back().offset = offset_between(target, source);
  }
  return entries;
}

/// Draws the points from the boxes with preference for large errors. Returns the state of `random`
/// afterwards.
Uniform TruncationSample::Sampler::draw(Pair& pair, Uniform random) const {
  const FarPair& far = pair.far;
  const Box &target = tree_.boxes[far.frame], &source = tree_.boxes[far.source];
  const bool m2l = far.kind == FarPair::m2l, m2p = far.kind == FarPair::m2p;
  const BoxPoints targets{pair.targets, target.target_begin, target.target_count(), tree_,
                          m2p ? source : target};
  const BoxPoints sources{pair.sources, source.source_begin, source.source_count(), tree_,
                          m2l || m2p ? source : target};
  const int order = order_used(tree_, far, likely_order_);
  const auto falling = [&](double ratio) { return square_falling(ratio, order); };
  pair.u = drawn_direction(random);
  pair.w = drawn_direction(random);
  DrawnPoint &x = pair.x, &y = pair.y;
  if (m2l) {
    const Vec3d t = offset_vector(offset_between(target, source));
    // Terms of degrees n >= p at the target are of the order of (|x| / |t - y|)^p; those that also
    // have k >= p at the source up to (4 |x| |y| / |t|^2)^p, which may be larger.
    const auto left_out = [&](double rx, double dx, double ry, double dy) {
      return falling(rx / dy) + falling(ry / dx) + falling(4.0 * rx * ry / dot(t, t));
    };
    double farthest = 0.0, nearest = std::numeric_limits<double>::max();
    for (std::int32_t k = 0; k < targets.count; k += 1 + targets.count / sampled) {
      const Vec3d each = targets(k);
      farthest = std::max(farthest, norm(each));
      nearest = std::min(nearest, norm(t + each));
    }
    y = draw_point<sampled>(sources, random, [&](const Vec3d& at) {
      return left_out(farthest, nearest, norm(at), norm(t - at));
    });
    x = draw_point<sampled>(targets, random, [&](const Vec3d& at) {
      return left_out(norm(at), norm(t + at), norm(y.at), norm(t - y.at));
    });
    return random;
  }
  const auto near_centre = [&](const Vec3d& at) { return falling(norm(at)); };
  const auto away = [&](const Vec3d& at) { return falling(1.0 / norm(at)); };
  if (m2p) {
    x = draw_point<sampled>(targets, random, away);
    y = draw_point<sampled>(sources, random, near_centre);
  } else {
    x = draw_point<sampled>(targets, random, near_centre);
    y = draw_point<sampled>(sources, random, away);
  }
  return random;
}

/// The squared errors of a pair, which are zero at first.
void TruncationSample::Sampler::measure(Pair& pair, PairSeries& series, double* errors) const {
  const FarPair& far = pair.far;
  const Box &target = tree_.boxes[far.frame], &source = tree_.boxes[far.source];
  const DrawnPoint &x = pair.x, &y = pair.y;
  if (far.kind == FarPair::m2l) {
    series.set_m2l(offset_vector(offset_between(target, source)), x.at, y.at, pair.u, pair.w);
  } else {
    series.set_single(far.kind == FarPair::m2p ? Harmonic::singular : Harmonic::regular, x.at, y.at,
                      pair.u, pair.w);
  }
  const double per_edge = 1.0 / box_edge(far.kind == FarPair::m2p ? source : target);
  const auto sums = squared_sums(pair);
  for (int s = 0; s < strengths_; ++s) {
    for (int d = 0; d <= derivatives_; ++d) {
      const double size = std::pow(per_edge, 1 + d + s);
      const double factor = pair.weight * x.stands_for * y.stands_for * directions[d] * size *
                            size / sums[pair_kind(d, s)];
      double* const error = errors + pair_kind(d, s) * (most_order_ + 1);
      series.errors(d, s, [&](int p, double e) { error[p] = factor * e * e; });
    }
  }
}

TruncationSample::TruncationSample(const Octree& tree, const MortonPoints& points,
                                   const Options& options, int direct_threshold, int likely_order,
                                   int most_order, Communicator* processes)
    : most_order_(most_order) {
  for (int s = 0; s < (options.dipoles ? 2 : 1); ++s) {
    wanted_[pair_kind(0, s)] = !is_vortex(options.kernel);
    wanted_[pair_kind(1, s)] = options.gradient || options.hessian;
    wanted_[pair_kind(2, s)] = options.hessian;
  }
  if (tree.boxes[0].target_count() == 0 || tree.boxes[0].source_count() == 0) return;
  const Sampler sampler(tree, points, options, direct_threshold, likely_order, most_order);
  entries_ = sampler.errors(processes);
}

std::array<double, pair_kinds> TruncationSample::mean_squares(int order) const {
  const Orders& orders = orders_of(order);
  std::array<double, pair_kinds> sum{}, squares{};
  for (const Entry& entry : entries_) {
    const auto& of_kind = entry.kind == FarPair::m2p ? orders.m2p : orders.m2l;
    const int p = entry.offset < 0 ? orders.order : of_kind[entry.offset];
    for (int k = 0; k < pair_kinds; ++k) {
      const double error = entry.error[k * (most_order_ + 1) + p];
      sum[k] += error;
      squares[k] += error * error;
    }
  }
  const double count = static_cast<double>(entries_.size());
  for (int k = 0; k < pair_kinds; ++k)
    sum[k] += std::sqrt(std::max(0.0, squares[k] - sum[k] * sum[k] / count));
  return sum;
}

double TruncationSample::relative_error(int order) const {
  const int low = std::min(order, well_sampled_order);
  const auto error = mean_squares(order), of_low = mean_squares(low);
  const int offset = offset_index(2, 0, 0);
  const double falls =
      std::pow(10.0, m2l_error_digits(offset, low) - m2l_error_digits(offset, order));
  double worst = 0.0;
  for (int d = 0; d <= most_derivatives; ++d) {
    for (int s = 0; s < strength_kinds; ++s) {
      const int k = pair_kind(d, s);
      if (!wanted_[k]) continue;
      const double falls_here = falls * std::pow(static_cast<double>(order) / low, d + s);
      worst = std::max({worst, error[k], of_low[k] * falls_here * falls_here});
    }
  }
  return std::sqrt(worst);
}

}  // namespace rankine::fmm
